"""A phone as the camera over a board: its pictures, its pages, who fetches them."""

"""The page for spectators: what it shows, its addresses, and a copy of it that needs no server."""

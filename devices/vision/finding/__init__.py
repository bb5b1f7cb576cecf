"""Finding a board in a picture, from blobs to corners."""

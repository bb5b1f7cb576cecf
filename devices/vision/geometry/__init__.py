"""Where a board lies in a picture: poses, and tiles above its plane."""

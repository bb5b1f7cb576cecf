"""Setting a table up, step by step, in a browser or a terminal."""

"""A log in a database that several recorders write, each for the tables that it holds."""

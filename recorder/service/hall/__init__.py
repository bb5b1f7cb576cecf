"""One recorder among several that share the tables of a hall."""

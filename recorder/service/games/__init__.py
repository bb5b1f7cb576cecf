"""The games of the tables: which is on, which is next, what they ask for, what they result in."""

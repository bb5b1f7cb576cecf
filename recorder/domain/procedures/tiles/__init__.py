"""Procedures about tiles: drawn wrongly, loose, laid wrongly, blanks without a letter."""

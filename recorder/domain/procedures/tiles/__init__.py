"""Procedures about tiles: drawn wrongly, astray, laid wrongly, blanks without a letter."""

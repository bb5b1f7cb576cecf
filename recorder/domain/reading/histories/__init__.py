"""Histories of a game that explain all looks so far: what they are, cost, and grow into."""

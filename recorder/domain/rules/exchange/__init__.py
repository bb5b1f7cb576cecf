"""Exchanges: when they are allowed, how many tiles, and remedies of wrong ones."""

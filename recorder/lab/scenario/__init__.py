"""Scenarios: what happens at a table, written down, and played through the recorder as it runs."""

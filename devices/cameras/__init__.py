"""Cameras over board, rack and slip: capture, when to look, and what is published."""

"""Challenges: who may, until when, the verdict, and what it costs."""

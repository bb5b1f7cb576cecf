"""All routes: each names who may come in, and hands over to its room."""

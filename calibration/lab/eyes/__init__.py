"""Training and measuring the eyes on rendered scenes."""

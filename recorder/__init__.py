"""The game, its log and the running session. Knows nothing of devices, pictures or pages."""

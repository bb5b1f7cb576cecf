"""The event above the game: pairing and standings."""

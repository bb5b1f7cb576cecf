"""What a recorder's figures are; they say how it does, and nothing of any game."""

"""What a venue needs before a game: eyes, geometry, printed aids, all its files, a trial run."""

"""OBS follows the game: scenes and chapters through obs-websocket."""

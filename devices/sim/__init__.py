"""The simulator below the drivers: a game script becomes pixels and serial bytes."""

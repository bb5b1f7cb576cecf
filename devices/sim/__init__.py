"""The simulator below the drivers: a scenario becomes pixels and serial bytes."""

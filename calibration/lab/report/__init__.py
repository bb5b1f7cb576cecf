"""How well the eyes read, against pictures whose truth is known."""

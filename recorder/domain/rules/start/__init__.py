"""Before the first turn: set-up, who begins, and players who come late or never."""

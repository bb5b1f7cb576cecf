"""The event above the tables: divisions, rounds, who met whom, standings and pairings."""

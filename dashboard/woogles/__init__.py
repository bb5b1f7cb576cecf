"""Games mirrored to Woogles: the link to their service, and what follows a log for it."""

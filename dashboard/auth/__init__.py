"""Who may see what: accounts, sessions, roles, keys."""

"""The append-only log: its port with an in-memory twin, and SQLite behind it."""

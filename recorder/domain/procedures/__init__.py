"""Which procedures stand open at a table, worked out from notices, orders and what sensors say."""

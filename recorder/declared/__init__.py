"""What dataclasses declare, read and written: messages, rows, and the files that people write."""

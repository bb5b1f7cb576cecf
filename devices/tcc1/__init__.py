"""The line protocol TCC1: frames with checksum, and its messages."""

"""Table clocks on a serial line, with what they must not lose on disk."""

"""From log to pages: one follower of the log, folds per table, frames and their deltas."""

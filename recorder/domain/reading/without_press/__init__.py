"""What tells of turns besides presses: who reaches over the board, what is said at the table."""

"""What ends a turn besides its press: draws, replies, hands over the board, words."""

"""The board without a game: cleared by the players, or with the set laid out for a check.

They clear it after the game, between games, with the end not yet confirmed.

A play that is taken back takes its own tiles off the board and no others (rulebook CHAL-5). Where
others go too, the players clear up: nothing of that is an act of the game.
"""

from recorder.domain.board import SIZE, SQUARES
from recorder.domain.observations import COVERED, SquareCosts
from recorder.domain.reading.histories.hypotheses import Hypothesis
from recorder.domain.tiles import EMPTY

CLEARED = 9
"""So many tiles gone, the last play aside, are a board that is cleared, or not the board."""
MOST_KNOCKED = 2
"""So many tiles go by accident beside a play that is taken back."""
CLEARING_MS = 20_000
"""So long the players may take: who begins with the last play has not taken it back."""
MOST_ASTRAY = 5
"""So many tiles may be missing, or be too many, in what is a set laid out."""
LEAST_DENSE = 40
"""So many times four tiles lie in a square at least: in blocks 64 times, in a game hardly ever."""


def is_cleared(squares: SquareCosts, history: Hypothesis) -> bool:
    """Whether a look shows the board of a history cleared, or well on the way to it.

    The only play on a board says nothing: it may have been taken back.
    """
    last = history.last_play
    others = history.occupied - frozenset(last.placed if last is not None else ())
    gone = [square for square in others if squares.best(square) is EMPTY]
    return len(gone) >= CLEARED or (len(gone) > MOST_KNOCKED and len(gone) == len(others))


def is_laid_out(squares: SquareCosts, total: int) -> bool:
    """Whether nearly ``total`` tiles lie side by side in blocks."""
    symbols = [squares.best(square) for square in range(SQUARES)]
    if COVERED in symbols:
        return False
    tiles = {square for square, symbol in enumerate(symbols) if symbol is not EMPTY}
    if abs(len(tiles) - total) > MOST_ASTRAY:
        return False
    dense = sum(
        {square, square + 1, square + SIZE, square + SIZE + 1} <= tiles
        for square in tiles
        if square % SIZE < SIZE - 1
    )
    return dense >= LEAST_DENSE

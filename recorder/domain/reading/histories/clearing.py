"""The board without a game: cleared by the players, or with the set laid out for a check.

They clear it after the game, between games, with the end not yet confirmed.

A play that is taken back takes its own tiles off the board and no others (rulebook CHAL-5). Where
others go too, the players clear up: nothing of that is an act of the game.
"""

from collections.abc import Iterable

from recorder.domain.board import SIZE, SQUARES, Board, Square
from recorder.domain.observations import COVERED, SquareCosts
from recorder.domain.reading.histories.hypotheses import Hypothesis
from recorder.domain.tiles import EMPTY, face

CLEARED = 9
"""So many tiles gone, the last play aside, are a board that is cleared, or not the board."""
MOST_KNOCKED = 2
"""So many tiles go by accident beside a play that is taken back."""
LEAST_BACK = 4
"""Of so many tiles at most one is not as it was where a board is laid out again."""
CLEARING_MS = 20_000
"""So long the players may take: who begins with the last play has not taken it back."""
MOST_ASTRAY = 5
"""So many tiles may be missing, or be too many, in what is a set laid out."""
LEAST_DENSE = 40
"""So many times four tiles lie in a square at least: in blocks 64 times, in a game hardly ever."""


def is_cleared(squares: SquareCosts, history: Hypothesis, board: Board) -> bool:
    """Whether a look shows the board of a history cleared, or well on the way to it.

    ``board`` has its letters: another game may fill some of the same squares. The only play on a
    board says nothing: it may have been taken back.
    """
    others = _all_but_last_play(history)
    gone = [square for square in others if squares.best(square) is EMPTY]
    none_is_left = len(_not_there(squares, board, others)) == len(others)
    return len(gone) >= CLEARED or (len(gone) > MOST_KNOCKED and none_is_left)


def is_back(squares: SquareCosts, history: Hypothesis, board: Board) -> bool:
    """Whether the tiles of a history lie there again after the board was cleared."""
    others = _all_but_last_play(history)
    return len(_not_there(squares, board, others)) * LEAST_BACK <= len(others)


def _all_but_last_play(history: Hypothesis) -> frozenset[Square]:
    last = history.last_play
    return history.occupied - frozenset(last.placed if last is not None else ())


def _not_there(squares: SquareCosts, board: Board, tiles: Iterable[Square]) -> list[Square]:
    """The tiles that do not lie there as they did: none does, or another one."""
    return [sq for sq in tiles if squares.best(sq) not in (COVERED, face(board[sq]))]


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

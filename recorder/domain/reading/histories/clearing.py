"""The board without a game: cleared by the players, or with the set laid out for a check.

They clear it after the game, between games, with the end not yet confirmed.

A play that is taken back takes its own tiles off the board and no others (rulebook CHAL-5). Where
others go too, the players clear up: nothing of that is an act of the game.
"""

from collections.abc import Iterable

from recorder.domain.board import SIZE, SQUARES, Board, Square
from recorder.domain.observations import COVERED, SquareCosts
from recorder.domain.reading.histories.hypotheses import Hypothesis
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.tiles import EMPTY, RACK_SIZE, Tile, face

CLEARED = 9
"""So many tiles gone, the last play aside, are a board that is cleared, or not the board."""
MOST_KNOCKED = 2
"""So many tiles go by accident beside a play that is taken back."""
MOST_OTHERS = 2
"""Where at least one of so many tiles reads as another one, it is not the board."""
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

    ``board`` has its letters: another game may fill some of the same squares, and so do tiles seen
    a column off. The only play on a board says nothing: it may have been taken back.
    """
    others = _all_but_last_play(history)
    gone = sum(squares.best(square) is EMPTY for square in others)
    wrong = len(_not_there(squares, board, others))
    if gone >= CLEARED:
        return True
    none_is_left = wrong == len(others) and (gone > MOST_KNOCKED or wrong > RACK_SIZE)
    return none_is_left or (wrong >= CLEARED and wrong * MOST_OTHERS >= len(others))


def is_back(squares: SquareCosts, history: Hypothesis, board: Board) -> bool:
    """Whether the tiles of a history lie there again after the board was cleared."""
    others = _all_but_last_play(history)
    return len(_not_there(squares, board, others)) * LEAST_BACK <= len(others)


def is_without_last_play(squares: SquareCosts, history: Hypothesis) -> bool:
    """Whether a board that is laid out again still has no tile of the last play."""
    last = history.last_play
    return last is not None and all(squares.best(square) is EMPTY for square in last.placed)


def _all_but_last_play(history: Hypothesis) -> frozenset[Square]:
    last = history.last_play
    return history.occupied - frozenset(last.placed if last is not None else ())


def _not_there(squares: SquareCosts, board: Board, tiles: Iterable[Square]) -> list[Square]:
    """The tiles that do not lie there as they did: none does, or plainly another one."""
    return [sq for sq in tiles if _is_other(squares, sq, face(board[sq]))]


def _is_other(squares: SquareCosts, square: Square, tile: Tile) -> bool:
    shown, margin = squares.best_and_margin(square)
    return shown is EMPTY or (margin > PLAIN and shown not in (COVERED, tile))


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

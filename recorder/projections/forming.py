"""The play that is forming: tiles seen on the board that the record does not have yet.

A picture on air has to be right rather than early: only squares that the newest look is sure of
count, a look that contradicts the accepted board is passed over whole, and what a hand covers
stays as it was last seen.
"""

from collections import deque
from collections.abc import Mapping

from recorder.domain.board import Board, Square
from recorder.domain.observations import (
    COVERED,
    BoardSeen,
)
from recorder.domain.record import Observed
from recorder.domain.tiles import EMPTY, RACK_SIZE, Tile, face
from recorder.log.port import Row

_SURE_NATS = 3.0
_LEAST_POSE = 0.45
_MOST_COVERED = 0.25
_LOOKS_KEPT = 60


class FormingPlay:
    """A fold over looks since the last turn.

    Unpacking a look costs a millisecond, and a game has thousands of them: they are unpacked only
    when somebody asks, and only the newest few since the last turn.
    """

    def __init__(self) -> None:
        self._looks: deque[Row] = deque(maxlen=_LOOKS_KEPT)
        self._tiles: dict[Square, Tile] = {}

    def see(self, row: Row) -> None:
        """A row with a look arrived."""
        self._looks.append(row)

    def clear(self) -> None:
        """The accepted board changed: what was forming is recorded now, or gone."""
        self._looks.clear()
        self._tiles = {}

    def tiles(self, board: Board) -> dict[Square, Tile]:
        """The tiles that are new against the accepted board, surely seen; at most a rack full."""
        while self._looks:
            look = _trusted(self._looks.popleft())
            if look is not None and _fits(look, board):
                self._tiles = _new_tiles(look, board, self._tiles)
        return self._tiles if len(self._tiles) <= RACK_SIZE else {}


def _trusted(row: Row) -> BoardSeen | None:
    """The look, or None when it is damaged or the device itself does not trust it."""
    match row.says:
        case Observed(what=BoardSeen() as look):
            trusted = look.pose_score >= _LEAST_POSE and look.covered <= _MOST_COVERED
            return look if trusted else None
        case _:
            return None


def _fits(look: BoardSeen, board: Board) -> bool:
    """Whether the accepted tiles are there; if not, the board is turned, bumped or taken up."""
    occupied = board.occupied()
    wrong = 0
    for sq in occupied:
        best = look.squares.best(sq)
        if best is COVERED:
            continue
        expected = face(board[sq])
        if expected not in look.squares.order:
            continue
        margin = look.squares.cost(sq, expected) - look.squares.cost(sq, best)
        wrong += margin >= _SURE_NATS
    return wrong <= max(1, len(occupied) // 8)


def _new_tiles(look: BoardSeen, board: Board, before: Mapping[Square, Tile]) -> dict[Square, Tile]:
    tiles: dict[Square, Tile] = {}
    for number, cell in enumerate(board.cells):
        if cell is not EMPTY:
            continue
        sq = Square(number)
        symbol = _sure_symbol(look, sq)
        if symbol is COVERED:
            if sq in before:
                tiles[sq] = before[sq]
        elif symbol is not None and symbol is not EMPTY:
            tiles[sq] = symbol
    return tiles


def _sure_symbol(look: BoardSeen, sq: Square) -> Tile | None:
    """What the square shows; None when the runner-up comes too close."""
    symbol, margin = look.squares.best_and_margin(sq)
    return None if margin < _SURE_NATS else symbol

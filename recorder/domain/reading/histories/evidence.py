"""Looks at the board, made ready to be weighed against each other.

A look is 225 squares of symbol costs. Three things are done to it here, and nothing else:
a covered square says nothing (whatever is under the hand stays as likely as it was), no single
square may outvote the rest (the eyes can be wrong with confidence), and a square that looks as
it did in the look before counts little: the same error of the eyes would be counted twice.
"""

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import exp, log
from typing import NamedTuple

from recorder.domain.board import SQUARES
from recorder.domain.observations import (
    COST_PER_NAT,
    COVERED,
    SquareCosts,
)
from recorder.domain.tiles import BLANK, EMPTY, Tile, Tiles, TileSet

ALL_SQUARES = range(SQUARES)
REPEATED_WEIGHT = 0.2
"""Weight of a square that reads as in the look before."""
DISTRUST = 0.004
"""Chance that the eyes are plainly wrong about a square, spread over all symbols."""
COVERED_SHARE = 0.4
"""How likely any one symbol is under a hand; the same for all, so it decides nothing."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One look, weighed. Costs are nats, lower is likelier; index 0..224 is the square.

    ``tiles[square]`` has one cost for each of ``faces`` (the blank first, then the letters of
    the tile set); ``best_tile`` is their minimum. ``reading`` is the plain best symbol of every
    square, before any context. Those three hold for squares that stay as they were;
    ``now_empty`` and ``now_tile`` are the costs, at full weight, of a square that has just been
    emptied or filled: a square that still reads as before is no place for a change.
    """

    ref: int
    faces: Tiles
    empty: tuple[float, ...]
    best_tile: tuple[float, ...]
    tiles: tuple[tuple[float, ...], ...]
    now_empty: tuple[float, ...]
    now_tile: tuple[float, ...]
    reading: Tiles

    def as_earlier(self) -> "Evidence":
        """What is asked of a look once there is a newer one: how it read, and what had changed."""
        return replace(self, empty=(), best_tile=(), tiles=())

    def looks_bare(self, square: int, least: float) -> bool:
        """Whether a square looks bare rather than like a tile by more than ``least`` nats."""
        return self.now_tile[square] - self.now_empty[square] > least

    @property
    def tile_count(self) -> int:
        """How many squares read as a tile, by themselves."""
        return sum(symbol is not EMPTY and symbol is not COVERED for symbol in self.reading)

    @property
    def letter_count(self) -> int:
        """How many squares read as a lettered tile (a false blank is the commonest slip)."""
        return self.tile_count - self.reading.count(BLANK)

    @property
    def covered_count(self) -> int:
        """How many squares are covered."""
        return self.reading.count(COVERED)


@cache
def _probabilities() -> tuple[float, ...]:
    return tuple(exp(-byte / COST_PER_NAT) for byte in range(256))


def weigh(
    look: SquareCosts, tile_set: TileSet, *, ref: int, before: Evidence | None = None
) -> Evidence:
    """The evidence of a look, given the one before it (``None`` for the first).

    ``ref`` is the caller's name for the look: the log's sequence number, or a frame's index.
    """
    faces = (BLANK, *tile_set.letters)
    order, width = look.order, len(look.order)
    columns = _Columns(
        faces=tuple(order.index(face) if face in order else width for face in faces),
        empty=order.index(EMPTY),
        covered=order.index(COVERED),
    )
    empty: list[float] = []
    tiles: list[tuple[float, ...]] = []
    now_empty: list[float] = []
    now_tile: list[float] = []
    reading: list[Tile] = []
    for square in ALL_SQUARES:
        seen = _weigh_square(look.costs[square * width : (square + 1) * width], columns)
        bare, tile, costs, column = seen
        symbol = COVERED if column == _COVERED else EMPTY if column == _EMPTY else faces[column]
        is_same = before is not None and before.reading[square] == symbol
        weight = REPEATED_WEIGHT if is_same else 1.0
        now_empty.append(bare)
        now_tile.append(tile)
        empty.append(weight * bare)
        tiles.append(tuple([weight * cost for cost in costs]) if is_same else costs)
        reading.append(symbol)
    return Evidence(
        ref=ref,
        faces=faces,
        empty=tuple(empty),
        best_tile=tuple(min(costs) for costs in tiles),
        tiles=tuple(tiles),
        now_empty=tuple(now_empty),
        now_tile=tuple(now_tile),
        reading=tuple(reading),
    )


_EMPTY, _COVERED = -1, -2


class _Columns(NamedTuple):
    """Where a look has its costs: of each face, of a bare square, of a covered one."""

    faces: tuple[int, ...]
    empty: int
    covered: int


@lru_cache(maxsize=8192)
def _weigh_square(costs: bytes, columns: _Columns) -> tuple[float, float, tuple[float, ...], int]:
    """One square: nats for bare, for the best tile, for each face; and what it reads as.

    That is a face by its place, ``_EMPTY`` or ``_COVERED``. Most squares are plainly bare, and
    have the same costs in look after look: those are worked out once.
    """
    probability = _probabilities()
    row = [probability[byte] for byte in costs]
    row.append(probability[-1])  # a face that the camera has no symbol for
    faces_seen = [row[column] for column in columns.faces]
    empty, hidden, best = row[columns.empty], row[columns.covered], max(faces_seen)
    total = empty + hidden + sum(faces_seen)
    floor = DISTRUST + COVERED_SHARE * (hidden / total if total else 1.0)
    scale = (1 - DISTRUST) / total if total else 0.0
    column = _EMPTY if empty >= best else faces_seen.index(best)
    if hidden > empty and hidden > best:
        column = _COVERED
    tiles = tuple([-log(seen * scale + floor) for seen in faces_seen])
    return -log(empty * scale + floor), -log(best * scale + floor), tiles, column

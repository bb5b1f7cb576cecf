"""Which letters the tiles on the board carry, judged together under the tile supply.

Every tile is judged by all looks since it was placed. No set has more tiles of a letter than its
distribution says (rulebook EQUIP-1, the tile account), so a letter that appears too often makes
the least certain of them give way to its next best reading. What was surely seen stays, one too
many: a tile of another set (ADJ-1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from recorder.domain.board import Square
from recorder.domain.tiles import BLANK, Tile, Tiles, TileSet

OVERSUPPLY_COST = 12.0
"""Nats at most for a blank beyond the set's supply that no other reading can explain."""
FOREIGN_COST = 2.0
"""Nats for a letter that was surely seen more often than the set has it: a tile of another set."""
MOST_GIVEN_UP = 4.0
"""Nats by which letters may be likelier than those that take their places."""
_EPSILON = 1e-9
"""Nats that are rounding: no gain."""


@dataclass(frozen=True, slots=True)
class LetterReading:
    """The face of one tile (``BLANK`` for a blank), the runner-up and the margin to it in nats."""

    face: Tile
    second: Tile
    margin: float


@dataclass(frozen=True, slots=True)
class Assignment:
    """Readings by square, and what keeping to the tile supply cost in nats."""

    readings: Mapping[Square, LetterReading]
    penalty: float


def assign(costs: Mapping[Square, Sequence[float]], faces: Tiles, tile_set: TileSet) -> Assignment:
    """The likeliest faces of all tiles on the board, none more often than the set has it.

    ``costs[square]`` has one cost in nats per face, accumulated over the looks.
    """
    chosen, penalty = _supplied(costs, faces, tile_set)
    return Assignment(
        {square: _reading(costs[square], column, faces) for square, column in chosen.items()},
        penalty,
    )


def supply_penalty(
    costs: Mapping[Square, Sequence[float]], faces: Tiles, tile_set: TileSet
) -> float:
    """What ``assign`` gives as the penalty, without the readings."""
    return _supplied(costs, faces, tile_set)[1]


def _supplied(
    costs: Mapping[Square, Sequence[float]], faces: Tiles, tile_set: TileSet
) -> tuple[dict[Square, int], float]:
    """The column of each tile's face, and the penalty.

    Every tile begins at its likeliest face. Each surplus tile then leaves its face by the cheapest
    chain of changes, so the result is the least-cost assignment (successive shortest paths).
    """
    chosen = {square: _best(row) for square, row in costs.items()}
    penalty = 0.0
    stuck: set[int] = set()
    while (over := _oversupplied(chosen, faces, tile_set, stuck)) is not None:
        chain = _cheapest_chain(over, chosen, costs, faces, tile_set)
        if chain is None or chain[0] > MOST_GIVEN_UP:
            penalty += _cost_of_more(faces[over], None if chain is None else chain[0])
            stuck.add(over)
            continue
        extra, changes = chain
        penalty += extra
        chosen.update(changes)
    return chosen, penalty


def _cost_of_more(face: Tile, change: float | None) -> float:
    """What it costs that a face stays more often than the set has it.

    ``change`` is the cost of giving one of them another face, ``None`` where nothing can.
    """
    if face is not BLANK:
        return FOREIGN_COST
    # A bare square that reads as a blank is the commonest slip of the eyes.
    return OVERSUPPLY_COST if change is None else min(change, OVERSUPPLY_COST)


def _best(row: Sequence[float]) -> int:
    return row.index(min(row))


def _counts(chosen: Mapping[Square, int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for column in chosen.values():
        counts[column] = counts.get(column, 0) + 1
    return counts


def _oversupplied(
    chosen: Mapping[Square, int], faces: Tiles, tile_set: TileSet, stuck: set[int]
) -> int | None:
    """The column of a face that stands too often, or ``None``. Column 0 is the blank."""
    for column, count in sorted(_counts(chosen).items()):
        if column not in stuck and count > tile_set.count(faces[column]):
            return column
    return None


def _cheapest_chain(
    over: int,
    chosen: Mapping[Square, int],
    costs: Mapping[Square, Sequence[float]],
    faces: Tiles,
    tile_set: TileSet,
) -> tuple[float, dict[Square, int]] | None:
    """The cost and the new columns of the cheapest way to have one tile fewer of a face.

    A tile may take a face that is all used up if one of those takes another in turn. ``None``
    where every way costs more than ``OVERSUPPLY_COST``, above which nothing depends on it.
    """
    counts = _counts(chosen)
    by_column: dict[int, list[Square]] = {}
    for square, column in chosen.items():
        by_column.setdefault(column, []).append(square)
    cost = {over: 0.0}
    reached_by: dict[int, tuple[Square, int]] = {}
    queue = [over]
    while queue:  # label correcting: earlier chains leave changes that may be undone at a gain
        column = queue.pop(0)
        for square in by_column.get(column, ()):
            row = costs[square]
            for other, price in enumerate(row):
                total = cost[column] + price - row[column]
                if total <= OVERSUPPLY_COST and total < cost.get(other, inf) - _EPSILON:
                    cost[other], reached_by[other] = total, (square, column)
                    queue.append(other)
    ends = [
        (total, column)
        for column, total in cost.items()
        if column != over and counts.get(column, 0) < tile_set.count(faces[column])
    ]
    if not ends:
        return None
    total, column = min(ends)
    changes = {}
    while column != over:
        square, before = reached_by[column]
        changes[square] = column
        column = before
    return total, changes


def _reading(row: Sequence[float], column: int, faces: Tiles) -> LetterReading:
    cost, second = min((cost, other) for other, cost in enumerate(row) if other != column)
    return LetterReading(faces[column], faces[second], cost - row[column])

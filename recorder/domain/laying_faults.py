"""What is wrong with the squares that one turn has filled, whatever letters lie there (PLACE-2).

Shape alone: the reading of the board asks before it knows a letter. A turn that breaks one of
these rules has been made all the same; what becomes of it is for the rule set and the opponent.
"""

from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import lru_cache

from recorder.domain.board import CENTRE, SIZE, Square, col_of, neighbours, row_of
from recorder.domain.tiles import RACK_SIZE


class LayingFault(StrEnum):
    """What is wrong with a laying; the values are the codes that go into records."""

    NOT_IN_LINE = "not_in_line"
    TWO_PLAYS = "two_plays"
    DIAGONAL = "diagonal"
    GAP = "gap"
    OFF_CENTRE = "off_centre"
    ONE_TILE = "one_tile"
    NOT_TOUCHING = "not_touching"
    OVER_SEVEN = "over_seven"
    EARLIER_MOVED = "earlier_moved"
    """An earlier tile does not lie where it lay; no shape of new tiles says so."""
    AFTER_END = "after_end"
    """The game was over (END-1); no shape says so."""


NOT_OF_SHAPE = (LayingFault.OVER_SEVEN, LayingFault.EARLIER_MOVED, LayingFault.AFTER_END)
"""What can be wrong with a laying whatever its shape: OVER_SEVEN where the rack held too many."""


def shape_faults(
    occupied: Collection[Square], squares: Collection[Square]
) -> tuple[LayingFault, ...]:
    """Everything wrong with filling ``squares`` in one turn, the most telling fault first.

    ``occupied`` are the squares with a tile before the turn, none of them in ``squares``, of which
    there is at least one. Empty when the shape is that of a legal play (PLACE-1).
    """
    before, new = frozenset(occupied), frozenset(squares)
    parts = tile_groups(before | new, new)
    found: list[LayingFault] = []
    if len({row_of(sq) for sq in new}) > 1 and len({col_of(sq) for sq in new}) > 1:
        found.append(_out_of_line(before | new, new, parts))
    elif _has_gap(before | new, new):
        found.append(LayingFault.GAP)
    if not before:
        found += [LayingFault.OFF_CENTRE] if CENTRE not in new else []
        found += [LayingFault.ONE_TILE] if len(new) == 1 else []
    elif not all(_touches(before, part) for part in parts):
        found.append(LayingFault.NOT_TOUCHING)
    if len(new) > RACK_SIZE:
        found.append(LayingFault.OVER_SEVEN)
    return tuple(found)


def can_be_two_plays(occupied: Collection[Square], squares: Collection[Square]) -> bool:
    """Whether ``squares`` can be those of two legal plays after one another, in two lines.

    Not checked: two plays in one line.
    """
    before, new = frozenset(occupied), frozenset(squares)
    lines = {frozenset(sq for sq in new if of(sq) == of(at)) for at in new for of in _LINES} - {new}
    return any(
        not shape_faults(before, first) and not shape_faults(before | first, second)
        for line in lines
        for first, second in ((line, new - line), (new - line, line))
    )


_LINES = (row_of, col_of)


def tile_groups(after: frozenset[Square], new: frozenset[Square]) -> tuple[frozenset[Square], ...]:
    """The new tiles, grouped: those belong together that an unbroken line of tiles holds.

    ``after`` are all squares with a tile once they lie. One group for a legal play; in the order
    of their first squares.
    """
    return _tile_groups(after, new)


@lru_cache(maxsize=2048)
def _tile_groups(after: frozenset[Square], new: frozenset[Square]) -> tuple[frozenset[Square], ...]:
    groups: list[frozenset[Square]] = []
    for sq in sorted(new):
        mine = frozenset(_line(after, sq, 1) | _line(after, sq, SIZE)) & new
        touched = [group for group in groups if group & mine]
        groups = [group for group in groups if group not in touched]
        groups.append(mine.union(*touched))
    return tuple(sorted(groups, key=min))


def loose_squares(occupied: Collection[Square]) -> frozenset[Square]:
    """The tiles that do not hang together with the body of the game.

    The body is the largest group of touching tiles, the one on the centre where two are equal.
    """
    return _loose_squares(frozenset(occupied))


@lru_cache(maxsize=2048)
def _loose_squares(occupied: frozenset[Square]) -> frozenset[Square]:
    left, groups = set(occupied), list[frozenset[Square]]()
    while left:
        reached, edge = set[Square](), {left.pop()}
        while edge:
            reached |= edge
            edge = {near for sq in edge for near in neighbours(sq) if near in left}
            left -= edge
        groups.append(frozenset(reached))
    body = max(
        groups, key=lambda group: (len(group), CENTRE in group, -min(group)), default=frozenset()
    )
    return occupied - body


def _line(after: frozenset[Square], sq: Square, step: int) -> set[Square]:
    """The unbroken line of tiles through a square, across (1) or down (15)."""
    found = {sq}
    for sign in (-step, step):
        here, there = sq, Square(sq + sign)
        while there in after and (step == SIZE or row_of(there) == row_of(here)):
            found.add(there)
            here, there = there, Square(there + sign)
    return found


def _out_of_line(
    after: frozenset[Square], new: frozenset[Square], parts: Collection[frozenset[Square]]
) -> LayingFault:
    if _is_diagonal(after, new):
        return LayingFault.DIAGONAL
    words = sum(any(near in after for sq in part for near in neighbours(sq)) for part in parts)
    return LayingFault.TWO_PLAYS if words > 1 else LayingFault.NOT_IN_LINE


def _is_diagonal(after: frozenset[Square], new: frozenset[Square]) -> bool:
    """Whether the tiles run from corner to corner of their squares, without a gap."""
    for step in (SIZE + 1, SIZE - 1):
        run = range(min(new), max(new) + 1, step)
        spread = abs(col_of(max(new)) - col_of(min(new)))
        if spread == len(run) - 1 and new <= set(run) and after.issuperset(map(Square, run)):
            return True
    return False


def _has_gap(after: frozenset[Square], new: frozenset[Square]) -> bool:
    step = 1 if row_of(min(new)) == row_of(max(new)) else SIZE
    return not after.issuperset(map(Square, range(min(new), max(new) + 1, step)))


def _touches(before: frozenset[Square], part: Iterable[Square]) -> bool:
    return any(near in before for sq in part for near in neighbours(sq))

"""What there is to notice about placement and score when a turn is pressed.

One call for the recorder's loop: facts in, notices out. What follows from one is asked of
``placement``.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from recorder.domain.board import Square
from recorder.domain.errors import NotationError
from recorder.domain.laying_faults import LayingFault, loose_squares, shape_faults
from recorder.domain.notices import Notice, PlainValue
from recorder.domain.plays import placement_of
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    illegal_kinds,
    kinds_of,
)
from recorder.domain.rules.placement.scores import play_score
from recorder.domain.tiles import RACK_SIZE, TileSet

Noticed = tuple[Notice, tuple[Square, ...], Mapping[str, PlainValue]]
"""One thing noticed: the squares it is about, and its values."""


def notice_at_press(
    rules: Rules, tile_set: TileSet, laying: Laying, announced: int | None = None
) -> tuple[Noticed, ...]:
    """What the recorder notices about a play at its press; empty when there is nothing.

    ``announced`` is the score that was keyed, None where nobody keys it. PLACE-2, TURN-8. Words are
    not judged.
    """
    return (*_placement(laying), *_score(rules, tile_set, laying, announced))


@lru_cache(maxsize=4096)
def _placement(laid: Laying) -> tuple[Noticed, ...]:
    """Asked of every play of a game as long as the game goes on."""
    return tuple(_misplaced(laid))


def _misplaced(laid: Laying) -> Iterator[Noticed]:
    kinds, squares = set(illegal_kinds(laid)), tuple(sorted(laid.tiles))
    if IllegalKind.OVERDRAWN in kinds:
        yield _illegal(LayingFault.OVER_SEVEN, (), tiles=len(laid.tiles), most=RACK_SIZE)
    loose = tuple(sorted(loose_squares(laid.board.occupied()) & set(laid.tiles)))
    if loose:
        yield _illegal(LayingFault.NOT_TOUCHING, loose)
    if IllegalKind.CENTRE in kinds:
        yield _illegal(LayingFault.OFF_CENTRE, squares)
    known = {IllegalKind.OVERDRAWN, IllegalKind.CENTRE}
    if loose:
        known |= {IllegalKind.DISCONNECTED, IllegalKind.GAP, IllegalKind.TWO}
    rest = [kind for kind in IllegalKind if kind in kinds - known]
    if rest:
        shape = shape_faults(laid.before.occupied(), laid.tiles)
        telling = (fault for fault in shape if kinds_of((fault,)) == (rest[0],))
        yield _illegal(next(telling, LayingFault.NOT_IN_LINE), squares)


def _illegal(fault: LayingFault, squares: tuple[Square, ...], **numbers: PlainValue) -> Noticed:
    return Notice.ILLEGAL_PLACEMENT, squares, {"fault": fault.value, **numbers}


def _score(
    rules: Rules, tile_set: TileSet, laying: Laying, announced: int | None
) -> Iterator[Noticed]:
    if announced is None:
        return
    try:
        placement = placement_of(laying.before, laying.tiles)
    except NotationError:
        return  # It has no score to compare with; its placement is told.
    scores = play_score(rules, laying.before, placement, tile_set)
    if announced != scores:
        yield (
            Notice.SCORE_ANNOUNCED,
            placement.squares(),
            {"announced": announced, "scores": scores},
        )

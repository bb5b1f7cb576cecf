"""What there is to notice about placement and score when a turn is pressed.

One call for the recorder's loop: facts in, notices out, each with where it may go. What follows
from one is asked of ``placement``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from recorder.domain.board import Square
from recorder.domain.errors import NotationError
from recorder.domain.laying_faults import LayingFault, loose_squares, shape_faults
from recorder.domain.notices import Notice, Phase, PlainValue, Routing
from recorder.domain.plays import placement_of
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    illegal_kinds,
    kinds_of,
)
from recorder.domain.rules.placement.scores import play_score
from recorder.domain.tiles import RACK_SIZE, TileSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """One thing noticed: its values, the squares it is about, where it may go."""

    notice: Notice
    squares: tuple[Square, ...] = ()
    numbers: Mapping[str, PlainValue] = field(default_factory=dict)
    routing: Routing


def notice_at_press(
    rules: Rules,
    tile_set: TileSet,
    laying: Laying,
    announced: int | None = None,
    phase: Phase = Phase.PLAYING,
) -> tuple[Noticed, ...]:
    """What the recorder notices about a play at its press; empty when there is nothing.

    ``announced`` is the score that was keyed, None where nobody keys it. PLACE-2, TURN-8. Words are
    not judged.
    """
    found = (*_placement(laying, tile_set), *_score(rules, tile_set, laying, announced))
    return tuple(
        Noticed(
            notice=notice,
            squares=squares,
            numbers=numbers,
            routing=route(rules, notice, phase, str(numbers.get("fault", ""))),
        )
        for notice, squares, numbers in found
    )


_Found = tuple[Notice, tuple[Square, ...], Mapping[str, PlainValue]]

_FAULTS: Mapping[IllegalKind, str] = {
    IllegalKind.CENTRE: LayingFault.OFF_CENTRE.value,
    IllegalKind.ONE: LayingFault.ONE_TILE.value,
    IllegalKind.LINE: LayingFault.NOT_IN_LINE.value,
    IllegalKind.GAP: LayingFault.GAP.value,
    IllegalKind.TWO: LayingFault.TWO_PLAYS.value,
    IllegalKind.DISCONNECTED: LayingFault.NOT_TOUCHING.value,
    IllegalKind.OVERDRAWN: LayingFault.OVER_SEVEN.value,
}
"""What is wrong with a placement, as rows and messages call it."""


@lru_cache(maxsize=4096)
def _placement(laid: Laying, tile_set: TileSet) -> tuple[_Found, ...]:
    """Asked of every play of a game as long as the game goes on."""
    return tuple(_misplaced(laid, tile_set))


def _misplaced(laid: Laying, tile_set: TileSet) -> Iterator[_Found]:
    kinds = set(illegal_kinds(laid, tile_set))
    if IllegalKind.OVERDRAWN in kinds:
        yield _illegal(IllegalKind.OVERDRAWN, (), tiles=len(laid.tiles), most=RACK_SIZE)
    loose = tuple(sorted(loose_squares(laid.board.occupied()) & set(laid.tiles)))
    if loose:
        yield _illegal(IllegalKind.DISCONNECTED, loose)
    if IllegalKind.CENTRE in kinds:
        yield _illegal(IllegalKind.CENTRE, tuple(sorted(laid.tiles)))
    known = {IllegalKind.OVERDRAWN, IllegalKind.CENTRE}
    if loose:
        known |= {IllegalKind.DISCONNECTED, IllegalKind.GAP, IllegalKind.TWO}
    rest = [kind for kind in IllegalKind if kind in kinds - known]
    if rest:
        shape = shape_faults(laid.before.occupied(), laid.tiles)
        telling = [fault.value for fault in shape if kinds_of((fault,)) == (rest[0],)]
        yield _illegal(rest[0], tuple(sorted(laid.tiles)), fault=(*telling, _FAULTS[rest[0]])[0])


def _illegal(kind: IllegalKind, squares: tuple[Square, ...], **numbers: PlainValue) -> _Found:
    return Notice.ILLEGAL_PLACEMENT, squares, {"fault": _FAULTS[kind], **numbers}


def _score(
    rules: Rules, tile_set: TileSet, laying: Laying, announced: int | None
) -> Iterator[_Found]:
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

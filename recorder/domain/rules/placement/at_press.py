"""Everything about placement, score and blanks that there is to notice when a turn is pressed.

One call for the recorder's loop: facts in, notices out, each with where it may go. What follows
from one is asked of ``placement``, ``scores`` and ``blanks``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from recorder.domain.board import Square
from recorder.domain.errors import NotationError
from recorder.domain.laying_faults import LayingFault, shape_faults
from recorder.domain.notices import Notice, Phase, PlainValue, Routing
from recorder.domain.plays import placement_of
from recorder.domain.rules.blanks.slip import Designation, DesignationStatus
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    illegal_kinds,
    kinds_of,
    loose_tiles,
    moved_tiles,
)
from recorder.domain.rules.placement.scores import check_announced, play_score
from recorder.domain.tiles import RACK_SIZE, TileSet


@dataclass(frozen=True, slots=True, kw_only=True)
class PressedPlay:
    """What is known of a play at the press.

    ``announced`` is the score that was keyed, None where nobody keys it. ``designations`` are
    those of the play's blanks (``slip.match_marks``), empty where there is no slip to read.
    ``face_down`` are squares that show a tile's back.
    """

    laying: Laying
    announced: int | None = None
    designations: tuple[Designation, ...] = ()
    face_down: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """One thing noticed: its values, the squares it is about, where it may go."""

    notice: Notice
    squares: tuple[Square, ...] = ()
    numbers: Mapping[str, PlainValue] = field(default_factory=dict)
    routing: Routing


def notice_at_press(
    rules: Rules, tile_set: TileSet, play: PressedPlay, phase: Phase = Phase.PLAYING
) -> tuple[Noticed, ...]:
    """What the recorder notices about a play at its press; empty when there is nothing.

    PLACE-2, TURN-8, BLANK-1, ORIENT-2, ORIENT-4. Words are not judged.
    """
    found = (*_placement(play.laying, tile_set), *_score(rules, tile_set, play), *_tiles(play))
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
    IllegalKind.OFF_GRID: "off_grid",
    IllegalKind.OVERDRAWN: LayingFault.OVER_SEVEN.value,
}
"""What is wrong with a placement, as rows and messages call it; a moved tile is reported by
itself."""


@lru_cache(maxsize=4096)
def _placement(laid: Laying, tile_set: TileSet) -> tuple[_Found, ...]:
    """Asked of every play of a game as long as the game goes on."""
    return tuple(_misplaced(laid, tile_set))


def _misplaced(laid: Laying, tile_set: TileSet) -> Iterator[_Found]:
    kinds = set(illegal_kinds(laid, tile_set))
    moved = moved_tiles(laid)
    if moved:
        yield Notice.TILE_MOVED, moved, {}
    if IllegalKind.OVERDRAWN in kinds:
        held = max(laid.count, laid.rack_before or 0)
        yield _illegal(IllegalKind.OVERDRAWN, (), tiles=held, most=RACK_SIZE)
    loose = tuple(sorted(loose_tiles(laid.board) & set(laid.tiles)))
    if loose:
        yield _illegal(IllegalKind.DISCONNECTED, loose)
    if IllegalKind.CENTRE in kinds:
        yield _illegal(IllegalKind.CENTRE, tuple(sorted(laid.tiles)))
    known = {IllegalKind.MOVED, IllegalKind.OVERDRAWN, IllegalKind.CENTRE}
    if loose:
        known |= {IllegalKind.DISCONNECTED, IllegalKind.GAP, IllegalKind.TWO}
    rest = [kind for kind in IllegalKind if kind in kinds - known]
    if rest:
        shape = shape_faults(laid.before.occupied(), laid.tiles)
        telling = [fault.value for fault in shape if kinds_of((fault,)) == (rest[0],)]
        yield _illegal(rest[0], tuple(sorted(laid.tiles)), fault=(*telling, _FAULTS[rest[0]])[0])


def _illegal(kind: IllegalKind, squares: tuple[Square, ...], **numbers: PlainValue) -> _Found:
    return Notice.ILLEGAL_PLACEMENT, squares, {"fault": _FAULTS[kind], **numbers}


def _score(rules: Rules, tile_set: TileSet, play: PressedPlay) -> Iterator[_Found]:
    if play.announced is None:
        return
    try:
        placement = placement_of(play.laying.before, play.laying.tiles)
    except NotationError:
        return  # It has no score to compare with; its placement is told.
    scored = play_score(rules, play.laying.before, placement, tile_set)
    check = check_announced(rules, scored, play.announced)
    if check.difference:
        numbers = {"announced": check.announced, "scores": check.computed}
        yield Notice.SCORE_ANNOUNCED, placement.squares(), numbers


def _tiles(play: PressedPlay) -> Iterator[_Found]:
    for designation in play.designations:
        if designation.status is not DesignationStatus.DECLARED:
            yield _OF_BLANK.get(designation.status, Notice.BLANK_UNNAMED), (designation.square,), {}
    if play.face_down:
        yield Notice.TILE_FACE_DOWN, play.face_down, {}


_OF_BLANK: Mapping[DesignationStatus, Notice] = {
    DesignationStatus.LATE: Notice.BLANK_LATE,
    DesignationStatus.UNCLEAR: Notice.SLIP_UNCLEAR,
}

"""Everything about placement, score and blanks that there is to notice when a turn is pressed.

One call for the recorder's loop: facts in, notices out, each with where it may go. What follows
from one is asked of ``placement``, ``scores`` and ``blanks``.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from recorder.domain.board import Square, name_across
from recorder.domain.errors import NotationError
from recorder.domain.notices import Notice, Phase, Routing
from recorder.domain.plays import placement_of
from recorder.domain.rules.blanks.slip import Designation, DesignationStatus
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    illegal_kinds,
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
    ``face_down`` are squares that show a tile's back, ``turned`` those of tiles that lie another
    way than the game.
    """

    laying: Laying
    announced: int | None = None
    designations: tuple[Designation, ...] = ()
    face_down: tuple[Square, ...] = ()
    turned: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """One thing noticed: in words for the director, the squares it is about, where it may go."""

    notice: Notice
    sentence: str
    squares: tuple[Square, ...]
    routing: Routing


def notice_at_press(
    rules: Rules, tile_set: TileSet, play: PressedPlay, phase: Phase = Phase.PLAYING
) -> tuple[Noticed, ...]:
    """What the recorder notices about a play at its press; empty when there is nothing.

    PLACE-2, TURN-8, BLANK-1, ORIENT-2, ORIENT-4. Words are not judged.
    """
    found = (*_placement(play, tile_set), *_score(rules, tile_set, play), *_tiles(play))
    return tuple(
        Noticed(
            notice=notice,
            sentence=sentence,
            squares=squares,
            routing=route(rules, notice, phase),
        )
        for notice, sentence, squares in found
    )


_Found = tuple[Notice, str, tuple[Square, ...]]


def _names(squares: tuple[Square, ...]) -> str:
    return " ".join(name_across(sq) for sq in squares)


def _placement(play: PressedPlay, tile_set: TileSet) -> Iterator[_Found]:
    laid = play.laying
    kinds = set(illegal_kinds(laid, tile_set))
    moved = moved_tiles(laid)
    if moved:
        yield Notice.MOVED_TILE, f"earlier tiles lie otherwise: {_names(moved)}", moved
    if IllegalKind.OVERDRAWN in kinds:
        held = max(laid.count, laid.rack_before or 0)
        yield Notice.RACK_OVER_SEVEN, f"{held} tiles, {RACK_SIZE} allowed", ()
    loose = tuple(sorted(loose_tiles(laid.board) & set(laid.tiles)))
    if loose:
        yield Notice.DISCONNECTED_TILE, f"tiles that touch nothing: {_names(loose)}", loose
    if IllegalKind.CENTRE in kinds:
        squares = tuple(sorted(laid.tiles))
        yield Notice.CENTRE_MISSED, "the first play is not on the centre", squares
    told = {IllegalKind.MOVED, IllegalKind.OVERDRAWN, IllegalKind.CENTRE}
    if loose:
        told |= {IllegalKind.DISCONNECTED, IllegalKind.GAP, IllegalKind.TWO}
    rest = [kind for kind in IllegalKind if kind in kinds - told]
    if rest:
        squares = tuple(sorted(laid.tiles))
        yield Notice.ILLEGAL_PLACEMENT, f"illegal placement: {', '.join(rest)}", squares


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
        sentence = f"announced {check.announced}, scores {check.computed}"
        yield Notice.SCORING_ERROR, sentence, placement.squares()


def _tiles(play: PressedPlay) -> Iterator[_Found]:
    for one in play.designations:
        if one.status is not DesignationStatus.DECLARED:
            sentence = f"the blank on {name_across(one.square)} is {one.status}"
            yield Notice.BLANK_NOT_DECLARED, sentence, (one.square,)
    if play.face_down:
        sentence = f"face down: {_names(play.face_down)}"
        yield Notice.FACE_DOWN_TILE, sentence, play.face_down
    if play.turned:
        sentence = f"the wrong way round: {_names(play.turned)}"
        yield Notice.MISORIENTED_TILES, sentence, play.turned

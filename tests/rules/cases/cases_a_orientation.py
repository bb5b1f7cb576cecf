"""Cases A22 to A26: which way up the game is, and tiles that lie crooked or face down."""

from recorder.domain.board import EMPTY_BOARD, SIZE, Square
from recorder.domain.plays import placement_of
from recorder.domain.rules.placement.orientation import (
    Orientation,
    OrientationEvent,
    OrientationState,
    misoriented_first_play,
    misoriented_tiles,
    orient,
)
from recorder.domain.rules.placement.scores import play_score
from recorder.domain.tiles import Tile
from recorder.rulesets import RuleSet
from tests.rules.case_book import NAS, W4, case
from tests.rules.laid import ENGLISH, scored, sq, tiles
from tests.rules.said import said

UPSIDE_DOWN = tiles(L8="Q", K8="U", J8="A", I8="L", H8="M")
"""QUALM by a player at the top of the lettering: Q on 8L, reading towards the centre."""


def first_play(rules: RuleSet) -> Orientation:
    """The frame once that play is pressed."""
    laid = orient(rules, Orientation(), OrientationEvent.PLACED, turn=180)
    return orient(rules, laid, OrientationEvent.PLAYED)


def in_game(frame: Orientation) -> dict[Square, Tile]:
    """The tiles of the first play where they lie once the board was turned as far as they are."""
    assert frame.turn == 180
    return {Square(SIZE * SIZE - 1 - square): tile for square, tile in UPSIDE_DOWN.items()}


@case("A22")
def _upside_down_and_put_right() -> None:
    """The second player sees it on their own clock, stops it and turns the tiles."""
    frame = first_play(W4)
    assert frame.state is OrientationState.SET
    procedure = misoriented_first_play(W4, frame)
    assert [step.who for step in procedure.steps] == ["opponent", "opponent", "either"]
    assert not procedure.for_director
    turned = in_game(frame)
    assert min(turned) == sq("D8")
    play = placement_of(EMPTY_BOARD, turned)
    assert str(play) == "8D QUALM"
    # As they lay, and as they lie after the half turn.
    assert play_score(W4, EMPTY_BOARD, play, ENGLISH) == 52
    lying = placement_of(EMPTY_BOARD, UPSIDE_DOWN)
    assert play_score(W4, EMPTY_BOARD, lying, ENGLISH) == 52
    after = orient(W4, frame, OrientationEvent.TURNED, turn=0)
    assert (after.state, after.turn) == (OrientationState.SET, 0)


@case("A23")
def _upside_down_and_unnoticed() -> None:
    """Once the second move is pressed the game goes on the way the first play lies."""
    for second in (OrientationEvent.PLAYED, OrientationEvent.OTHER_TURN):
        frame = orient(W4, first_play(W4), second)
        assert (frame.state, frame.turn) == (OrientationState.LOCKED, 180)
        assert misoriented_first_play(W4, frame).steps == ()
    later = misoriented_tiles(W4, by_mover_on_turn=False)
    assert any("challenge" in said(step.act) for step in later.steps)
    assert later.for_director


@case("A24")
def _upside_down_and_challenged_off() -> None:
    frame = orient(NAS, first_play(NAS), OrientationEvent.TAKEN_OFF)
    assert frame == Orientation(OrientationState.FREE, 0)
    # Where the first play counts whether valid or not, the text does not tell.
    unsettled = orient(W4, first_play(W4), OrientationEvent.TAKEN_OFF)
    assert unsettled.state is OrientationState.UNSETTLED
    assert misoriented_first_play(W4, unsettled).for_director


@case("A25", skipped="the camera says the square of a tile, and nothing of its edges")
def _across_two_squares() -> None:
    """Sixty-two parts in a hundred on one square, the rest on the next."""


@case("A26")
def _back_up() -> None:
    """A letter tile shows its back at the press: it is turned up, and counts its letter."""
    play = placement_of(EMPTY_BOARD, tiles(F8="A", G8="R", H8="T"))
    assert str(play) == "8F ART"
    assert play_score(NAS, EMPTY_BOARD, play, ENGLISH) == 6
    # As a blank it would count nothing.
    assert scored(NAS, "8F ArT") == 4

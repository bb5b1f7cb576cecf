"""The direction of the game, and tiles that lie crooked."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.board import STANDARD_PREMIUMS, Square
from recorder.domain.errors import RecorderError
from recorder.domain.rules.placement.orientation import (
    LaterTiles,
    Orientation,
    OrientationEvent,
    OrientationState,
    askew_tile,
    board_in_frame,
    face_down_tile,
    in_frame,
    misoriented_first_play,
    misoriented_tiles,
    orient,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4
from tests.rules.laid import board_of, sq

SQUARES = st.integers(0, 224).map(Square)


@given(square=SQUARES, turn=st.sampled_from((0, 90, 180, 270)))
def test_premiums_lie_the_same_way_in_every_quarter_turn(square: Square, turn: int) -> None:
    """EQUIP-3: that is why a game the wrong way round scores as any other."""
    assert STANDARD_PREMIUMS[in_frame(square, turn)] is STANDARD_PREMIUMS[square]


@given(square=SQUARES, turn=st.sampled_from((0, 90, 180, 270)))
def test_turning_back_leads_back(square: Square, turn: int) -> None:
    """Every square has its own place in every frame."""
    assert in_frame(in_frame(square, turn), (360 - turn) % 360) == square


def test_the_rulebooks_examples() -> None:
    """A quarter turn clockwise takes H4 to 8D, a half turn 8L to 8D."""
    assert in_frame(sq("H4"), 90) == sq("D8")
    assert in_frame(sq("L8"), 180) == sq("D8")
    assert in_frame(sq("H12"), 270) == sq("D8")
    with pytest.raises(RecorderError, match="45 degrees"):
        in_frame(sq("H8"), 45)


def test_a_board_is_turned_as_a_whole() -> None:
    """Letters stay, squares move."""
    board = board_of(["8D QUALM", "9F BOY"])
    assert board_in_frame(board_in_frame(board, 90), 270) == board
    assert board_in_frame(board, 180) == board_in_frame(board_in_frame(board, 90), 90)


def after(rules: RuleSet, *events: OrientationEvent, turn: int = 180) -> Orientation:
    """The frame after a first play laid at ``turn``, and some events."""
    frame = orient(rules, Orientation(), OrientationEvent.PLACED, turn=turn)
    for event in events:
        frame = orient(rules, frame, event)
    return frame


PLAYED, OTHER, OFF = (
    OrientationEvent.PLAYED,
    OrientationEvent.OTHER_TURN,
    OrientationEvent.TAKEN_OFF,
)


def test_a_pass_closes_the_matter_only_where_any_move_does() -> None:
    """ORIENT-1: version 4 counts moves, NASPA valid plays."""
    assert after(W4, PLAYED, OTHER).state is OrientationState.LOCKED
    assert after(NAS, PLAYED, OTHER).state is OrientationState.SET
    assert after(NAS, PLAYED, PLAYED).state is OrientationState.CLOSING
    assert after(NAS, PLAYED, PLAYED, OFF).state is OrientationState.SET
    assert after(NAS, PLAYED, PLAYED, OrientationEvent.ACCEPTED).rotated


def test_an_upright_game_is_locked_without_being_rotated() -> None:
    """The usual case."""
    frame = after(W4, PLAYED, PLAYED, turn=0)
    assert (frame.state, frame.turn, frame.rotated) == (OrientationState.LOCKED, 0, False)
    assert misoriented_first_play(W4, frame).steps == ()


@pytest.mark.parametrize("rules", [W1, PSA, HK], ids=lambda rules: rules.name)
def test_where_no_rule_says_anything_only_a_turned_play_is_a_question(rules: RuleSet) -> None:
    """Upright letters need no rule."""
    assert after(rules, PLAYED).state is OrientationState.UNSETTLED
    assert misoriented_first_play(rules, after(rules, PLAYED)).for_director
    assert after(rules, PLAYED, turn=0).state is OrientationState.SET
    assert after(rules, PLAYED, OFF, turn=0) == Orientation()


def test_before_the_press_the_starter_turns_them_on_their_own_time() -> None:
    """Nothing is fixed yet."""
    frame = after(W4)
    assert [step.who for step in misoriented_first_play(W4, frame).steps] == ["player"]
    turned = orient(W4, frame, OrientationEvent.TURNED, turn=0)
    assert turned == replace(frame, turn=0)


def test_naspa_moves_the_tiles_to_the_squares_that_correspond() -> None:
    """On whose time, its text does not say."""
    procedure = misoriented_first_play(NAS, after(NAS, PLAYED))
    assert len(procedure.steps) == 1
    assert procedure.for_director


def test_an_event_out_of_place_changes_nothing() -> None:
    """Cameras say many things twice."""
    locked = after(W4, PLAYED, PLAYED)
    for event in OrientationEvent:
        assert orient(W4, locked, event, turn=90) == locked


def test_later_tiles_by_rule_set() -> None:
    """ORIENT-2: straightened by the opponent, challenged, on request, or a question."""
    frame = Orientation(OrientationState.LOCKED, 0)
    wrong = LaterTiles(turn=90, by_mover_on_turn=True, repeated=True)
    for rules in (W1, PSA):
        assert [step.who for step in misoriented_tiles(rules, frame, wrong).steps] == ["opponent"]
    assert [step.rule for step in misoriented_tiles(NAS, frame, wrong).steps] == [
        "ORIENT-2",
        "INFR-1",
    ]
    once = replace(wrong, repeated=False)
    assert len(misoriented_tiles(NAS, frame, once).steps) == 1
    # On their own turn only the player who laid them may put them right.
    assert [step.who for step in misoriented_tiles(W4, frame, wrong).steps] == ["either", "player"]
    assert misoriented_tiles(HK, frame, wrong).for_director


def test_a_tile_across_two_squares() -> None:
    """ORIENT-3: the larger part decides; a dead heat, a bare majority or no rule is looked at."""
    even = askew_tile(NAS, {sq("H9"): 0.51, sq("H10"): 0.49})
    assert (even.square, even.look) == (None, True)
    assert even.open_questions
    bare = askew_tile(NAS, {sq("H9"): 0.57, sq("H10"): 0.43})
    assert (bare.square, bare.look) == (sq("H9"), True)
    assert not bare.open_questions
    for rules in (W1, PSA, HK, W4):
        silent = askew_tile(rules, {sq("H9"): 0.9, sq("H10"): 0.1})
        assert silent.square == sq("H9")
        assert silent.open_questions
    with pytest.raises(RecorderError, match="no square"):
        askew_tile(NAS, {})


def test_only_one_set_speaks_of_tiles_face_down() -> None:
    """ORIENT-4."""
    for rules in ALL:
        assert face_down_tile(rules, sq("G8")).for_director == (rules is not NAS)

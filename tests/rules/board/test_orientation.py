"""The direction of the game, and tiles that lie crooked."""

import pytest

from recorder.domain.rules.placement.orientation import (
    Orientation,
    OrientationEvent,
    OrientationState,
    misoriented_first_play,
    misoriented_tiles,
    orient,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import HK, NAS, PSA, W1, W4


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
    assert after(NAS, PLAYED, PLAYED, OrientationEvent.ACCEPTED).state is OrientationState.LOCKED


@pytest.mark.parametrize("rules", [W1, PSA, HK], ids=lambda rules: rules.name)
def test_where_no_rule_says_anything_only_a_turned_play_is_a_question(rules: RuleSet) -> None:
    assert after(rules, PLAYED).state is OrientationState.UNSETTLED
    assert misoriented_first_play(rules, after(rules, PLAYED)).for_director
    assert after(rules, PLAYED, turn=0).state is OrientationState.SET
    assert after(rules, PLAYED, OFF, turn=0) == Orientation()


def test_an_event_out_of_place_changes_nothing() -> None:
    """Cameras say many things twice."""
    locked = after(W4, PLAYED, PLAYED)
    for event in OrientationEvent:
        assert orient(W4, locked, event, turn=90) == locked


def test_later_tiles_by_rule_set() -> None:
    """ORIENT-2: straightened by the opponent, challenged, on request, or a question."""
    for rules in (W1, PSA):
        assert [
            step.who
            for step in misoriented_tiles(rules, by_mover_on_turn=True, repeated=True).steps
        ] == ["opponent"]
    assert [
        step.rule for step in misoriented_tiles(NAS, by_mover_on_turn=True, repeated=True).steps
    ] == [
        "ORIENT-2",
        "INFR-1",
    ]
    assert len(misoriented_tiles(NAS, by_mover_on_turn=True).steps) == 1
    # On their own turn only the player who laid them may put them right.
    assert [
        step.who for step in misoriented_tiles(W4, by_mover_on_turn=True, repeated=True).steps
    ] == ["either", "player"]
    assert misoriented_tiles(HK, by_mover_on_turn=True, repeated=True).for_director

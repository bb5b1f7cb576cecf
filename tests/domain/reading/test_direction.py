"""How a game lies: what each rule set makes of a first play that does not lie as the lettering."""

from collections.abc import Mapping

import pytest

from recorder.domain.game import GameEvent, NoPlay, Played, Withdrawn
from recorder.domain.plays import parse_placement
from recorder.domain.reading.direction import misoriented
from recorder.domain.rules.placement.orientation import TurnedPlay
from recorder.domain.turns import Turn
from recorder.rulesets import load_rule_set

FIRST, SECOND, THIRD = (
    Played(0, parse_placement("8F HAND"), 0),
    Played(1, parse_placement("9F CATS"), 0),
    Played(0, parse_placement("10F TEN"), 0),
)


def said(rules: str, turned: Mapping[int, int], *events: GameEvent) -> str:
    """The turn, how far it is turned and what can be done; the turns are numbered from 1."""
    groups = [
        Turn(ref=number, refs=(), events=(event,), log_odds=0.0)
        for number, event in enumerate(events, start=1)
    ]
    found = misoriented(groups, turned, load_rule_set(rules))
    if found is None:
        return ""
    group, degrees, case = found
    return f"{group.ref}; {degrees}; {case}"


@pytest.mark.parametrize(
    ("rules", "case"),
    [
        ("wespa4", TurnedPlay.UNTIL_SECOND_MOVE),
        ("naspa", TurnedPlay.UNTIL_NEXT_PLAY),
        ("wespa1", TurnedPlay.RULE_OPEN),
    ],
)
def test_a_turned_first_play_is_told_with_what_the_rule_set_lets_do(
    rules: str, case: TurnedPlay
) -> None:
    """W1 is silent on it, so that is a question (ORIENT-1)."""
    assert said(rules, {1: 90}, FIRST) == f"1; 90; {case}"


def test_after_the_second_move_the_game_goes_on_like_that() -> None:
    """Under W4 also when that was a pass; under NAS only a play ends the time for it."""
    for second in (SECOND, NoPlay(1)):
        assert TurnedPlay.STAYS in said("wespa4", {1: 180, 2: 180}, FIRST, second)
    assert TurnedPlay.UNTIL_NEXT_PLAY in said("naspa", {1: 180, 2: 180}, FIRST, NoPlay(1))


def test_tiles_that_were_turned_to_lie_right_are_no_news() -> None:
    """The second player did so before playing."""
    assert said("wespa4", {1: 90, 2: 0}, FIRST, SECOND) == ""


def test_a_phony_that_is_taken_off_fixes_nothing_where_only_valid_plays_do() -> None:
    """The play after it is the first one (NAS)."""
    assert said("naspa", {1: 90}, FIRST, Withdrawn(0, 0)) == ""
    assert said("naspa", {1: 90, 3: 0}, FIRST, Withdrawn(0, 0), SECOND) == ""
    assert said("naspa", {1: 0, 3: 270}, FIRST, Withdrawn(0, 0), SECOND).startswith("3; ")


def test_without_a_reference_nothing_is_said() -> None:
    """Nothing on the board named its top, or what did says that all is well."""
    assert said("wespa4", {}, FIRST, SECOND, THIRD) == ""
    assert said("wespa4", {1: 0, 2: 0}, FIRST, SECOND) == ""

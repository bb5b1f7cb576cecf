"""Turns beyond the worked cases: the machine, the order of acts, presses that are none."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.turn.absent import Infraction, RemedyTaken, minor_infractions
from recorder.domain.rules.turn.press import (
    CompletedBy,
    TurnTimes,
    completed,
    restart,
    stop_reason,
    stray_press,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4

INSTANT = st.none() | st.integers(0, 100_000)


@given(announced=INSTANT, press=INSTANT, hand=INSTANT, tile=INSTANT, rules=st.sampled_from(ALL))
def test_a_turn_is_complete_at_an_instant_that_was_seen(
    announced: int | None,
    press: int | None,
    hand: int | None,
    tile: int | None,
    rules: RuleSet,
) -> None:
    """Never later than the press."""
    times = TurnTimes(announced_ms=announced, pressed_ms=press, hand_ms=hand, tile_out_ms=tile)
    done = completed(rules, times, due=2)
    assert done.at_ms in (press, hand, tile, None)
    assert press is None or (done.at_ms is not None and done.at_ms <= press)
    assert (done.at_ms is None) is (done.by is CompletedBy.NOTHING)
    assert completed(rules, times, due=0).by is not CompletedBy.HAND


def test_an_accident_that_a_set_does_not_know_is_the_directors() -> None:
    """So is one after the opponent has drawn."""
    for rules in (W1, PSA, HK):
        assert stray_press(rules, opponent_drew=False).for_director


def test_who_starts_the_clock_again() -> None:
    """The player not on turn, either, or the one that the procedure names."""
    assert restart(PSA, on_turn=1).player == 0
    assert restart(W4, on_turn=1).either
    assert restart(NAS, on_turn=1).open_questions
    assert restart(W1, on_turn=1).open_questions


def test_reasons_to_stop() -> None:
    """In the list, in another rule, in neither; where the list is lost, the director is asked."""
    assert not stop_reason(NAS, "blank_slip").alarm
    assert not stop_reason(W1, "blank_slip").alarm
    assert stop_reason(W1, "toilet").alarm
    assert not stop_reason(HK, "bag_access").alarm
    assert stop_reason(HK, "toilet").open_questions
    assert not stop_reason(W1, "toilet").open_questions


def test_a_remedy_taken_starts_the_count_anew() -> None:
    """Three more are needed for the next."""
    three = [Infraction(turn, "no score", pointed_out=True) for turn in (1, 2, 3)]
    assert minor_infractions(NAS, three).remedy is not None
    assert minor_infractions(NAS, [*three, RemedyTaken(4)]).number == 0
    again = [Infraction(turn, "no score", pointed_out=True) for turn in (5, 6, 7)]
    assert minor_infractions(NAS, [*three, RemedyTaken(4), *again]).turn == 7
    assert minor_infractions(W1, three).open_questions

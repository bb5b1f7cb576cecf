"""Scores on paper, and a timer that fell silent."""

from recorder.domain.reading.clock import ClockState
from recorder.domain.rules.challenge.challenge import challengeable
from recorder.domain.rules.ending.six_zeros import Zero
from recorder.domain.rules.turn.scorekeeping import (
    score_check,
    stop_for_scores,
    total_is_due,
    unwritten_at_end,
)
from recorder.domain.rules.turn.stops import lost_timer
from tests.rules.case_book import HK, NAS, PSA, W1, W4
from tests.rules.said import said

SETS = (W1, HK, W4, PSA, NAS)


def test_totals_are_due_until_the_bag_is_empty() -> None:
    """In two sets also after that."""
    assert [total_is_due(rules, bag=3) for rules in SETS] == [True] * 5
    assert [total_is_due(rules, bag=0) for rules in SETS] == [True, False, False, True, False]


def test_only_the_player_on_turn_asks_to_compare() -> None:
    """On the own time."""
    assert score_check(on_turn=True).allowed is True
    assert score_check(on_turn=False).allowed is False


def test_clocks_stop_for_a_discrepancy_and_not_for_a_routine_check() -> None:
    """Version 4 lets them stop for scores that were not written, once the bag is empty."""
    differ = [
        stop_for_scores(rules, discrepancy=True, unwritten=False, bag=9).allowed
        for rules in (W1, W4, PSA, NAS)
    ]
    assert differ == [True] * 4
    assert stop_for_scores(W1, discrepancy=False, unwritten=False, bag=9).allowed is False
    assert stop_for_scores(W4, discrepancy=False, unwritten=True, bag=0).allowed is True
    assert stop_for_scores(W4, discrepancy=False, unwritten=True, bag=1).allowed is False
    assert stop_for_scores(W1, discrepancy=False, unwritten=True, bag=0).allowed is False
    assert stop_for_scores(HK, discrepancy=True, unwritten=False, bag=9).allowed is None


def test_scores_missing_at_the_end() -> None:
    """With the own clock running, with both stopped, or as the director says."""
    assert "running" in said(unwritten_at_end(W1).steps[0].act)
    assert "stopped" in said(unwritten_at_end(W4).steps[0].act)
    assert unwritten_at_end(NAS).for_director


def test_a_timer_that_fell_silent_is_reckoned_on() -> None:
    """10:12 left at the last word, 45 seconds before the stop; the rules say what follows."""
    clock = ClockState((612_000, 900_000), running=0, at_ms=20_000, left_player=0)
    assert clock.remaining_at(65_000) == (567_000, 900_000)
    for rules in SETS:
        lost = lost_timer(rules)
        assert bool(lost.steps) is not lost.for_director
    assert lost_timer(HK).for_director


def test_what_can_be_challenged() -> None:
    """Words of a play; an exchange by its own rule, without words."""
    assert challengeable(["BOY", "AB"]).words == ("BOY", "AB")
    assert challengeable(["BOY"], played_out=True).rule == "END-2"
    exchange = challengeable([], quiet=Zero.EXCHANGE)
    assert (exchange.rule, exchange.words) == ("EXCH-3", ())
    assert challengeable([], quiet=Zero.PASS).rule == "PASS-1"

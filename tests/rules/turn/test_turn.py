"""Turns beyond the worked cases: the machine, the order of acts, presses that are none."""

from recorder.domain.rules.turn.absent import brings_remedy, minor_infractions
from recorder.domain.rules.turn.press import (
    CompletedBy,
    ask_stop_reason,
    completed_by,
    hold_until_ms,
    restart,
    stray_press,
)
from tests.rules.case_book import HK, NAS, PSA, W1, W4


def test_an_accident_that_a_set_does_not_know_is_the_directors() -> None:
    """So is one after the opponent has drawn."""
    for rules in (W1, PSA, HK):
        assert stray_press(rules, opponent_drew=False).for_director


def test_who_starts_the_clock_again() -> None:
    """The player not on turn, either, or the one that the procedure names."""
    assert restart(PSA) == ("opponent", ())
    assert restart(W4) == ("either", ())
    for rules in (NAS, W1):
        who, asked = restart(rules)
        assert who == "either"
        assert asked


def test_reasons_to_stop() -> None:
    """In the list, in another rule, in neither; where the list is lost, the director is asked."""
    assert not ask_stop_reason(HK, "bag_access")
    assert ask_stop_reason(HK, "toilet")
    assert not ask_stop_reason(W1, "toilet")


def test_what_completes_a_turn_without_a_press() -> None:
    """TURN-4, and how long it can be held then."""
    for rules in (W1, W4, HK):
        assert (completed_by(rules), hold_until_ms(rules, 0)) == (CompletedBy.HAND, None)
    assert (completed_by(NAS), hold_until_ms(NAS, 1000)) == (CompletedBy.DRAW, 16_000)


def test_minor_infractions_outside_naspa_have_no_remedy() -> None:
    """However many there are."""
    assert minor_infractions(W1, 3).for_director
    assert not brings_remedy(minor_infractions(W1, 3))

"""Turns beyond the worked cases: the machine, the order of acts, presses that are none."""

from recorder.domain.rules.turn.absent import brings_remedy, minor_infractions
from recorder.domain.rules.turn.press import restart
from tests.rules.case_book import NAS, PSA, W1, W4


def test_who_starts_the_clock_again() -> None:
    """The player not on turn, either, or the one that the procedure names."""
    assert restart(PSA) == ("opponent", ())
    assert restart(W4) == ("either", ())
    for rules in (NAS, W1):
        who, asked = restart(rules)
        assert who == "either"
        assert asked


def test_minor_infractions_outside_naspa_have_no_remedy() -> None:
    assert minor_infractions(W1, 3).for_director
    assert not brings_remedy(minor_infractions(W1, 3))

"""Exchanges and passes beyond the worked cases."""

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.rules.exchange.exchange import (
    exchange_count,
    forgotten_pile,
)
from recorder.domain.rules.exchange.wrong_exchange import (
    ExchangeFacts,
    illegal_exchange,
    overdrawn_exchange,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import HK, NAS, PSA, W1, W4


def test_a_pile_that_was_forgotten() -> None:
    """Both see it, into the bag; elsewhere the director is asked."""
    found = forgotten_pile(NAS, count=2)
    assert found.steps[-1].done_when == "bag+2"
    assert forgotten_pile(W1, count=2).for_director


def test_announced_and_laid_differ() -> None:
    """The table, the press, or nothing decides."""
    assert exchange_count(NAS, announced=None, laid=2).count == 2
    assert exchange_count(HK, announced=3, laid=4).open_questions
    assert exchange_count(PSA, announced=3, laid=4).count is None


def test_numbers_that_cannot_be_are_refused() -> None:
    """More returned than were laid aside."""
    with pytest.raises(RecorderError, match="no exchange can have gone so far"):
        ExchangeFacts(player=0, bag=20, laid=2, returned=3)


def test_an_announced_exchange_with_nothing_laid_aside() -> None:
    """A pass by one text; elsewhere its number is a question."""
    assert exchange_count(W4, announced=3, laid=0).count == 0
    for rules in (W1, HK, PSA, NAS):
        found = exchange_count(rules, announced=3, laid=0)
        assert found.count is None
        assert found.open_questions


def test_an_illegal_exchange_where_nothing_is_written() -> None:
    """The director is called; W4 inherits the right, not a consequence."""
    facts = ExchangeFacts(player=0, bag=6, laid=2, drawn=2)
    for rules in (HK, W4, PSA):
        found = illegal_exchange(rules, facts)
        assert found.for_director
    late = ExchangeFacts(player=0, bag=6, laid=2, drawn=2, returned=1)
    assert illegal_exchange(W4, late).too_late


@pytest.mark.parametrize("drawn", [0, 3])
@pytest.mark.parametrize("rules", [W1, HK, PSA, W4], ids=lambda rules: rules.name)
def test_an_exchange_from_eight_where_nothing_is_written(rules: RuleSet, drawn: int) -> None:
    """By the rules of an overdraw, and a question."""
    facts = ExchangeFacts(player=0, bag=40, rack=8, laid=3, drawn=drawn)
    found = overdrawn_exchange(rules, facts)
    assert found.surplus == found.returned == 1
    assert found.for_director


def test_from_seven_it_is_no_overdrawn_exchange() -> None:
    """A surplus drawn then is a plain overdraw."""
    with pytest.raises(RecorderError, match="from 7 tiles is not from too full"):
        overdrawn_exchange(NAS, ExchangeFacts(player=0, bag=40, laid=3, drawn=4))

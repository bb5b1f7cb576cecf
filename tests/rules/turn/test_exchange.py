"""Exchanges and passes beyond the worked cases."""

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.rules.ending.six_zeros import Zero
from recorder.domain.rules.exchange.exchange import (
    QuietFacts,
    exchange_count,
    forgotten_pile,
    may_exchange,
    quiet_turn,
)
from recorder.domain.rules.exchange.wrong_exchange import (
    ExchangeFacts,
    ExchangeOutcome,
    illegal_exchange,
    overdrawn_exchange,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4


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
    """More tiles than the set has, more returned than were laid aside."""
    with pytest.raises(RecorderError, match="more than a set of 100"):
        may_exchange(W1, total=100, board=90)
    with pytest.raises(RecorderError, match="no exchange can have gone so far"):
        ExchangeFacts(player=0, bag=20, laid=2, returned=3)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_quiet_turns(rules: RuleSet) -> None:
    """What was said, what moved, and what nobody knows."""
    said = quiet_turn(rules, QuietFacts(said=Zero.PASS, laid=0, out=0, back=0))
    assert (said.kind, said.open_questions) == (Zero.PASS, ())
    odd = quiet_turn(rules, QuietFacts(said=Zero.PASS, out=3, back=3))
    assert odd.open_questions
    silent = quiet_turn(rules, QuietFacts())
    assert silent.kind is Zero.UNDECIDED
    assert silent.open_questions
    moved = quiet_turn(rules, QuietFacts(out=3, back=3))
    assert (moved.kind, moved.count) == (Zero.EXCHANGE, 3)
    by_bag = quiet_turn(rules, QuietFacts(said=Zero.EXCHANGE, number=3, out=3, back=3))
    assert (by_bag.kind, by_bag.count) == (Zero.EXCHANGE, 3)
    unseen = quiet_turn(rules, QuietFacts(said=Zero.EXCHANGE, number=3))
    assert (unseen.kind, unseen.count) == (Zero.EXCHANGE, 3)


def test_an_announced_exchange_with_nothing_laid_aside() -> None:
    """A pass by one text; elsewhere the words make it an exchange, and its number is a question."""
    still = QuietFacts(said=Zero.EXCHANGE, number=3, out=0, back=0)
    assert quiet_turn(W4, still).kind is Zero.PASS
    for rules in (W1, HK, PSA, NAS):
        found = quiet_turn(rules, still)
        assert (found.kind, found.count) == (Zero.EXCHANGE, None)
        assert found.open_questions
    other = quiet_turn(W1, QuietFacts(said=Zero.EXCHANGE, number=3, laid=4))
    assert (other.kind, other.count) == (Zero.EXCHANGE, None)
    assert other.open_questions


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_an_announced_exchange_without_number_that_nobody_watched(rules: RuleSet) -> None:
    """No eye on the table is not an empty table."""
    found = quiet_turn(rules, QuietFacts(said=Zero.EXCHANGE))
    assert (found.kind, found.count) == (Zero.EXCHANGE, None)
    assert found.open_questions


def test_an_illegal_exchange_where_nothing_is_written() -> None:
    """The director is called; W4 inherits the right, not a consequence."""
    facts = ExchangeFacts(player=0, bag=6, laid=2, drawn=2)
    for rules in (HK, W4, PSA):
        found = illegal_exchange(rules, facts)
        assert found.outcome is ExchangeOutcome.DIRECTOR
        assert found.for_director
    late = ExchangeFacts(player=0, bag=6, laid=2, drawn=2, returned=1)
    assert illegal_exchange(W4, late).outcome is ExchangeOutcome.TOO_LATE


@pytest.mark.parametrize("drawn", [0, 3])
@pytest.mark.parametrize("rules", [W1, HK, PSA, W4], ids=lambda rules: rules.name)
def test_an_exchange_from_eight_where_nothing_is_written(rules: RuleSet, drawn: int) -> None:
    """By the rules of an overdraw, and a question."""
    facts = ExchangeFacts(player=0, bag=40, rack=8, laid=3, drawn=drawn)
    found = overdrawn_exchange(rules, facts)
    assert found.surplus == found.returned == 1
    assert found.kept == 7
    assert found.for_director


def test_from_seven_it_is_no_overdrawn_exchange() -> None:
    """A surplus drawn then is a plain overdraw."""
    with pytest.raises(RecorderError, match="from 7 tiles is not from too full"):
        overdrawn_exchange(NAS, ExchangeFacts(player=0, bag=40, laid=3, drawn=4))

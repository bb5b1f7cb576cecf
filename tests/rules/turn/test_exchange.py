"""Exchanges and passes beyond the worked cases."""

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.rules.exchange.wrong_exchange import ExchangeFacts, overdrawn_exchange
from recorder.rulesets import RuleSet
from tests.rules.case_book import HK, NAS, PSA, W1, W4


def test_numbers_that_cannot_be_are_refused() -> None:
    """More tiles than the set has, more returned than were laid aside."""
    with pytest.raises(RecorderError, match="no exchange can have gone so far"):
        ExchangeFacts(player=0, bag=20, laid=2, returned=3)


@pytest.mark.parametrize("drawn", [0, 3])
@pytest.mark.parametrize("rules", [W1, HK, PSA, W4], ids=lambda rules: rules.name)
def test_an_exchange_from_eight_where_nothing_is_written(rules: RuleSet, drawn: int) -> None:
    facts = ExchangeFacts(player=0, bag=40, rack=8, laid=3, drawn=drawn)
    found = overdrawn_exchange(rules, facts)
    assert found.surplus == found.returned == 1
    assert found.for_director


def test_from_seven_it_is_no_overdrawn_exchange() -> None:
    with pytest.raises(RecorderError, match="from 7 tiles is not from too full"):
        overdrawn_exchange(NAS, ExchangeFacts(player=0, bag=40, laid=3, drawn=4))

"""Cases E1 to E13: exchanges and passes."""

from recorder.domain.game import Passed
from recorder.domain.rules.exchange.exchange import exchange_count, may_exchange
from recorder.domain.rules.exchange.wrong_exchange import (
    ExchangeFacts,
    illegal_exchange,
    overdrawn_exchange,
)
from tests.rules.case_book import ALL, NAS, W1, W4, case
from tests.rules.said import said

SIX_IN_THE_BAG = 6


@case("E1")
def _seven_in_the_bag() -> None:
    """Seventy-nine tiles on the board leave seven."""
    for rules in ALL:
        assert may_exchange(rules, 7)


@case("E2")
def _six_in_the_bag() -> None:
    """One tile more on the board, and it is not allowed."""
    for rules in ALL:
        assert may_exchange(rules, SIX_IN_THE_BAG) is False


@case("E3")
def _too_few_in_the_bag_and_nothing_mixed() -> None:
    """The exchange becomes a pass: new ones shown and back, old ones back on the rack."""
    facts = ExchangeFacts(player=0, bag=SIX_IN_THE_BAG, laid=3, drawn=3)
    found = illegal_exchange(NAS, facts)
    assert (found.revealed, found.returned) == (3, 3)
    assert found.events == (Passed(0),)
    assert not found.for_director


@case("E4")
def _too_few_in_the_bag_and_a_tile_racked() -> None:
    """The opponent looks at everything and chooses the seven that stay."""
    found = illegal_exchange(NAS, ExchangeFacts(player=0, bag=4, laid=3, drawn=3, racked=1))
    assert (found.revealed, found.returned) == (11, 4)
    assert found.seconds == 60
    assert found.score_change == 0


@case("E5")
def _noticed_after_the_reply() -> None:
    """Points off, and nothing else."""
    facts = ExchangeFacts(player=0, bag=4, laid=3, drawn=3, racked=3, returned=3, replied=True)
    found = illegal_exchange(NAS, facts)
    assert found.score_change == -30
    assert (found.revealed, found.returned) == (0, 0)


@case("E6")
def _the_first_old_tile_is_in_the_bag() -> None:
    facts = ExchangeFacts(player=0, bag=SIX_IN_THE_BAG, laid=3, drawn=3, racked=3, returned=1)
    assert illegal_exchange(W1, facts).too_late


@case("E7")
def _objected_in_time() -> None:
    """The director, for no consequence is written; a wrong objection would cost nothing."""
    facts = ExchangeFacts(player=0, bag=SIX_IN_THE_BAG, laid=3, drawn=3, racked=3)
    found = illegal_exchange(W1, facts)
    assert found.for_director
    wrong = illegal_exchange(W1, ExchangeFacts(player=0, bag=7, laid=3, drawn=3))
    assert (wrong.events, wrong.steps, wrong.too_late) == ((), (), False)


@case("E8")
def _announced_but_nothing_laid_aside() -> None:
    """A pass; where all seven may stay on the rack, not if seven were announced."""
    assert exchange_count(W4, announced=3, laid=0).count == 0
    assert exchange_count(NAS, announced=7, laid=0).count == 7
    assert exchange_count(W1, announced=3, laid=0).open_questions


@case("E9")
def _three_announced_and_four_laid_aside() -> None:
    for rules in (W4, NAS):
        found = exchange_count(rules, announced=3, laid=4)
        assert found.count == 4
        assert not found.open_questions
    assert exchange_count(W1, announced=3, laid=4).count is None


@case("E10")
def _from_eight_tiles_with_three_drawn() -> None:
    """Eleven are held, four too many."""
    found = overdrawn_exchange(NAS, ExchangeFacts(player=0, bag=40, rack=8, laid=3, drawn=3))
    assert found.surplus == 4
    assert (found.revealed, found.returned) == (6, 4)
    assert found.drawn == 0
    assert found.score_change == 0
    assert "all tiles, old and new, face down, 11" in said(found.steps[1].act)


@case("E11")
def _from_eight_tiles_with_two_already_returned() -> None:
    facts = ExchangeFacts(player=0, bag=40, rack=8, laid=3, drawn=3, racked=3, returned=2)
    found = overdrawn_exchange(NAS, facts)
    assert found.drawn == 2
    assert found.steps[1].done_when == "bag-2"
    assert (found.surplus, found.revealed, found.returned) == (4, 6, 4)


@case("E12")
def _from_eight_tiles_with_nothing_drawn() -> None:
    found = overdrawn_exchange(NAS, ExchangeFacts(player=0, bag=40, rack=8, laid=3))
    assert found.rule == "OVERDRAW-2"
    assert (found.surplus, found.returned) == (1, 1)


@case("E13")
def _four_tiles_through_the_bag() -> None:
    """What the scale sees, in whatever order the acts come: as many out as in."""
    for rules in ALL:
        assert exchange_count(rules, announced=4, laid=4).count == 4

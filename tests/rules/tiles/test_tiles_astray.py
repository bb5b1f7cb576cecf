"""Underdraws, loose, spilled, foreign tiles and absent players beyond the worked cases."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.errors import RecorderError
from recorder.domain.rules.core.procedure import Who
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.loose import LooseFacts, loose_tile
from recorder.domain.rules.draw.spills import SpillFacts, improper_return, spill
from recorder.domain.rules.draw.underdraw import (
    OutOfOrderFacts,
    UnderdrawFacts,
    out_of_order,
    underdraw,
)
from recorder.domain.rules.turn.absent import coming_back, leaving, waiting_draws
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4
from tests.rules.said import said

ONE_SHORT = UnderdrawFacts(
    player=0,
    draw=Draw(kept=2, bag=6, drawn=4),
    short_ms=0,
    found_ms=9000,
    emptied_ms=8000,
)


@pytest.mark.parametrize("mixed", [False, None])
def test_the_opponents_last_tiles_lie_apart(*, mixed: bool | None) -> None:
    """They go back, and both draw in their order."""
    facts = replace(ONE_SHORT, emptied_drawn=2, emptied_mixed=mixed)
    found = underdraw(NAS, facts)
    assert (found.returned, found.drawn) == (2, 1)
    assert found.for_director == (mixed is None)
    assert underdraw(W1, facts).steps[1].code == "give_tiles"


@given(
    rules=st.sampled_from(ALL),
    kept=st.integers(0, 6),
    due=st.integers(0, 7),
    bag=st.integers(0, 20),
)
def test_out_of_order_loses_no_tile(rules: RuleSet, kept: int, due: int, bag: int) -> None:
    """No more goes back than was drawn, and no more is drawn than a rack or the bag holds."""
    drawn = Draw(kept=kept, bag=bag).due
    facts = OutOfOrderFacts(draw=Draw(kept=kept, bag=bag, drawn=drawn), due=due)
    found = out_of_order(rules, facts)
    assert 0 <= found.returned <= drawn
    again = [step.tiles or 0 for step in found.steps if step.code == "draw_tiles"]
    assert kept + drawn - found.returned + sum(again[1:]) <= 7


def test_out_of_order_where_the_number_is_not_said() -> None:
    """What the other player is short of is suggested; the director is asked."""
    facts = OutOfOrderFacts(draw=Draw(kept=4, bag=5, drawn=3), due=4)
    found = out_of_order(NAS, facts)
    assert found.for_director
    assert found.returned == 2
    with pytest.raises(RecorderError, match="due 8"):
        out_of_order(NAS, OutOfOrderFacts(draw=Draw(kept=4, bag=5), due=8))


def test_a_loose_tile_while_the_bag_has_some() -> None:
    """Back to the bag; with few left one text is silent."""
    for rules in (W1, PSA, NAS, W4):
        found = loose_tile(rules, LooseFacts(racks=(7, 7), bag=20))
        assert found.steps[-1].code != "give_tiles"
        assert found.returned == 1
    assert loose_tile(NAS, LooseFacts(racks=(7, 7), bag=6)).for_director
    assert loose_tile(W1, LooseFacts(racks=(7, 7), bag=6)).returned == 1
    assert loose_tile(HK, LooseFacts(racks=(7, 7), bag=20)).for_director


A_SHORT = (0, Draw(kept=4, bag=3, drawn=2))


def test_a_loose_tile_with_the_bag_empty() -> None:
    """The log says who should have drawn it; whether both agree is asked."""
    not_agreed = loose_tile(NAS, LooseFacts(racks=(0, 3), draws=(A_SHORT,)))
    assert not_agreed.for_director
    assert not_agreed.drawer == 0


def test_after_signing_nothing_changes() -> None:
    """Where the remedies for loose tiles are open, the director is asked."""
    facts = LooseFacts(racks=(0, 3), draws=(A_SHORT,), final=True)
    for rules in (W1, PSA, NAS, W4):
        assert loose_tile(rules, facts).too_late
    assert loose_tile(HK, facts).for_director


def test_tiles_fall_out_while_nobody_draws() -> None:
    """Many left: shown and back. Few left: it depends on whose turn it is."""
    many = spill(NAS, SpillFacts(bag=40, spilled=2))
    assert (many.returned, many.revealed) == (2, 2)
    own = spill(NAS, SpillFacts(bag=6, spilled=2))
    assert (own.returned, own.revealed, own.seconds) == (2, 0, 60)
    assert [step.code for step in own.steps][1:3] == ["take_tiles", "choose_to_keep"]
    assert not own.for_director
    other = spill(NAS, SpillFacts(bag=6, spilled=2, own_turn=False))
    assert (other.returned, other.revealed) == (2, 2)
    both = spill(NAS, SpillFacts(bag=8, spilled=2))
    assert both.for_director
    for rules in (W1, HK, PSA, W4):
        assert spill(rules, SpillFacts(bag=40, spilled=2)).for_director
    with pytest.raises(RecorderError, match="3 tiles cannot fall out of a bag of 2"):
        spill(NAS, SpillFacts(bag=2, spilled=3))


@given(st.integers(1, 12), st.integers(0, 7), st.integers(0, 60))
def test_a_spill_while_drawing_ends_in_the_right_draw(spilled: int, due: int, rest: int) -> None:
    """What fell out is drawn or goes back; what is missing is drawn."""
    facts = SpillFacts(bag=spilled + rest, spilled=spilled, due=due)
    found = spill(NAS, facts)
    assert found.drawn + found.returned == spilled
    more = 0 if found.returned else int(found.steps[0].done_when.removeprefix("bag-"))
    assert found.drawn + more == min(due, facts.bag)


@given(st.integers(1, 4), st.integers(0, 6), st.integers(1, 60))
def test_an_improper_return_ends_with_seven(returned: int, rack: int, bag: int) -> None:
    """As far as there are tiles enough."""
    found = improper_return(NAS, returned=returned, rack=rack, bag=bag)
    exposed = {name: int(count) for name, count in found.steps[1].act.values}
    assert exposed["rack"] <= 2
    assert exposed["bag"] <= min(returned + 2, bag)
    assert (found.steps[2].tiles or 0) + found.returned == sum(exposed.values())
    assert rack - exposed["rack"] + (found.steps[2].tiles or 0) <= 7
    assert improper_return(W1, returned=returned, rack=rack, bag=bag).for_director


def test_leaving_and_coming_back() -> None:
    """Ask, play, do not draw; on the return five seconds to hold."""
    left = leaving(W1)
    assert said(left.steps[0].act) == "Ask the director for permission"
    assert leaving(W1, emergency=True).steps[0].who is Who.OPPONENT
    assert leaving(NAS).for_director
    draws = waiting_draws(bag=6, racks=(4, 2), order=(0, 1))
    assert [draw.drawn for draw in draws] == [3, 3]
    back = coming_back(NAS, missing=(3, 3))
    assert [step.seconds for step in back.steps if step.seconds] == [5]
    assert coming_back(W1, missing=(3, 3)).for_director

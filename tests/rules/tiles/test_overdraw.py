"""Overdraws beyond the worked cases: the table of the rulebook, invariants, what is open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.errors import RecorderError
from recorder.domain.rules.draw.draws import Draw, who_missed
from recorder.domain.rules.draw.overdraw import (
    FoundBy,
    OverdrawFacts,
    PlayedFrom,
    overdraw,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4
from tests.rules.said import said

TABLE = [  # kept, drawn, then tiles shown: W1 and PSA apart and mixed, the others, those mixed
    (6, 2, 2, 2, 2, 3),
    (6, 3, 3, 3, 3, 4),
    (5, 3, 2, 2, 3, 3),
    (4, 4, 2, 2, 3, 3),
    (4, 5, 3, 3, 4, 4),
    (0, 8, 2, 2, 3, 3),
    (0, 9, 3, 3, 4, 4),
]


@pytest.mark.parametrize("row", TABLE, ids=[f"{row[0]}+{row[1]}" for row in TABLE])
def test_the_table_of_the_rulebook(row: tuple[int, ...]) -> None:
    """OVERDRAW-7: so many are shown, the surplus goes back, seven are left."""
    kept, drawn, apart_1, mixed_1, apart_2, mixed_2 = row
    for rules in ALL:
        first = rules in (W1, PSA)
        for racked, shown in (
            (False, apart_1 if first else apart_2),
            (True, mixed_1 if first else mixed_2),
        ):
            draw = Draw(kept=kept, bag=50, drawn=drawn)
            found = overdraw(rules, OverdrawFacts(player=0, draw=draw, mixed=racked))
            assert found.revealed == shown, rules.name
            assert found.pool == (kept + drawn if racked else drawn)
            assert found.returned == draw.surplus


FACTS = st.builds(
    lambda kept, more, bag, **facts: OverdrawFacts(
        draw=Draw(kept=kept, bag=7 - kept + more + bag, drawn=7 - kept + more), **facts
    ),
    kept=st.integers(0, 7),
    more=st.integers(1, 5),
    bag=st.integers(0, 60),
    player=st.integers(0, 1),
    found_by=st.sampled_from(FoundBy),
    mixed=st.sampled_from((True, False, None)),
    own_turn=st.booleans(),
    concealed=st.booleans(),
)


@pytest.mark.parametrize(
    ("mixed", "surplus", "pool", "revealed"), [(True, 4, 7, 6), (False, 1, 4, 3)]
)
def test_played_from_too_many_and_refilled(
    *, mixed: bool, surplus: int, pool: int, revealed: int
) -> None:
    """A count now shows seven; the new tiles go back first where they lie apart."""
    played = PlayedFrom(tiles=4, replied=False, refill=3, refill_mixed=mixed)
    draw = Draw(kept=4, bag=40, drawn=4)
    found = overdraw(NAS, OverdrawFacts(player=1, draw=draw, played=played))
    assert (found.surplus, found.pool, found.revealed) == (surplus, pool, revealed)
    shown_back = [step for step in found.steps if "just drawn" in said(step.act)]
    assert len(shown_back) == (not mixed)


@pytest.mark.parametrize("rules", [W1, HK, PSA, W4], ids=lambda rules: rules.name)
def test_a_play_from_too_many_is_open_elsewhere(rules: RuleSet) -> None:
    """What is too many now is settled; the play itself is a question."""
    draw = Draw(kept=4, bag=40, drawn=4)
    for refill, returned in ((3, 0), (4, 1)):
        played = PlayedFrom(tiles=4, replied=False, refill=refill)
        found = overdraw(rules, OverdrawFacts(player=1, draw=draw, played=played))
        assert found.for_director
        assert found.returned == returned
        assert found.score_change == 0


def test_more_played_than_held_is_our_fault() -> None:
    """Facts that cannot be are refused."""
    played = PlayedFrom(tiles=9, replied=True)
    facts = OverdrawFacts(player=0, draw=Draw(kept=4, bag=9, drawn=4), played=played)
    with pytest.raises(RecorderError, match="9 tiles were played from 8"):
        overdraw(NAS, facts)
    with pytest.raises(RecorderError, match="5 tiles cannot be drawn from 4"):
        Draw(kept=2, bag=4, drawn=5)


def test_who_should_have_drawn() -> None:
    """The first who fell short and was not filled up since."""
    early = (0, Draw(kept=3, bag=40, drawn=3))
    filled = (0, Draw(kept=2, bag=30, drawn=5))
    last = (1, Draw(kept=4, bag=2, drawn=2))
    assert who_missed([early, last]) == 0
    assert who_missed([early, filled, last]) == 1
    assert who_missed([early, filled]) is None


@given(st.sampled_from(ALL), FACTS)
def test_exactly_the_surplus_goes_back(rules: RuleSet, facts: OverdrawFacts) -> None:
    """In every way of every set, open or not; no more is shown than there is."""
    plan = overdraw(rules, facts)
    assert plan.returned == plan.surplus == facts.draw.surplus
    assert plan.returned <= plan.revealed <= plan.pool <= facts.draw.held
    into_bag = [step for step in plan.steps if step.done_when.startswith("bag+")]
    assert [step.tiles for step in into_bag] == [plan.returned]
    assert plan.score_change == 0

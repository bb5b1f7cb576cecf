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
    is_mixed,
    overdraw,
)
from recorder.domain.rules.draw.overdraw_course import choosing, detected
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4, in_force
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
            found = overdraw(rules, OverdrawFacts(player=0, draw=draw, touched_rack=racked))
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
    touched_rack=st.sampled_from((True, False, None)),
    beside_old=st.sampled_from((True, False, None)),
    own_turn=st.booleans(),
    concealed=st.booleans(),
)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_no_surplus_is_no_overdraw(rules: RuleSet) -> None:
    """A full draw, and the last tiles of the bag."""
    for draw in (Draw(kept=3, bag=40, drawn=4), Draw(kept=2, bag=3, drawn=3)):
        found = overdraw(rules, OverdrawFacts(player=1, draw=draw))
        assert found.rule == "OVERDRAW-1"
        assert not found.steps


def test_tiles_beside_the_old_ones_are_mixed_in_one_set_only() -> None:
    """Laid beside them, not on the rack."""
    assert is_mixed(NAS, touched_rack=False, beside_old=True) is True
    assert is_mixed(W1, touched_rack=False, beside_old=True) is False
    assert is_mixed(NAS, touched_rack=None, beside_old=True) is True
    assert is_mixed(NAS, touched_rack=None, beside_old=False) is None
    assert is_mixed(NAS, touched_rack=True, beside_old=None) is True


def test_new_tiles_apart_in_a_low_bag() -> None:
    """With one due only surplus and one more exist: one comes back."""
    draw = Draw(kept=6, bag=5, drawn=2)
    found = overdraw(NAS, OverdrawFacts(player=0, draw=draw, own_turn=True))
    assert (found.rule, found.revealed, found.pool, found.returned) == ("OVERDRAW-4", 2, 2, 1)


@pytest.mark.parametrize(
    ("mixed", "surplus", "pool", "revealed"), [(True, 4, 7, 6), (False, 1, 4, 3)]
)
def test_played_from_too_many_and_refilled(
    *, mixed: bool, surplus: int, pool: int, revealed: int
) -> None:
    """A count now shows seven; the new tiles go back first where they lie apart."""
    played = PlayedFrom(tiles=4, score=30, replied=False, refill=3, refill_mixed=mixed)
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
        played = PlayedFrom(tiles=4, score=30, replied=False, refill=refill)
        found = overdraw(rules, OverdrawFacts(player=1, draw=draw, played=played))
        assert found.for_director
        assert found.returned == returned
        assert found.score_change == 0


def test_more_played_than_held_is_our_fault() -> None:
    """Facts that cannot be are refused."""
    played = PlayedFrom(tiles=9, score=1, replied=True)
    facts = OverdrawFacts(player=0, draw=Draw(kept=4, bag=9, drawn=4), played=played)
    with pytest.raises(RecorderError, match="9 tiles were played from 8"):
        overdraw(NAS, facts)
    with pytest.raises(RecorderError, match="5 tiles cannot be drawn from 4"):
        Draw(kept=2, bag=4, drawn=5)


def test_mixed_tiles_where_the_text_is_lost() -> None:
    """The director confirms the inherited way, or is asked."""
    facts = OverdrawFacts(player=0, draw=Draw(kept=4, bag=40, drawn=4), touched_rack=True)
    assert not overdraw(W4, facts).for_director
    bare = overdraw(in_force("wespa4", confirmed=False), facts)
    assert bare.for_director
    assert (bare.revealed, bare.pool) == (3, 8)


def test_what_a_detection_may_lead_to() -> None:
    """Nobody but the director hears of it, except where all must say what they see."""
    words = {rules.name: said(detected(rules, surplus=1).steps[0].act) for rules in ALL}
    assert ": inform the players" in words.pop("naspa")
    assert "point it out" in words["psa"]
    assert "who speaks first" in words["wespa1"]
    assert all("do not tell the players" in act for act in words.values())


def test_time_to_choose() -> None:
    """Seconds left, then the clock."""
    plan = overdraw(NAS, OverdrawFacts(player=0, draw=Draw(kept=4, bag=40, drawn=4)))
    assert said(choosing(plan, elapsed_s=5).title) == "10 s left to choose"
    assert "17" not in said(choosing(plan, elapsed_s=17).steps[0].act)


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


def test_whether_a_tile_touched_the_rack_nobody_knows() -> None:
    """It is asked; until then they are taken to lie apart."""
    draw = Draw(kept=4, bag=40, drawn=4)
    found = overdraw(W1, OverdrawFacts(player=0, draw=draw, touched_rack=None))
    assert found.pool == 4
    assert "touched the rack" in said(found.open_questions[0])


def test_when_the_bag_is_counted_is_not_said() -> None:
    """Eight before the draw, four after it: is that a low bag?"""
    draw = Draw(kept=4, bag=8, drawn=4)
    facts = OverdrawFacts(player=0, draw=draw, touched_rack=True, own_turn=True)
    found = overdraw(NAS, facts)
    assert found.for_director
    assert found.rule == "OVERDRAW-2"

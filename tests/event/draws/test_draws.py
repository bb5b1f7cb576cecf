"""Every draw: nobody twice, no repeat that is not needed, starts in balance."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import BYE, EventDivision
from recorder.domain.event.draws import Entrant, australian, random_draw
from recorder.domain.event.meetings import Meetings, meetings_before, starts_before
from recorder.domain.event.next_round import NextRound, pair_round
from recorder.domain.event.wanted import Method, WantedRound
from recorder.domain.rules.start.starting import Begun
from recorder.matching import least_cost_pairs
from recorder.rulesets import load_rule_set
from tests.event.fields import after_rounds, division, paired, played, with_round

REPEATING = (
    *(Method.KOTH, Method.QUADS, Method.FONTES, Method.FACTOR),
    *(Method.TEAMS, Method.INTERLEAVED),
)
NOT_HILL = [method for method in Method if method not in REPEATING]


@cache
def matchings(field: tuple[int, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every way of pairing an even field, one by one."""
    if not field:
        return ((),)
    first, *others = field
    return tuple(
        ((first, other), *rest)
        for other in others
        for rest in matchings(tuple(n for n in others if n != other))
    )


def fewest_repeats(numbers: list[int], met: Meetings) -> tuple[int, int]:
    """By trying all: second byes while others had none, then repeats."""
    field = tuple(numbers) if len(numbers) % 2 == 0 else (*numbers, BYE)
    fewest = min(map(met.byes, numbers))
    return min(
        (
            sum(met.byes(max(pair)) - fewest for pair in pairs if BYE in pair),
            sum(bool(met.of(*pair)) for pair in pairs if BYE not in pair),
        )
        for pairs in matchings(field)
    )


@st.composite
def histories(draw: st.DrawFn) -> EventDivision:
    """Three to eight players after some rounds, paired in any way at all."""
    count = draw(st.integers(3, 8))
    field = tuple(range(1, count + 1)) if count % 2 == 0 else (*range(1, count + 1), BYE)
    rounds = draw(st.lists(st.sampled_from(matchings(field)), max_size=9))
    return after_rounds(count, rounds)


@pytest.mark.slow
@pytest.mark.parametrize("method", NOT_HILL)
@given(field=histories(), seed=st.integers(0, 99))
def test_no_repeat_is_drawn_that_is_not_needed(
    method: Method, field: EventDivision, seed: int
) -> None:
    """Against every pairing of a small field, tried one by one: never a repeat too many."""
    round_ = max((len(player.rounds) for player in field.players), default=0) + 1
    drawn = paired(field, method, round_, seed=seed)
    met = meetings_before(field, round_)
    numbers = [player.number for player in field.players]
    assert_all_paired_once(drawn, numbers)
    second = met.byes(drawn.bye) - min(map(met.byes, numbers)) if drawn.bye else 0
    repeats = sum(pair.repeat for pair in drawn.pairs)
    assert (second, repeats) == fewest_repeats(numbers, met)


def assert_all_paired_once(drawn: NextRound, numbers: list[int]) -> None:
    there = [n for pair in drawn.pairs for n in (pair.first, pair.second)]
    there += [drawn.bye] if drawn.bye is not None else []
    assert sorted(there) == numbers
    assert [pair.table for pair in drawn.pairs] == list(range(1, len(drawn.pairs) + 1))


@given(field=histories())
def test_an_australian_draw_can_be_redone_by_hand(field: EventDivision) -> None:
    """From the top, each meets the first with whom the rest can be paired as well as can be."""
    numbers = [player.number for player in field.players]
    met = meetings_before(field, 99)
    drawn = australian([Entrant(n) for n in numbers], met, least_cost_pairs)
    if any(met.of(*pair.players) for pair in drawn.pairs) or len(numbers) % 2:
        return
    new = [pairs for pairs in matchings(tuple(numbers)) if not any(met.of(*pair) for pair in pairs)]
    assert tuple(pair.players for pair in drawn.pairs) == min(new)


def test_the_oldest_repeat_is_forgiven_first() -> None:
    """Four players who all have met: the games of round 1 come again."""
    rounds = [[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]]
    for order in permutations(rounds):
        drawn = paired(after_rounds(4, order), Method.AUSTRALIAN, 4)
        assert sorted(sorted((p.first, p.second)) for p in drawn.pairs) == [
            list(pair) for pair in order[0]
        ]
        assert all(pair.repeat and pair.why.code == "repeat_needed" for pair in drawn.pairs)


def test_the_lowest_pair_is_undone_first() -> None:
    """The last two have met: the pair above them is drawn again, the top one stays."""
    drawn = paired(after_rounds(6, [[(5, 6)]]), Method.AUSTRALIAN, 2)
    assert {frozenset((p.first, p.second)) for p in drawn.pairs} != set()
    met = Meetings({5: {6: (1,)}, 6: {5: (1,)}})
    pairs = australian([Entrant(n) for n in range(1, 7)], met, least_cost_pairs).pairs
    assert [pair.players for pair in pairs] == [(1, 2), (3, 5), (4, 6)]
    assert pairs[1].why.code == "highest_that_fits"


def test_a_random_draw_favours_nobody() -> None:
    """Four players of whom two have met: both draws that are left come equally often."""
    met = Meetings({1: {2: (1,)}, 2: {1: (1,)}})
    draws = Counter(
        frozenset(
            frozenset(pair.players)
            for pair in random_draw([Entrant(n) for n in order], met, least_cost_pairs).pairs
        )
        for order in permutations((1, 2, 3, 4))
    )
    assert sorted(draws.values()) == [12, 12]


@pytest.mark.parametrize("method", Method)
def test_the_same_seed_gives_the_same_draw(method: Method) -> None:
    field = played(9, Method.AUSTRALIAN, 3)
    draws = [paired(field, method, 4, seed=seed) for seed in (5, 5, 6, 7)]
    assert draws[0] == draws[1]
    if method is Method.RANDOM:
        assert len({str(draw.pairs) for draw in draws}) > 1


def test_neighbours_meet_on_the_hill() -> None:
    """Whether they have met or not; the last has the bye unless they had one."""
    drawn = paired(after_rounds(5, [[(1, 2), (3, 4), (5, BYE)]]), Method.KOTH, 2)
    assert drawn.bye == 4
    assert [pair.repeat for pair in drawn.pairs].count(True) >= 0
    assert {pair.why.code for pair in drawn.pairs} == {"neighbours"}


def test_a_round_robin_is_played_through_and_turned_round() -> None:
    """Seven rounds of eight without a repeat; the eighth is the first with starts turned round."""
    field = played(8, Method.ROUND_ROBIN, 7)
    eighth = paired(field, Method.ROUND_ROBIN, 8)
    first = paired(division(8), Method.ROUND_ROBIN, 1)
    assert {(p.second, p.first) for p in first.pairs} == {(p.first, p.second) for p in eighth.pairs}
    met = meetings_before(field, 8)
    assert all(met.of(a, b) for a, b in combinations(range(1, 9), 2))


def test_a_round_robin_goes_on_after_rounds_of_another_kind() -> None:
    """Rounds that are not from the table: no game is played twice while there are new ones."""
    field = played(8, Method.AUSTRALIAN, 3)
    for round_ in range(4, 8):
        drawn = paired(field, Method.ROUND_ROBIN, round_)
        met = meetings_before(field, round_)
        assert sum(p.repeat for p in drawn.pairs) == fewest_repeats(list(range(1, 9)), met)[1]
        field = with_round(field, drawn, Random(round_))


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["wespa1", "naspa", "psa"])
@pytest.mark.parametrize("method", NOT_HILL)
def test_starts_stay_in_balance(method: Method, rules: str) -> None:
    """After a dozen rounds nobody has moved first three times more often than second."""
    field, rng = division(14), Random(4)
    for round_ in range(1, 13):
        drawn = paired(field, method, round_, rules=load_rule_set(rules))
        field = with_round(field, drawn, rng)
    for begun in starts_before(field, 13).values():
        assert abs(begun.count(Begun.FIRST) - begun.count(Begun.SECOND)) <= 3


def test_byes_go_round() -> None:
    """Nobody has a second one before everybody had the first."""
    for method in (Method.AUSTRALIAN, Method.SWISS, Method.KOTH, Method.RANDOM):
        met = meetings_before(played(5, method, 5), 6)
        assert [met.byes(number) for number in range(1, 6)] == [1] * 5


def test_who_is_absent_is_not_paired_and_who_is_fixed_stays() -> None:
    """Player 2 sits out, player 5 has table 3."""
    field = played(8, Method.AUSTRALIAN, 2)
    wanted = WantedRound(round=3, method=Method.SWISS, order=range(1, 9), absent={2}, tables={5: 3})
    drawn = pair_round(load_rule_set("naspa"), field, wanted, least_cost_pairs)
    assert 2 not in {n for p in drawn.pairs for n in (p.first, p.second)}
    seat = {n: pair.table for pair in drawn.pairs for n in (pair.first, pair.second)}
    assert drawn.bye == 5 or seat[5] == 3
    alone = WantedRound(round=3, method=Method.SWISS, order=range(1, 9), absent=set(range(2, 9)))
    with pytest.raises(NotationError, match="has 1 of the 2 to 2000 players"):
        pair_round(load_rule_set("naspa"), field, alone, least_cost_pairs)

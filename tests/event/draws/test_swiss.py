"""Swiss on events by chance: as few repeats as there can be, fair byes, floats from the bottom."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from recorder.domain.event.divisions import BYE, EventDivision
from recorder.domain.event.meetings import Meetings, meetings_before
from recorder.domain.event.next_round import NextRound
from recorder.domain.event.placing import placings
from recorder.domain.event.wanted import Method
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds.division_file import read_division_file
from recorder.matching import least_cost_pairs
from tests.event.fields import division, paired, with_round

pytestmark = pytest.mark.slow


def fewest_repeats(numbers: list[int], meetings: Meetings, fewest_byes: int) -> int:
    """Of all rounds of these players, the bye for one who had fewest: by matching alone."""
    there = [*numbers, *([BYE] if len(numbers) % 2 else [])]
    costs = []
    for a, one in enumerate(there):
        for b in range(a + 1, len(there)):
            if there[b] == BYE:
                costs.append((a, b, 1_000 * (meetings.byes(one) - fewest_byes)))
            else:
                costs.append((a, b, int(bool(meetings.of(one, there[b])))))
    known = {(a, b): cost for a, b, cost in costs}
    return sum(known[pair] for pair in least_cost_pairs(len(there), costs) or ()) % 1_000


def check(field: EventDivision, drawn: NextRound, round_: int) -> None:
    there = [p.number for p in field.players if p.takes_part(round_)]
    meetings = meetings_before(field, round_)
    fewest = min(meetings.byes(n) for n in there)
    assert drawn.bye is None or meetings.byes(drawn.bye) == fewest
    repeats = sum(pair.repeat for pair in drawn.pairs)
    assert repeats == fewest_repeats(there, meetings, fewest)
    assert cost(field, drawn, round_) <= least_cost(field, drawn, round_)


def weights(field: EventDivision, round_: int) -> Callable[[int, int], int]:
    """What liwords' Swiss has two meet for, but for spread: meetings, then wins apart."""
    after = min(round_ - 1, field.scored_rounds)
    wins = {row.number: row.wins for row in placings(NO_RULE_SET, field, after)}
    meetings = meetings_before(field, round_)
    return lambda one, other: (
        1_000_000_000 * len(meetings.of(one, other))
        + 500_000 * int(2 * (wins[one] - wins[other])) ** 2
    )


def cost(field: EventDivision, drawn: NextRound, round_: int) -> int:
    weight = weights(field, round_)
    return sum(weight(pair.first, pair.second) for pair in drawn.pairs)


def least_cost(field: EventDivision, drawn: NextRound, round_: int) -> int:
    """Of all rounds of the players who were paired, by those weights."""
    there = [n for pair in drawn.pairs for n in (pair.first, pair.second)]
    weight, places = weights(field, round_), range(len(there))
    edges = [(a, b, weight(there[a], there[b])) for a in places for b in range(a + 1, len(there))]
    known = {(a, b): cost for a, b, cost in edges}
    return sum(known[pair] for pair in least_cost_pairs(len(there), edges) or ())


def event_by_chance(seed: int) -> None:
    """A field of 6 to 60 players for 4 to 31 rounds, some of whom leave."""
    rng = Random(seed)
    count, rounds = rng.randint(6, 60 if seed % 10 == 0 else 20), rng.randint(4, 31)
    field = division(count)
    for round_ in range(1, rounds + 1):
        if rng.random() < 0.1 and sum(p.absence_margin is None for p in field.players) > 6:
            gone = rng.choice([p for p in field.players if p.absence_margin is None])
            players = [replace(p, absence_margin=-50) if p is gone else p for p in field.players]
            field = replace(field, players=tuple(players))
        drawn = paired(field, Method.SWISS, round_, seed=seed)
        check(field, drawn, round_)
        away = {p.number: p.absence_margin for p in field.players if p.absence_margin is not None}
        staying = replace(field, players=tuple(p for p in field.players if p.number not in away))
        after = with_round(staying, drawn, rng).by_number
        players = [after.get(p.number, p) for p in field.players]
        field = replace(field, players=tuple(players))


@pytest.mark.parametrize("seed", range(8))
def test_no_round_has_more_repeats_than_needed(seed: int) -> None:
    """And no second bye while somebody had none."""
    event_by_chance(seed)


RR6 = """\
Ash 1500 6 5 4 3 2; 450 450 450 450 450
Bo 1400 5 4 3 6 1; 440 440 440 440 300
Cy 1300 4 6 2 1 5; 430 430 300 300 430
Di 1200 3 2 1 5 6; 300 300 300 410 410
El 1100 2 1 6 4 3; 300 300 400 300 300
Fo 1000 1 3 5 2 4; 300 300 300 300 300
"""


def test_scores_count_where_all_have_met() -> None:
    """Six players after five rounds: neighbours meet again, not round 1."""
    (field,) = read_division_file(RR6, "A").event.divisions
    drawn = paired(field, Method.SWISS, 6)
    assert [{pair.first, pair.second} for pair in drawn.pairs] == [{1, 2}, {3, 4}, {5, 6}]


BYE_LOW = """\
Ash 1500 2 3 0; 400 400 50
Bo 1400 1 0 3; 380 50 400
Cy 1300 0 1 2; 50 300 350
Di 1200 5 5 5; 400 400 400
El 1100 4 4 4; 390 390 390
"""


def test_the_bye_is_of_the_lowest_who_had_none() -> None:
    """Not of a leader, who had none either; leaders meet."""
    (field,) = read_division_file(BYE_LOW, "A").event.divisions
    drawn = paired(field, Method.SWISS, 4)
    assert drawn.bye == 5
    assert [{pair.first, pair.second} for pair in drawn.pairs] == [{1, 4}, {2, 3}]


def test_the_lowest_of_an_odd_group_floats() -> None:
    """Down, to the highest of the next: never the leader where others can."""
    rng = Random(5)
    for seed in range(6):
        field = division(12)
        for round_ in range(1, 4):
            drawn = paired(field, Method.SWISS, round_, seed=seed)
            field = with_round(field, drawn, rng)
        rows = placings(NO_RULE_SET, field, 3)
        top = [row.number for row in rows if row.wins == rows[0].wins]
        if len(top) % 2 and len(top) > 1:
            pairs = [{pair.first, pair.second} for pair in paired(field, Method.SWISS, 4).pairs]
            (floats,) = [n for n in top if not any({n, o} in pairs for o in top if o != n)]
            assert floats != top[0]

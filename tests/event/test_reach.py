"""What players can still win: nobody who can is said to be out, the last round settles all."""

from dataclasses import replace
from itertools import product

import pytest

from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.placing import placings
from recorder.domain.event.reach import finished_rounds, places_in_reach
from recorder.domain.event.wanted import Method
from recorder.domain.rules.core.parameters import NO_RULE_SET
from tests.event.fields import paired, played


def after_round(field: EventDivision, round_: int, wins: tuple[bool, ...]) -> EventDivision:
    """The division after its round was played, with the first or the second winning by 400."""
    lines = {}
    for pair, first in zip(paired(field, Method.KOTH, round_).pairs, wins, strict=True):
        for number, other, won in (
            (pair.first, pair.second, first),
            (pair.second, pair.first, not first),
        ):
            known = field.player(number)
            seen = replace(known.in_round(99), opponent=other, score=700 if won else 300)
            lines[number] = replace(known, rounds=(*known.rounds, seen))
    return replace(field, players=tuple(lines[p.number] for p in field.players))


@pytest.mark.parametrize("seed", range(3))
def test_every_place_that_is_reached_was_in_reach(seed: int) -> None:
    """Over every outcome of the last round."""
    field = replace(played(8, Method.SWISS, 4, seed=seed), last_round=5)
    reach = places_in_reach(field, NO_RULE_SET)
    for wins in product((True, False), repeat=4):
        end = after_round(field, 5, wins)
        for row in placings(NO_RULE_SET, end, 5):
            best, worst = reach[row.number]
            assert best <= row.rank <= worst
        assert places_in_reach(end, NO_RULE_SET) == {}


def test_a_round_that_is_on_counts_for_nothing_yet() -> None:
    """What is settled holds whatever the open games bring; without rounds nobody can say."""
    field = replace(played(8, Method.SWISS, 4), last_round=5)
    player = field.player(1)
    rounds = (*player.rounds[:3], replace(player.rounds[3], score=None))
    half = field.with_players(replace(player, rounds=rounds))
    assert finished_rounds(half) == 3
    assert places_in_reach(replace(field, last_round=None), NO_RULE_SET) == {}

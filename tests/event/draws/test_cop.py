"""COP: who is locked, who contends, who must meet the leader; and that everybody is paired."""

import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recorder.domain.event.cop import CopDraw, CopField, CopSettings, cop, simulated_lists
from recorder.domain.event.next_round import pair_round
from recorder.domain.event.prospects import (
    Tally,
    can_catch,
    locked_groups,
    locked_places,
    reachable,
)
from recorder.domain.event.wanted import Method, WantedRound
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.matching import least_cost_pairs
from recorder.simulating import ChanceSimulator
from tests.cases import first_of
from tests.event.fields import played, with_round

pytestmark = pytest.mark.slow

SHARED = Path(os.environ.get("TILECAST_SHARED") or Path(__file__).parents[3] / ".." / "shared")
_FOUND = SHARED / "anchors" / "cop.md"
KNOWN = [
    json.loads(line)
    for line in (_FOUND.read_text(encoding="utf-8").splitlines() if _FOUND.exists() else ())
    if line.startswith("{")
]
BASES = {row["base"]: row for row in KNOWN if "n" in row}
_NOT_OFFERED = {"top_down", "repeat_byes"}
POSITIONS = [row for row in KNOWN if "id" in row and not _NOT_OFFERED & {*row["par"]}]
"""All but those with two ways of giving byes that directors are not offered."""


def ranked(base: dict[str, Any]) -> list[int]:
    """The players of a known position, best first."""
    there = [n for n in range(base["n"]) if n not in base["removed"]]
    return sorted(there, key=lambda n: (-base["w2"][n], -base["spr"][n], -n))


def drawn(position: dict[str, Any]) -> tuple[list[int], CopDraw]:
    """A known position paired: players by rank, and the draw in ranks."""
    base, par = BASES[position["base"]], position["par"]
    order = ranked(base)
    rank = {player: place for place, player in enumerate(order)}
    met, byes, classes = {}, [0] * len(order), [0] * len(order)
    for first, row in enumerate(base["met"].split()):
        for second, times in enumerate(map(int, row)):
            if times and first in rank and second in rank:
                if first == second:
                    byes[rank[first]] = times
                else:
                    low, high = sorted((rank[first], rank[second]))
                    met[low, high] = times
    for number, players in par.get("classes", {}).items():
        for player in players:
            classes[rank[player]] = int(number)
    last = {
        (rank[one], rank[other])
        for one, other in enumerate(base["last"])
        if one in rank and other in rank and rank[one] < rank[other]
    }
    field = CopField(
        rows=[Tally(base["w2"][n] - base["results"], base["spr"][n]) for n in order],
        met=met, byes=byes, last=frozenset(last), paired=base["paired"],
        results=base["results"], classes=classes,
        pinned=[(rank[a], None if a == b else rank[b]) for a, b in position.get("pre", [])],
    )  # fmt: skip
    settings = CopSettings(
        rounds=par["rounds"], places=par["places"], gibson=par.get("gibson", 200),
        hope=par.get("hope", 0.02), control=par.get("cl", 0.25), control_from=par["cl_round"],
        class_prizes=par.get("class_prizes", ()),
    )  # fmt: skip
    return order, cop(field, settings, ChanceSimulator(1, 20_000, 5_000), least_cost_pairs)


@pytest.mark.skipif(not POSITIONS, reason="no known positions beside this checkout")
@pytest.mark.parametrize("position", first_of(20, POSITIONS), ids=lambda position: position["id"])
def test_a_known_position_is_paired_as_elsewhere(position: dict[str, Any]) -> None:
    """The same gibsonized players, the same chaser, the same pairs, or no round at all."""
    order, found = drawn(position)
    wanted = position["r1"] if position["r2"] == "same" else position["r2"]
    assert sorted(order[n] for n in found.locked) == wanted["gib"]
    if wanted["child"] != "varies":
        assert (None if found.child is None else order[found.child]) == wanted["child"]
    if "error" in wanted:
        assert found.missing
        return
    pairs = {"-".join(map(str, sorted((order[a], order[b])))) for (a, b), _ in found.pairs}
    pairs |= set() if found.bye is None else {f"{order[found.bye]}-bye"}
    assert {*wanted["pairs"].split()} <= pairs
    assert wanted.get("partial") or len(pairs) == len(wanted["pairs"].split())


@pytest.mark.parametrize(
    ("locked", "count", "left", "most", "first"),
    [
        ([], 8, 10, 8, [0, 4, 1, 5, 2, 6, 3, 7]),
        ([], 8, 3, 8, [0, 3, 1, 4, 2, 5, 6, 7]),
        ([], 8, 2, 8, [0, 2, 1, 3, 4, 6, 5, 7]),
        ([], 8, 1, 8, [0, 1, 2, 3, 4, 5, 6, 7]),
        ([2], 10, 2, 2, [0, 1, 3, 5, 4, 6, 7, 8, 9, 2]),
        ([3], 12, 2, 2, [0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11]),
        ([0, 3], 12, 2, 2, [1, 2, 4, 6, 5, 7, 8, 10, 9, 11, 0, 3]),
    ],
)
def test_rounds_to_be_simulated(
    locked: list[int], count: int, left: int, most: int, first: list[int]
) -> None:
    """Factor pairings at the top of each group, halves below, neighbours at last."""
    flags = [place in locked for place in range(count)]
    assert simulated_lists(flags, count, left, most)[0] == first


def test_who_can_catch_whom() -> None:
    """By more wins always, by spread within what can be made up."""
    first, second = Tally(6, 500), Tally(0, -200)
    assert not can_catch(first, second, 2, 10_000)
    assert can_catch(first, second, 4, 0)
    assert [can_catch(first, second, 3, allowance) for allowance in (699, 700)] == [False, True]


def test_a_place_below_an_open_race_is_locked_too() -> None:
    """First and second are open, the third is sure: they meet each other, the third anybody."""
    rows = [Tally(9, 900), Tally(8, 700), Tally(4, 300), Tally(-3, 0), Tally(-9, 0)]
    assert locked_places(rows, 3, 1, 250) == [False, False, True, False, False]
    assert locked_groups([False, False, True, False, False]) == [1, 1, 0, 0, 0]
    assert reachable(rows, 1, 250) == [(1, 2), (1, 2), (3, 3), (4, 4), (5, 5)]


@pytest.mark.parametrize("count", [6, 9, 14, 21])
def test_an_event_is_paired_to_its_end(count: int) -> None:
    """Round by round everybody once; nobody has a second bye while somebody had none."""
    rng, rounds = Random(count), 9
    field = replace(played(count, Method.SWISS, 3), last_round=rounds, prizes=2)
    for round_ in range(4, rounds + 1):
        wanted = WantedRound(round=round_, method=Method.COP, order=sorted(field.by_number))
        found = pair_round(
            NO_RULE_SET, field, wanted, least_cost_pairs, ChanceSimulator(7, 2_000, 500)
        )
        there = [n for pair in found.pairs for n in (pair.first, pair.second)]
        assert sorted([*there, *([] if found.bye is None else [found.bye])]) == sorted(
            field.by_number
        )
        field = replace(with_round(field, found, rng), last_round=rounds, prizes=2)
    byes = [sum(seen.opponent == 0 for seen in player.rounds) for player in field.players]
    assert max(byes) - min(byes) <= 1


def test_the_last_round_is_king_of_the_hill_for_the_prizes() -> None:
    """Whatever has been met before, of those who can win one; the reason says so."""
    field = replace(played(8, Method.SWISS, 6), last_round=7, prizes=2)
    wanted = WantedRound(round=7, method=Method.COP, order=sorted(field.by_number))
    found = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs, ChanceSimulator(1, 5_000))
    assert found.pairs[0].why.code == "cop_hill"
    again = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs, ChanceSimulator(1, 5_000))
    assert again == found


def test_locked_pairs_hold() -> None:
    """A director's pair is absolute; who would have to meet one of the two is named."""
    field = replace(played(9, Method.SWISS, 4), last_round=9, prizes=2)
    wanted = WantedRound(round=5, method=Method.COP, order=sorted(field.by_number), locked=[(1, 9)])
    found = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs, ChanceSimulator(1, 2_000))
    assert {1, 9} in [{pair.first, pair.second} for pair in found.pairs]

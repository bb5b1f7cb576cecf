"""What a director adds to a draw: pairs that are set, quads, leaders out of the prizes."""

from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import EventDivision, InitialRecord
from recorder.domain.event.next_round import NextRound, pair_round
from recorder.domain.event.wanted import Method, WantedRound
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds.division_file import read_division_file
from recorder.matching import least_cost_pairs
from recorder.rulesets import load_rule_set
from tests.event.fields import after_rounds, division, paired, register_after, with_round

EIGHT = range(1, 9)


def pairs_of(drawn: NextRound) -> set[frozenset[int]]:
    return {frozenset((pair.first, pair.second)) for pair in drawn.pairs}


def test_in_quads_everybody_of_four_meets_everybody() -> None:
    """Three rounds by the places before them; then the places make new quads."""
    field, rng, met = division(8), Random(3), set()
    for round_ in (1, 2, 3):
        drawn = paired(field, Method.QUADS, round_)
        met |= pairs_of(drawn)
        field = with_round(field, drawn, rng)
    quads = ({1, 2, 3, 4}, {5, 6, 7, 8})
    assert met == {frozenset((a, b)) for quad in quads for a in quad for b in quad if a < b}
    fourth = paired(field, Method.QUADS, 4)
    assert {pair.why.code for pair in fourth.pairs} == {"quad"}
    assert not pairs_of(fourth) <= met


def test_initial_fontes_spreads_the_seeds_over_fours() -> None:
    """Three rounds: 1, 3, 5, 7 meet each other, and 2, 4, 6, 8; who is left over joins the last."""
    field, rng, met = division(9), Random(3), set()
    for round_ in (1, 2, 3):
        drawn = paired(field, Method.FONTES, round_)
        met |= pairs_of(drawn)
        field = with_round(field, drawn, rng)
    first = {frozenset(pair) for pair in combinations((1, 3, 5, 7), 2)}
    assert first <= met
    assert all(pair <= {2, 4, 6, 8, 9} for pair in met - first)


@pytest.mark.parametrize(("rounds", "apart"), [(3, 3), (12, 5), (None, 5)])
def test_the_top_is_paired_by_a_factor(rounds: int | None, apart: int) -> None:
    """As many apart as rounds are left, at most half the field; the rest by Swiss; a bye."""
    drawn = paired(replace(division(11), last_round=rounds), Method.FACTOR, 1)
    tops = {frozenset((n, n + apart)) for n in range(1, apart + 1)}
    assert {frozenset((p.first, p.second)) for p in drawn.pairs if p.why.code == "factor"} == tops
    assert (len(drawn.pairs), drawn.bye) == (5, 11)


@pytest.mark.parametrize(
    ("method", "team"), [(Method.TEAMS, {1, 2, 3, 4}), (Method.INTERLEAVED, {1, 3, 5, 7})]
)
def test_a_team_meets_everybody_of_the_other(method: Method, team: set[int]) -> None:
    """Once in as many rounds; an odd one out has a bye, each a different one."""
    field, met, byes = division(7), set(), []
    for round_ in (1, 2, 3, 4):
        drawn = paired(field, method, round_)
        met |= pairs_of(drawn)
        byes.append(drawn.bye)
        field = with_round(field, drawn, Random(round_))
    others = {*range(1, 8)} - team
    assert met == {frozenset((a, b)) for a in team for b in others}
    assert {*byes} == team
    assert any(pair.repeat for pair in paired(field, method, 5).pairs)


@pytest.mark.parametrize("many", [2, 3, 5, 6, 7, 9, 10, 11])
def test_quads_that_do_not_come_out_even_leave_nobody_behind(many: int) -> None:
    """The last group is larger; in three rounds nobody meets twice, in six nobody has two byes."""
    field, rng, byes = division(many), Random(1), []
    for round_ in (1, 2, 3, 4, 5, 6):
        drawn = paired(field, Method.QUADS, round_)
        there = [n for pair in drawn.pairs for n in (pair.first, pair.second)]
        byes += [drawn.bye] if drawn.bye else []
        assert sorted([*there, *([drawn.bye] if drawn.bye else [])]) == list(range(1, many + 1))
        assert many < 4 or round_ > 3 or not any(pair.repeat for pair in drawn.pairs)
        field = with_round(field, drawn, rng)
    assert len(set(byes)) == min(len(byes), many)


@pytest.mark.parametrize("method", Method)
def test_a_pair_that_is_set_stays_and_the_rest_is_paired(method: Method) -> None:
    """Whatever the method; all set leaves one with the bye."""
    field = division(7)
    wanted = WantedRound(round=1, method=method, order=range(1, 8), locked=[(7, 1), (2, 6)])
    drawn = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs)
    assert {frozenset((1, 7)), frozenset((2, 6))} < pairs_of(drawn)
    assert len(drawn.pairs) == 3
    assert drawn.bye in (3, 4, 5)
    whys = [pair.why.code for pair in drawn.pairs]
    assert whys.count("locked") == 2
    whole = replace(wanted, locked=[(7, 1), (2, 6), (3, 5)])
    assert pair_round(NO_RULE_SET, field, whole, least_cost_pairs).bye == 4


@pytest.mark.parametrize("locked", [[(1, 1)], [(1, 9)], [(1, 2), (2, 3)]])
def test_what_cannot_be_set_is_named(locked: list[tuple[int, int]]) -> None:
    """Somebody against themselves, a stranger, a player in two pairs."""
    wanted = WantedRound(round=1, method=Method.SWISS, order=EIGHT, locked=locked)
    with pytest.raises(NotationError, match="cannot lock"):
        pair_round(NO_RULE_SET, division(8), wanted, least_cost_pairs)


@pytest.mark.parametrize(
    ("lead", "meets"), [(4, 5), (3, 2)], ids=["not to be caught", "may be caught"]
)
def test_who_cannot_be_caught_meets_nobody_who_can_win_a_prize(lead: int, meets: int) -> None:
    """Three rounds are left, three prizes; player 4, the highest without one, was met before."""
    field = after_rounds(8, [((1, 4), (2, 3), (5, 6), (7, 8))])
    leader = InitialRecord(wins=lead, losses=0, spread=0)
    players = (replace(field.players[0], brought=leader), *field.players[1:])
    field = replace(field, players=players, last_round=4)
    wanted = WantedRound(round=2, method=Method.KOTH, order=EIGHT, prizes=3)
    drawn = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs)
    assert frozenset((1, meets)) in pairs_of(drawn)
    assert len(drawn.pairs) == 4


DAY = (
    *(f"player A {name}" for name in ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")),
    *("about rounds 4", "prizes A 1", "round A 1 1:1-2 2:3-4 3:5-6 bye 7"),
    *("result A 1 1 700 2 300", "result A 1 3 420 4 400", "result A 1 5 420 6 400"),
    *("round A 2 1:1-3 2:2-5 3:6-7 bye 4", "result A 2 1 700 3 300", "result A 2 2 700 5 200"),
    *("result A 2 6 420 7 400", "round A 3 1:1-4 2:2-6 3:3-7 bye 5", "result A 3 1 700 4 300"),
    *("result A 3 2 700 6 200", "result A 3 3 420 7 400"),
)
"""Before the last round: 1 has won three games, 2 two by far, everybody else fewer or narrowly."""


def whys_of_last_round(*said: str) -> dict[frozenset[int], str]:
    (field,) = register_after(*said).event.divisions
    wanted = WantedRound(round=4, method=Method.KOTH, order=range(1, 8))
    drawn = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs)
    return {frozenset((pair.first, pair.second)): pair.why.code for pair in drawn.pairs}


def test_who_sits_a_round_out_can_win_a_prize_all_the_same() -> None:
    """1 is away for the last round: 2 can still pass them or not, and is sure of nothing."""
    field = classed([5, 4, 2, 2, 2, 2, 1], {}, prizes=1)
    wanted = WantedRound(round=1, method=Method.KOTH, order=EIGHT, absent=[1])
    drawn = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs)
    assert "not_to_be_caught" not in {pair.why.code for pair in drawn.pairs}


def test_who_has_a_game_to_finish_can_still_catch_the_leader() -> None:
    """The last game of 2 is adjourned: won, it is one win more than the standings show."""
    settled = whys_of_last_round(*DAY, "result A 3 2 300 6 400")
    assert "not_to_be_caught" in settled.values()
    day = [words for words in DAY if not words.startswith("result A 3 2")]
    is_open = whys_of_last_round(*day, "adjourn A 3 2")
    assert "not_to_be_caught" not in is_open.values()


def test_who_left_after_the_draw_is_not_drawn_again() -> None:
    """Unless they have played: then the round is theirs, too."""
    day = [*DAY, "round A 4 1:1-2 2:3-5 3:4-6 bye 7", "left A 4"]
    away = {number for pair in whys_of_last_round(*day) for number in pair}
    assert away == {1, 2, 3, 5, 6, 7}
    played_on = whys_of_last_round(*day, "result A 4 4 400 6 300")
    assert 4 in {number for pair in played_on for number in pair}


def classed(wins: list[int], classes: dict[int, int], **settings: Any) -> EventDivision:
    """Players with so many wins of five rounds before the last, and their classes."""
    field = division(len(wins))
    players = (
        replace(
            player,
            brought=InitialRecord(wins=won, losses=5 - won, spread=0),
            prize_class=classes.get(player.number, 0),
        )
        for player, won in zip(field.players, wins, strict=True)
    )
    return replace(field, players=tuple(players), last_round=1, **settings)


def test_a_leader_meets_nobody_who_can_win_a_class_prize() -> None:
    """2 to 4 race for the prize of class 1: who cannot be caught meets 5."""
    field = classed([5, 3, 3, 3, 2, 2, 1, 0], {2: 1, 3: 1, 4: 1, 7: 1}, prizes=1, class_prizes=(1,))
    wanted = WantedRound(round=1, method=Method.SWISS, order=EIGHT)
    drawn = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs)
    assert frozenset((1, 5)) in pairs_of(drawn)
    without = pair_round(NO_RULE_SET, replace(field, class_prizes=()), wanted, least_cost_pairs)
    assert frozenset((1, 2)) in pairs_of(without)


def test_who_is_sure_of_a_class_prize_meets_nobody_who_can_win_one() -> None:
    """3 is two wins before 8 in class 2; 4 and 5 race in class 1."""
    field = classed(
        [5, 5, 3, 2, 2, 2, 2, 1], {3: 2, 8: 2, 4: 1, 5: 1}, class_prizes=(1, 1), prizes=1
    )
    wanted = WantedRound(round=1, method=Method.SWISS, order=EIGHT)
    drawn = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs)
    (pair,) = [pair for pair in drawn.pairs if pair.why.code == "class_prize_sure"]
    assert {pair.first, pair.second} == {3, 6}


def test_in_the_last_round_who_race_for_a_class_prize_meet() -> None:
    """King of the hill: first and second for the event, 3 and 6 for their class."""
    field = classed([5, 5, 3, 3, 3, 3, 1, 1], {3: 1, 6: 1, 8: 1}, class_prizes=(1,), prizes=1)
    wanted = WantedRound(round=1, method=Method.KOTH, order=EIGHT)
    drawn = pair_round(NO_RULE_SET, field, wanted, least_cost_pairs)
    assert pairs_of(drawn) == {frozenset(pair) for pair in ((1, 2), (3, 6), (4, 5), (7, 8))}


HONG_KONG = ((3, 430), (2, 298), (2, 113), (2, 52), (2, 120), (1, 15))
"""Wins and spread as printed, which is not their order: player 5 stands before 3 and 4."""
MET = "21    "


@pytest.mark.parametrize(
    ("method", "pairs"),
    [
        (Method.KOTH, [{1, 2}, {5, 3}, {4, 6}]),
        (Method.AUSTRALIAN, [{1, 5}, {2, 3}, {4, 6}]),
    ],
)
def test_the_worked_example_of_the_rulebook(method: Method, pairs: list[set[int]]) -> None:
    """PAIR-5: 1 and 2 have met; the printed order is never trusted."""
    rows = "\n".join(
        f"P{n} 0 {opponent}; ; initrec {wins} {3 - wins} {spread}"
        for n, ((wins, spread), opponent) in enumerate(
            zip(HONG_KONG, "21    ", strict=True), start=1
        )
    )
    (field,) = read_division_file(rows, "A").event.divisions
    wanted = WantedRound(round=2, method=method, order=EIGHT[:6])
    drawn = pair_round(load_rule_set("wespa3_hk"), field, wanted, least_cost_pairs)
    assert [{pair.first, pair.second} for pair in drawn.pairs] == pairs

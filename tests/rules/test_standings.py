"""Standings and pairings: what always holds, and the draws of small fields one by one."""

from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.ending.conclusions import left_for_good, no_show, nobody_came
from recorder.domain.rules.event.pairing import (
    australian,
    choose_bye,
    king_of_the_hill,
    random_draw,
    round_robin,
)
from recorder.domain.rules.event.standings import (
    StandingsRow,
    concluded,
    in_two_games,
    misplaced,
    played,
    standings,
)
from tests.rules.case_book import HK, NAS, PSA, W1, in_force

PLAYERS = "ABCDEFGH"
GAMES = st.lists(
    st.tuples(
        st.permutations(PLAYERS).map(lambda order: (order[0], order[1])),
        st.tuples(st.integers(0, 600), st.integers(0, 600)),
    ),
    max_size=30,
)
FIELDS = st.integers(1, 4).map(lambda half: tuple(PLAYERS[: 2 * half]))


@given(GAMES)
def test_spreads_cancel_and_wins_add_up(
    games: list[tuple[tuple[str, str], tuple[int, int]]],
) -> None:
    """In a closed field every game gives one win in all and no points."""
    results = [played(1, *pair, scores) for pair, scores in games]
    table = standings(PSA, PLAYERS, results)
    assert table.spread_sum == 0
    assert sum(row.wins for row in table.rows) == len(games)
    assert sum(row.games for row in table.rows) == 2 * len(games)
    order = [(row.wins, row.spread) for row in table.rows]
    assert order == sorted(order, reverse=True)
    for one, other in zip(table.rows, table.rows[1:], strict=False):
        level = (one.wins, one.spread) == (other.wins, other.spread)
        assert (one.rank == other.rank) == level


def test_forfeits_count_by_their_margin() -> None:
    """Won by who was there, lost by both where nobody was."""
    table = standings(
        NAS,
        "ABCD",
        [concluded(1, "A", "B", no_show(NAS, 0)), concluded(1, "C", "D", nobody_came(NAS))],
    )
    assert {row.player: row.spread for row in table.rows} == {"A": -50, "B": 50, "C": -50, "D": -50}
    assert [row.wins for row in table.rows] == [1, 0, 0, 0]
    left = concluded(1, "A", "B", left_for_good(NAS, (280, 300), 0))
    assert left.margin == -70


def test_what_is_not_settled_is_said_once() -> None:
    """However many games it concerns."""
    tie = played(1, "A", "B", (400, 400))
    table = standings(W1, "AB", [tie, tie])
    assert len([one for one in table.open_questions if "tie" in one]) == 1
    assert table.row("A").wins == 1


def test_nobody_sits_at_two_tables() -> None:
    """A name that comes twice, unless the event allows it."""
    tables = (("A", "B"), ("C", "A"))
    assert in_two_games(NAS, tables) == ("A",)
    assert in_two_games(in_force("naspa", game__simultaneous=True), tables) == ()


def test_a_printed_order_is_not_trusted() -> None:
    """Nothing to say about a right one."""
    rows = tuple(
        StandingsRow(rank=n, player=name, wins=Fraction(wins), spread=spread, games=2)
        for n, (name, wins, spread) in enumerate((("A", 2, 5), ("B", 1, 90), ("C", 1, 91)), 1)
    )
    assert misplaced(HK, rows) == ("C",)
    assert misplaced(HK, (rows[0], rows[2], rows[1])) == ()


@given(FIELDS, st.data())
def test_a_draw_without_repeats_is_found_where_there_is_one(
    field: tuple[str, ...], data: st.DataObject
) -> None:
    """All are paired once with somebody new, or it is said that this cannot be."""
    every = [frozenset(pair) for pair in combinations(field, 2)]
    met = frozenset(data.draw(st.lists(st.sampled_from(every))))
    for draw in (australian, random_draw):
        found = draw(HK, field, met)
        if possible(field, met):
            assert sorted(name for pair in found.pairs for name in pair) == sorted(field)
            assert not {frozenset(pair) for pair in found.pairs} & met
        else:
            assert found.pairs == ()
            assert "no draw without repeats" in found.open_questions[0]


def possible(field: tuple[str, ...], met: frozenset[frozenset[str]]) -> bool:
    """Whether any way of pairing has no repeat, tried one by one."""
    if not field:
        return True
    first, *others = field
    return any(
        frozenset((first, other)) not in met
        and possible(tuple(one for one in others if one != other), met)
        for other in others
    )


@given(FIELDS)
def test_neighbours_meet_where_nobody_has_met(field: tuple[str, ...]) -> None:
    """Then all three are the same draw."""
    neighbours = tuple(zip(field[::2], field[1::2], strict=True))
    for draw in (australian, random_draw, king_of_the_hill):
        assert draw(HK, field, ()).pairs == neighbours


def test_a_random_draw_favours_nobody() -> None:
    """Four players of whom two have met: both draws that are left come equally often."""
    met = (frozenset("AB"),)
    draws = [
        frozenset(map(frozenset, random_draw(HK, order, met).pairs))
        for order in permutations("ABCD")
    ]
    assert len(set(draws)) == 2
    assert len({draws.count(one) for one in set(draws)}) == 1


def test_the_lowest_pair_is_undone_first() -> None:
    """The last two have met: the pair above them is drawn anew, the top one stays."""
    found = australian(HK, "ABCDEF", (frozenset("EF"),))
    assert found.pairs == (("A", "B"), ("C", "E"), ("D", "F"))


def test_an_odd_number_needs_a_bye_first() -> None:
    """And a set that says nothing of repeats has to be asked."""
    assert "bye" in australian(HK, "ABC", ()).open_questions[0]
    assert king_of_the_hill(W1, "AB", ()).open_questions


@pytest.mark.parametrize("count", range(2, 14))
def test_a_round_robin_is_complete_and_balanced(count: int) -> None:
    """Everybody meets everybody once; starts differ from seconds by one at most."""
    players = [f"player {n}" for n in range(count)]
    rounds = round_robin(players)
    assert len(rounds) == (count - 1 if count % 2 == 0 else count)
    pairs = [pair for games in rounds for pair in games]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == count * (count - 1) // 2
    for games in rounds:
        assert len({name for pair in games for name in pair}) == 2 * len(games) == count // 2 * 2
    for name in players:
        starts = sum(first == name for first, _ in pairs)
        seconds = sum(second == name for _, second in pairs)
        assert abs(starts - seconds) <= 1


def test_who_has_the_bye() -> None:
    """Nobody in an even field; PSA the last one, in round 1 an early one; elsewhere ask."""
    rows = standings(PSA, "ABC", [played(1, "A", "B", (400, 300))]).rows
    assert choose_bye(PSA, rows[:2]).player is None
    assert choose_bye(PSA, rows).player == rows[-1].player == "B"
    assert choose_bye(PSA, rows, first_round=True, registered_early=("C",)).player == "C"
    several = choose_bye(PSA, rows, first_round=True, registered_early=("A", "C"))
    assert several.player is None
    assert "A, C" in several.open_questions[0]
    assert choose_bye(NAS, rows).open_questions

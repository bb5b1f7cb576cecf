"""Standings, byes and the round robin: what always holds."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.ending.conclusions import left_for_good, no_show
from recorder.domain.rules.event.standings import (
    Result,
    StandingsRow,
    choose_bye,
    concluded,
    misplaced,
    played,
    round_robin,
    standings,
)
from tests.rules.case_book import HK, NAS, PSA, W1
from tests.rules.said import said

PLAYERS = "ABCDEFGH"
GAMES = st.lists(
    st.tuples(
        st.permutations(PLAYERS).map(lambda order: (order[0], order[1])),
        st.tuples(st.integers(0, 600), st.integers(0, 600)),
    ),
    max_size=30,
)


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
    nobody = Result(round=1, first="C", second="D", margin=50, rated=False, lost_by_both=True)
    table = standings(NAS, "ABCD", [concluded(1, "A", "B", no_show(NAS, 0)), nobody])
    assert {row.player: row.spread for row in table.rows} == {"A": -50, "B": 50, "C": -50, "D": -50}
    assert [row.wins for row in table.rows] == [1, 0, 0, 0]
    left = concluded(1, "A", "B", left_for_good(NAS, (280, 300), 0))
    assert left.margin == -70


def test_what_is_not_settled_is_said_once() -> None:
    """However many games it concerns."""
    tie = played(1, "A", "B", (400, 400))
    table = standings(W1, "AB", [tie, tie])
    assert len([one for one in table.open_questions if "tie" in said(one)]) == 1
    assert table.row("A").wins == 1


def test_a_printed_order_is_not_trusted() -> None:
    """Nothing to say about a right one."""
    rows = tuple(
        StandingsRow(rank=n, player=name, wins=Fraction(wins), spread=spread, games=2)
        for n, (name, wins, spread) in enumerate((("A", 2, 5), ("B", 1, 90), ("C", 1, 91)), 1)
    )
    assert misplaced(HK, rows) == ("C",)
    assert misplaced(HK, (rows[0], rows[2], rows[1])) == ()


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
    assert "A, C" in said(several.open_questions[0])
    assert choose_bye(NAS, rows).open_questions

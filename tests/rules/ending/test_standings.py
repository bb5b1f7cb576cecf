"""Standings, byes and the round robin: what always holds."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.event.standings import berger_round, standings
from tests.rules.case_book import PSA, W1
from tests.rules.laid import played

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
    assert sum(row.spread for row in table) == 0
    assert sum(row.wins for row in table) == len(games)
    assert sum(row.wins + row.losses for row in table) == 2 * len(games)
    order = [(row.wins, row.spread) for row in table]
    assert order == sorted(order, reverse=True)
    for one, other in pairwise(table):
        level = (one.wins, one.spread) == (other.wins, other.spread)
        assert (one.rank == other.rank) == level


def test_a_tie_counts_half_where_no_text_says_what_it_counts() -> None:
    tie = played(1, "A", "B", (400, 400))
    assert [row.wins for row in standings(W1, "AB", [tie, tie])] == [1, 1]


@pytest.mark.parametrize("count", range(2, 14))
def test_a_round_robin_is_complete_and_balanced(count: int) -> None:
    """Everybody meets everybody once; starts differ from seconds by one at most."""
    players = [f"player {n}" for n in range(count)]
    rounds = [berger_round(players, number) for number in range(count - 1 + count % 2)]
    pairs = [pair for games in rounds for pair in games]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == count * (count - 1) // 2
    for games in rounds:
        assert len({name for pair in games for name in pair}) == 2 * len(games) == count // 2 * 2
    for name in players:
        starts = sum(first == name for first, _ in pairs)
        seconds = sum(second == name for _, second in pairs)
        assert abs(starts - seconds) <= 1

"""Odds of a draw and of winning."""

import random

import pytest

from recorder.analysis.chances import MOVE_WORTH, draw_probability, win_probability


@pytest.mark.parametrize(
    ("pool", "wanted", "drawn", "chance"),
    [
        ({"A": 1, "B": 9}, "A", 1, 0.1),
        ({"A": 1, "B": 9}, "A", 10, 1.0),
        ({"A": 2, "B": 2}, "A", 2, 1 - 1 / 6),
        ({"A": 2, "S": 1, "?": 1}, "S?", 1, 0.5),
        ({"A": 2}, "Q", 1, 0.0),
        ({"A": 2, "Q": -1}, "Q", 2, 0.0),
        ({"A": 2}, "A", 0, 0.0),
        ({}, "A", 7, 0.0),
    ],
)
def test_the_odds_of_a_draw(pool: dict[str, int], wanted: str, drawn: int, chance: float) -> None:
    """At least one of the tiles wanted, without putting back."""
    assert draw_probability(pool, wanted, drawn) == pytest.approx(chance)


def test_the_odds_of_a_draw_are_those_of_drawing() -> None:
    """Held against twenty thousand draws."""
    pool = {"E": 5, "S": 2, "?": 1, "Q": 1, "T": 12}
    bag = [face for face, count in pool.items() for _ in range(count)]
    rng = random.Random(4)
    hits = sum(bool({"S", "?"} & set(rng.sample(bag, 4))) for _ in range(20_000))
    assert draw_probability(pool, "S?", 4) == pytest.approx(hits / 20_000, abs=0.01)


def test_who_leads_is_likelier_to_win_and_the_more_so_the_later() -> None:
    """Level but for the move: even. A lead counts for more with fewer tiles to come."""
    assert win_probability(round(-MOVE_WORTH), 60) == pytest.approx(0.5)
    assert win_probability(50, 80) < win_probability(100, 80) < win_probability(100, 20) < 1
    assert win_probability(-100, 80) > win_probability(-100, 20) > 0


def test_when_it_is_over_it_is_certain() -> None:
    """No tile unseen: won, lost or tied."""
    assert [win_probability(spread, 0) for spread in (1, 0, -1)] == [1, 0.5, 0]

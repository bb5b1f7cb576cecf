"""Turns of legal games that are taken for illegal ones, at the eyes' noise: none should be."""

import time
from typing import Any

from tests.domain.legal_games import illegal_turns

GAMES = 500
"""A game takes about two seconds of a core."""


def run() -> dict[str, dict[str, Any]]:
    """Over all games: the turns read as illegal when they were made, and what a game takes."""
    began = time.perf_counter()
    found = [f"{game}:{turn}" for game in range(GAMES) for turn in illegal_turns(game)]
    spent = round((time.perf_counter() - began) / GAMES, 2)
    if found:
        print("taken for illegal, game:turn", *found)
    return {
        "legal games: turns taken for illegal": _figure(f"in {GAMES} games", len(found)),
        "legal games: a game": _figure("s", spent),
    }


def _figure(unit: str, ours: float) -> dict[str, Any]:
    return {"unit": unit, "median": ours, "p95": None, "baseline": None, "ratio": None}

"""Legal games: turns taken for illegal ones at the eyes' noise, and alarms of whole tables.

None should be. ``python -m tests.bench.legal_tables 0 500`` plays more tables.
"""

import time
from typing import Any

from tests.bench.legal_tables import with_alarms
from tests.domain.legal_games import illegal_turns

GAMES = 500
"""A game takes about two seconds of a core."""
TABLES = 60
"""Every rule set at every set of sensors once; some five seconds of a core each."""


def run() -> dict[str, dict[str, Any]]:
    """Over all games: the turns read as illegal when they were made, and what a game takes."""
    began = time.perf_counter()
    found = [f"{game}:{turn}" for game in range(GAMES) for turn in illegal_turns(game)]
    spent = round((time.perf_counter() - began) / GAMES, 2)
    if found:
        print("taken for illegal, game:turn", *found)
    alarmed = list(with_alarms(range(TABLES)))
    if alarmed:
        print("alarms at legal tables", *alarmed, sep="\n")
    return {
        "legal tables: games with an alarm": _figure(f"in {TABLES} games", len(alarmed)),
        "legal games: turns taken for illegal": _figure(f"in {GAMES} games", len(found)),
        "legal games: a game": _figure("s", spent),
    }


def _figure(unit: str, ours: float) -> dict[str, Any]:
    return {"unit": unit, "median": ours, "p95": None, "baseline": None, "ratio": None}

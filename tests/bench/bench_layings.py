"""How often a legal game is read as illegal at the eyes' noise, and what one of its turns costs.

No baseline: the one right figure is none. ``GAMES`` games take about a quarter of an hour.
"""

import random
import statistics
import time
from typing import Any

from recorder.domain.reading.histories.hypotheses import ILLEGAL, LookContext
from recorder.domain.reading.reconstruct import begin, step
from recorder.tilesets import load_tile_set
from tests.domain.legal_games import NoisyEyes, legal_game

GAMES = 500
Result = dict[str, Any]


def run() -> dict[str, Result]:
    """The figures by name."""
    tile_set, illegal, costs_ms = load_tile_set("english"), [], []
    for game in range(GAMES):
        dice = random.Random(game)
        eyes, known, found = NoisyEyes(dice), begin(tile_set), 0
        for turn, board in enumerate(legal_game(dice, tile_set)):
            look, context = eyes.look(board), LookContext(player=turn % 2, as_pressed=True)
            before = time.process_time()
            known = step(known, look, context, ref=turn)
            costs_ms.append(1000 * (time.process_time() - before))
            found += known.best.turns[-1].step in ILLEGAL
        illegal.append(found)
    return {
        f"turns read as illegal in {GAMES} legal games": _figure("turns", [sum(illegal)]),
        "turn reconstructed, CPU": _figure("ms", costs_ms),
    }


def _figure(unit: str, values: list[float]) -> Result:
    ordered = sorted(values)
    return {
        "unit": unit,
        "median": round(statistics.median(ordered), 3),
        "p95": round(ordered[round(0.95 * (len(ordered) - 1))], 3),
        "baseline": None,
        "ratio": None,
    }

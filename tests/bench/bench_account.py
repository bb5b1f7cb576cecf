"""What the tile account says in simulated games: false alerts, questions, overdraws found.

Rack cameras misread one look in a hundred; the scale weighs the bag before and after each draw.
"""

import random
import statistics
import time
from typing import Any

from devices.sensors.scale_profile import ScaleProfile
from recorder.domain.tile_account.finding import Action
from tests.rules.tiles.tile_games import PLASTIC, SCALE, WOOD, TileGame

GAMES = 300
CASES = {"1.5 g tiles": PLASTIC, "1.0 g tiles": WOOD}

Figure = dict[str, Any]


def run() -> dict[str, Figure]:
    """Per tile: false alerts and questions in clean games, and what becomes of an overdraw."""
    figures: dict[str, Figure] = {}
    for name, tile in CASES.items():
        figures |= _clean(name, tile)
        figures |= _overdrawn(name, tile)
    return figures


def _clean(name: str, tile: ScaleProfile) -> dict[str, Figure]:
    counts = dict.fromkeys(Action, 0)
    turn_ms: list[float] = []
    for seed in range(GAMES):
        game = TileGame(random.Random(f"{name} {seed}"), tile)
        started = time.perf_counter()
        for finding in game.to_the_end():
            counts[finding.action] += 1
        turn_ms.append(1000 * (time.perf_counter() - started) / len(game.findings))
    unit = f"in {GAMES} games, {sum(counts.values())} draws"
    return {
        f"tile account, {name}: false alerts": _figure(unit, counts[Action.ALERT]),
        f"tile account, {name}: needless questions": _figure(unit, counts[Action.ASK]),
        f"tile account, {name}: sources named": _figure(unit, counts[Action.DEVICE]),
        f"tile account, {name}: one turn": _figure("ms", round(statistics.median(turn_ms), 2)),
    }


def _overdrawn(name: str, tile: ScaleProfile) -> dict[str, Figure]:
    """One tile too many in some turn; ``baseline`` is what two cameras reach without the scale."""
    both = _found(name, tile, TileGame.sources)
    cameras = _found(name, tile, tuple(one for one in TileGame.sources if one != SCALE))
    return {
        f"tile account, {name}: overdraws alerted": _figure("%", both[0], cameras[0]),
        f"tile account, {name}: alerted or asked": _figure("%", both[1], cameras[1]),
    }


def _found(name: str, tile: ScaleProfile, sources: tuple[str, ...]) -> tuple[float, float]:
    """The share of overdraws that were alerted, and of those that were not left unnoticed."""
    last: list[Action] = []
    for seed in range(GAMES):
        game = TileGame(random.Random(f"{name} {seed}"), tile, sources=sources)
        findings = game.to_the_end(wrong_at=seed % 18)
        if game.happened:
            last.append(findings[-1].action)
    alerted = last.count(Action.ALERT)
    noticed = alerted + last.count(Action.ASK)
    return round(100 * alerted / len(last), 1), round(100 * noticed / len(last), 1)


def _figure(unit: str, value: float, baseline: float | None = None) -> Figure:
    return {"unit": unit, "median": value, "p95": None, "baseline": baseline, "ratio": None}

"""How often the bag scale counts a draw rightly, and how soon an overdraw is an alert.

The first by the driver's own estimate on simulated draws. The second in games at a simulated table
with real drivers, Mosquitto and the recorder, in real time.
"""

import random
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from devices.lab.game_script import Sensors
from devices.sensors.scale_profile import ScaleProfile
from devices.sensors.weighing import tiles_taken
from recorder.bus.broker import find_mosquitto
from recorder.log.port import Row
from tests.bench.figures import Figure, Figures, figure_of
from tests.demo.test_demo_mishaps import composed, play

DRAWS = 20_000
GAMES = 6
FLOOR_MS = 2_000
"""An overdraw of one tile that two sources see is confirmed so soon after the bag's return."""
CASES = {
    # name: mass of a tile, its spread, repeatability of one weighing, tiles weighed for the mean
    "1.5 g, 5 %, 0.1 g": (1.5, 0.05, 0.1, 100),
    "1.5 g, 5 %, 0.1 g, mean of ten": (1.5, 0.05, 0.1, 10),
    "1.5 g, 5 %, 0.2 g": (1.5, 0.05, 0.2, 100),
    "1.0 g, 5 %, 0.1 g": (1.0, 0.05, 0.1, 100),
    "1.0 g, 2 %, 0.05 g": (1.0, 0.02, 0.05, 100),
}


def run() -> Figures:
    """Per case: share of draws of 1 to 8 counted rightly; ``baseline`` is the probability said."""
    figures: Figures = {}
    for name, case in CASES.items():
        right, said = _case(*case)
        figures[f"bag count right, {name}"] = Figure("%", 100 * right, baseline=100 * said)
    return figures | _confirmed()


def _confirmed() -> Figures:
    """From the moment the bag lay on its scale again to the row of the alert; in ms."""
    if find_mosquitto() is None:
        return {}
    took: list[int] = []
    for seed in range(GAMES):
        with tempfile.TemporaryDirectory() as folder:
            game = play(Path(folder), composed(2), ("overdraw",), Sensors.ALL, seed=seed)
        took.append(_alerted_ms(game.rows))
    shown = figure_of(f"ms, {GAMES} games", took, FLOOR_MS)
    return {"overdraw of one tile confirmed after the bag's return": shown}


def _alerted_ms(rows: Sequence[Row]) -> int:
    """Of one game. ValueError when nothing was alerted."""
    returned = _returns(rows)
    for row in rows:
        text = str(row.body.get("data", {}).get("sentence", ""))
        if row.body.get("type") == "table.notice" and text.startswith("alert: overdraw, 1 tile"):
            return row.at - max(at for at in returned if at < row.at)
    raise ValueError("an overdraw was not alerted")


def _returns(rows: Sequence[Row]) -> list[int]:
    """When the bag lay there again: a scale shows it 0.3 s later, and for how long it was gone."""
    found, lifted = [], 0
    for row in rows:
        if row.body.get("type") == "bag.lifted":
            lifted = row.at
        elif row.body.get("type") == "bag.returned":
            found.append(lifted + int(row.body["data"]["away_ms"]))
    return found


def _case(tile_g: float, cv: float, repeat_g: float, weighed: int) -> tuple[float, float]:
    chance = random.Random(20261120)
    right, said = 0, []
    for _ in range(DRAWS):
        set_g = [chance.gauss(tile_g, cv * tile_g) for _ in range(100)]
        mean_g = statistics.fmean(set_g[:weighed])
        profile = ScaleProfile(
            zero_counts=0,
            counts_per_g=1,
            bag_g=60,
            tile_g=mean_g,
            tile_spread_g=cv * tile_g,
            tile_error_g=cv * tile_g / weighed**0.5 if weighed < 100 else 0.0,
            repeat_g=repeat_g,
        )
        count = chance.randint(1, 8)
        before, after = (chance.gauss(0, repeat_g) for _ in range(2))
        estimate = tiles_taken(profile, sum(set_g[-count:]) + before - after)
        right += estimate.count == count
        said.append(estimate.probability)
    return right / DRAWS, statistics.fmean(said)

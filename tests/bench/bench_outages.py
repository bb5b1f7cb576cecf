"""Outages of camera and clock in every game that is here: how the turns are recorded.

``python tests/bench/run.py outages``: about half a minute of a core a game. ``TILECAST_SHARED``
names the folder with public games; without it only the program's own are tried.
``TILECAST_BENCH_GAMES``: about so many, spread over all of them.
"""

import os
import time
from collections import Counter

from tests.bench.figures import Figure, Figures
from tests.outages import (
    CLASSES,
    HOLE,
    OWN_GAMES,
    PUBLIC_GAMES,
    RIGHT,
    Examined,
    Lost,
    outages_of,
    played_game,
    words_for,
)

FEWEST_TURNS = 14
"""Shorter games have no room for an outage of ten turns."""


def run() -> Figures:
    """Turns by what was lost and by class, in percent, and notices against players."""
    if not PUBLIC_GAMES:
        print("skipped: no public games here (TILECAST_SHARED)")
    began = time.perf_counter()
    paths = (*OWN_GAMES, *PUBLIC_GAMES)
    every = max(1, len(paths) // int(os.environ.get("TILECAST_BENCH_GAMES", "1000")))
    games = [played_game(path) for path in paths[::every]]
    games = [game for game in games if len(game.turns) >= FEWEST_TURNS]
    totals = {lost: Counter[str]() for lost in Lost}
    for game in games:
        examined = Examined(game, words_for(game) if game.tile_set.name == "english" else None)
        for outage in outages_of(game):
            found = examined.found(outage)
            totals[outage.lost].update({kind: len(turns) for kind, turns in found.turns.items()})
            totals[outage.lost]["notices"] += len(found.notices)
            bad = {kind: found.turns[kind] for kind in found.turns if kind not in (RIGHT, HOLE)}
            if bad or found.notices:
                print(game.name, outage, bad, found.notices)
    figures: Figures = {}
    for lost, total in totals.items():
        turns = sum(total[kind] for kind in CLASSES)
        for kind in CLASSES:
            share = round(100 * total[kind] / max(1, turns), 2)
            figures[f"{lost.value} lost: {kind}"] = Figure(f"% of {turns} turns", share)
        figures[f"{lost.value} lost: notices against players"] = Figure("", total["notices"])
    spent = (time.perf_counter() - began) / max(1, len(games))
    figures["outages: a game"] = Figure("s", round(spent, 1))
    return figures

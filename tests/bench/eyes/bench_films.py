"""Whole games filmed at tables drawn by lot, and watched: turns as played, errors without a doubt.

``FILMS=50`` says how many (3), ``GAMES=DIR`` whose GCG files are filmed (those in the tests);
``FIRST`` is the number of the first film, which gives its board, light, camera and mishaps (1).
Films that stand in ``build/films.jsonl`` are not made again. 50 films take half an hour of
processor time.
"""

import json
import os
import tempfile
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import cv2

import devices.lab
from recorder.domain.errors import NotationError
from recorder.domain.game import Played
from recorder.gcg import read_gcg
from tests.bench.eyes.filmed_games import film_plan, make_film, watch_film
from tests.bench.figures import Figure, Figures

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "build" / "films.jsonl"
GAMES = (Path(devices.lab.__path__[0]) / "games", ROOT / "tests" / "golden")
FEWEST_PLAYS = 4


def run() -> Figures:
    """Over all films: turns exact, silent errors, processor seconds for a second of film."""
    cv2.setNumThreads(1)
    count, first = int(os.environ.get("FILMS") or 3), int(os.environ.get("FIRST") or 1)
    given = os.environ.get("GAMES")
    records = whole_games([Path(given)] if given else GAMES)
    known = kept()
    films = []
    for number, record in enumerate(islice(cycle(records), count), first):
        plan = film_plan(number, record)
        if (number, record.name) not in known:
            with tempfile.TemporaryDirectory() as place:
                path, film_s = make_film(plan, Path(place))
                line = watch_film(plan, path, film_s).as_json()
            print(line, flush=True)
            keep(line)
            known[number, record.name] = json.loads(line)
        films.append(known[number, record.name])
    turns, exact = (sum(film[name] for film in films) for name in ("turns", "exact"))
    cost = sorted(film["cpu_s"] / film["film_s"] for film in films)
    return {
        f"films ({count}), turns exact": Figure(f"of {turns}", exact),
        "films, silent errors": Figure(f"in {turns} turns", sum(f["silent"] for f in films)),
        "films, as played to the last turn": Figure(
            f"of {count}", sum(film["exact"] == film["turns"] for film in films)
        ),
        "films, cpu per second of film": Figure("s", round(cost[len(cost) // 2], 3)),
    }


def whole_games(folders: list[Path] | tuple[Path, ...]) -> list[Path]:
    """The records that can be filmed, in the order of their names. NotationError when none can."""
    paths = sorted((path for folder in folders for path in folder.glob("*.gcg")), key=str)
    found = [path for path in paths if _can_be_filmed(path)]
    if not found:
        raise NotationError(f"no game to film in {', '.join(map(str, folders))}")
    return found


def _can_be_filmed(path: Path) -> bool:
    game = read_gcg(path.read_bytes())
    if not game.ok:
        return False
    plays = [event for event in game.events if isinstance(event, Played)]
    return game.tile_set.name in ("english", "german") and len(plays) >= FEWEST_PLAYS


def kept() -> dict[tuple[int, str], dict[str, Any]]:
    """What was measured before, by number and record."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    films = [json.loads(line) for line in lines]
    return {(film["film"], film["record"]): film for film in films}


def keep(line: str) -> None:
    """One more, at the end."""
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a", encoding="utf-8") as file:
        file.write(line + "\n")

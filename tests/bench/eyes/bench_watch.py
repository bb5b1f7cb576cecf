"""Games filmed and watched.

Turns reported as played, errors that nobody is informed of, processor time.

The films are rendered and compressed here: arms from both sides, cuts to faces and to another
table, zooms, turned boards. A silent error is a turn reported otherwise than played, without a
doubt.
"""

import tempfile
import time
from pathlib import Path
from typing import Any

import cv2

import devices.lab
from devices.lab.game_video import FRAMES_PER_S, Filming, film, write_video
from devices.watching.watched_source import watch_source
from recorder.domain.game import Exchanged, NoPlay, Passed, Played, Withdrawn
from recorder.gcg import GcgGame, read_gcg
from recorder.lab.comparison import compare
from recorder.watched_game import WatchedGame, read_watched, watched_json

GOLDEN = Path(__file__).parents[2] / "golden"
OURS = Path(devices.lab.__path__[0]) / "games"
CUT = Filming(cuts=frozenset({3, 9}), zooms=frozenset({5, 12}))
TURNED = Filming(turns=frozenset(range(2, 60)), zooms=frozenset({4}))
FILMS = (
    (OURS / "english.gcg", CUT),
    (OURS / "german.gcg", Filming()),
    (GOLDEN / "phony_withdrawn_after_a_challenge_bonus.gcg", CUT),
    (GOLDEN / "umlauts_and_a_blank.gcg", TURNED),
)
Figure = dict[str, Any]


def run() -> dict[str, Figure]:
    cv2.setNumThreads(1)
    turns = exact = silent = 0
    cost: list[float] = []
    for number, (record, filming) in enumerate(FILMS):
        game = read_gcg(record.read_bytes())
        with tempfile.TemporaryDirectory() as place:
            video = Path(place) / "game.mp4"
            frames = write_video(film(game, number + 1, filming), video)
            began = time.process_time()
            found = watch_source(str(video), game.tile_set.name)
            looks = found.looks
            watched = read_watched(looks, game.tile_set)
            cost.append((time.process_time() - began) / (frames / FRAMES_PER_S))
        right, untold = _compared(game, watched)
        turns, exact, silent = turns + len(right), exact + sum(right), silent + untold
    return {
        "watch, turns exact": _figure(f"of {turns}", exact),
        "watch, silent errors": _figure(f"in {turns} turns", silent),
        "watch, cpu per second of film": _figure("s", round(sum(cost) / len(cost), 3)),
    }


def _compared(game: GcgGame, watched: WatchedGame) -> tuple[list[bool], int]:
    """Whether each turn is reported as played, and how many others without doubt."""
    kinds = Played | Withdrawn | Exchanged | Passed | NoPlay
    played = [event for event in game.events if isinstance(event, kinds)]
    told = [event for _, event in watched.series.events()]
    document = watched_json(watched)["turns"]
    turns = compare(played, told, game.tile_set).turns
    untold = 0
    for turn in turns:
        at = turn["n"] - 1
        if not turn["matched"]:
            print(f"{game.players[0].name}: {turn['expected']} told as {turn['recorded']}")
            untold += at >= len(document) or not document[at]["doubtful"]
    return [turn["matched"] for turn in turns], untold


def _figure(unit: str, value: float) -> Figure:
    return {"unit": unit, "median": value, "p95": value, "baseline": None, "ratio": None}

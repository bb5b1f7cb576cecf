"""Films of many games, each at another table: boards, light, cameras and mishaps drawn by lot.

The number of a film gives all of it, so that a film that was reported wrongly can be made again.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from devices.lab.game_video import FRAMES_PER_S, Filming, film, write_video
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.lettering import Face
from devices.lab.scenes.scene import Light
from devices.lab.scenes.styles import Style, TileStyle, demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.lab.scenes.variety import random_style
from devices.watching.watched_source import watch_source
from recorder.domain.errors import TilecastError
from recorder.domain.game import (
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Played,
    Withdrawn,
)
from recorder.domain.instruments import PictureEdge
from recorder.gcg import GcgGame, read_gcg
from recorder.lab.comparison import event_text, is_same, rescore
from recorder.tilesets import load_tile_set
from recorder.watched_game import WatchedGame, read_watched, watched_json
from tests.bench.eyes.frame_times import with_times

TURNS = Played | IllegallyPlayed | Withdrawn | Exchanged | Passed | NoPlay
FACES = (Face("sans", 400), Face("sans", 600), Face("sans", 800), Face("uni", 0))
CODES = (("mp4v", ".mp4"), ("mp4v", ".mp4"), ("MJPG", ".avi"), ("VP80", ".webm"))
APART = 60
"""Levels by which a tile differs from every square in one channel, and premiums from the ground:
so do boards that clubs play on. What differs less is the business of ``eyes disturb``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmPlan:
    """How one game is filmed. ``times``: how long each of a cycle of frames lasts, in ms."""

    number: int
    record: Path
    style: Style
    camera: SceneCamera
    light: Light
    sensor: Sensor
    noise: float
    filming: Filming
    code: str
    suffix: str
    times: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """What a person wants to know of it."""
        return {
            "film": self.number,
            "record": self.record.name,
            "board": self.style.name,
            "tilt": round(self.camera.tilt_deg),
            "noise": self.noise,
            "cuts": len(self.filming.cuts),
            "zooms": len(self.filming.zooms),
            "turned": len(self.filming.turns),
            "code": self.code,
            "uneven": len(set(self.times)) > 1,
        }


def film_plan(number: int, record: Path) -> FilmPlan:
    rng = np.random.default_rng([17, number])
    tiles = read_gcg(record.read_bytes()).tile_set.name
    code, suffix = CODES[int(rng.integers(len(CODES)))]
    presses = range(2, 70)
    turned = rng.random()
    return FilmPlan(
        number=number,
        record=record,
        style=demo_style(tiles) if rng.random() < 0.2 else _style(rng, tiles),
        camera=_camera(rng),
        light=_light(rng),
        sensor=Sensor(
            blur_px=float(rng.uniform(0.4, 1.2)),
            gain=float(rng.uniform(0.65, 1.15)),
            cast=tuple(rng.uniform(0.9, 1.1, 3).tolist()),
        ),
        noise=float(rng.choice([1.0, 2.0, 5.0])),
        filming=Filming(
            cuts=_some(rng, presses, 4),
            zooms=_some(rng, presses, 4),
            turns=frozenset(presses) if turned < 0.2 else _some(rng, presses, 2),
        ),
        code=code,
        suffix=suffix,
        times=_times(rng) if suffix == ".mp4" and rng.random() < 0.5 else (100,),
    )


def _some(rng: np.random.Generator, presses: range, most: int) -> frozenset[int]:
    return frozenset(rng.choice(presses, int(rng.integers(0, most + 1))).tolist())


def _times(rng: np.random.Generator) -> tuple[int, ...]:
    """Frames of uneven lengths, as of a telephone: now and then one stands for a second or more."""
    chances = [0.1, 0.1, 0.4, 0.2, 0.15, 0.03, 0.02]
    times = rng.choice([50, 67, 100, 133, 200, 1000, 3000], 97, p=chances)
    return tuple(times.tolist())


def _style(rng: np.random.Generator, tiles: str) -> Style:
    while True:
        style = random_style(rng, FACES, "drawn")
        face = np.array(style.tiles.face_colour)
        ground = np.array(style.board.ground)
        colours = np.array([*style.board.premiums.values()])
        told_apart = np.abs(colours - face).max(axis=1).min()
        if (
            np.abs(face - ground).max() >= APART
            and told_apart >= APART
            and np.abs(colours - ground).max(axis=1).min() >= APART
        ):
            return replace(style, tiles=_legible(style.tiles, tiles))


def _legible(style: TileStyle, tiles: str) -> TileStyle:
    """Values of the set, clear of the letter: an O whose 1 touches it is a Q to people too."""
    return replace(
        style,
        values={str(face): value for face, value in load_tile_set(tiles).values.items()},
        letter_size=min(style.letter_size, 0.56),
        digit_size=min(style.digit_size, 0.19),
        digit_at=(max(style.digit_at[0], 0.82), max(style.digit_at[1], 0.8)),
    )


def _camera(rng: np.random.Generator) -> SceneCamera:
    distance = float(rng.uniform(30.0, 44.0))
    return SceneCamera(
        focal_px=float(rng.uniform(32.0, 45.0)) * distance,
        distance=distance,
        tilt_deg=float(rng.uniform(0.0, 22.0)),
        azimuth_deg=float(rng.choice([90.0, 270.0, 40.0, 150.0])),
        turn_deg=float(rng.normal(0.0, 4.0)),
    )


def _light(rng: np.random.Generator) -> Light:
    low = float(rng.uniform(0.7, 1.0))
    return Light(low=low, high=float(rng.uniform(low, 1.1)), angle=float(rng.uniform(0, 6.28)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmResult:
    """What a film was reported as.

    ``wrong``: what was played, what was reported, whether with a doubt.
    """

    plan: dict[str, Any]
    turns: int
    exact: int
    silent: int
    wrong: tuple[tuple[str, str, bool], ...]
    film_s: float
    cpu_s: float
    fault: str = ""

    def as_json(self) -> str:
        fields = ("turns", "exact", "silent", "wrong", "film_s", "cpu_s", "fault")
        return json.dumps({**self.plan, **{name: getattr(self, name) for name in fields}})


def make_film(plan: FilmPlan, folder: Path) -> tuple[Path, float]:
    """Write the video into a folder; it, and how many seconds of film there are."""
    path = folder / f"film{plan.suffix}"
    scene = TableScene(plan.style, plan.number, plan.camera)
    scene.light, scene.sensor, scene.noise = plan.light, plan.sensor, plan.noise
    frames = film(_game(plan), plan.number, plan.filming, scene)
    count = write_video(frames, path, plan.code)
    if len(set(plan.times)) == 1:
        return path, count / FRAMES_PER_S
    lasting = [plan.times[at % len(plan.times)] for at in range(count)]
    path.write_bytes(with_times(path.read_bytes(), [(ms, 1) for ms in lasting]))
    return path, sum(lasting) / 1000


def _game(plan: FilmPlan) -> GcgGame:
    return read_gcg(plan.record.read_bytes())


def watch_film(plan: FilmPlan, path: Path, film_s: float) -> FilmResult:
    game, began = _game(plan), time.process_time()
    played = [event for event in game.events if isinstance(event, TURNS)]
    try:
        found = watch_source(str(path), game.tile_set.name)
        looks = found.looks
        watched = read_watched(looks, game.tile_set, PictureEdge.BOTTOM)
    except TilecastError as fault:
        told, said = [], str(fault)
    else:
        told, said = told_turns(watched), found.fault
    cpu_s = round(time.process_time() - began, 1)
    expected = rescore(played, game.tile_set)
    wrong = differences(expected, told)
    exact = len(expected) - sum(was != "" for was, _, _ in wrong)
    silent = sum(not doubtful for _, _, doubtful in wrong) if told else 0
    return FilmResult(
        plan=plan.as_json(),
        turns=len(expected),
        exact=exact,
        silent=silent,
        wrong=tuple(wrong),
        film_s=round(film_s, 1),
        cpu_s=cpu_s,
        fault=said,
    )


def told_turns(watched: WatchedGame) -> list[tuple[GameEvent, bool]]:
    """Every turn that is reported, and whether with a doubt."""
    document = watched_json(watched)["turns"]
    events = [event for _, event in watched.series.events()]
    pairs = zip(events, document, strict=True)
    return [(event, turn["doubtful"]) for event, turn in pairs if isinstance(event, TURNS)]


def differences(
    played: Sequence[GameEvent], told: Sequence[tuple[GameEvent, bool]]
) -> list[tuple[str, str, bool]]:
    """What is not reported as played, or reported and was not, beside what stands in its place.

    A turn too many or too few moves no other. Doubtful where a turn reported in that gap is, or the
    next one that is right: there a person looks. A score that is wrong for a letter that lay there
    is as doubtful as that one was: it is put right with it.
    """
    pairs = [*_same(played, told), (len(played), len(told))]
    wrong: list[tuple[str, str, bool]] = []
    i = j = 0
    for at, other in pairs:
        doubtful = any(doubt for _, doubt in told[j : other + 1])
        for was, now in zip_longest(played[i:at], told[j:other]):
            texts = (event_text(was) if was else "", event_text(now[0]) if now else "")
            follows = now is not None and _lays_the_same(was, now[0]) and any(d for *_, d in wrong)
            wrong.append((*texts, doubtful or follows))
        i, j = at + 1, other + 1
    return wrong


def _lays_the_same(was: GameEvent | None, now: GameEvent) -> bool:
    """Whether the same tiles are laid, whatever the score."""
    return (
        isinstance(was, Played)
        and isinstance(now, Played)
        and is_same(was, replace(now, score=was.score))
    )


def _same(
    played: Sequence[GameEvent], told: Sequence[tuple[GameEvent, bool]]
) -> list[tuple[int, int]]:
    """Most of the turns that are reported as played, in order: their places in both."""
    most = np.zeros((len(played) + 1, len(told) + 1), int)
    for i, j in product(reversed(range(len(played))), reversed(range(len(told)))):
        both = most[i + 1, j + 1] + 1 if is_same(played[i], told[j][0]) else 0
        most[i, j] = max(most[i + 1, j], most[i, j + 1], both)
    pairs = []
    i = j = 0
    while most[i, j]:
        if is_same(played[i], told[j][0]) and most[i, j] == most[i + 1, j + 1] + 1:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif most[i, j] == most[i + 1, j]:
            i += 1
        else:
            j += 1
    return pairs

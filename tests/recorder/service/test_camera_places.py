"""Cameras that see another table's game are named; those at quick and slow tables are not."""

import math
import random
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from recorder.domain.observations import (
    BoardNotSeen,
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Side,
    SquareChange,
)
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import EMPTY
from recorder.log.port import Row
from recorder.projections.needs import needs
from recorder.projections.timeline import Timeline
from recorder.service.camera_places import CameraPlaces
from recorder.wire.observations import encode_observation
from tests.dashboard.table_writer import look
from tests.outages import OWN_GAMES, PlayedGame, played_game
from tests.recorder.hall import Hall

pytestmark = pytest.mark.slow

NOTHING = ["." * 15] * 15
TILE = read_tiles("A")[0]
STARTED = ClockChanged(act=ClockAct.RESUME, left_ms=9, right_ms=9, running=Side.LEFT)
PRESSED = ClockPressed(side=Side.LEFT, left_ms=9, right_ms=9, running=Side.RIGHT)


@dataclass(frozen=True)
class Players:
    """How long their turns take in the median, and how long after the last tile they press."""

    turn_s: float
    spread: float
    gap_s: float
    thought_over: float = 0.1
    begin_s: float = 60


USUAL = Players(turn_s=45, spread=0.8, gap_s=3.5)
SLOW = Players(turn_s=60, spread=0.7, gap_s=8, thought_over=0.2)
RAPID = Players(turn_s=12, spread=0.5, gap_s=1.5, begin_s=10)


@dataclass
class Game:
    """What happens at a table, at which time: starts, presses, tiles that come or go."""

    started: int
    presses: list[int] = field(default_factory=list)
    looks: list[tuple[int, bool, tuple[int, ...]]] = field(default_factory=list)


@cache
def _recorded() -> list[PlayedGame]:
    games = [played_game(path) for path in OWN_GAMES]
    return [game for game in games if len(game.turns) > 14]


def play(players: Players, seed: str) -> Game:
    """A real game by such players; the camera looks now and then while tiles are laid."""
    chance = random.Random(seed)
    pace = math.exp(chance.gauss(0, 0.25))
    now = round(1000 * chance.uniform(0, players.begin_s))
    game, standing = Game(now), list[tuple[int, ...]]()
    for made in chance.choice(_recorded()).turns:
        if made.is_off:
            now += round(1000 * chance.uniform(8, 40))
            game.looks.append((now, False, standing.pop()))
            continue
        took = max(5, pace * players.turn_s * math.exp(chance.gauss(0, players.spread)))
        gap = min(0.8 * took, players.gap_s * math.exp(chance.gauss(0, 0.6)))
        if chance.random() < players.thought_over:
            gap = max(gap, took * chance.uniform(0, 0.7))
        tiles = tuple(sorted(sq for sq, _ in made.tiles))
        if tiles:
            standing.append(tiles)
            half = len(tiles) // 2 * (chance.random() < 0.5)
            at = now + round(1000 * (took - gap))
            looks = ((at - 900, tiles[:half]), (at, tiles[half:]))
            game.looks += [(at, True, part) for at, part in looks if part]
        now += round(1000 * took)
        game.presses.append(now)
    return game


def hall_of(players: Players, seed: int, tables: int = 2) -> dict[int, Game]:
    """Tables at which such players play."""
    return {table: play(players, f"{players} {seed} {table}") for table in range(1, tables + 1)}


def _rows(games: dict[int, Game], sees: dict[int, int]) -> list[Row]:
    """What clocks and cameras of tables say; ``sees``: the table that each camera stands over."""
    said: list[tuple[int, int, str, Observation]] = []
    for table, game in games.items():
        said.append((game.started, table, f"clock-{table}", STARTED))
        said += [(at, table, f"clock-{table}", PRESSED) for at in game.presses]
        said.append((-5_000, table, f"cam-{table}", look(NOTHING)))
        said += [
            (at + 50, table, f"cam-{table}", _changed(tiles, is_laid=is_laid))
            for at, is_laid, tiles in games[sees[table]].looks
        ]
    ordered = sorted(said, key=lambda one: one[0])
    return [_row(number + 1, *one) for number, one in enumerate(ordered)]


def _row(number: int, at: int, table: int, device: str, what: Observation) -> Row:
    name, data = encode_observation(what)
    return Row(
        seq=number, table=table, game=f"g{table}", kind=Kind.OBSERVED, v=1, at=at,
        body={"type": name, "data": data, "t": at, "dev": device}, refs=(),
        key=(device, "0000abcd", number), prev_hash="", hash="",
    )  # fmt: skip


def _changed(tiles: tuple[int, ...], *, is_laid: bool) -> BoardSeen:
    was, now = (EMPTY, TILE) if is_laid else (TILE, EMPTY)
    changes = [SquareChange(square=sq, was=was, now=now, confidence=0.9) for sq in tiles]
    return replace(look(NOTHING), changes=tuple(changes), still_ms=50)


def _found(games: dict[int, Game], sees: dict[int, int]) -> dict[str, tuple[int, int]]:
    """By camera the table that it is said to see, and after how many turns of the slower table."""
    places, found = CameraPlaces(), {}
    for row in _rows(games, sees):
        for doubt in places.take(row):
            turns = min(sum(at <= row.at for at in game.presses) for game in games.values())
            found[doubt.device] = (doubt.sees, turns)
    return found


@pytest.mark.parametrize(("players", "least"), [(USUAL, 29), (SLOW, 27), (RAPID, 24)])
def test_two_cameras_that_are_exchanged_are_named(players: Players, least: int):
    """All of them, and nearly all after four turns."""
    after = []
    for seed in range(30):
        found = _found(hall_of(players, seed), {1: 2, 2: 1})
        assert {camera: sees for camera, (sees, _) in found.items()} == {"cam-1": 2, "cam-2": 1}
        after.append(max(turns for _, turns in found.values()))
    assert sum(turns <= 4 for turns in after) >= least, sorted(after)


@pytest.mark.parametrize("players", [USUAL, SLOW, RAPID])
def test_cameras_at_their_own_tables_are_not_named(players: Players):
    """Pairs of tables, for whole games; and a hall of six."""
    for seed in range(12):
        assert _found(hall_of(players, seed), {1: 1, 2: 2}) == {}
    hall = hall_of(players, 0, tables=6)
    assert _found(hall, {table: table for table in hall}) == {}


def test_exchanged_cameras_are_named_among_six_tables():
    """These two and no other."""
    hall = hall_of(USUAL, 1, tables=6)
    found = _found(hall, {**{table: table for table in hall}, 2: 5, 5: 2})
    assert {camera: sees for camera, (sees, _) in found.items()} == {"cam-2": 5, "cam-5": 2}


def test_a_camera_that_was_out_is_not_named():
    """Plays that come all at once after a minute without a picture accuse no camera."""
    games = hall_of(USUAL, 3)
    rows = _rows(games, {1: 1, 2: 2})
    begun, ended = games[1].presses[2], games[1].presses[8]
    missed = {1: [look for look in games[1].looks if begun < look[0] < ended]}
    squares = tuple(sq for _, is_laid, tiles in missed[1] if is_laid for sq in tiles)
    said = [
        (row.at, row.table, row.device, row.says.what)
        for row in rows
        if row.table != 1 or row.type != "board.seen" or not begun < row.at < ended
    ]
    gone = BoardNotSeen(frame="f", reason="no frame came")
    said += [
        (begun + 1, 1, "cam-1", gone),
        (ended + 500, 1, "cam-1", _changed(squares, is_laid=True)),
    ]
    places = CameraPlaces()
    ordered = sorted(said, key=lambda one: one[0])
    assert [doubt for n, one in enumerate(ordered) for doubt in places.take(_row(n, *one))] == []


def test_the_director_hears_which_table_a_camera_sees(hall: Hall):
    """In the log, once for each of the two, and as something that needs the director."""
    for row in _rows(hall_of(USUAL, 0), {1: 2, 2: 1}):
        hall.now_ms = 1_000_000 + row.at
        hall.say(row.device, row.says.what)
    hall.settle()
    doubts = [row for row in hall.log.read_from(1) if row.type == "camera.doubt"]
    said = {row.body["data"]["device"]: row.body["data"]["sees"] for row in doubts}
    assert said == {"cam-1": 2, "cam-2": 1}
    assert len(doubts) == 2
    story = Timeline(2)
    for row in hall.log.read_from(1):
        story.advance(row)
    (need,) = [need for need in needs(story.items(), [], [], {}) if need["code"] == "camera.doubt"]
    assert (
        need["text"]
        == "cam-2 sees the game of table 1: its new tiles match the clock presses there"
    )

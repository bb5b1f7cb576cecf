"""Cameras that see another table's game are named; those at quick and slow tables are not."""

import random
from dataclasses import dataclass, field, replace

import pytest

from recorder.domain.observations import BoardSeen, ClockPressed, Observation, Side, SquareChange
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import EMPTY
from recorder.log.port import Row
from recorder.projections.needs import needs
from recorder.projections.timeline import Timeline
from recorder.service.camera_places import CameraPlaces
from recorder.wire.observations import encode_observation
from tests.dashboard.table_writer import look
from tests.recorder.hall import Hall

pytestmark = pytest.mark.slow

NOTHING = ["." * 15] * 15
TILE = read_tiles("A")[0]


@dataclass
class Game:
    """The turns of a table: when the press was, and when each tile before it lay still."""

    slowest_s: float
    seed: str
    presses: list[int] = field(default_factory=lambda: [0])
    laid: list[int] = field(default_factory=list)

    def play(self, turns: int) -> "Game":
        """So many turns; one in ten is an exchange, one in ten is laid early and thought over."""
        chance = random.Random(self.seed)
        for _ in range(turns):
            before = self.presses[-1]
            took = chance.uniform(9, self.slowest_s)
            self.presses.append(before + round(1000 * took))
            if chance.random() < 0.1:
                continue
            last = took * (chance.uniform(0.3, 1) if chance.random() < 0.1 else 1)
            last = max(2.5, last - chance.uniform(0.5, 4))
            for tile in range(chance.randint(1, 4)):
                self.laid.append(before + max(2_100, round(1000 * (last - 0.8 * tile))))
        self.laid.sort()
        return self


def _rows(games: dict[int, Game], sees: dict[int, int]) -> list[Row]:
    """What clocks and cameras of tables say; ``sees``: the table that each camera stands over."""
    said: list[tuple[int, int, str, Observation]] = []
    for table, game in games.items():
        pressed = ClockPressed(side=Side.LEFT, left_ms=9, right_ms=9, running=Side.RIGHT)
        said += [(at, table, f"clock-{table}", pressed) for at in game.presses]
        laid = _lays()
        said += [(at + 50, table, f"cam-{table}", laid) for at in games[sees[table]].laid]
    rows = []
    for at, table, device, what in sorted(said, key=lambda one: one[0]):
        name, data = encode_observation(what)
        rows.append(
            Row(
                seq=len(rows) + 1, table=table, game=f"g{table}", kind=Kind.OBSERVED, v=1, at=at,
                body={"type": name, "data": data, "t": at, "dev": device}, refs=(),
                key=(device, "0000abcd", len(rows) + 1), prev_hash="", hash="",
            )
        )  # fmt: skip
    return rows


def _lays() -> BoardSeen:
    change = SquareChange(square=112, was=EMPTY, now=TILE, confidence=0.9)
    return replace(look(NOTHING), changes=(change,), still_ms=50)


def _found(games: dict[int, Game], sees: dict[int, int]) -> dict[str, tuple[int, int]]:
    """By camera the table that it is said to see, and after how many turns of the slower table."""
    places, found = CameraPlaces(), {}
    for row in _rows(games, sees):
        for doubt in places.take(row):
            turns = min(sum(at <= row.at for at in game.presses) - 1 for game in games.values())
            found[doubt.device] = (doubt.sees, turns)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_two_cameras_that_are_exchanged_are_named(seed: int):
    """After a few turns at both tables."""
    games = {n: Game(30 + 30 * n, f"{seed} {n}").play(25) for n in (1, 2)}
    found = _found(games, {1: 2, 2: 1})
    assert {camera: sees for camera, (sees, _) in found.items()} == {"cam-1": 2, "cam-2": 1}


def test_cameras_at_their_own_tables_are_not_named():
    """Pairs of tables, each with its own rhythm: for whole games nobody is."""
    for seed in range(16):
        games = {n: Game((15, 20, 60, 200)[(seed + n) % 4], f"{seed} {n}").play(30) for n in (1, 2)}
        assert _found(games, {1: 1, 2: 2}) == {}


def test_the_director_hears_which_table_a_camera_sees(hall: Hall):
    """In the log, once for each of the two, and as something that needs the director."""
    games = {n: Game(60, f"director {n}").play(14) for n in (1, 2)}
    for row in _rows(games, {1: 2, 2: 1}):
        hall.now_ms = 1_000_000 + row.at
        what = (
            _lays()
            if row.type == "board.seen"
            else ClockPressed(side=Side.LEFT, left_ms=9, right_ms=9, running=Side.RIGHT)
        )
        hall.say(row.device, what)
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

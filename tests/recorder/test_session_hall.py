"""One recorder for a hall: the tables where nothing happens are left alone."""

import queue
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recorder.bus.port import MemoryBroker, MemoryBus, Message
from recorder.domain.observations import BoardNotSeen, ClockPressed, Observation, Side
from recorder.log.port import MemoryEventLog, NewRow
from recorder.service.look_requests import LOOK_AGAIN_MS
from recorder.service.recorder import Recorder, RecorderPlan
from recorder.table.game_recorder import GameRecorder, TablePlan
from recorder.wire import (
    Down,
    DownChannel,
    Envelope,
    Up,
    UpChannel,
    encode_envelope,
    encode_observation,
)
from tests.dashboard.table_writer import look
from tests.recorder.session_table import START_MS, VENUE, board, plan

TABLES = range(1, 65)


class Hall:
    """Sixty-four tables with a camera and a clock each, and the recorder of them all."""

    def __init__(self, folder: Path) -> None:
        broker = MemoryBroker()
        self.devices = MemoryBus(broker)
        self.devices.start()
        self.now_ms = 1_000_000
        self._sent: dict[str, int] = {}
        one = plan(folder / "live.gcg", rules="wespa1").tables[0].started
        tables = tuple(
            TablePlan(
                started=replace(one, table=number, game=f"g{number}"),
                devices={f"cam-{number}": "board-camera", f"clock-{number}": "serial-clock"},
            )
            for number in TABLES
        )
        self.log = MemoryEventLog()
        self.recorder = Recorder(
            RecorderPlan(venue=VENUE, recorder="r1", tables=tables),
            MemoryBus(broker),
            self.log,
            lambda: self.now_ms,
        )

    def say(self, device: str, observation: Observation) -> None:
        """Let a device say something, and the recorder take it in."""
        self._sent[device] = number = self._sent.get(device, 0) + 1
        type_name, data = encode_observation(observation)
        event = Envelope(
            dev=device, boot="0000abcd", seq=number, t_ms=self.now_ms, type=type_name, data=data
        )
        counters, deadline = self.recorder.counters, time.monotonic() + 5
        stored = counters.stored
        self.devices.publish(str(Up(VENUE, device, UpChannel.EVENT)), encode_envelope(event))
        while counters.stored == stored:
            assert time.monotonic() < deadline, "the recorder did not take an event within 5 s"
            self.recorder.catch_up()

    def press(self, table: int, side: Side, running: Side, *, left_ms: int = START_MS) -> None:
        """Press a half of a table's clock."""
        pressed = ClockPressed(side=side, left_ms=left_ms, right_ms=START_MS, running=running)
        self.say(f"clock-{table}", pressed)

    def show(self, table: int, rows: list[str]) -> None:
        """Let a table's camera see a board."""
        self.say(f"cam-{table}", look(rows))

    def settle(self) -> None:
        """Let the recorder look again at what it has stored itself, until it is at rest."""
        for _ in range(3):
            self.recorder.catch_up()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A hall where every game is on record."""
    hall = Hall(tmp_path)
    hall.recorder.open()
    hall.settle()
    yield hall
    hall.recorder.stop()


@pytest.fixture
def visited(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tables that are asked for news from now on, in order."""
    tables: list[int] = []
    news = GameRecorder.news

    def noted(game_recorder: GameRecorder, at: int) -> list[NewRow]:
        tables.append(game_recorder.plan.started.table)
        return news(game_recorder, at)

    hall.settle()
    monkeypatch.setattr(GameRecorder, "news", noted)
    return tables


def test_an_event_turns_to_its_own_table_alone(hall: Hall, visited: list[int]) -> None:
    """However many tables there are; and when nothing happens, to none."""
    hall.say("cam-7", BoardNotSeen(frame="f", reason="covered"))
    hall.settle()
    assert visited == [7]
    hall.settle()
    assert visited == [7]


def test_a_turn_that_waits_for_a_look_is_not_forgotten(hall: Hall, visited: list[int]) -> None:
    """Its camera is asked again as time passes, though nothing more is stored."""
    asked: queue.Queue[Message] = queue.Queue()
    hall.devices.subscribe(str(Down(VENUE, "cam-9", DownChannel.COMMAND)), asked.put)
    hall.press(9, Side.RIGHT, Side.LEFT)
    hall.now_ms += 60_000
    hall.press(9, Side.LEFT, Side.RIGHT, left_ms=START_MS - 60_000)
    assert b"look" in asked.get(timeout=5).payload
    hall.now_ms += LOOK_AGAIN_MS
    hall.settle()
    assert b"look" in asked.get(timeout=5).payload
    assert set(visited) == {9}


def test_what_is_due_later_is_not_turned_to_before(hall: Hall, visited: list[int]) -> None:
    """Nine minutes of overtime are told while the clock runs: the table is due then."""
    hall.press(5, Side.RIGHT, Side.LEFT)
    hall.show(5, board())
    hall.now_ms += 30_000
    hall.show(5, board("8G HAND"))
    hall.press(5, Side.LEFT, Side.RIGHT, left_ms=START_MS - 30_000)
    hall.show(5, board("8G HAND"))
    hall.settle()
    visited.clear()
    hall.now_ms += START_MS
    hall.settle()
    assert visited == []
    hall.now_ms += 9 * 60_000
    hall.settle()
    assert set(visited) == {5}
    assert any(row.type == "table.notice" for row in hall.log.read_from(1))

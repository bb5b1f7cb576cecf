"""A venue for directors: broker, recorder and dashboard as processes, and tables that are seen."""

import json
import os
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from recorder.bus.broker import BrokerHandle, find_mosquitto, free_port, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.domain.observations import BoardSeen, ClockPressed, Observation, Side
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import Heartbeat, encode
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from recorder.wire.topics import Up, UpChannel
from tests.browser.conftest import Server, sign_in
from tests.eventually import eventually
from tests.looks import Beliefs, look
from tests.programs import Program
from tests.recorder.order_game import CORNERS, EMPTY, HAND, HAND_CAT, UNSURE

VENUE = """
[venue]
name = "main"
[broker]
url = "{url}"
[recorder]
name = "recorder-1"
folder = "{folder}"
"""
TABLE = """
[[table]]
number = {number}
game = "round-1-{number}"
players = ["Ada <b>Lovelace</b>", "Ben"]
tiles = "english"
rules = "{rules}"
minutes = 25
left_player = 1
check_clock = false
devices = {{ cam-{number} = "board-camera", clock-{number} = "serial-clock"{more} }}
"""


MARKS = [
    pytest.mark.browser,
    pytest.mark.broker,
    pytest.mark.skipif(find_mosquitto() is None, reason="needs a real Mosquitto"),
]


class SeenTable:
    """The camera and the clock of one table; each event is in the log before the next is said."""

    def __init__(self, number: int, bus: MqttBus, log: Path) -> None:
        self.number, self._bus, self._log = number, bus, log
        self._boot = os.urandom(4).hex()
        self._numbers: Counter[str] = Counter()
        self._rows: list[Row] = []
        self._read_to = 0

    def say(self, device: str, observation: Observation) -> None:
        self._numbers[device] += 1
        name = f"{device}-{self.number}"
        type_name, data = encode_observation(observation)
        event = Envelope(
            dev=name,
            boot=self._boot,
            seq=self._numbers[device],
            t_ms=time.monotonic_ns() // 1_000_000,
            type=type_name,
            data=data,
        )
        self._bus.publish(str(Up("main", name, UpChannel.EVENT)), encode_envelope(event))
        eventually(lambda: any(row.key == event.key for row in self.rows()), f"{name} is heard")

    def lose(self, device: str) -> None:
        """An event of the device never comes, and by its next heartbeat it keeps it no more."""
        self._numbers[device] += 1
        name, t_ms = f"{device}-{self.number}", time.monotonic_ns() // 1_000_000
        for number in (self._numbers[device] - 1, self._numbers[device]):
            beat = Heartbeat(boot=self._boot, t_ms=t_ms, seq_high=number, outbox=0)
            self._bus.publish(str(Up("main", name, UpChannel.HEARTBEAT)), encode(beat))

    def press(self, side: Side, *, left_ms: int = 900_000, right_ms: int = 900_000) -> None:
        running = Side.LEFT if side is Side.RIGHT else Side.RIGHT
        self.say(
            "clock", ClockPressed(side=side, left_ms=left_ms, right_ms=right_ms, running=running)
        )

    def show(self, board: str, beliefs: Beliefs | None = None, picture: str = "") -> None:
        seen = BoardSeen(
            frame=f"f{self._numbers['cam']}",
            squares=look(board, beliefs),
            corners=CORNERS,
            pose_score=0.9,
            turn_margin=20.0,
            covered=0.0,
            still_ms=50,
            picture=picture,
        )
        self.say("cam", seen)

    def play(self, picture: str = "") -> None:
        """HAND, or HANO as far as the camera can tell; then CAT."""
        self.press(Side.LEFT)
        self.show(EMPTY)
        self.press(Side.RIGHT)
        self.show(HAND, UNSURE, picture)
        self.press(Side.LEFT)
        self.show(HAND_CAT, UNSURE)

    def rows(self) -> list[Row]:
        """The log's rows of this table; each is read once, however often it is asked for."""
        with SqliteEventLog.open_reader(self._log) as log:
            for row in log.read_from(self._read_to + 1):
                self._read_to = row.seq
                if row.table == self.number:
                    self._rows.append(row)
        return list(self._rows)

    def types(self) -> list[str]:
        return [str(row.body.get("type", row.kind.value)) for row in self.rows()]


class DirectorHall:
    """All of it; ``table(n)`` gives the devices of a table."""

    def __init__(
        self,
        folder: Path,
        broker: BrokerHandle,
        tables: int,
        rules: str,
        pads: Sequence[int] = (),
        *,
        table: str = TABLE,
    ) -> None:
        self.folder, self.broker = folder, broker
        self.file = folder / "venue.toml"
        files = [VENUE.format(url=broker.url, folder=folder)]
        for number in range(1, tables + 1):
            more = f', pad-{number} = "pad"' if number in pads else ""
            files.append(table.format(number=number, rules=rules, more=more))
        self.file.write_text("".join(files))
        self.log = folder / "tilecast.db"
        self.bus = MqttBus(broker.url, "devices")
        self.bus.start()
        self.recorder = self.record()
        self.server = Server(self.log, free_port())

    def start(self) -> None:
        eventually(self.log.exists, "the recorder has its log", within_s=60)
        pictures = str(self.folder / "pictures")
        self.server.start("--broker", self.broker.url, "--pictures", pictures)

    def record(self) -> Program:
        return Program("record", str(self.file))

    def table(self, number: int) -> SeenTable:
        seen = SeenTable(number, self.bus, self.log)
        eventually(self.log.exists, "the recorder has its log")
        eventually(lambda: "game.started" in seen.types(), "the game has begun")
        return seen

    def frame(self, number: int) -> dict[str, Any]:
        with urllib.request.urlopen(self.server.url(f"/api/table/{number}/frame")) as answer:
            return dict(json.load(answer))

    def close(self) -> None:
        self.server.kill()
        self.recorder.terminate()
        self.recorder.wait()
        self.bus.stop()


@contextmanager
def director_hall(
    folder: Path,
    *,
    tables: int,
    rules: str = "naspa",
    pads: Sequence[int] = (),
    table: str = TABLE,
) -> Iterator[DirectorHall]:
    """A venue with a real Mosquitto, while the block runs; a scorer's pad at some tables.

    ``table`` is the section of a table in the venue's file.
    """
    (folder / "broker").mkdir()
    broker = start_broker("mosquitto", workdir=folder / "broker")
    try:
        hall = DirectorHall(folder, broker, tables, rules, pads, table=table)
        try:
            hall.start()
            yield hall
        finally:
            hall.close()
    finally:
        broker.stop()


def open_desk(page: Page, hall: DirectorHall, table: int) -> None:
    """Sign in as director and wait until the table's doubt is on the page."""
    page.set_viewport_size({"width": 1440, "height": 900})
    sign_in(page, hall.server)
    page.goto(hall.server.url(f"/director?table={table}"))
    page.wait_for_selector("[data-ready='true']")
    if table:
        page.wait_for_selector(".record")


def done(page: Page, seen: SeenTable, order: str) -> None:
    """Wait until an order is in the log and the page has said so."""
    eventually(lambda: order in seen.types(), f"{order} is in the log")
    page.wait_for_selector(".told:has-text('Done')")


def hall_of(tables: int, pads: Sequence[int] = ()) -> Callable[..., Iterator[DirectorHall]]:
    """The fixture of a test module: a venue with so many tables, one for each test."""

    @pytest.fixture(scope="module")
    def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorHall]:
        folder = tmp_path_factory.mktemp("hall")
        with director_hall(folder, tables=tables, pads=pads) as venue:
            yield venue

    return hall

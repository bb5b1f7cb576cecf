"""What does not come is reported at a real broker, and taken back once it has.

An outbox, and looks.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from recorder.bus.broker import BrokerHandle, free_port
from recorder.bus.mqtt import MqttBus
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import Heartbeat, encode
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from recorder.wire.topics import Up, UpChannel
from tests.broker.test_recorder_at_work import VENUE, press, running
from tests.dashboard.table_writer import look
from tests.dashboard.test_dashboard_process import Person
from tests.eventually import eventually

pytestmark = pytest.mark.broker
BOOT, DESK = "0badcafe", "desk-key-12345"
EMPTY = ["." * 15] * 15


def beat(bus: MqttBus, device: str, t_ms: int, *, seq_high: int = 0, outbox: int = 0) -> None:
    """A device says that it is there, and what waits in it."""
    said = Heartbeat(boot=BOOT, t_ms=t_ms, seq_high=seq_high, outbox=outbox)
    bus.publish(str(Up("main", device, UpChannel.HEARTBEAT)), encode(said))


@contextmanager
def recorded(folder: Path, broker: BrokerHandle) -> Iterator[MqttBus]:
    """A recorder of a table with a clock and a camera; the line on which both speak."""
    file, said = folder / "venue.toml", folder / "recorder"
    text = VENUE.format(url=broker.url, folder=folder, more="")
    one, both = 'clock-1 = "serial-clock"', 'clock-1 = "serial-clock", cam-1 = "board-camera"'
    assert one in text
    file.write_text(text.replace(one, both), "utf-8")
    with MqttBus(broker.url, "devices") as bus, running("record", str(file), said=said):
        eventually(lambda: "broker connected" in said.read_text("utf-8"), "it records")
        eventually(lambda: bus.is_connected, "so are the devices")
        yield bus


@pytest.mark.further
def test_an_outbox_that_does_not_empty_is_told_and_taken_back(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """On the director's page: which event, since when, how many, and what helps."""
    port, said = free_port(), tmp_path / "page"
    words = ("--log", str(tmp_path / "tilecast.db"), "--port", str(port), "--broker", broker.url)
    beats, pace = iter(range(0, 1_000_000, 500)), threading.Event()

    def clock() -> dict[str, Any]:
        devices = director.ask("/api/desk")["devices"]
        found: dict[str, Any] = next(each for each in devices if each["name"] == "clock-1")
        return found

    def tells_waiting(outbox: int) -> bool:
        beat(bus, "clock-1", next(beats), seq_high=3, outbox=outbox)
        pace.wait(0.5)
        return bool(clock()["code"] == "event_waits")

    with (
        recorded(tmp_path, broker) as bus,
        running("dashboard", *words, said=said, TILECAST_DIRECTOR_TOKEN=DESK),
    ):
        eventually(lambda: "links " in said.read_text("utf-8"), "it serves")
        director = Person(port)
        director.ask(f"/enter/{DESK}")
        eventually(lambda: tells_waiting(3), "what waits is told")
        found = clock()
        assert (found["grade"], found["waiting"]) == ("ill", 3)
        assert "event 1 has been waiting" in found["says"]
        assert "3 in all" in found["says"]
        assert found["remedy"]
        for number in (1, 2, 3):
            bus.publish(str(Up("main", "clock-1", UpChannel.EVENT)), press(number))
        eventually(lambda: not tells_waiting(0), "and taken back")
        assert (clock()["grade"] != "ill", clock()["waiting"]) == (True, 0)


@pytest.mark.further
def test_looks_that_do_not_come_are_told_and_taken_back(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """By a notice in the log, a quarter of a minute after the press; the next look ends it."""

    def notices() -> list[str]:
        with SqliteEventLog.open_reader(tmp_path / "tilecast.db") as log:
            rows = list(log.read_from(1))
        return [json.dumps(row.body) for row in rows if row.type.startswith("table.notice")]

    with recorded(tmp_path, broker) as bus:
        face = {"left_ms": 1_499_000, "right_ms": 1_499_999, "side": "L", "running": "R"}
        pressed = Envelope(
            dev="clock-1", boot=BOOT, seq=2, t_ms=1_000, type="clock.press", data=face
        )
        for event in (press(1), encode_envelope(pressed)):
            bus.publish(str(Up("main", "clock-1", UpChannel.EVENT)), event)
        eventually(lambda: any('"no_look"' in each for each in notices()), "it is told")
        kind, what = encode_observation(look(EMPTY))
        seen = Envelope(dev="cam-1", boot=BOOT, seq=1, t_ms=20_500, type=kind, data=what)
        bus.publish(str(Up("main", "cam-1", UpChannel.EVENT)), encode_envelope(seen))
        eventually(lambda: any("table.notice_over" in each for each in notices()), "taken back")

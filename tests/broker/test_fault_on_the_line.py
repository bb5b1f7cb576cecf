"""A fault in the thread that speaks with the broker: paho's would end, the process be deaf."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from queue import Queue

import pytest

from recorder.bus.broker import BrokerHandle, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox, OutboxSender
from recorder.bus.port import Message
from tests.broker.test_recorder_at_work import venue_file
from tests.eventually import PATIENCE_S, eventually
from tests.rehearsal.troubles import WallClock

pytestmark = pytest.mark.broker
_PRESS = {"side": "R", "left_ms": 1_500_000, "right_ms": 1_499_000, "running": "L"}


@contextmanager
def recording(file: str, said: Path, clock: WallClock) -> Iterator["subprocess.Popen[bytes]"]:
    """A recorder whose time is another: the loader has to find the library at its start."""
    command = [sys.executable, "-m", "tilecast", "record", file]
    around = {**os.environ, "PYTHONUNBUFFERED": "1", **clock.environment()}
    with (
        said.open("wb") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=around) as on,
    ):
        try:
            yield on
        finally:
            on.terminate()
            on.wait(PATIENCE_S)


@pytest.mark.further
@pytest.mark.skipif(not WallClock.library(), reason="libfaketime is not installed")
def test_a_recorder_hears_again_after_its_line_broke_in_a_fault(tmp_path: Path) -> None:
    """Its time set back below libfaketime, no thread can sleep: paho's does, to connect again.

    The recorder says what it was, connects again, and stores what is pressed then.
    """
    clock, said = WallClock(tmp_path), tmp_path / "said"
    with ExitStack() as on:
        broker = on.enter_context(start_broker("mosquitto", workdir=tmp_path / "broker"))
        file = str(venue_file(tmp_path, broker.url))
        recorder = on.enter_context(recording(file, said, clock))
        eventually(lambda: "broker connected" in said.read_text("utf-8"), "it records")
        clock.set(-7200)
        eventually(lambda: "clock was set back" in said.read_text("utf-8"), "its time is another")
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGKILL)
        eventually(lambda: "a fault on the line" in said.read_text("utf-8"), "its line broke")
        outbox = on.enter_context(closing(Outbox(tmp_path / "clock-1.outbox", "clock-1")))
        bus = MqttBus(broker.url, "clock-1")
        on.enter_context(OutboxSender(outbox, bus, "main"))
        on.enter_context(bus)
        outbox.put("clock.press", _PRESS, 1)
        eventually(lambda: not outbox.depth, "what is pressed is stored")
        assert recorder.poll() is None


def test_a_handler_that_fails_costs_the_connection_and_nothing_more(broker: BrokerHandle) -> None:
    """Anyone who follows the connection hears why it is lost; what is said later arrives."""
    heard: list[bytes] = []
    lost: Queue[str] = Queue()

    def take(message: Message) -> None:
        heard.append(message.payload)
        if message.payload == b"nonsense":
            raise ValueError("nobody thought of it")

    def follow(connected: bool, reason: str) -> None:  # noqa: FBT001 - the bus's signature
        if not connected:
            lost.put(reason)

    bus, speaker = MqttBus(broker.url, "listener"), MqttBus(broker.url, "speaker")
    bus.subscribe("fault/line", take)
    bus.on_connection(follow)
    with bus, speaker:
        eventually(lambda: bus.is_connected and speaker.is_connected, "both are connected")
        # Said until it arrives: the broker may not know yet who listens.
        eventually(lambda: speaker.publish("fault/line", b"ready") or heard, "it listens")
        speaker.publish("fault/line", b"nonsense")
        assert lost.get(timeout=PATIENCE_S) == "lost: ValueError: nobody thought of it"
        assert b"nonsense" in heard
        eventually(lambda: bus.is_connected, "it is connected again")
        eventually(
            lambda: speaker.publish("fault/line", b"sense") or b"sense" in heard, "it listens again"
        )

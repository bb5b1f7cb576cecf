"""One device on a bus: announcements, a device that cannot be opened, goodbye."""

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.agent_process import device_runner as runners
from devices.agent_process.device_runner import DeviceRunner
from devices.ports import Condition, Device, DeviceHealth, Outlet
from recorder.bus.outbox import Outbox
from recorder.bus.port import Bus, Message, Will
from recorder.domain.errors import NotationError
from recorder.domain.observations import BoardNotSeen
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.wire.control import (
    Command,
    DeviceInfo,
    Presence,
    decode_device_state,
    decode_response,
    encode,
)
from recorder.wire.topics import Down, DownChannel, UpChannel, up_filter
from tests.eventually import eventually


class Lamp:
    """A device that observes once and then says what its health is told to be."""

    name = "lamp-1"

    def __init__(self, outlet: Outlet) -> None:
        self.outlet = outlet
        self.condition = Condition.READY
        self.detail = ""

    def info(self) -> DeviceInfo:
        return DeviceInfo(kind="lamp", model="m", firmware="f")

    def health(self) -> DeviceHealth:
        return DeviceHealth(condition=self.condition, detail=self.detail)

    def command(self, command: Command) -> None:
        self.outlet.respond(command.id, "no\nsuch\x00thing" if command.cmd == "fail" else "")

    def run(self, stop: threading.Event) -> None:
        self.outlet.observe(BoardNotSeen(frame="f", reason="dark"), -5)
        stop.wait()


class Bench:
    """A runner over a bus in memory, and what is heard from it."""

    def __init__(self, folder: Path) -> None:
        self.broker = MemoryBroker()
        self.listener = MemoryBus(self.broker)
        self.heard: queue.Queue[Message] = queue.Queue()
        self.listener.subscribe("#", self._hear)
        self.listener.start()
        self.beats = 0
        self.failure: Exception | None = None
        self.lamp: Lamp | None = None
        self.runner = DeviceRunner("lamp-1", "main", folder, self._make, self._bus)

    def tell(self, command: Command) -> None:
        """Send the device a command."""
        topic = str(Down("main", "lamp-1", DownChannel.COMMAND))
        self.listener.publish(topic, encode(command))

    def next(self, channel: UpChannel) -> Message:
        wanted = up_filter("main", channel).replace("+", "lamp-1")
        end = time.monotonic() + 60
        while time.monotonic() < end:
            message = self.heard.get(timeout=60)
            self.beats += message.topic.endswith("/hb")
            if message.topic == wanted:
                return message
        pytest.fail(f"nothing came on {wanted}")

    def _hear(self, message: Message) -> None:
        message.ack()
        self.heard.put(message)

    def _make(self, outlet: Outlet) -> Device:
        if self.failure is not None:
            raise self.failure
        self.lamp = Lamp(outlet)
        return self.lamp

    def _bus(self, _name: str, will: Will) -> Bus:
        return MemoryBus(self.broker, will=will)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A runner that is tried again at once, stopped in the end."""
    monkeypatch.setattr(runners, "_AGAIN_S", 0.05)
    made = Bench(tmp_path)
    yield made
    made.runner.stop()
    made.listener.stop()


def test_state_and_heartbeat_follow_the_device(bench: Bench):
    """Ready beats; lost does not beat; alert says why; the state is said when it changes."""
    bench.runner.start()
    eventually(lambda: bench.lamp is not None)
    lamp = bench.lamp
    said, beats = [], []
    steps = [(Condition.READY, ""), (Condition.READY, "dark"), (Condition.LOST, "gone\n")]
    for now_ms, (lamp.condition, lamp.detail) in enumerate([*steps, steps[0]]):
        bench.runner.beat(now_ms * 1000)
        state = decode_device_state(bench.next(UpChannel.STATE).payload)
        said.append((state.state, state.reason))
        beats.append(bench.beats)
    assert said == [
        (Presence.READY, ""),
        (Presence.ALERT, "dark"),
        (Presence.LOST, "gone "),
        (Presence.READY, ""),
    ]
    assert beats == [1, 2, 2, 3]


def test_a_device_that_cannot_be_opened_is_tried_again(
    bench: Bench, caplog: pytest.LogCaptureFixture
):
    """The reason is on the bus and in the log once; the repair needs no restart."""
    bench.failure = NotationError("photos: no such folder")
    bench.runner.start()
    eventually(lambda: bench.runner.health().condition is Condition.LOST)
    bench.runner.beat(0)
    state = decode_device_state(bench.next(UpChannel.STATE).payload)
    assert state.state is Presence.LOST
    assert "no such folder" in state.reason
    bench.tell(Command(id="c1", cmd="look"))
    answer = decode_response(bench.next(UpChannel.RESPONSE).payload)
    assert (answer.id, answer.ok) == ("c1", False)
    time.sleep(0.2)  # several trials
    assert caplog.text.count("no such folder") == 1
    bench.failure = OSError("bus error")
    eventually(lambda: "OSError: bus error" in caplog.text)
    bench.failure = None
    eventually(lambda: bench.lamp is not None)
    bench.runner.beat(1_000)
    assert decode_device_state(bench.next(UpChannel.STATE).payload).state is Presence.READY


def test_commands_are_answered_and_nonsense_is_survived(bench: Bench):
    """What is no command is logged; an error with line breaks fits the wire."""
    bench.runner.start()
    eventually(lambda: bench.lamp is not None)
    topic = str(Down("main", "lamp-1", DownChannel.COMMAND))
    bench.listener.publish(topic, b"\xff no json")
    bench.tell(Command(id="c1", cmd="fail"))
    answer = decode_response(bench.next(UpChannel.RESPONSE).payload)
    assert (answer.id, answer.ok, answer.error) == ("c1", False, "no such thing")


def test_goodbye_is_no_loss_and_the_outbox_keeps_its_events(bench: Bench, tmp_path: Path):
    """SIGTERM: disconnected instead of the will; what nobody acknowledged waits on disk."""
    bench.runner.start()
    bench.next(UpChannel.EVENT)
    bench.runner.stop()
    state = decode_device_state(bench.next(UpChannel.STATE).payload)
    assert state.state is Presence.DISCONNECTED
    with Outbox(tmp_path / "lamp-1.outbox", "lamp-1") as outbox:
        assert outbox.depth == 1


def test_a_lost_connection_is_told_by_the_will(bench: Bench):
    """And after the return everything is announced again."""
    bench.runner.start()
    eventually(lambda: bench.lamp is not None)
    bench.runner.beat(0)
    assert decode_device_state(bench.next(UpChannel.STATE).payload).state is Presence.READY
    bus = bench.runner._bus
    assert isinstance(bus, MemoryBus)
    bus.lose_connection()
    assert decode_device_state(bench.next(UpChannel.STATE).payload).state is Presence.LOST
    bus.regain_connection()
    eventually(bench.runner._announce.is_set)
    bench.runner.beat(1_000)
    assert decode_device_state(bench.next(UpChannel.STATE).payload).state is Presence.READY

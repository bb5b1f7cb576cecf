"""The agent as a process: real Mosquitto, real pseudo-terminal, kill -9, SIGTERM."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from devices.lab.peers.serial_peer import SerialPeer
from recorder.bus.broker import BrokerHandle, find_mosquitto
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.domain.observations import ClockPressed, Observation, Side
from recorder.wire.control import Ack, Command, DeviceInfo, decode_device_info, encode
from recorder.wire.envelope import Envelope, decode_envelope
from recorder.wire.observations import decode_observation
from recorder.wire.topics import Down, DownChannel, Up, UpChannel, up_filter
from tests.eventually import eventually
from tests.programs import Program

START = """
import sys
from devices.cli import register
from recorder.commands.command_line import CommandParser
parser = CommandParser()
register(parser.add_subparsers(required=True))
args = parser.parse_args(sys.argv[1:])
raise SystemExit(args.run(args))
"""

pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(find_mosquitto() is None, reason="Mosquitto is not installed"),
]


class Listener:
    """Stores every event once and acknowledges it, as a recorder does; keeps the rest in lists."""

    def __init__(self, url: str) -> None:
        self.events: dict[int, Envelope] = {}
        self.doubled_deliveries = 0
        self.states: list[str] = []
        self.infos: list[DeviceInfo] = []
        self.beats = 0
        self.responses: list[dict[str, object]] = []
        self._lock = threading.Lock()
        self.bus = MqttBus(url, "listener")
        self.bus.subscribe(up_filter("main", UpChannel.EVENT), self._event)
        self.bus.subscribe(up_filter("main", UpChannel.STATE), self._state)
        self.bus.subscribe(up_filter("main", UpChannel.INFO), self._info)
        self.bus.subscribe(up_filter("main", UpChannel.HEARTBEAT), self._beat)
        self.bus.subscribe(up_filter("main", UpChannel.RESPONSE), self._response)

    def presses(self) -> list[ClockPressed]:
        """The presses stored, in the order of their numbers."""
        with self._lock:
            events = [self.events[seq] for seq in sorted(self.events)]
        seen: list[Observation] = [decode_observation(event.type, event.data) for event in events]
        return [press for press in seen if isinstance(press, ClockPressed)]

    def tell(self, command: Command) -> None:
        self.bus.publish(str(Down("main", "clock-1", DownChannel.COMMAND)), encode(command))

    def _event(self, message: Message) -> None:
        event = decode_envelope(message.topic, message.payload)
        with self._lock:
            self.doubled_deliveries += event.seq in self.events
            self.events[event.seq] = event
            upto = 0
            while upto + 1 in self.events:
                upto += 1
        ack = Ack(boot=event.boot, upto=upto)
        self.bus.publish(str(Down("main", event.dev, DownChannel.ACK)), encode(ack))
        message.ack()

    def _state(self, message: Message) -> None:
        message.ack()
        if message.payload:
            self.states.append(json.loads(message.payload)["state"])

    def _info(self, message: Message) -> None:
        message.ack()
        if message.payload:
            self.infos.append(decode_device_info(message.payload))

    def _beat(self, message: Message) -> None:
        self.beats += 1
        message.ack()

    def _response(self, message: Message) -> None:
        self.responses.append(json.loads(message.payload))
        message.ack()


class Table:
    """A simulated clock, a table file, and the agent that is started on it."""

    def __init__(self, peer: SerialPeer, listener: Listener, path: Path) -> None:
        self.peer, self.listener, self.path = peer, listener, path
        self.agent: Program | None = None

    def start_agent(self) -> None:
        self.agent = Program("agent", str(self.path), said=self.path.parent / "agent.log")

    def end_agent(self, how: signal.Signals) -> int:
        self.agent.send_signal(how)
        status = self.agent.wait(timeout=60)
        self.agent = None
        return status


@pytest.fixture
def table(broker: BrokerHandle, tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as stack:
        peer = stack.enter_context(SerialPeer(beat_s=0.2))
        listener = Listener(broker.url)
        stack.enter_context(listener.bus)
        path = tmp_path / "table.toml"
        path.write_text(
            f'[broker]\nurl = "{broker.url}"\n[[device]]\nkind = "serial-clock"\n'
            f'name = "clock-1"\nport = "{peer.path}"\n',
            encoding="utf-8",
        )
        table = Table(peer, listener, path)
        yield table
        if table.agent is not None:
            table.end_agent(signal.SIGKILL)
        for channel in (UpChannel.STATE, UpChannel.INFO):
            listener.bus.publish(str(Up("main", "clock-1", channel)), b"", retain=True)


@pytest.mark.further
def test_a_press_reaches_the_bus_and_a_command_the_clock(table: Table):
    """Agent from the command line: state, info, heartbeat, event, command, goodbye."""
    table.start_agent()
    listener, peer = table.listener, table.peer
    eventually(lambda: "ready" in listener.states, "the clock is ready")
    peer.press(Side.RIGHT)
    peer.advance(12_000)
    peer.press(Side.LEFT)
    eventually(lambda: len(listener.events) == 2 and peer.outbox == 0)
    assert [(press.side, press.left_ms) for press in listener.presses()] == [
        (Side.RIGHT, 1_500_000),
        (Side.LEFT, 1_488_000),
    ]
    listener.tell(Command(id="c1", cmd="set", args={"left_ms": 1_000, "right_ms": 2_000}))
    eventually(lambda: peer.face.left_ms == 1_000)
    eventually(lambda: listener.responses)
    assert listener.responses[0]["ok"] is True
    eventually(lambda: listener.beats >= 1 and listener.infos[-1].model == "sim")
    assert listener.infos[-1].kind == "serial-clock"
    assert table.end_agent(signal.SIGTERM) == 0
    eventually(lambda: listener.states[-1] == "disconnected")


def test_a_pulled_cable_is_told_as_lost_and_then_as_ready(table: Table):
    """The director hears of the clock, not of the process beside it."""
    table.start_agent()
    listener = table.listener
    eventually(lambda: "ready" in listener.states)
    table.peer.unplug()
    eventually(lambda: listener.states[-1] == "lost")
    table.peer.replug()
    eventually(lambda: listener.states[-1] == "ready")


def test_an_agent_killed_at_any_moment_loses_and_doubles_no_press(table: Table):
    """Six kills without warning while the players go on pressing."""
    listener, peer = table.listener, table.peer
    pressed = 0
    done = threading.Event()

    def play() -> None:
        nonlocal pressed
        while not done.wait(0.04):
            peer.press(Side.RIGHT if pressed % 2 == 0 else Side.LEFT)
            peer.advance(1_000)
            pressed += 1

    players = threading.Thread(target=play)
    for kill in range(6):
        table.start_agent()
        seen = len(listener.events)
        if kill == 0:
            players.start()
        eventually(lambda seen=seen: len(listener.events) > seen + 5)
        table.end_agent(signal.SIGKILL)
    done.set()
    players.join()
    table.start_agent()
    eventually(lambda: peer.outbox == 0 and len(listener.events) >= pressed)
    presses = listener.presses()
    sides = [Side.RIGHT, Side.LEFT] * (pressed // 2) + [Side.RIGHT] * (pressed % 2)
    assert [press.side for press in presses] == sides
    times = [press.left_ms + press.right_ms for press in presses]
    assert times == [3_000_000 - 1_000 * turn for turn in range(pressed)]
    assert pressed > 30
    log = (table.path.parent / "agent.log").read_text(encoding="utf-8")
    assert "are gone" not in log


def test_a_second_agent_on_the_same_folder_is_refused(table: Table):
    """Two agents would give out the same numbers."""
    table.start_agent()
    eventually(lambda: "ready" in table.listener.states)
    command = [sys.executable, "-c", START, "agent", str(table.path)]
    second = subprocess.run(
        command, capture_output=True, check=False, timeout=60, env=os.environ | {"PYTHONPATH": "."}
    )
    assert second.returncode == 1
    assert b"another agent" in second.stderr

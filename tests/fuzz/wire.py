"""Messages over a real broker to the recorder, among them the honest presses of another table."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from recorder.bus.broker import start_broker
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.declared.codec import Json
from recorder.domain.observations import ClockPressed, Side
from recorder.domain.record import GameStarted
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from recorder.service import shares
from recorder.service.plan import RecorderPlan
from recorder.service.recorder import Recorder
from recorder.table.game_recorder import TablePlan
from recorder.wire.control import decode_ack, encode
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from recorder.wire.orders import encode_order
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.eventually import eventually
from tests.fuzz.judging import Target, Traces
from tests.recorder.session_table import VENUE, plan
from tests.recorder.wire.test_wire_orders import ORDERS
from tests.recorder.wire.wire_samples import CONTROLS, OBSERVATIONS

BOOT, HONEST_BOOT = "0badc0de", "00c0ffee"
_HONEST_EVERY = 200
_PATIENCE_S = 120
_SPEAKERS = {
    "clock": "scorer-box",
    "cam": "board-camera",
    "racks": "rack-counter",
    "letters": "rack-camera",
    "slip": "slip-camera",
    "scale": "bag-scale",
}
_SPEAKER_OF = {"board": "cam", "bag": "scale", "slip": "slip", "table": "clock", "time": "cam"}
_SEQ = re.compile(rb'"seq":\s*421\b')
_ORDER = re.compile(rb'"id":\s*"o-\d+"')
_TOPIC = re.compile(rb"[^\x00-\x1f+#\x7f-\xff]{1,200}")


@contextmanager
def recording(folder: Path) -> Iterator[list[Target]]:
    """The target: whatever is sent to table 1, what table 2 presses is recorded and confirmed."""
    with ExitStack() as open_:
        traces = open_.enter_context(Traces())
        # A flood would be held back, and this one is to be read.
        open_.enter_context(patch.object(shares, "MOST_AT_ONCE", 10**9))
        url = open_.enter_context(start_broker("mosquitto", workdir=folder)).url
        store = open_.enter_context(SqliteEventLog(folder / "log.db"))
        bus = MqttBus(url, "recorder-r1")
        recorder = Recorder(_two_tables(folder), bus, store, wall_ms)
        recorder.start()
        open_.callback(recorder.stop)
        sender = open_.enter_context(MqttBus(url, "stranger"))
        clock = open_.enter_context(MqttBus(url, "honest"))
        honest = Honest(clock)
        # Whoever presses before the recorder listens is never heard.
        eventually(lambda: all(line.is_connected for line in (bus, sender, clock)))
        sent = Sent(sender, honest, traces)
        yield [Target("messages", _samples(), sent.take, most_mb=400)]


def _two_tables(folder: Path) -> RecorderPlan:
    (table,) = plan(folder / "live.gcg").tables
    game = table.started
    return RecorderPlan(
        venue=VENUE,
        recorder="r1",
        consoles=("console",),
        tables=(
            TablePlan(started=game, devices=_SPEAKERS),
            TablePlan(started=_at_table_two(game), devices={"honest": "mqtt-clock"}),
        ),
    )


def _at_table_two(game: GameStarted) -> GameStarted:
    return replace(game, table=2, game="g2")


def _samples() -> list[bytes]:
    events = [encode_observation(seen) for seen in OBSERVATIONS]
    orders = [encode_order(order) for order in ORDERS]
    said = [(_speaker(kind), kind, data) for kind, data in events]
    said += [("console", kind, {**data, "table": 1}) for kind, data in orders]
    messages = [_event(device, kind, data) for device, kind, data in said]
    controls = [encode(control) for control in CONTROLS]
    channels = (*UpChannel, *UpChannel)
    messages += [
        f"tc/v1/{VENUE}/up/cam/{channel}\n".encode() + payload
        for channel, payload in zip(channels, controls, strict=False)
    ]
    return messages


def _speaker(kind: str) -> str:
    family = kind.partition(".")[0]
    if family == "rack":
        return "letters" if kind == "rack.seen" else "racks"
    return _SPEAKER_OF.get(family, "clock")


def _event(device: str, kind: str, data: Json) -> bytes:
    envelope = Envelope(dev=device, boot=BOOT, seq=421, t_ms=5_000, type=kind, data=data)
    topic = f"tc/v1/{VENUE}/up/{device}/ev\n"
    return topic.encode() + encode_envelope(envelope)


class Sent:
    """Sends input after input; now and then the honest clock has to get its answer."""

    def __init__(self, bus: MqttBus, honest: "Honest", traces: Traces) -> None:
        self._bus, self._honest, self._traces = bus, honest, traces
        self._number = 0

    def take(self, data: bytes) -> None:
        """AssertionError when the recorder did not stand it."""
        self._number += 1
        topic, _, payload = data.partition(b"\n")
        if not _TOPIC.fullmatch(topic) or b"honest" in topic:
            topic = f"tc/v1/{VENUE}/up/cam/ev".encode()
        numbered = _SEQ.sub(b'"seq":%d' % self._number, payload)
        numbered = _ORDER.sub(b'"id":"o-%d"' % self._number, numbered)
        self._bus.publish(topic.decode("ascii"), numbered)
        if self._number % _HONEST_EVERY == 0:
            self._honest.press()
            self._traces.demand_none()


class Honest:
    """A clock that presses, and is confirmed."""

    def __init__(self, bus: MqttBus) -> None:
        self._bus, self._seq, self._confirmed = bus, 0, 0
        ack = str(Down(VENUE, "honest", DownChannel.ACK))
        bus.subscribe(ack, self._hear)

    def press(self) -> None:
        """Press, and wait until the recorder has it."""
        self._seq += 1
        side, other = (Side.LEFT, Side.RIGHT) if self._seq % 2 else (Side.RIGHT, Side.LEFT)
        pressed = ClockPressed(side=side, left_ms=900_000, right_ms=900_000, running=other)
        kind, data = encode_observation(pressed)
        event = Envelope(
            dev="honest",
            boot=HONEST_BOOT,
            seq=self._seq,
            t_ms=self._seq * 9_000,
            type=kind,
            data=data,
        )
        self._bus.publish(str(Up(VENUE, "honest", UpChannel.EVENT)), encode_envelope(event))
        eventually(
            lambda: self._confirmed == self._seq, "the honest press is confirmed", _PATIENCE_S
        )

    def _hear(self, message: Message) -> None:
        message.ack()
        ack = decode_ack(message.payload)
        if ack.boot == HONEST_BOOT:
            self._confirmed = max(self._confirmed, ack.upto)

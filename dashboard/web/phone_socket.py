"""A phone at the table as a device of the wire contract: this is only the line between them.

The phone numbers its events, keeps them until the recorder's own ack and sends them again; what
arrives here is held against the contract and published as it is. Each phone has a connection of
its own, so that the broker can say when it is lost. Knows nothing of clocks or scores.
"""

from collections.abc import Callable, Mapping

from recorder.bus.port import Bus, Message, Will
from recorder.declared.codec import Json
from recorder.declared.json_objects import parse_json
from recorder.domain.errors import DeviceError
from recorder.version import build_version
from recorder.wire.control import (
    DeviceInfo,
    DeviceState,
    Heartbeat,
    Presence,
    Response,
    decode_ack,
    decode_command,
    decode_time_reply,
    encode,
)
from recorder.wire.envelope import decode_envelope
from recorder.wire.observations import decode_observation
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

MakeBus = Callable[[str, Will], Bus]
"""A connection for a device of that name, not started, with its will."""

KINDS: Mapping[str, frozenset[str]] = {
    "clock": frozenset({"clock.press", "clock.change", "time.sync"}),
    "pad": frozenset({"table.announced", "table.acted", "time.sync"}),
    "racks": frozenset({"rack.typed", "time.sync"}),
}
"""The phones there are, and the types of events that each may send; racks are commentators'."""


def mqtt_maker(url: str) -> MakeBus | None:
    """Connections to the broker at ``url``; None without one."""
    if not url:
        return None

    def make(name: str, will: Will) -> Bus:
        from recorder.bus.mqtt import MqttBus  # only where a broker is used

        return MqttBus(url, name, will=will)

    return make


def device_name(kind: str, table: int) -> str:
    """The name under which the recorder's file must list a phone."""
    return f"phone-{kind}-{table}"


class DeviceLine:
    """One phone on the bus while its page is open.

    ``tell`` gets what is for the page; it is called on the bus's own thread. Not safe for several
    callers at a time.
    """

    def __init__(
        self, kind: str, table: int, venue: str, make_bus: MakeBus, tell: Callable[[Json], object]
    ) -> None:
        self._kind = kind
        self._venue = venue
        self._tell = tell
        self._device = device_name(kind, table)
        self._boot = ""
        self._make_bus = make_bus
        self._bus: Bus | None = None

    def open(self, boot: str, model: str) -> None:
        """Connect under the phone's present boot (eight hexadecimal digits)."""
        self._boot = boot
        will = DeviceState(state=Presence.LOST, boot=boot, reason="the dashboard broke off")
        bus = self._bus = self._make_bus(
            self._device, Will(self._topic(UpChannel.STATE), encode(will))
        )
        info = DeviceInfo(kind=f"phone-{self._kind}", model=model[:60], firmware=build_version())

        def connected(is_connected: bool, _reason: str) -> None:  # noqa: FBT001 - the bus's signature
            if is_connected:
                self._say_state(Presence.READY)
                bus.publish(self._topic(UpChannel.INFO), encode(info), retain=True)
            self._tell({"type": "bus", "connected": is_connected})

        for channel in (DownChannel.ACK, DownChannel.COMMAND, DownChannel.TIME):
            bus.subscribe(str(Down(self._venue, self._device, channel)), self._on_message)
        bus.on_connection(connected)
        bus.start()

    def close(self, reason: str) -> None:
        """The page is gone; nothing is lost, for it keeps what was not acknowledged."""
        if self._bus is not None:
            self._say_state(Presence.LOST, reason)
            self._bus.stop()
            self._bus = None

    def heard(self, message: Json) -> None:
        """Something the page says. DeviceError when it is not of the contract."""
        if self._bus is None:
            raise DeviceError("the page has not said which boot it is in")
        match message:
            case {"type": "event", "payload": str() as payload}:
                self._publish(payload.encode())
            case {"type": "beat", "t": int(t), "seq_high": int(seq_high), "outbox": int(outbox)}:
                beat = Heartbeat(boot=self._boot, t_ms=t, seq_high=seq_high, outbox=outbox)
                self._bus.publish(self._topic(UpChannel.HEARTBEAT), encode(beat), qos=0)
            case {"type": "response", "id": str() as command_id, "error": str() as error}:
                answer = Response(id=command_id, ok=not error, error=error)
                self._bus.publish(self._topic(UpChannel.RESPONSE), encode(answer))
            case _:
                raise DeviceError(f"{self._device}: {str(message.get('type'))[:40]!r} is not known")

    def _publish(self, payload: bytes) -> None:
        topic = self._topic(UpChannel.EVENT)
        event = decode_envelope(topic, payload)
        if event.type not in KINDS[self._kind]:
            raise DeviceError(f"{self._device} may not send {event.type}")
        decode_observation(event.type, event.data)
        if self._bus is not None:
            self._bus.publish(topic, payload)

    def _on_message(self, message: Message) -> None:
        channel = message.topic.rsplit("/", 1)[1]
        try:
            match channel:
                case DownChannel.ACK:
                    ack = decode_ack(message.payload)
                    self._tell({"type": "ack", "boot": ack.boot, "upto": ack.upto})
                case DownChannel.COMMAND:
                    command = decode_command(message.payload)
                    self._tell(
                        {"type": "command", "id": command.id, "cmd": command.cmd}
                        | {"args": dict(command.args)}
                    )
                case _:
                    reply = decode_time_reply(message.payload)
                    self._tell(
                        {"type": "time", "t": reply.t_ms}
                        | {"received": reply.received_ms, "sent": reply.sent_ms}
                    )
        except DeviceError:
            pass  # whoever publishes such things to a device is not heard
        message.ack()

    def _say_state(self, presence: Presence, reason: str = "") -> None:
        if self._bus is not None:
            state = DeviceState(state=presence, boot=self._boot, reason=reason)
            self._bus.publish(self._topic(UpChannel.STATE), encode(state), retain=True)

    def _topic(self, channel: UpChannel) -> str:
        return str(Up(self._venue, self._device, channel))


def parse(text: str) -> Json:
    """A message of a page. DeviceError when it is none."""
    try:
        message = parse_json(text)
    except ValueError as err:
        raise DeviceError(f"not JSON: {err}") from err
    if not isinstance(message, dict):
        raise DeviceError("not a JSON object")
    return message

"""Messages around the record: who is there, what is stored, what a device shall do.

Each is a frozen dataclass with ``encode(message) -> bytes`` and a ``decode_...`` beside it. Losing
one of them loses no event: the record rests on the numbered envelopes and the recorder's own ack.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from recorder.domain.errors import DeviceError
from recorder.wire.envelope import BOOT, VERSION, check_version
from recorder.wire.fields import BIGGEST_INTEGER, Fields, Json, dump_object, parse_object
from recorder.wire.topics import MOST_TABLES, NAME

MOST_CONTROL_BYTES = 16 * 1024


class Presence(StrEnum):
    """The state of a device or a recorder; ``lost`` is said by the broker (last will)."""

    INIT = "init"
    READY = "ready"
    SLEEPING = "sleeping"
    ALERT = "alert"
    DISCONNECTED = "disconnected"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceState:
    """Retained at ``up/<device>/state``; the will carries the same boot, so an old one is seen."""

    state: Presence
    boot: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceInfo:
    """Retained at ``up/<device>/info``: what the device is."""

    kind: str
    model: str
    firmware: str
    serial: str = ""
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """At ``up/<device>/hb``, once a second: proof of life and the highest number given out.

    ``seq_high`` lets the recorder notice that even the *last* event is missing; ``outbox`` is how
    many events wait for the recorder's ack.
    """

    boot: str
    t_ms: int
    seq_high: int
    outbox: int
    rssi_dbm: int | None = None
    battery_percent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """At ``down/<device>/ack``: every event of ``boot`` up to ``upto`` is stored for good."""

    boot: str
    upto: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """At ``down/<device>/cmd``, never retained: do something, answer at ``resp`` with the id."""

    id: str
    cmd: str
    args: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """At ``up/<device>/resp``: how a command went."""

    id: str
    ok: bool
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConfig:
    """Retained at ``down/<device>/config``: which table the device serves, and as what."""

    table: int
    role: str
    settings: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReply:
    """At ``down/<device>/time``: the recorder's time for a heartbeat, for clock comparison.

    ``t_ms`` repeats the device time of the heartbeat; ``received_ms`` and ``sent_ms`` are the
    recorder's, milliseconds since 1970.
    """

    t_ms: int
    received_ms: int
    sent_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderState:
    """Retained at ``sys/recorder/<id>/state``, with a will: whether somebody records."""

    state: Presence
    since_ms: int
    head: int = 0
    version: str = ""


Control = (
    DeviceState
    | DeviceInfo
    | Heartbeat
    | Ack
    | Command
    | Response
    | DeviceConfig
    | TimeReply
    | RecorderState
)

_WIRE_NAMES: Mapping[str, str] = {"t_ms": "t"}


def encode(message: Control) -> bytes:
    """The payload of a control message; optional numbers that are None are left out."""
    values: Json = {"v": VERSION}
    for name in message.__dataclass_fields__:
        value = getattr(message, name)
        if value is not None:
            values[_WIRE_NAMES.get(name, name)] = value
    payload = dump_object(values)
    if len(payload) > MOST_CONTROL_BYTES:
        kind = type(message).__name__
        raise DeviceError(f"{kind}: {len(payload)} bytes, at most {MOST_CONTROL_BYTES} fit")
    return payload


def decode_device_state(payload: bytes) -> DeviceState:
    """Raises DeviceError naming the field at fault; so do all readers below."""
    fields = _open(payload, "device state")
    return DeviceState(
        state=fields.choice("state", Presence),
        boot=fields.matching("boot", BOOT),
        reason=fields.text("reason") if fields.has("reason") else "",
    )


def decode_device_info(payload: bytes) -> DeviceInfo:
    """What a device is."""
    fields = _open(payload, "device info")
    return DeviceInfo(
        kind=fields.matching("kind", NAME),
        model=fields.text("model"),
        firmware=fields.text("firmware"),
        serial=fields.text("serial") if fields.has("serial") else "",
        capabilities=fields.texts("capabilities") if fields.has("capabilities") else (),
    )


def decode_heartbeat(payload: bytes) -> Heartbeat:
    """A sign of life."""
    fields = _open(payload, "heartbeat")
    battery = fields.integer("battery_percent", 0, 100) if fields.has("battery_percent") else None
    return Heartbeat(
        boot=fields.matching("boot", BOOT),
        t_ms=fields.integer("t"),
        seq_high=fields.integer("seq_high"),
        outbox=fields.integer("outbox"),
        rssi_dbm=fields.integer("rssi_dbm", -200, 100) if fields.has("rssi_dbm") else None,
        battery_percent=battery,
    )


def decode_ack(payload: bytes) -> Ack:
    """What the recorder has stored."""
    fields = _open(payload, "ack")
    return Ack(boot=fields.matching("boot", BOOT), upto=fields.integer("upto"))


def decode_command(payload: bytes) -> Command:
    """What a device shall do."""
    fields = _open(payload, "command")
    return Command(
        id=fields.text("id", least=1, most=64),
        cmd=fields.matching("cmd", NAME),
        args=fields.object("args") if fields.has("args") else {},
    )


def decode_response(payload: bytes) -> Response:
    """How a command went."""
    fields = _open(payload, "response")
    return Response(
        id=fields.text("id", least=1, most=64),
        ok=fields.flag("ok"),
        error=fields.text("error") if fields.has("error") else "",
    )


def decode_device_config(payload: bytes) -> DeviceConfig:
    """Which table a device serves."""
    fields = _open(payload, "device config")
    return DeviceConfig(
        table=fields.integer("table", 1, MOST_TABLES),
        role=fields.matching("role", NAME),
        settings=fields.object("settings") if fields.has("settings") else {},
    )


def decode_time_reply(payload: bytes) -> TimeReply:
    """The recorder's time."""
    fields = _open(payload, "time reply")
    return TimeReply(
        t_ms=fields.integer("t", 0, BIGGEST_INTEGER),
        received_ms=fields.integer("received_ms"),
        sent_ms=fields.integer("sent_ms"),
    )


def decode_recorder_state(payload: bytes) -> RecorderState:
    """Whether somebody records."""
    fields = _open(payload, "recorder state")
    return RecorderState(
        state=fields.choice("state", Presence),
        since_ms=fields.integer("since_ms"),
        head=fields.integer("head") if fields.has("head") else 0,
        version=fields.text("version") if fields.has("version") else "",
    )


def _open(payload: bytes, where: str) -> Fields:
    fields = Fields(parse_object(payload, where, most_bytes=MOST_CONTROL_BYTES), where)
    check_version(fields)
    return fields

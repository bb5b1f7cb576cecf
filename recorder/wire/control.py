"""Messages around the record: who is there, what is stored, what a device shall do.

Each is a frozen dataclass; ``encode`` leads to its bytes, ``decode_control`` back. Losing one of
them loses no event: the record rests on the numbered envelopes and the recorder's own ack.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, TypeVar

from recorder.declared.codec import Codec, Json
from recorder.declared.json_objects import dump_object, parse_object
from recorder.domain.errors import DeviceError
from recorder.domain.limits import (
    MOST_CONTROL_BYTES,
    DeviceMs,
    Long,
    Name,
    TableNumber,
    Within,
)
from recorder.domain.notices import CodedText
from recorder.wire.coded_text import coded_or_words
from recorder.wire.envelope import VERSION, Boot, check_version

CommandId = Annotated[str, Long(1, 64)]


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
    boot: Boot
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceInfo:
    """Retained at ``up/<device>/info``: what the device is.

    ``symbols`` are those of a camera: the order of a board camera's costs, the letters that a rack
    or slip camera can read. Empty stands for ``recorder.domain.observations.SYMBOLS``.
    """

    kind: Name
    model: str
    firmware: str
    serial: str = ""
    capabilities: tuple[str, ...] = ()
    symbols: Annotated[str, Long(0, 400)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """At ``up/<device>/hb``, once a second: proof of life and the highest number given out.

    ``seq_high`` lets the recorder notice that even the *last* event is missing; ``outbox`` is how
    many events wait for the recorder's ack.
    """

    boot: Boot
    t_ms: DeviceMs
    seq_high: int
    outbox: int
    rssi_dbm: Annotated[int, Within(-200, 100)] | None = None
    battery_percent: Annotated[int, Within(0, 100)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """At ``down/<device>/ack``: every event of ``boot`` up to ``upto`` is stored for good."""

    boot: Boot
    upto: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """At ``down/<device>/cmd``, never retained: do something, answer at ``resp`` with the id."""

    id: CommandId
    cmd: Name
    args: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """At ``up/<device>/resp``: how a command went."""

    id: CommandId
    ok: bool
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConfig:
    """Retained at ``down/<device>/config``: which table the device serves, and as what."""

    table: TableNumber
    role: Name
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


MOST_FAULT = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderState:
    """Retained at ``sys/recorder/<id>/state``, with a will: whether somebody records.

    ``head`` is the newest row noted, ``head_code`` what proves it (``recorder.log.anchors``).
    ``devices`` are those that are expected, each as ``"1 board-camera cam-1"``: table, role, name;
    none where they would not fit. ``start`` is another with each start of a recorder. ``fault`` is
    what keeps devices from being recorded now, the cause before its first colon without places or
    names, empty where nothing does; ``warning`` what a director must know of the log.
    """

    state: Presence
    since_ms: int
    start: str = ""
    head: int = 0
    head_code: str = ""
    version: str = ""
    devices: tuple[Annotated[str, Long(1, 120)], ...] = ()
    fault: Annotated[str, Long(0, MOST_FAULT)] = ""
    warning: CodedText | None = None


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
_Control = TypeVar("_Control", bound=Control)

CONTROLS: Mapping[type[Any], Codec[Any]] = {
    DeviceState: Codec(DeviceState, "device state"),
    DeviceInfo: Codec(DeviceInfo, "device info"),
    Heartbeat: Codec(
        Heartbeat,
        "heartbeat",
        renamed={"t_ms": "t"},
        spared=["rssi_dbm", "battery_percent"],
    ),
    Ack: Codec(Ack, "ack"),
    Command: Codec(Command, "command"),
    Response: Codec(Response, "response"),
    DeviceConfig: Codec(DeviceConfig, "device config"),
    TimeReply: Codec(TimeReply, "time reply", renamed={"t_ms": "t"}),
    RecorderState: Codec(
        RecorderState, "recorder state", spared=["warning"], types={CodedText: coded_or_words()}
    ),
}
"""Every message around the record and how it is read and written."""


def encode(message: Control) -> bytes:
    """The payload of a control message; optional numbers that are None are left out."""
    payload = dump_object({"v": VERSION, **CONTROLS[type(message)].write(message)})
    if len(payload) > MOST_CONTROL_BYTES:
        kind = type(message).__name__
        raise DeviceError(f"{kind}: {len(payload)} bytes, at most {MOST_CONTROL_BYTES} fit")
    return payload


def decode_control(kind: type[_Control], payload: bytes) -> _Control:
    """The message of that kind. Raises DeviceError naming the field at fault."""
    codec: Codec[_Control] = CONTROLS[kind]
    data = parse_object(payload, codec.where, most_bytes=MOST_CONTROL_BYTES)
    check_version(data, codec.where)
    return codec.read(data)


decode_device_state = partial(decode_control, DeviceState)
decode_device_info = partial(decode_control, DeviceInfo)
decode_heartbeat = partial(decode_control, Heartbeat)
decode_ack = partial(decode_control, Ack)
decode_command = partial(decode_control, Command)
decode_response = partial(decode_control, Response)
decode_time_reply = partial(decode_control, TimeReply)
decode_recorder_state = partial(decode_control, RecorderState)

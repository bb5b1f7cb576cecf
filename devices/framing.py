"""TCC1, the line protocol between a table clock and the agent: bytes <-> frames, no I/O.

One line is ``$TCC1,<dev>,<boot>,<seq>,<t_ms>,<KIND>,<args>*<CRC16>`` and CR LF, at most 120
bytes of ASCII. ``docs/devices.md`` describes it for builders. This module must not know where
the bytes come from, what a press means for the game, or what time it is.

``$`` and ``*`` never stand inside a line's text, so any ``$`` starts a line afresh: that is how
the reader finds its feet again after noise.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar, Self

from recorder.domain.errors import DeviceError
from recorder.domain.observations import ClockAct, Side

LINE_LIMIT = 120
"""Longest line in bytes, its CR LF included."""

_ENDING = b"\r\n"
_DEV = re.compile(r"[A-Za-z0-9-]{1,32}")
_BOOT = re.compile(r"[0-9A-Fa-f]{1,8}")
_NATURAL = re.compile(r"0|[1-9][0-9]{0,11}")
_SIGNED = re.compile(r"0|-?[1-9][0-9]{0,8}")
_TEXT = re.compile(r"[A-Za-z0-9 ._/-]{1,20}")


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE (polynomial 1021, start FFFF, not reflected).

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        crc &= 0xFFFF
    return crc


def _matching(pattern: re.Pattern[str], what: str, text: str) -> str:
    if pattern.fullmatch(text) is None:
        raise DeviceError(f"{what} {text!r} is not of the form {pattern.pattern}")
    return text


def _natural(what: str, text: str) -> int:
    return int(_matching(_NATURAL, what, text))


def _signed(what: str, text: str) -> int:
    return int(_matching(_SIGNED, what, text))


def _side(text: str) -> Side:
    if text not in ("L", "R", "N"):
        raise DeviceError(f"side {text!r} is none of L, R, N")
    return Side(text)


def _take(what: str, args: list[str], count: int) -> list[str]:
    if len(args) != count:
        raise DeviceError(f"{what} takes {count} arguments, got {len(args)}: {','.join(args)}")
    return args


class _Arguments:
    """What comes after the kind: the fields of the dataclass in their order."""

    __slots__ = ()

    def args(self) -> tuple[object, ...]:
        """The arguments in line order, each spelled by ``str``."""
        return tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(_Arguments):
    """Device: a player pressed a half. Times in ms after the press, negative = overtime."""

    KIND: ClassVar = "EV"
    side: Side
    left_ms: int
    right_ms: int
    running: Side

    def args(self) -> tuple[object, ...]:
        """The fields in line order, after the kind."""
        return ("PRESS", self.side, self.left_ms, self.right_ms, self.running)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(_Arguments):
    """Device: pause, resume, reset, flag or adjustment; both times as they stand after it."""

    KIND: ClassVar = "EV"
    act: ClockAct
    left_ms: int
    right_ms: int
    running: Side

    def args(self) -> tuple[object, ...]:
        """The fields in line order, after the kind."""
        return (self.act.upper(), self.left_ms, self.right_ms, self.running)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat(_Arguments):
    """Device, once a second: times, the newest event number, events not yet acknowledged."""

    KIND: ClassVar = "HB"
    left_ms: int
    right_ms: int
    running: Side
    seq_high: int
    outbox: int
    battery_percent: int

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        left, right, running, seq_high, outbox, battery = _take("HB", args, 6)
        return cls(
            left_ms=_signed("left_ms", left),
            right_ms=_signed("right_ms", right),
            running=_side(running),
            seq_high=_natural("seq_high", seq_high),
            outbox=_natural("outbox", outbox),
            battery_percent=_natural("battery", battery),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello(_Arguments):
    """Device, at its start and again until it hears from the host: who it is."""

    KIND: ClassVar = "HELLO"
    firmware: str
    model: str

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        firmware, model = _take("HELLO", args, 2)
        return cls(
            firmware=_matching(_TEXT, "firmware", firmware), model=_matching(_TEXT, "model", model)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReply(_Arguments):
    """Device: when it received the SYNC of this id and when it sent this, in its own ms."""

    KIND: ClassVar = "SYNCR"
    id: int
    received_ms: int
    sent_ms: int

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        sync_id, received, sent = _take("SYNCR", args, 3)
        return cls(
            id=_natural("id", sync_id),
            received_ms=_natural("t_rx", received),
            sent_ms=_natural("t_tx", sent),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack(_Arguments):
    """Host: every event of that boot up to and including ``upto`` is safe; forget them."""

    KIND: ClassVar = "ACK"
    boot: str
    upto: int

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        boot, upto = _take("ACK", args, 2)
        return cls(boot=_matching(_BOOT, "boot", boot), upto=_natural("upto", upto))


@dataclass(frozen=True, slots=True, kw_only=True)
class Resend(_Arguments):
    """Host: send the events ``first``..``last`` (both included) once more."""

    KIND: ClassVar = "RESEND"
    first: int
    last: int

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        first, last = _take("RESEND", args, 2)
        return cls(first=_natural("from", first), last=_natural("to", last))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTimes(_Arguments):
    """Host: set both times, in ms; answered by an ADJUST event."""

    KIND: ClassVar = "SET"
    left_ms: int
    right_ms: int

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        left, right = _take("SET", args, 2)
        return cls(left_ms=_signed("left_ms", left), right_ms=_signed("right_ms", right))


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(_Arguments):
    """Host: let this half run (N stops both); answered by a RESUME or PAUSE event."""

    KIND: ClassVar = "RUN"
    side: Side

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        (side,) = _take("RUN", args, 1)
        return cls(side=_side(side))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync(_Arguments):
    """Host: ask for a SYNCR with this id, to compare the two clocks."""

    KIND: ClassVar = "SYNC"
    id: int

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        (sync_id,) = _take("SYNC", args, 1)
        return cls(id=_natural("id", sync_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Beep(_Arguments):
    """Host: sound the buzzer for so many ms."""

    KIND: ClassVar = "BEEP"
    duration_ms: int

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        (duration,) = _take("BEEP", args, 1)
        return cls(duration_ms=_natural("ms", duration))


Event = Press | Change
Body = Event | Heartbeat | Hello | SyncReply | Ack | Resend | SetTimes | Run | Sync | Beep


def _parse_event(args: list[str]) -> Event:
    name = args[0] if args else ""
    if name == "PRESS":
        _, side, left, right, running = _take("EV,PRESS", args, 5)
        pressed = _side(side)
        if pressed is Side.NONE:
            raise DeviceError("a press is of L or R, not N")
        return Press(
            side=pressed,
            left_ms=_signed("left_ms", left),
            right_ms=_signed("right_ms", right),
            running=_side(running),
        )
    if name.lower() not in list(ClockAct) or not name.isupper():
        raise DeviceError(f"event {name!r} is none of PRESS, PAUSE, RESUME, RESET, FLAG, ADJUST")
    _, left, right, running = _take(f"EV,{name}", args, 4)
    return Change(
        act=ClockAct(name.lower()),
        left_ms=_signed("left_ms", left),
        right_ms=_signed("right_ms", right),
        running=_side(running),
    )


def _parser(kind: str) -> Callable[[list[str]], Body]:
    if kind == "EV":
        return _parse_event
    for body in (Heartbeat, Hello, SyncReply, Ack, Resend, SetTimes, Run, Sync, Beep):
        if kind == body.KIND:
            return body.parse
    raise DeviceError(f"unknown kind {kind!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One line. ``dev`` is the clock's name in both directions, ``boot`` the sender's own.

    ``seq`` counts the clock's EV lines from 1 in each boot and is 0 on every other line;
    ``t_ms`` are the sender's milliseconds since its start.
    """

    dev: str
    boot: str
    seq: int
    t_ms: int
    body: Body

    def to_bytes(self) -> bytes:
        """The line with its checksum and CR LF. What the fields may hold is not checked."""
        head = ("TCC1", self.dev, self.boot, self.seq, self.t_ms, self.body.KIND)
        text = ",".join(map(str, (*head, *self.body.args()))).encode("ascii")
        return b"$%s*%04X\r\n" % (text, crc16(text))

    @classmethod
    def from_bytes(cls, line: bytes) -> Self:
        """Read one line, with or without its line ending; DeviceError says what is wrong."""
        if len(line) > LINE_LIMIT:
            raise DeviceError(f"line of {len(line)} bytes, {LINE_LIMIT} are allowed")
        whole = re.fullmatch(rb"\$([ -)+-~]*)\*([0-9A-Fa-f]{4})(?:\r?\n)?", line)
        if whole is None:
            raise DeviceError("not a whole line $...*CRC16")
        text, crc = whole.groups()
        if int(crc, 16) != crc16(text):
            raise DeviceError(f"checksum {crc.decode()} does not fit, {crc16(text):04X} would")
        protocol, *rest = text.decode("ascii").split(",")
        if protocol != "TCC1":
            raise DeviceError(f"protocol {protocol!r} is not TCC1")
        if len(rest) < 5:
            raise DeviceError("a line needs dev, boot, seq, t_ms and a kind")
        dev, boot, seq, t_ms, kind, *args = rest
        frame = cls(
            dev=_matching(_DEV, "dev", dev),
            boot=_matching(_BOOT, "boot", boot),
            seq=_natural("seq", seq),
            t_ms=_natural("t_ms", t_ms),
            body=_parser(kind)(args),
        )
        if (kind == "EV") != (frame.seq > 0):
            raise DeviceError(
                f"seq {frame.seq} on a {kind} line: events count from 1, others say 0"
            )
        return frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Bytes that were not a line: what they were (at most 120 of them) and why."""

    raw: bytes
    reason: str


class LineReader:
    """Bytes in any portions -> frames and damage, in order. Holds at most one line's bytes."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Frame | Damage]:
        """Everything that ``data`` completes. Never raises for what the line says."""
        found: list[Frame | Damage] = []
        for byte in data:
            if byte == ord("$") and self._held:
                self._give_up(found, "cut off by the start of another line")
            self._held.append(byte)
            if byte == ord("\n"):
                self._finish(found)
            elif len(self._held) >= LINE_LIMIT:
                self._give_up(found, f"no line end within {LINE_LIMIT} bytes")
        return found

    def _finish(self, found: list[Frame | Damage]) -> None:
        line = bytes(self._held)
        self._held.clear()
        if not line.strip():
            return
        try:
            found.append(Frame.from_bytes(line))
        except DeviceError as err:
            found.append(Damage(raw=line, reason=str(err)))

    def _give_up(self, found: list[Frame | Damage], reason: str) -> None:
        if self._held.strip():
            found.append(Damage(raw=bytes(self._held), reason=reason))
        self._held.clear()

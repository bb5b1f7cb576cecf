"""What TCC1 lines say: one frozen dataclass for each kind of line, and how its arguments are read.

``docs/tcc1.md`` describes every line for builders; clocks, scales and rack counters share the
protocol. This module must not know checksums, bytes or what a press means for the game.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar, Self

from recorder.domain.errors import DeviceError
from recorder.domain.observations import ClockAct, Say, Side, TurnAct
from recorder.domain.tiles import Face, fault_of_face

BOOT = re.compile(r"[0-9A-Fa-f]{1,8}")
_NATURAL = re.compile(r"0|[1-9][0-9]{0,11}")
_SIGNED = re.compile(r"0|-?[1-9][0-9]{0,8}")
MOST_PLACES = 10
"""Of a rack: seven, one for an overdraw, and two more where a rack is longer."""
_LETTER, _NO_LETTER = re.compile(r"([A-Z]|u[0-9A-F]{4}){1,3}"), re.compile(r"-")
_OUTSIDE, _NUMBERED = re.compile(r"[^A-Z]"), re.compile(r"u([0-9A-F]{4})")
"""A line is ASCII, so other letters travel as their Unicode number: Ñ is ``u00D1``."""
_SPELT = {"Ä": "AE", "Ö": "OE", "Ü": "UE"}
_TEXT = re.compile(r"[A-Za-z0-9 ._/-]{1,20}")


def matching(pattern: re.Pattern[str], what: str, text: str) -> str:
    """The text, if it is of that form; else DeviceError names it as ``what``."""
    if pattern.fullmatch(text) is None:
        raise DeviceError(f"{what} {text!r} is not of the form {pattern.pattern}")
    return text


def natural(what: str, text: str) -> int:
    """A decimal number from 0 on, without leading zeros; else DeviceError."""
    return int(matching(_NATURAL, what, text))


def _signed(what: str, text: str) -> int:
    return int(matching(_SIGNED, what, text))


def _text(what: str, text: str) -> str:
    return matching(_TEXT, what, text)


def _boot(what: str, text: str) -> str:
    return matching(BOOT, what, text)


def _side(what: str, text: str) -> Side:
    if text not in ("L", "R", "N"):
        raise DeviceError(f"{what} {text!r} is none of L, R, N")
    return Side(text)


def _half(what: str, text: str) -> Side:
    side = _side("side", text)
    if side is Side.NONE:
        raise DeviceError(f"{what} is of L or R, not N")
    return side


def _take(what: str, args: list[str], count: int) -> list[str]:
    if len(args) != count:
        raise DeviceError(f"{what} takes {count} arguments, got {len(args)}: {','.join(args)}")
    return args


class _Arguments:
    """What comes after the kind: the fields of the dataclass in their order.

    ``READ`` has for each what it is called in errors, and what reads it.
    """

    __slots__ = ()
    KIND: ClassVar[str]
    READ: ClassVar[tuple[tuple[str, Callable[[str, str], object]], ...]] = ()

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        texts = _take(cls.KIND, args, len(cls.READ))
        values = [read(what, text) for (what, read), text in zip(cls.READ, texts, strict=True)]
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        return cls(**dict(zip(names, values, strict=True)))

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
    """Device: pause, resume, reset, flag or adjustment; both times as they are after it."""

    KIND: ClassVar = "EV"
    act: ClockAct
    left_ms: int
    right_ms: int
    running: Side

    def args(self) -> tuple[object, ...]:
        """The fields in line order, after the kind."""
        return (self.act.upper(), self.left_ms, self.right_ms, self.running)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(_Arguments):
    """Device: a button for what was said: exchange (tiles), pass (0), bonus (points)."""

    KIND: ClassVar = "EV"
    side: Side
    say: Say
    count: int

    def args(self) -> tuple[object, ...]:
        """The fields in line order, after the kind."""
        return ("SAY", self.side, self.say.upper(), self.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Did(_Arguments):
    """Device: a button for hold, accept, challenge, a score announced, a blank's letter."""

    KIND: ClassVar = "EV"
    side: Side
    act: TurnAct
    count: int = 0
    letter: str = ""

    def args(self) -> tuple[object, ...]:
        """The fields in line order, after the kind; a line is ASCII."""
        letter = _spelt(self.letter) or "-"
        return ("ACT", self.side, self.act.upper(), self.count, letter)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat(_Arguments):
    """Device, once a second: times, the newest event number, events not yet acknowledged."""

    KIND: ClassVar = "HB"
    READ: ClassVar = (
        ("left_ms", _signed),
        ("right_ms", _signed),
        ("side", _side),
        ("seq_high", natural),
        ("outbox", natural),
        ("battery", natural),
    )
    left_ms: int
    right_ms: int
    running: Side
    seq_high: int
    outbox: int
    battery_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello(_Arguments):
    """Device, at its start and again until it hears from the host: who it is."""

    KIND: ClassVar = "HELLO"
    READ: ClassVar = (("firmware", _text), ("model", _text))
    firmware: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReply(_Arguments):
    """Device: when it received the SYNC of this id and when it sent this, in its own ms."""

    KIND: ClassVar = "SYNCR"
    READ: ClassVar = (("id", natural), ("t_rx", natural), ("t_tx", natural))
    id: int
    received_ms: int
    sent_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack(_Arguments):
    """Host: every event of that boot up to and including ``upto`` is safe; forget them."""

    KIND: ClassVar = "ACK"
    READ: ClassVar = (("boot", _boot), ("upto", natural))
    boot: str
    upto: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Resend(_Arguments):
    """Host: send the events ``first``..``last`` (both included) once more."""

    KIND: ClassVar = "RESEND"
    READ: ClassVar = (("from", natural), ("to", natural))
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTimes(_Arguments):
    """Host: set both times, in ms; answered by an ADJUST event."""

    KIND: ClassVar = "SET"
    READ: ClassVar = (("left_ms", _signed), ("right_ms", _signed))
    left_ms: int
    right_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(_Arguments):
    """Host: let this half run (N stops both); answered by a RESUME or PAUSE event."""

    KIND: ClassVar = "RUN"
    READ: ClassVar = (("side", _side),)
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync(_Arguments):
    """Host: ask for a SYNCR with this id, to compare the two clocks."""

    KIND: ClassVar = "SYNC"
    READ: ClassVar = (("id", natural),)
    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Beep(_Arguments):
    """Host: sound the buzzer for so many ms."""

    KIND: ClassVar = "BEEP"
    READ: ClassVar = (("ms", natural),)
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Load(_Arguments):
    """Scale, ten times a second: what its load cell reads, in counts of its converter."""

    KIND: ClassVar = "LOAD"
    READ: ClassVar = (("counts", _signed),)
    counts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Places(_Arguments):
    """Rack counter, five times a second: what the sensor below each place reads, 0 to 100.

    From left to right; 100 is a tile for sure, 0 none.
    """

    KIND: ClassVar = "RACK"
    levels: tuple[int, ...]

    def args(self) -> tuple[object, ...]:
        """The levels in line order."""
        return self.levels

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        if not 1 <= len(args) <= MOST_PLACES:
            raise DeviceError(f"RACK takes 1 to {MOST_PLACES} levels, got {len(args)}")
        levels = tuple(natural(f"level {place}", text) for place, text in enumerate(args, 1))
        if max(levels) > 100:
            raise DeviceError(f"RACK: level {max(levels)} is above 100")
        return cls(levels=levels)


Event = Press | Change | Said | Did
Body = (
    Event
    | Heartbeat
    | Hello
    | SyncReply
    | Ack
    | Resend
    | SetTimes
    | Run
    | Sync
    | Beep
    | Load
    | Places
)


_SENSORS = (Load, Places)


def _parse_event(args: list[str]) -> Event:
    name = args[0] if args else ""
    if name == "PRESS":
        _, side, left, right, running = _take("EV,PRESS", args, 5)
        return Press(
            side=_half("a press", side),
            left_ms=_signed("left_ms", left),
            right_ms=_signed("right_ms", right),
            running=_side("side", running),
        )
    if name == "SAY":
        _, side, say, count = _take("EV,SAY", args, 4)
        return _said(side, say, count)
    if name == "ACT":
        _, side, act, count, letter = _take("EV,ACT", args, 5)
        return _did(side, act, count, letter)
    if name.lower() not in list(ClockAct) or not name.isupper():
        known = "PRESS, PAUSE, RESUME, RESET, FLAG, ADJUST, SAY, ACT"
        raise DeviceError(f"event {name!r} is none of {known}")
    _, left, right, running = _take(f"EV,{name}", args, 4)
    return Change(
        act=ClockAct(name.lower()),
        left_ms=_signed("left_ms", left),
        right_ms=_signed("right_ms", right),
        running=_side("side", running),
    )


def _said(side: str, say: str, count: str) -> Said:
    if say.lower() not in list(Say) or not say.isupper():
        raise DeviceError(f"say {say!r} is none of EXCHANGE, PASS, BONUS")
    what, number = Say(say.lower()), natural("count", count)
    if number not in what.counts:
        least, most = what.counts[0], what.counts[-1]
        raise DeviceError(f"{say} goes with a count of {least} to {most}, not {number}")
    return Said(side=_half("what is said", side), say=what, count=number)


def _did(side: str, act: str, count: str, letter: str) -> Did:
    if act.lower() not in list(TurnAct) or not act.isupper():
        raise DeviceError(f"act {act!r} is none of HOLD, ACCEPT, CHALLENGE, SCORE, BLANK")
    what, number = TurnAct(act.lower()), natural("count", count)
    if number not in what.counts:
        least, most = what.counts[0], what.counts[-1]
        raise DeviceError(f"{act} goes with a count of {least} to {most}, not {number}")
    form = _LETTER if what is TurnAct.BLANK else _NO_LETTER
    spelt = matching(form, "letter", letter)
    plain = {word: umlaut for umlaut, word in _SPELT.items()}.get(spelt, spelt).removeprefix("-")
    plain = _NUMBERED.sub(lambda found: chr(int(found[1], 16)), plain)
    if plain and fault_of_face(Face(plain, 0, 1)):
        raise DeviceError(f"letter {letter!r} is none: {fault_of_face(Face(plain, 0, 1))}")
    return Did(side=_half("what is done", side), act=what, count=number, letter=plain)


def _spelt(letter: str) -> str:
    numbered = _OUTSIDE.sub(lambda sign: f"u{ord(sign[0]):04X}", letter)
    return _SPELT.get(letter, numbered)


def parser(kind: str) -> Callable[[list[str]], Body]:
    """What reads the arguments of a kind of line. DeviceError for a kind that does not exist."""
    if kind == "EV":
        return _parse_event
    for body in (Heartbeat, Hello, SyncReply, Ack, Resend, SetTimes, Run, Sync, Beep, *_SENSORS):
        if kind == body.KIND:
            return body.parse
    raise DeviceError(f"unknown kind {kind!r}")

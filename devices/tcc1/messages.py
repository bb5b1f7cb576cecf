"""What TCC1 lines say: one frozen dataclass for each kind of line, and how its arguments are read.

``docs/tcc1.md`` describes every line for builders; clocks, scales and rack counters share the
protocol. This module must not know checksums, bytes or what a press means for the game.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import ClassVar, Self, TypedDict, TypeVar

from recorder.domain.errors import DeviceError
from recorder.domain.observations import (
    Acted,
    Announced,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Say,
    Side,
    TurnAct,
)
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import EMPTY, Face, fault_of_face

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


_text = partial(matching, _TEXT)
_boot = partial(matching, BOOT)


def _side(what: str, text: str) -> Side:
    if text not in ("L", "R", "N"):
        raise DeviceError(f"{what} {text!r} is not L, R or N")
    return Side(text)


def _half(what: str, text: str) -> Side:
    side = _side("side", text)
    if side is Side.NONE:
        raise DeviceError(f"{what} must be L or R, not N")
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

    @classmethod
    def parse(cls, args: list[str]) -> Self:
        """Read the arguments; DeviceError names the one at fault."""
        if not 1 <= len(args) <= MOST_PLACES:
            raise DeviceError(f"RACK takes 1 to {MOST_PLACES} levels, got {len(args)}")
        levels = tuple(natural(f"level {place}", text) for place, text in enumerate(args, 1))
        if max(levels) > 100:
            raise DeviceError(f"RACK: level {max(levels)} is above 100")
        return cls(levels=levels)


Event = ClockPressed | ClockChanged | Announced | Acted
"""What an EV line says, in the recorder's own words."""
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


def written(body: Body) -> tuple[object, ...]:
    """What a line says, from its kind on; each part is spelled by ``str``, and a line is ASCII."""
    match body:
        case ClockPressed():
            return ("EV", "PRESS", body.side, *_written_times(body))
        case ClockChanged():
            return ("EV", body.act.upper(), *_written_times(body))
        case Announced():
            return ("EV", "SAY", body.side, body.say.upper(), body.count)
        case Acted():
            letter = _spelt(body.letter.label) or "-"
            return ("EV", "ACT", body.side, body.act.upper(), body.count, letter)
        case Places():
            return (body.KIND, *body.levels)
        case _:
            return (body.KIND, *(getattr(body, field.name) for field in fields(body)))


def _written_times(event: ClockPressed | ClockChanged) -> tuple[object, ...]:
    return event.left_ms, event.right_ms, event.running


def _parse_event(args: list[str]) -> Event:
    name = args[0] if args else ""
    if name == "PRESS":
        _, side, *times = _take("EV,PRESS", args, 5)
        return ClockPressed(side=_half("a press", side), **_times(times))
    if name == "SAY":
        _, side, say, count = _take("EV,SAY", args, 4)
        what = _one_of(Say, "say", say)
        number = _counted(say, what.counts, count)
        return Announced(side=_half("what is said", side), say=what, count=number)
    if name == "ACT":
        _, side, act, count, letter = _take("EV,ACT", args, 5)
        return _acted(side, act, count, letter)
    if name.lower() not in list(ClockAct) or not name.isupper():
        known = "PRESS, PAUSE, RESUME, RESET, FLAG, ADJUST, SAY, ACT"
        raise DeviceError(f"event {name!r} is not one of {known}")
    _, *times = _take(f"EV,{name}", args, 4)
    return ClockChanged(act=ClockAct(name.lower()), **_times(times))


class _Times(TypedDict):
    left_ms: int
    right_ms: int
    running: Side


def _times(texts: list[str]) -> _Times:
    left, right, running = texts
    return {
        "left_ms": _signed("left_ms", left),
        "right_ms": _signed("right_ms", right),
        "running": _side("side", running),
    }


_Word = TypeVar("_Word", Say, TurnAct)


def _one_of(words: type[_Word], what: str, text: str) -> _Word:
    if text.lower() not in list(words) or not text.isupper():
        known = ", ".join(word.upper() for word in words)
        raise DeviceError(f"{what} {text!r} is not one of {known}")
    return words(text.lower())


def _counted(said: str, counts: range, text: str) -> int:
    number = natural("count", text)
    if number not in counts:
        raise DeviceError(f"{said} goes with a count of {counts[0]} to {counts[-1]}, not {number}")
    return number


def _acted(side: str, act: str, count: str, letter: str) -> Acted:
    what = _one_of(TurnAct, "act", act)
    number = _counted(act, what.counts, count)
    spelt = matching(_LETTER if what is TurnAct.BLANK else _NO_LETTER, "letter", letter)
    plain = {word: umlaut for umlaut, word in _SPELT.items()}.get(spelt, spelt).removeprefix("-")
    plain = _NUMBERED.sub(lambda found: chr(int(found[1], 16)), plain)
    if plain and fault_of_face(Face(plain, 0, 1)):
        raise DeviceError(f"letter {letter!r} is not valid: {fault_of_face(Face(plain, 0, 1))}")
    named = read_tile(plain) if plain else EMPTY
    return Acted(side=_half("what is done", side), act=what, count=number, letter=named)


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

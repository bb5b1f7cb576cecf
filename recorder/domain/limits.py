"""How far a value may go: limits that values state beside their types. Data only.

A message from outside is held against them where it is read (``recorder.declared.codec``); a value
made in the program is trusted. Without a limit a whole number is 0 to 2^53 - 1, a number any finite
one, a text printable and up to 200 characters long. Whole messages have theirs here too: how long,
how deep, how many a second, how many in a game, how much of a type that nobody here knows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

BIGGEST_INTEGER = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""
LONGEST_TEXT = 200
LONGEST_MS = 7 * 24 * 3600 * 1000
"""A week: no game, clock or draw takes longer."""
MOST_SET_MS = 100 * 366 * 24 * 3600 * 1000
"""A machine without a battery believes to be in 1970."""
LATEST_DEVICE_MS = 10**13
"""A device's own time may count from 1970; one that counts microseconds is past this at once."""
MOST_TABLES = 9999
MOST_EVENT_BYTES = 64 * 1024
MOST_CONTROL_BYTES = 16 * 1024
MOST_UNKNOWN_BYTES = 4 * 1024
"""Of an event whose type this program does not know: kept for a later one, but not at length."""
MOST_DEPTH = 32
"""Objects and arrays within each other; what we write ourselves stays below ten."""
MOST_TOPIC = 200
"""Characters of a topic that a log or a row repeats."""
MOST_A_SECOND = 50
"""Messages of one device, after ``MOST_AT_ONCE``: what is more is not taken, and sent again."""
MOST_AT_ONCE = 5_000
"""What a device may send in one go, as one does whose cable is put back after a day."""
MOST_PASSING_A_SECOND, MOST_PASSING_AT_ONCE = 10, 200
"""Of these messages such as are not stored: a device beats once a second for each of its boots."""
MOST_STORED_A_SECOND = 3_500
"""Bytes of one device that are stored for long, each event with ``ROW_BYTES`` more: below 20 MB an
hour on the disk. A camera says some 600 a second while it is played below it, a clock 50."""
MOST_STORED_AT_ONCE = 5_000_000
ROW_BYTES = 500
"""What a row and its entries in the indexes take beside the event itself."""
MOST_OF_TYPE = 5_000
"""Events of one type that one device may bring into a game, and ``OF_TYPE_A_MINUTE`` for as long as
it lasts; what is more is stored and not read.

A long game has 50 turns and some hundred looks; a counter below a rack whose tiles are always being
moved about says the most of all."""
OF_TYPE_A_MINUTE = 30
"""A camera over a table that waits all night for its game says six times a minute what it sees."""
MOST_ORDERS = 1_000
"""Orders that are applied in one game; more are refused."""
NAME_PATTERN = "[a-z0-9-]{1,32}"


@dataclass(frozen=True, slots=True)
class Within:
    """A number from ``low`` to ``high``, both included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Above:
    """A number above ``low``."""

    low: float


@dataclass(frozen=True, slots=True)
class Long:
    """A printable text of ``least`` to ``most`` characters."""

    least: int = 0
    most: int = LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class AnyText:
    """A text of any length and with any characters."""


@dataclass(frozen=True, slots=True)
class Like:
    """A text that fits the pattern from end to end."""

    pattern: str


@dataclass(frozen=True, slots=True)
class AsText:
    """A value written as a text like ``pattern``; ``read`` raises ValueError for a wrong one."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these values only; ``words`` say so in a sentence."""

    values: tuple[object, ...]
    words: str


@dataclass(frozen=True, slots=True)
class AtMost:
    """An array of so many entries, or fewer."""

    count: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a complaint asks for, in words of its own."""

    words: str


DeviceMs = Annotated[int, Within(0, LATEST_DEVICE_MS)]
"""A device's own milliseconds, since it began or since 1970."""
Share = Annotated[float, Within(0, 1)]
"""A probability, or a part of a whole."""
PlayerNumber = Annotated[int, Within(0, 1)]
"""0 moves first."""
Points = Annotated[int, Within(0, 100_000)]
Total = Annotated[int, Within(-100_000, 100_000)]
"""A player's score, which penalties can bring below 0."""
TableNumber = Annotated[int, Within(1, MOST_TABLES)]
SquareNumber = Annotated[int, Within(0, 224)]
"""0 is A1, 1 is B1, 15 is A2."""
LeftMs = Annotated[int, Within(-LONGEST_MS, LONGEST_MS)]
"""Time left on a clock; negative is overtime."""
SetMs = Annotated[int, Within(-MOST_SET_MS, MOST_SET_MS)]
Sha256 = Annotated[str, Like("[0-9a-f]{64}")]
Picture = Annotated[str, Like("([0-9a-f]{64})?")]
"""The SHA-256 of a picture that its device keeps as evidence, or empty."""
RulesName = Annotated[str, Like("[A-Za-z][A-Za-z0-9_-]{0,31}")]
ParameterName = Annotated[str, Like(r"[a-z0-9_]{1,40}(?:\.[a-z0-9_]{1,60}){1,3}")]
"""The name of a parameter of a rule set."""
Name = Annotated[
    str, Like(NAME_PATTERN), Wanted("a name of up to 32 small letters, digits and hyphens")
]
"""Of a device, a recorder or a venue."""
GameName = Annotated[str, Like("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")]
OrderId = Annotated[str, Like("[A-Za-z0-9._:-]{1,64}")]
DirectorName = Annotated[str, Long(1, 80)]
"""Files and folders are named after it: it begins with no dot."""
FreeText = Annotated[str, AnyText()]

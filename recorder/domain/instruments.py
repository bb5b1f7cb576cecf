"""What a bag scale and the camera over the blank slip can say: counts of tiles, named blanks.

A tile that lies turned on the board too, and who reached over it, as its camera says it; and what
of any device never came.

Claims of one device each, like all observations (``recorder.domain.observations``).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from recorder.domain.limits import (
    BIGGEST_INTEGER,
    LONGEST_MS,
    AsText,
    AtMost,
    Name,
    OneOf,
    Picture,
    Share,
    SquareNumber,
    Within,
)
from recorder.domain.tile_text import CAPITAL, NamedLetter, read_capitals, write_tiles
from recorder.domain.tiles import EMPTY, Tiles

Grams = Annotated[float, Within(-10_000, 10_000)]
MOST_TILES = 200


class DeviceRole(StrEnum):
    """What a device is at its table, as a venue's file says it."""

    BOARD_CAMERA = "board-camera"
    RACK_CAMERA = "rack-camera"
    SLIP_CAMERA = "slip-camera"
    SERIAL_CLOCK = "serial-clock"
    DGT_CLOCK = "dgt-clock"
    MQTT_CLOCK = "mqtt-clock"
    CLOCK = "clock"
    PAD = "pad"
    SCORER_BOX = "scorer-box"
    ASSISTANT = "assistant"
    BAG_SCALE = "bag-scale"
    RACK_COUNTER = "rack-counter"


CLOCK_ROLES = frozenset(
    {DeviceRole.SERIAL_CLOCK, DeviceRole.DGT_CLOCK, DeviceRole.MQTT_CLOCK, DeviceRole.CLOCK}
)
"""Those who are informed when a director adjusts a clock."""


@dataclass(frozen=True, slots=True)
class CountEstimate:
    """How many, with its probability, and the other counts that are not out of the question.

    ``alternatives`` are ``(count, probability)``, the likeliest first. Probabilities are those
    of the measuring model alone; that the model is right (right tiles, calibrated) is not in them.
    """

    count: Annotated[int, Within(-MOST_TILES, MOST_TILES)]
    probability: Share
    alternatives: Annotated[
        tuple[tuple[Annotated[int, Within(-MOST_TILES, MOST_TILES)], Share], ...], AtMost(10)
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BagWeighed:
    """The bag lay still on its scale.

    ``grams`` is what is in it (the bag itself taken off), ``spread_g`` between the lowest and the
    highest sample of the time that it was read in; ``settled`` is False when it never came to
    rest and was read all the same. ``taken`` are tiles that went out since the weight before
    (negative: put in), ``tiles`` those in it; None while nothing is known to compare with.
    A weight may ask for a count of tiles; alone it proves no overdraw (rulebook OVERDRAW-3).
    """

    grams: Grams
    spread_g: Annotated[float, Within(0, 10_000)]
    settled: bool
    taken: CountEstimate | None = None
    tiles: CountEstimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BagLifted:
    """The bag left its scale; ``grams`` was in it when it last lay still, None if never."""

    grams: Grams | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BagReturned:
    """The bag is back on its scale after ``away_ms``; its weight follows when it lies still."""

    away_ms: Annotated[int, Within(0, LONGEST_MS)]


class SlipMark(StrEnum):
    """What a slip says of one blank."""

    EMPTY = "empty"
    LETTER = "letter"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipEntry:
    """One row of the slip; ``letter`` only with a LETTER.

    ``marked`` are the letters that have ink, the most first, also when none of them counts.
    """

    mark: SlipMark
    letter: NamedLetter = EMPTY
    confidence: Share
    marked: Annotated[Tiles, AsText(rf"(?:{CAPITAL}){{0,60}}", read_capitals, write_tiles)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipSeen:
    """A slip in sight of its camera: the circled letter of each blank, in the order played.

    ``picture`` is the SHA-256 of the JPEG of the slip that the device keeps, ``challenge`` that of
    its region for challenged words, or empty when nothing is written there. Words are not read.
    """

    entries: Annotated[tuple[SlipEntry, ...], AtMost(8)]
    picture: Picture = ""
    challenge: Picture = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedTile:
    """A square (0 is A1, 1 is B1, 15 is A2) whose letter lies turned against the other letters.

    ``degrees`` are clockwise: 90, 180 or 270.
    """

    square: SquareNumber
    degrees: Annotated[int, Within(90, 270), OneOf((90, 180, 270), "90, 180 or 270")]


class PictureEdge(StrEnum):
    """An edge of a camera's picture; ``UNCLEAR`` where it may have been more than one."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    UNCLEAR = "unclear"


MOST_REACHES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStill:
    """Until now the board lies as in the look reported last, of ``frame``: nothing has moved since.

    "Now" is when the newest picture was taken, in which nothing differs from that look's. Said
    at once when a look is asked for.
    """

    frame: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedIn:
    """From which edges of the picture somebody reached over the board since the look reported last.

    In order, none where nobody was seen to. Reported just before the look ``frame``, and before the
    first one always: where no clock speaks, this is what divides turns. ``arms`` are the edges from
    which an arm came into the picture at all, each once in a row. Of both the last
    ``MOST_REACHES``. ``ended``: no picture comes after, so what lies there was laid.
    """

    frame: str
    edges: Annotated[tuple[PictureEdge, ...], AtMost(MOST_REACHES)] = ()
    arms: Annotated[tuple[PictureEdge, ...], AtMost(MOST_REACHES)] = ()
    ended: bool = False


EventNumber = Annotated[int, Within(0, BIGGEST_INTEGER)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsMissing:
    """The recorder's own: events of a device that never came, and that it keeps no more.

    ``count`` of the numbers ``first`` to ``last`` of a boot; 0 when all of them have come by now.
    """

    device: Name
    boot: Name
    first: EventNumber
    last: EventNumber
    count: EventNumber


OfInstruments = (
    BagWeighed | BagLifted | BagReturned | SlipSeen | BoardStill | ReachedIn | EventsMissing
)
"""The observations of this module."""

"""What a scenario can say happens at a table, one value for each kind of line.

Players are 1 and 2 as the file names them; player 1 sits at the left half of the clock. Values
only: ``recorder.lab.scenario.text`` reads them, ``table_top`` carries them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from recorder.domain.board import Square
from recorder.domain.errors import NotationError
from recorder.domain.tiles import EMPTY, Tile, Tiles


class ScenarioError(NotationError):
    """A line of a scenario that cannot be read, or that contradicts an earlier one."""

    def __init__(self, where: str, line: int, reason: str) -> None:
        super().__init__(f"{where}:{line}: {reason}" if line else f"{where}: {reason}")
        self.line, self.reason = line, reason


class Sensor(StrEnum):
    """What a table may be watched by."""

    CLOCK = "clock"
    CAMERA = "camera"
    RACKS = "racks"
    COUNTERS = "counters"
    SCALE = "scale"
    SLIP = "slip"
    BOX = "box"


DEFAULT_SENSORS = frozenset({Sensor.CLOCK, Sensor.CAMERA, Sensor.BOX})


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a table is before anything happens. ``turned`` is in degrees clockwise.

    ``folder`` is where a file of rules lies that ``rules`` names.
    """

    rules: str = "wespa4"
    overrides: Mapping[str, Any] = field(default_factory=dict)
    confirmed: tuple[str, ...] = ()
    tiles: str = "english"
    players: tuple[str, str] = ("Player 1", "Player 2")
    minutes: float = 25.0
    turned: int = 0
    first: int = 1
    sensors: frozenset[Sensor] = DEFAULT_SENSORS
    folder: Path = Path()


@dataclass(frozen=True, slots=True)
class TimePasses:
    """Seconds of play go by."""

    seconds: float


@dataclass(frozen=True, slots=True)
class StartClocks:
    """The clocks are reset, and the player who moves first is on the clock."""


@dataclass(frozen=True, slots=True)
class LayTiles:
    """Tiles put on the board; ``through`` are squares on which a tile must lie already.

    ``player`` is who lays them, 0 for the player who is on turn.
    """

    tiles: tuple[tuple[Square, Tile], ...]
    through: tuple[Square, ...] = ()
    player: int = 0


@dataclass(frozen=True, slots=True)
class TakeTiles:
    """Tiles taken off the board; a face that is given must be what lies there."""

    tiles: tuple[tuple[Square, Tile], ...]


@dataclass(frozen=True, slots=True)
class MoveTile:
    """A tile moved from a square to another."""

    start: Square
    goal: Square


@dataclass(frozen=True, slots=True)
class FlipTile:
    """A tile turned over: face down, or face up again."""

    square: Square


@dataclass(frozen=True, slots=True)
class TurnTile:
    """A tile turned where it lies, to so many degrees clockwise of upright."""

    square: Square
    degrees: int


@dataclass(frozen=True, slots=True)
class PressClock:
    """A player presses their own half of the clock."""

    player: int


@dataclass(frozen=True, slots=True)
class StopClocks:
    """Both halves of the clock are stopped."""


@dataclass(frozen=True, slots=True)
class RunClock:
    """A player's half of the clock runs from now on."""

    player: int


@dataclass(frozen=True, slots=True)
class SetTime:
    """A half of the clock is set; ``left_ms`` below 0 is overtime."""

    player: int
    left_ms: int


@dataclass(frozen=True, slots=True)
class SwapClocks:
    """The wrong half of the clock runs."""


@dataclass(frozen=True, slots=True)
class DrawTiles:
    """Tiles out of the bag: onto the rack, or onto the table beside it."""

    player: int
    count: int
    to_table: bool = False


@dataclass(frozen=True, slots=True)
class ReturnTiles:
    """Tiles back into the bag: those laid aside first, then those on the table, then the rack's."""

    player: int
    count: int


@dataclass(frozen=True, slots=True)
class RackHolds:
    """What stands on a rack; ``letters`` where they are given."""

    player: int
    count: int
    letters: Tiles | None = None


@dataclass(frozen=True, slots=True)
class SpillTiles:
    """Tiles that fall out of the bag."""

    player: int
    count: int


@dataclass(frozen=True, slots=True)
class LayAside:
    """Tiles of a rack laid aside for an exchange."""

    player: int
    count: int


class Said(StrEnum):
    """What can be announced."""

    HOLD = "hold"
    CHALLENGE = "challenge"
    EXCHANGE = "exchange"
    PASS = "pass"  # noqa: S105 - a turn given up
    SCORE = "score"
    BLANK = "blank"
    ACCEPT = "accept"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class SayAloud:
    """Something is announced; ``count`` of an exchange or a score, ``letter`` of a blank."""

    player: int
    what: Said
    count: int = 0
    letter: Tile = EMPTY


class SlipLook(StrEnum):
    """What of a slip is not a letter."""

    EMPTY = "empty"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class SlipShows:
    """What a slip shows from now on: a letter for each blank, topmost first, and a word.

    ``letters`` has a letter, or ``EMPTY`` for one that cannot be read; ``word`` is what is written
    where challenged words go.
    """

    player: int
    letters: Tiles = ()
    word: str = ""


@dataclass(frozen=True, slots=True)
class GiveVerdict:
    """The verdict on a challenge of the last play."""

    is_good: bool


@dataclass(frozen=True, slots=True)
class GiveOrder:
    """An order of the director: its type, and its fields; ``turn`` among them names an entry."""

    type: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SettleProcedure:
    """A procedure that stands open is ended as its page offers: ruling, orders, closed.

    ``way`` names one of the ways in which it can end, empty for the likeliest.
    """

    code: str
    way: str = ""


class TableMishap(StrEnum):
    """What can happen to board, camera and recorder without an argument."""

    KNOCK = "knock"
    COVER = "cover"
    UNCOVER = "uncover"
    RESTART = "restart"


@dataclass(frozen=True, slots=True)
class HaveMishap:
    """One of the mishaps."""

    what: TableMishap


@dataclass(frozen=True, slots=True)
class LoseSensor:
    """A device stops answering."""

    sensor: Sensor


@dataclass(frozen=True, slots=True)
class RegainSensor:
    """A device that was lost answers again."""

    sensor: Sensor


@dataclass(frozen=True, slots=True)
class SensorErrs:
    """A sensor works wrongly from now on, and does not know it.

    A camera reads ``tiles`` on these squares, whatever tiles lie there. ``amount``: a rack counter
    says it, whatever stands there; a rack camera sees no more tiles than that (of ``player``, 1 or
    2); a scale drifts by as many grams an hour.
    """

    sensor: Sensor
    player: int = 0
    amount: int = 0
    tiles: tuple[tuple[Square, Tile], ...] = ()


@dataclass(frozen=True, slots=True)
class SensorRight:
    """A sensor works rightly again."""

    sensor: Sensor


Happening = (
    TimePasses
    | StartClocks
    | LayTiles
    | TakeTiles
    | MoveTile
    | FlipTile
    | TurnTile
    | PressClock
    | StopClocks
    | RunClock
    | SetTime
    | SwapClocks
    | DrawTiles
    | ReturnTiles
    | RackHolds
    | SpillTiles
    | LayAside
    | SayAloud
    | SlipShows
    | GiveVerdict
    | GiveOrder
    | SettleProcedure
    | HaveMishap
    | LoseSensor
    | RegainSensor
    | SensorErrs
    | SensorRight
)
"""Everything that can happen."""

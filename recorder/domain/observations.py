"""What sensors can say. The vocabulary between the devices and the recorder.

An observation is a claim of one device, not a fact of the game: the recorder weighs it.
Times are not in here: the envelope (``recorder.wire``) carries the device's own milliseconds,
and the recorder adds its estimate of when that was.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Final

from recorder.domain.board import SQUARES
from recorder.domain.instruments import OfInstruments, TurnedTile
from recorder.domain.limits import (
    LONGEST_MS,
    AsText,
    AtMost,
    DeviceMs,
    LeftMs,
    Like,
    Long,
    Name,
    OneOf,
    Picture,
    SetMs,
    Share,
    SquareNumber,
    TableNumber,
    Within,
)
from recorder.domain.notices import CodedText
from recorder.domain.tile_text import (
    CAPITAL,
    NamedLetter,
    read_capitals,
    read_tile,
    tile_parts,
    write_tiles,
)
from recorder.domain.tiles import BLANK, EMPTY, Tile, Tiles, TileSet

SYMBOLS = ".?ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ#"
"""What a square can show: empty, a blank tile, a letter tile, covered by a hand.

The order in which a device gives its costs that names no symbols of its own; that of the eyes."""

EMPTY_SYMBOL, BLANK_SYMBOL, COVERED_SYMBOL = ".", "?", "#"
COVERED: Final = Tile(COVERED_SYMBOL)
"""What a look has in place of a tile where a hand or anything else hides the square."""
MOST_SYMBOLS = 80


def read_symbol(text: str) -> Tile:
    """A symbol of a look: a tile that shows its face, ``.`` or ``#``. NotationError else."""
    return COVERED if text == COVERED_SYMBOL else read_tile(text)


def read_symbols(text: str) -> Tiles:
    """Symbols side by side, as ``read_symbol`` reads each."""
    return tuple(map(read_symbol, tile_parts(text)))


STANDARD_ORDER: Tiles = tuple(map(read_symbol, SYMBOLS))
ACCENTED = "ÑÇÆØÅĄĆĘŁŃÓŚŹŻ"
JOINED = ("[CH]", "[LL]", "[RR]", "[L·L]", "[NY]", "[QU]", "[IJ]")
SEEN = (*SYMBOLS, *ACCENTED, *JOINED)
"""What the eyes of this release can see on a square, as text: the usual symbols, and further
letters of tile sets. A camera of other makers may see other letters: its info says which."""
READABLE: Tiles = tuple(map(read_symbol, SEEN))
COST_PER_NAT = 16
"""Costs travel as whole sixteenths of a nat, 0..255 (a probability below 1.2e-7 is cut there)."""

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Symbol = Annotated[Tile, AsText(rf"{CAPITAL}|[.?#]", read_symbol, str)]
RackLetters = Annotated[Tiles, AsText(rf"(?:{CAPITAL}|\?){{0,8}}", read_capitals, write_tiles)]
RackSlots = Annotated[
    Tiles,
    AsText(
        rf"(?:(?:{CAPITAL}|\?)(?:\.{{0,4}}(?:{CAPITAL}|\?)){{0,7}})?", read_capitals, write_tiles
    ),
]
RackPlaces = Annotated[str, Like("[#.]{1,10}")]
QuarterTurns = Annotated[int, Within(0, 270), OneOf((0, 90, 180, 270), "0, 90, 180 or 270")]
Reason = Annotated[str, Long(1)]


def without_symbol(tile_set: TileSet, order: Tiles = STANDARD_ORDER) -> str:
    """The labels of a set for which a camera has no symbol, for a message; empty when none."""
    return " ".join(tile.label for tile in tile_set.letters if tile not in order)


def order_for(tile_set: TileSet) -> Tiles:
    """The symbols of a camera for a set: the usual ones where they do, else its own letters."""
    if set(tile_set.letters) <= set(STANDARD_ORDER):
        return STANDARD_ORDER
    return (EMPTY, BLANK, *tile_set.letters, COVERED)


# A few looks, asked for again and again while they are new. Not on the property itself: a class
# with slots cannot have that in Python 3.14.
@lru_cache(maxsize=128)
def _cheapest(costs: "SquareCosts") -> Tiles:
    rows = zip(*[iter(costs.costs)] * len(costs.order), strict=True)
    return tuple([costs.order[row.index(min(row))] for row in rows])


@dataclass(frozen=True, slots=True)
class SquareCosts:
    """Negative log likelihood of every symbol on each of the 225 squares.

    ``costs`` holds one byte for each square and symbol, square-major (square 0 is A1, 1 is B1, 15
    is A2), in the order of ``order``, in 1/16 nat. Rows are read as the letters are read. A symbol
    is a letter tile, ``EMPTY``, ``BLANK`` or ``COVERED``.
    """

    costs: bytes
    order: Tiles = STANDARD_ORDER

    def __post_init__(self) -> None:
        if len(self.costs) != SQUARES * len(self.order):
            needed = SQUARES * len(self.order)
            raise ValueError(f"square costs need {needed} bytes, got {len(self.costs)}")

    def cost(self, square: int, symbol: Tile) -> float:
        """The cost of a symbol on a square, in nats (0 = certain)."""
        return self.costs[square * len(self.order) + self.order.index(symbol)] / COST_PER_NAT

    @property
    def symbols(self) -> Tiles:
        """The cheapest symbol of every square (the first in ``order`` when several tie)."""
        return _cheapest(self)

    def best(self, square: int) -> Tile:
        """The cheapest symbol of a square."""
        return self.symbols[square]

    def best_and_margin(self, square: int) -> tuple[Tile, float]:
        """The cheapest symbol of a square, and by how many nats it beats the next one."""
        row = self.costs[square * len(self.order) : (square + 1) * len(self.order)]
        first, second = sorted(row)[:2]
        return self.order[row.index(first)], (second - first) / COST_PER_NAT


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareChange:
    """A square (0 is A1, 1 is B1, 15 is A2) that shows another symbol than in an earlier look.

    ``was`` "." and a tile ``now`` is a new tile, the other way round one that is gone, two tiles
    a letter that reads otherwise. ``confidence`` 0..1 is how probable the change is.
    """

    square: SquareNumber
    was: Symbol
    now: Symbol
    confidence: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSeen:
    """One settled look at the board.

    ``corners`` are the outer corners of the 15 x 15 field in pixels, clockwise from the board's
    top-left as the letters read. ``pose_score`` is 0..1 (below 0.45 the grid may be wrong);
    ``turn_margin`` is how much cheaper (nats) this way up is than the next best one;
    ``still_ms`` is for how long nothing had moved when the frame was taken.
    ``picture`` is the SHA-256 of the JPEG kept by the device as evidence, or empty.

    ``changes`` are against the last settled look that was reported, ``since`` its frame; empty
    where there is none, as in messages of earlier versions. ``hidden`` are the squares under a hand
    or anything else; nothing changes there, whatever the costs say. ``moving``: something moved
    while this look was taken, which was asked for and could not wait. ``letters_turned`` is how
    far, in degrees clockwise (0, 90, 180, 270), the letters lie against the lettering of the board;
    None where nothing names the board's own top: no marker, no calibrated place. ``turned_tiles``
    are single ones that surely lie another way than the other letters. ``notes`` say what is odd
    about the picture, as the camera words it: out of focus, letters of another set.
    """

    frame: str
    squares: SquareCosts
    corners: Corners
    pose_score: Share
    turn_margin: float
    covered: Share
    still_ms: int
    picture: Picture = ""
    since: str = ""
    changes: Annotated[tuple[SquareChange, ...], AtMost(225)] = ()
    hidden: Annotated[tuple[SquareNumber, ...], AtMost(225)] = ()
    moving: bool = False
    letters_turned: QuarterTurns | None = None
    turned_tiles: Annotated[tuple[TurnedTile, ...], AtMost(225)] = ()
    notes: Annotated[tuple[Reason, ...], AtMost(10)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardNotSeen:
    """A look that gave no board: no board found, picture damaged, camera lost or covered."""

    frame: str
    reason: Reason
    picture: Picture = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStirred:
    """Something began to move in a picture that had lain still since the look reported last.

    A hand, a tile, a lamp, a shadow: what it is shows the next look, which is reported even when
    it shows the same. ``frame`` is the first frame that differs. A camera that shows this promises
    that no look is out of date before it does.
    """

    frame: str


class Side(StrEnum):
    """The half of a two-sided clock, as the clock names it."""

    LEFT = "L"
    RIGHT = "R"
    NONE = "N"


PressedSide = Annotated[
    Side, OneOf((Side.LEFT, Side.RIGHT), "L or R: one half of the clock was pressed")
]
PlayerSide = Annotated[Side, OneOf((Side.LEFT, Side.RIGHT), "L or R: the half of one player")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPressed:
    """A player pressed their half of the clock. Times left are signed: negative is overtime."""

    side: PressedSide
    left_ms: LeftMs
    right_ms: LeftMs
    running: Side


class ClockAct(StrEnum):
    """What else a clock reports."""

    PAUSE = "pause"
    RESUME = "resume"
    RESET = "reset"
    FLAG = "flag"
    ADJUST = "adjust"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChanged:
    """A pause, resume, reset, fallen flag or adjustment, with both times as they are after it."""

    act: ClockAct
    left_ms: LeftMs
    right_ms: LeftMs
    running: Side


class Say(StrEnum):
    """What somebody at the table says by a button, for no camera and no clock can tell it."""

    EXCHANGE = "exchange"
    PASS = "pass"  # noqa: S105 - a turn given up
    BONUS = "bonus"

    @property
    def counts(self) -> range:
        """The counts that can go with it: tiles exchanged, nothing, or points of a challenge."""
        match self:
            case Say.EXCHANGE:
                return range(1, 8)
            case Say.PASS:
                return range(1)
            case Say.BONUS:
                return range(1, 101)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """Something was said at the table, and somebody pressed the button for it.

    ``side`` is the half of the clock of the player who exchanges (rulebook EXCH-1) or passes
    (PASS-1), or whose play was challenged and stands (CHAL-4: the points are theirs). ``count``
    is the number of tiles exchanged, 0 for a pass, or the points.
    """

    side: PlayerSide
    say: Say
    count: int


class TurnAct(StrEnum):
    """What players do around the end of a turn that no camera and no clock can tell."""

    HOLD = "hold"
    ACCEPT = "accept"
    CHALLENGE = "challenge"
    SCORE = "score"
    BLANK = "blank"

    @property
    def counts(self) -> range:
        """The counts that can go with it: points announced, first or second blank, else nothing."""
        match self:
            case TurnAct.SCORE:
                return range(2001)
            case TurnAct.BLANK:
                return range(1, 3)
            case _:
                return range(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A player did something that a scorer pressed a button for.

    ``side`` is the half of the clock of the player who did it: who holds, accepts or challenges
    (HOLD-1, CHAL-1), who announced the score (TURN-8), or who named the ``count``th blank of the
    play as ``letter`` (BLANK-1). ``letter`` is ``EMPTY`` for everything else.
    """

    side: PlayerSide
    act: TurnAct
    count: int = 0
    letter: NamedLetter = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class RackSeen:
    """One settled look at a player's rack.

    ``side`` is the half of the clock on which the player sits. ``letters`` in reading order, "?"
    a tile that shows no letter: a blank, or any tile face down; ``slots`` the same with "." for
    gaps between tiles; both empty when no tile was seen. ``confidence`` is the probability of the
    least certain tile, 0 when there is none; ``doubtful`` are the tiles, counted from 1, that are
    less than sure.
    """

    side: PlayerSide
    letters: RackLetters
    slots: RackSlots
    confidence: Share
    picture: Picture = ""
    doubtful: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """How many tiles (rulebook DRAW-2)."""
        return len(self.letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class RackTyped:
    """A person typed the rack of the player at a half of the clock, in the player's order.

    "?" a blank; nothing: what was typed before is not so. No evidence of any draw or turn.
    """

    side: PlayerSide
    letters: Annotated[Tiles, AsText(rf"(?:{CAPITAL}|\?){{0,7}}", read_capitals, write_tiles)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCounted:
    """A rack with a sensor below each place says how many tiles stand on it; not which.

    ``side`` as in ``RackSeen``; ``places`` from left to right, "#" a tile and "." none;
    ``confidence`` is the probability that every place is reported rightly.
    """

    side: PlayerSide
    places: RackPlaces
    confidence: Share

    @property
    def count(self) -> int:
        """How many tiles (rulebook DRAW-2)."""
        return self.places.count("#")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSynced:
    """How a device's milliseconds relate to those of ``reference`` (``agent`` or ``recorder``).

    Reference = device + ``offset_ms`` at ``device_ms``, wrong by at most ``error_ms``; the device
    gains ``drift_ppm`` (None while too little time has passed to tell; negative: it loses).
    """

    reference: Annotated[str, Like("agent|recorder")]
    device_ms: DeviceMs
    offset_ms: float
    error_ms: Annotated[float, Within(0, LONGEST_MS)]
    drift_ppm: Annotated[float, Within(-1e6, 1e6)] | None = None


class ClockFault(StrEnum):
    """In which way a clock contradicts itself or the time."""

    DRIFT = "drift"
    JUMP = "jump"
    BACKWARDS = "backwards"
    REMAINING = "remaining"
    IDLE = "idle"
    REPLACED = "replaced"
    NOT_RESET = "not_reset"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockDoubted:
    """The recorder's own: what a clock says cannot be right, ``detail`` says in which figures.

    ``left_by_ms`` and ``right_by_ms``: to be added to its times, to go on from the last believed.
    """

    device: Name
    fault: ClockFault
    detail: CodedText
    left_by_ms: LeftMs = 0
    right_by_ms: LeftMs = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraDoubted:
    """The recorder's own: tiles that a board camera sees come with the presses of another table."""

    device: Name
    sees: TableNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraExchanged:
    """The recorder's own: what a board camera saw in this game so far is of the game at ``table``.

    The rows of the camera whose looks are of this game follow, each with ``refs`` to the first.
    """

    device: Name
    table: TableNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSet:
    """The recorder's own: its machine's wall clock was set, ahead by ``by_ms`` (back: negative).

    The record's time goes on as before; the wall clock is ahead of it by ``ahead_ms`` from now on.
    """

    by_ms: SetMs
    ahead_ms: SetMs


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLost:
    """A device stopped answering (its last will, or three missed heartbeats)."""

    device: Name
    reason: CodedText


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceBack:
    """A device that was lost answers again."""

    device: Name


Observation = (
    BoardSeen
    | BoardNotSeen
    | BoardStirred
    | ClockPressed
    | ClockChanged
    | Announced
    | Acted
    | RackSeen
    | RackCounted
    | RackTyped
    | OfInstruments
    | ClockSynced
    | ClockDoubted
    | CameraDoubted
    | CameraExchanged
    | TimeSet
    | DeviceLost
    | DeviceBack
)

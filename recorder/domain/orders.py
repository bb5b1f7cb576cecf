"""What a director can say about a game. Values only; what follows from them is in ``rulings``.

An *entry* is one event of the record, named by the number of the row that holds it now, and by
its place among the events of that row (``part``, from 0). Numbers of rows that were superseded
are refused, so that nobody corrects what they have not seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from recorder.domain.board import Square
from recorder.domain.game import (
    MOST_UNSEEN,
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    TilesBySquare,
)
from recorder.domain.limits import (
    BIGGEST_INTEGER,
    AtMost,
    DirectorName,
    GameName,
    LeftMs,
    Like,
    Long,
    OrderId,
    PlayerNumber,
    Points,
    TableNumber,
    Within,
)
from recorder.domain.notices import PlainValue
from recorder.domain.plays import Placement

MOST_TEXT = 2_000
MOST_STEPS = 100
MOST_DUE_S = 24 * 3600
_MOST_BANNER = 400
OrderText = Annotated[str, Long(1, MOST_TEXT)]
RuleId = Annotated[str, Like("[A-Za-z0-9 ().,;/-]{0,80}")]
Code = Annotated[str, Like("[a-z0-9_]{1,64}")]
_Place = Annotated[int, Within(0, MOST_STEPS - 1)]


@dataclass(frozen=True, slots=True)
class EntryName:
    """An entry of the record: the row that holds it now, and which of that row's events.

    Row 0 stands for the beginning of the game, where something is inserted after it.
    """

    row: int
    part: Annotated[int, Within(0, 99)] = 0

    def __str__(self) -> str:
        return f"entry {self.number}"

    @property
    def number(self) -> str:
        """``14``, or ``14.2`` for the second event of a row."""
        return f"{self.row}.{self.part + 1}" if self.part else f"{self.row}"


BEGINNING = EntryName(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept:
    """A doubt is settled: 0 is the reading as it is, 1 the first other candidate, and so on.

    All that the clock's press brought is accepted, whichever of its events ``entry`` names.
    """

    entry: EntryName
    candidate: Annotated[int, Within(0, 99)] = 0


class TurnKind(StrEnum):
    """What a turn without tiles on the board was."""

    EXCHANGE = "exchange"
    PASS = "pass"  # noqa: S105 - a turn given up
    NO_PLAY = "no_play"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct:
    """An entry was something else; what is not given stays.

    ``letters`` gives the tiles of single squares (lower case: a blank with that letter, ``?`` one
    whose letter nobody knows). ``placement`` moves or rewrites a play, or makes a play of another
    turn; its word may be written in full. ``kind`` makes a turn without a play of it, with
    ``count`` tiles for an exchange. ``score`` are the points as agreed at the table: they stay,
    whatever the squares give. For entries of points only, ``score`` are these points. ``laid`` are
    the tiles of a turn laid against the rules of placement, in line or not; ``lifted`` those
    squares of one whose tiles came off the board after the opponent's reply: it then scores 0
    (PLACE-2).
    """

    entry: EntryName
    letters: TilesBySquare = ()
    placement: Placement | None = None
    kind: TurnKind | None = None
    count: Annotated[int, Within(0, 100)] = 0
    score: Points | None = None
    player: PlayerNumber | None = None
    laid: TilesBySquare = ()
    lifted: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert:
    """Something was missed, right after an entry (or at the beginning).

    The points of a play are computed unless ``agreed`` says that they were agreed at the table.
    """

    after: EntryName
    event: GameEvent
    agreed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A laying was several turns, one after the other: all its tiles are in them, and no others.

    Their points are computed.
    """

    entry: EntryName
    turns: Annotated[tuple[GameEvent, ...], AtMost(MOST_UNSEEN)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """This did not happen."""

    entry: EntryName


class Outcome(StrEnum):
    """How a challenge ended."""

    OFF = "off"
    STANDS = "stands"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """A play was challenged. Off the board, it scores nothing (CHAL-5).

    If it stands, ``bonus`` goes to its player, ``penalty`` is taken from the challenger, and
    ``turn_lost`` costs the challenger a turn (CHAL-4, CHAL-6): what the event has announced. One
    that is withdrawn was never made, and what a verdict had done is undone (BLANK-4).
    """

    entry: EntryName
    outcome: Outcome
    bonus: Points = 0
    penalty: Points = 0
    turn_lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustClock:
    """A player has so much time left from now on; negative is overtime."""

    player: PlayerNumber
    left_ms: LeftMs


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame:
    """The game is over, whatever the clock says; what the end counts follows from the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetEndRacks:
    """The points for tiles left, in place of those that the recorder has; there may be none."""

    points: Annotated[tuple[EndRackPoints | EndRackPenalty, ...], AtMost(4)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTimePenalty:
    """What a player's overtime costs, in place of what the recorder has; 0 takes it away."""

    player: PlayerNumber
    points: Points


@dataclass(frozen=True, slots=True, kw_only=True)
class Concede:
    """A player loses by forfeit or resignation; see ``recorder.domain.game.Conceded``."""

    player: PlayerNumber
    margin: Points
    how: Annotated[str, Long(0, 20)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """A player is not there when the game is due (LATE-1): it is waited for, on their clock.

    ``due_s``: for how many seconds games have been due when the order is given; None: since the
    game was opened at its table.
    """

    player: PlayerNumber
    due_s: Annotated[int, Within(0, MOST_DUE_S)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A player who was waited for sits at the table, ready to play (LATE-1)."""

    player: PlayerNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A player has the left half of the clock, from the start of the game on."""

    player: PlayerNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """A ruling in words, with the rule's id where there is one. It changes no score by itself.

    ``settles``: the row that reported what a device has lost, which needs nobody any more; 0 for
    none.
    """

    text: OrderText
    rule: RuleId = ""
    entry: EntryName | None = None
    settles: Annotated[int, Within(0, BIGGEST_INTEGER)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """A text for the public, or with an empty one its end."""

    text: Annotated[str, Long(0, _MOST_BANNER)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark for the record, seen by directors only."""

    text: OrderText
    entry: EntryName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A player has signed the result as it is; the one who gives the order has seen it."""

    player: PlayerNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginProcedure:
    """What is to be done at the table about something that happened; it stands open until closed.

    ``key`` names this run of the procedure ``code``; the same key again restates it. ``notice`` is
    the row of the notice that it rests on, 0 for none. ``facts`` are what it is worked out from,
    ``way`` which of the ways that the rules leave, ``steps`` how many steps there are, ``done``
    those that are done already, counted from 0. ``left_out`` are the orders of its result, counted
    from 0, that shall not be given; ``text`` and ``rule`` the ruling as far as it is written.
    """

    key: OrderId
    code: Code
    notice: int = 0
    facts: Mapping[str, PlainValue] = field(default_factory=dict)
    way: _Place = 0
    steps: Annotated[int, Within(0, MOST_STEPS)] = 0
    done: Annotated[tuple[_Place, ...], AtMost(MOST_STEPS)] = ()
    left_out: Annotated[tuple[_Place, ...], AtMost(MOST_STEPS)] = ()
    text: Annotated[str, Long(0, MOST_TEXT)] = ""
    rule: RuleId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickStep:
    """A step of an open procedure is done, or after all not; ``step`` counts from 0.

    ``code`` names the step where it has a name.
    """

    key: OrderId
    step: _Place
    code: Annotated[str, Like("[a-z0-9_]{0,64}")] = ""
    done: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeStep:
    """The time that a step of an open procedure is given runs from this order on; again, again.

    ``step`` counts from 0; ``code`` names it where it has a name.
    """

    key: OrderId
    step: _Place
    code: Annotated[str, Like("[a-z0-9_]{0,64}")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseProcedure:
    """An open procedure is over: applied, or dropped."""

    key: OrderId
    carried_out: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """An earlier order shall not count: the record reads as if it had not been given.

    Undoing an undo puts the order back in force.
    """

    order: OrderId


Act = (
    Accept
    | Correct
    | Insert
    | Split
    | Remove
    | Challenged
    | AdjustClock
    | EndGame
    | SetEndRacks
    | SetTimePenalty
    | Concede
    | Absent
    | Arrived
    | Seated
    | Decide
    | Banner
    | Note
    | Sign
    | BeginProcedure
    | TickStep
    | TimeStep
    | CloseProcedure
    | Undo
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order: its id, which makes it count once, who gives it, and what it says.

    ``supersedes`` is the id of an earlier order in whose place this one stands, or empty.
    """

    id: OrderId
    who: DirectorName
    act: Act
    supersedes: OrderId = ""

    @property
    def ends(self) -> str:
        """The id of the order that no longer counts because of this one, or empty."""
        return self.act.order if isinstance(self.act, Undo) else self.supersedes


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOrder:
    """An order and where it belongs. ``game`` may be empty: whichever is played at the table."""

    table: TableNumber
    order: Order
    game: GameName = ""

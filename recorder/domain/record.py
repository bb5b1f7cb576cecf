"""What a row of the record says: the values, no matter who wrote them down and in what bytes.

How they become JSON and are read again is for ``recorder.wire.rows``; their number, time and hash
belong to the row itself (``recorder.log.port``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from recorder.domain.event.orders import EventOrder
from recorder.domain.event.seating import Pairing
from recorder.domain.game import GameEvent
from recorder.domain.limits import (
    BIGGEST_INTEGER,
    AtMost,
    FreeText,
    GameName,
    LeftMs,
    Like,
    Long,
    ParameterName,
    PlayerNumber,
    RulesName,
    Sha256,
    TableNumber,
    Within,
)
from recorder.domain.notices import CodedText, Manner, PlainValue, TableNotice
from recorder.domain.observations import Observation
from recorder.domain.orders import TableOrder
from recorder.domain.row_kind import Kind
from recorder.domain.standing_procedures import StandingProcedure
from recorder.domain.tiles import MOST_FACES, Face


class CorrectionReason(StrEnum):
    """Why a row corrects an earlier one.

    SETTLED: a later look settled the doubt. READ_AGAIN: later looks read the turn differently.
    ANNOUNCED: somebody at the table said something of it. MOVED: recorded again after a turn that
    came to light late. GONE: later evidence shows that it did not happen. RULED: an order says
    so; NO_LONGER_RULED: that order no longer counts. FOLLOWS: from an order about an earlier turn.
    CONTESTED: there is something to decide about it.
    """

    SETTLED = "settled"
    READ_AGAIN = "read_again"
    ANNOUNCED = "announced"
    MOVED = "moved"
    GONE = "gone"
    RULED = "ruled"
    NO_LONGER_RULED = "no_longer_ruled"
    FOLLOWS = "follows"
    CONTESTED = "contested"
    OTHER = "other"
    """What a later release may say."""


_FOR_NO_REASON = CodedText("other")

Fact = PlainValue
"""A plain value that is known of a turn beside its events, such as how long it was held."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """What else one look could mean, and by how many nats the proposal beats it."""

    events: tuple[GameEvent, ...]
    log_odds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Why a turn may be otherwise, for the director.

    ``firm`` are those of the ``reasons`` that do not come from weighing looks; ``squares`` are
    named as 8D is.
    """

    reasons: tuple[CodedText, ...]
    firm: tuple[CodedText, ...] = ()
    squares: tuple[FreeText, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnNote:
    """What a row says of its turn beside the events.

    ``group`` is the row that ended the turn (its press), 0 where there is none; ``log_odds`` the
    margin in nats, None where nothing was weighed. ``ruled`` are the rows of the orders that
    shaped the turn.
    """

    group: int = 0
    log_odds: float | None = None
    doubt: Doubt | None = None
    ruled: tuple[int, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who sent what became a row: the device, its boot and number, its own milliseconds.

    Of what the recorder says itself only ``dev`` is known, or nothing.
    """

    dev: FreeText = ""
    boot: FreeText = ""
    seq: int = 0
    t_ms: int = 0


@dataclass(frozen=True, slots=True)
class Observed:
    """A device said something, or the recorder of a device."""

    what: Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRefused:
    """A message that could not be taken, kept as such: where it came, why, and how it began.

    ``code`` is what it is counted under, ``fault`` names the field.
    """

    topic: FreeText = ""
    code: FreeText = ""
    fault: FreeText = ""
    text: FreeText = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogBegun:
    """The first row of a log whose orders are sealed; ``name`` is random, so no two are the same.

    A seal names the log by the hash of its first row, whatever that says.
    """

    name: Annotated[str, Like("[0-9a-f]{32}")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLost:
    """Has the number of a row that a damaged file no longer gave when its log was repaired.

    ``file`` is the damaged file's name, ``rows`` how many rows it is known to have had, and
    ``head`` the hash of the last of them; empty where it is not known.
    """

    file: FreeText
    rows: Annotated[int, Within(0, BIGGEST_INTEGER)] = 0
    head: Sha256 = ""


PlayerName = Annotated[str, Long(0, 80)]
StartMs = Annotated[int, Within(0, 24 * 3600 * 1000)]


@dataclass(frozen=True, slots=True)
class OwnTiles:
    """The faces of a tile set that no release ships, as a club's file has them."""

    faces: Annotated[tuple[Face, ...], AtMost(MOST_FACES)]
    blanks: Annotated[int, Within(0, 20)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """A game begins at a table: who sits there and by which rules.

    ``players[0]`` moves first; ``left_player`` is the one whose half of the clock is the left
    one; ``starts_ms`` are the times that both clocks start with. ``settings`` are the values by
    which the game is played, null for what is left open; empty in rows from before they were
    recorded. ``rules`` names the set that they come from, ``overrides`` those that the event sets
    itself, ``confirmed`` those that a director confirmed; ``rules_checksum`` is over all of them.
    ``tile_set`` names the tiles; ``own_tiles`` has its faces where no release ships such a set.
    ``words`` are name and SHA-256 of the word list that adjudicates, empty where none is loaded.
    ``pairing`` is the game of the event that this is, None of a game outside one. A later row of
    the same game says better who sits where, and who moves first.
    """

    game: GameName
    table: TableNumber
    players: tuple[PlayerName, PlayerName]
    tile_set: Annotated[str, Like("[a-z][a-z0-9_-]{0,31}")]
    rules: RulesName
    starts_ms: tuple[StartMs, StartMs]
    left_player: PlayerNumber
    overrides: Mapping[ParameterName, Any] = field(default_factory=dict)
    confirmed: tuple[Annotated[str, Long(0, 160)], ...] = ()
    rules_checksum: Sha256 = ""
    settings: Mapping[ParameterName, Any] = field(default_factory=dict)
    words: tuple[str, Sha256] | tuple[()] = ()
    pairing: Pairing | None = None
    own_tiles: OwnTiles | None = None

    @property
    def rules_in_force(self) -> str:
        """The rule set and what the event makes of it: ``wespa4, hold.max_s = 30``."""
        settings = [f"{name} = {value}" for name, value in sorted(self.overrides.items())]
        count = len(self.confirmed)
        confirmed = [f"{count} inherited values confirmed"] if count else []
        return ", ".join([self.rules, *settings, *confirmed])


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """An event of the game, as it was read first."""

    event: GameEvent
    turn: TurnNote = TurnNote()


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """An earlier row reads otherwise: ``events`` stand in its place, none at all take it out."""

    supersedes: int
    events: tuple[GameEvent, ...]
    reason: CorrectionReason = CorrectionReason.OTHER
    turn: TurnNote = TurnNote()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeGiven:
    """Something was noticed; the rows it rests on are those of the row."""

    notice: TableNotice


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeOver:
    """What row ``row`` noticed about the turn ``group`` holds no longer."""

    row: int
    group: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureStands:
    """A procedure stands open as ``procedure`` says; of the same key the newest row counts."""

    procedure: StandingProcedure


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureOver:
    """The procedure ``key`` stands open no longer; ``director`` as when it stood."""

    key: Annotated[str, Long(1, 80)]
    director: Manner = Manner.SHOW


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAim:
    """What an order was about when it was given, so that a restart comes to the same record.

    ``group`` is the turn, None for an order about no turn, 0 where it begins a turn of its own;
    ``part`` the place of the event there. ``basis`` is what the recorder itself read then,
    ``doubted`` whether that was in doubt, ``reading`` the candidate that was accepted.
    ``before_ms`` is what the player's clock showed when it was adjusted.
    """

    group: int | None = None
    part: int = 0
    basis: tuple[GameEvent, ...] = ()
    reading: tuple[GameEvent, ...] = ()
    doubted: bool = False
    before_ms: LeftMs = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCarriedOut:
    """An order that is applied.

    ``asked`` is the order as it came, ``order`` as it counts: with words written as the board has
    them.
    """

    order: TableOrder
    asked: TableOrder
    aim: OrderAim = OrderAim()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOrdered:
    """An order about the event that is applied: players, rounds, results."""

    order: EventOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRefused:
    """An order that is not applied; ``asked`` is its object as it came.

    ``id`` and ``who`` are empty where it did not say them.
    """

    order: FreeText = ""
    reason: CodedText = _FOR_NO_REASON
    asked: Mapping[FreeText, Any] = field(default_factory=dict)
    id: FreeText = ""
    who: FreeText = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRepeated:
    """An order that came again: it counts once, by its first row, ``row``."""

    id: FreeText
    who: FreeText
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A row that this program cannot read; ``fault`` says why.

    One that is not ``known`` is of a later version; one that is, is damaged.
    """

    type: str
    fault: str
    known: bool


Statement = (
    Observed
    | MessageRefused
    | LogBegun
    | RowLost
    | GameStarted
    | Recorded
    | Corrected
    | NoticeGiven
    | NoticeOver
    | ProcedureStands
    | ProcedureOver
    | OrderCarriedOut
    | EventOrdered
    | OrderRefused
    | OrderRepeated
    | Unreadable
)
"""What a row can say."""
Draft = tuple[Statement, tuple[int, ...]]
"""What is to be said, and the rows that it rests on."""


def kind_of(says: Statement) -> Kind:
    """The kind of row that can say this. ``Unreadable`` has none: ValueError."""
    match says:
        case Observed() | MessageRefused() | LogBegun() | RowLost():
            return Kind.OBSERVED
        case GameStarted() | Recorded() | NoticeGiven() | NoticeOver():
            return Kind.RECORDED
        case ProcedureStands() | ProcedureOver():
            return Kind.RECORDED
        case Corrected():
            return Kind.CORRECTED
        case OrderCarriedOut() | EventOrdered() | OrderRefused() | OrderRepeated():
            return Kind.RULED
        case Unreadable():
            raise ValueError(f"no row is written of {says.type}, which could not be read")

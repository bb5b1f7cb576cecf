"""What a director says about the event: players, rounds, results. Values only.

What becomes of the event by them is in ``recorder.domain.event.register``. Rounds count from 1,
players by their numbers in a division; number 0 as an opponent is nobody.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from recorder.domain.instruments import DeviceRole
from recorder.domain.limits import (
    MOST_TABLES,
    AtMost,
    DirectorName,
    GameName,
    Like,
    Long,
    Name,
    OneOf,
    OrderId,
    ParameterName,
    TableNumber,
    Within,
)

DivisionName = Annotated[str, Like(r"[^\s;]{1,40}")]
EntrantName = Annotated[str, Long(1, 80)]
EntrantNumber = Annotated[int, Within(1, 9_999)]
RoundNumber = Annotated[int, Within(1, 999)]
Rating = Annotated[int, Within(0, 9_999)]
Ident = Annotated[str, Like("[A-Za-z0-9_-]{0,20}")]
"""The number of a player at a federation or a rating list."""
NOT_PLAYED = ("no_show", "lateness", "nobody_came")
"""Why a game is not played: a player did not come, came too late, or neither came."""
NotPlayedBy = Annotated[str, OneOf(NOT_PLAYED, f"one of {', '.join(NOT_PLAYED)}")]
GamePoints = Annotated[int, Within(-2_000, 2_000)]
"""The score of a game; without opponent, and off a spread, it may be negative."""
RoundStart = Annotated[
    str, Like("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]")
]
"""When a round starts, by the clock in the hall: 2026-11-28 14:30."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeEvent:
    """What the event is called, when it is, how many rounds it has; 0 is not said.

    ``spread_cap`` is the most points by which one game counts.
    """

    name: Annotated[str, Long(0, 200)] = ""
    date: Annotated[str, Long(0, 200)] = ""
    rounds: Annotated[int, Within(0, 999)] = 0
    spread_cap: Annotated[int, Within(0, 2_000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InDivision:
    """What is said of something in a division."""

    division: DivisionName


@dataclass(frozen=True, slots=True, kw_only=True)
class OfEntrant(InDivision):
    """What is said of one player of a division."""

    number: EntrantNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class OfGame(InDivision):
    """What is said of the round of one player, and so of the game that they have there."""

    round: RoundNumber
    number: EntrantNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPairing(OfGame):
    """What is said of the game of player ``number`` in ``round``.

    ``other`` is the opponent whom they had when it was recorded: paired with somebody else since,
    they have another game, of which nothing was said. 0, in old rows: any opponent.
    """

    other: Annotated[int, Within(0, 9_999)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlayer(InDivision):
    """A player of a division, from now on.

    ``number`` 0 asks for the next one; the row holds the number that was given, so that nothing
    done later to other entries changes it. ``ident`` is their number at a federation or a rating
    list (NASPA, WESPA, cross-tables), which goes out with the feed.
    """

    name: EntrantName
    rating: Rating = 0
    number: Annotated[int, Within(0, 9_999)] = 0
    ident: Ident = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlayer(OfEntrant):
    """A player's name, rating, class or id was wrong; what is not given stays. Class 0 is none."""

    name: Annotated[str, Long(0, 80)] = ""
    rating: Rating | None = None
    prize_class: Annotated[int, Within(0, 99)] | None = None
    ident: Ident | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveEvent(OfEntrant):
    """A player takes no part any more; ``margin`` is what each missed round counts, 0 nothing."""

    margin: GamePoints = -50


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnToEvent(OfEntrant):
    """A player who had left takes part again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckIn(OfEntrant):
    """A player is in the hall before the first round, or is not after all."""

    here: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePlayers(InDivision):
    """Players of a division are in division ``to`` from now on, before either has a round.

    ``numbers`` empty: all of them. A division that they all leave is gone; where ``to`` is new, it
    has its settings: it is called that. ``to`` empty: they take no part, as if never entered.
    ``given`` are their numbers there, in the order of ``numbers``; the recorder fills them in.
    """

    numbers: tuple[EntrantNumber, ...] = ()
    to: Annotated[str, Like(r"[^\s;]{0,40}")] = ""
    given: tuple[EntrantNumber, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """A game of a round: at which table, who moves first, against whom."""

    table: TableNumber
    first: EntrantNumber
    second: EntrantNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRound(InDivision):
    """The pairings of a round; ``bye`` is who has none, 0 nobody, and ``bye_margin`` its margin.

    ``out`` are players who sit this round out, which counts ``out_margin``. Anyone else who takes
    part has to be paired. ``again``: games of it have been played; those whose two players still
    meet keep their result.
    """

    round: RoundNumber
    games: tuple[TableGame, ...]
    bye: Annotated[int, Within(0, 9_999)] = 0
    bye_margin: GamePoints = 50
    out: tuple[EntrantNumber, ...] = ()
    out_margin: GamePoints = -50
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterResult(InDivision):
    """How a game ended; given again, the later one holds.

    ``second`` 0 is a round without opponent: ``first_score`` is then the margin that counts.
    ``margin`` is what counts for the first in place of the scores' difference, where a rule set
    says so of a game that was conceded; None: the difference.
    """

    round: RoundNumber
    first: EntrantNumber
    first_score: GamePoints
    second: Annotated[int, Within(0, 9_999)] = 0
    second_score: GamePoints = 0
    margin: GamePoints | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitGame(OfPairing):
    """The game of player ``number`` in ``round`` is not played (LATE-4, END-12).

    It counts ``margin`` for them and ``other_margin`` for their opponent: below 0 lost, above won.
    """

    how: NotPlayedBy
    margin: GamePoints
    other_margin: GamePoints


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaliseSpread(OfGame):
    """Points onto a player's spread for a round; as a penalty they are negative."""

    points: GamePoints


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveGame(OfPairing):
    """The game of player ``number`` in ``round`` is played at ``table``.

    The game of that round that is there takes the other's table. An adjourned game goes alone, and
    leaves its record where it is.
    """

    table: TableNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesFirst(OfPairing):
    """Player ``number`` moves first in ``round``, as drawn at the table or put right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayGame(OfPairing):
    """The game of player ``number`` in ``round`` does not count and is played again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjournGame(OfPairing):
    """The game of player ``number`` in ``round`` is broken off, to be finished later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeGame(OfPairing):
    """The adjourned game of player ``number`` in ``round`` goes on, at its table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResult(OfPairing):
    """What player ``number`` says of their game: their own score, and the opponent's.

    Once both say the same, it is the result.
    """

    own_score: GamePoints
    other_score: GamePoints


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayByRules(InDivision):
    """By which rule set the games of a division are played that begin from now on.

    ``rules`` is the name of a set, or its file in the folder of the recorder's settings; empty:
    that of each table. ``overrides`` and ``confirmed`` as for a table; ``minutes`` for each
    player, 0: what the rule set says. ``settings`` are the values, filled in by the recorder; empty
    in rows from before they were.
    """

    rules: Annotated[str, Long(0, 200)]
    overrides: Mapping[ParameterName, Any] = field(default_factory=dict)
    confirmed: tuple[Annotated[str, Long(1, 160)], ...] = ()
    minutes: Annotated[int, Within(0, 1_440)] = 0
    settings: Mapping[ParameterName, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseWords(InDivision):
    """The word list of the games of a division that begin from now on.

    ``file`` is relative to the folder of the recorder's settings; empty: the list of each table.
    """

    file: Annotated[str, Long(0, 200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSeat:
    """A player who stays at one table in every round."""

    number: EntrantNumber
    table: TableNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangeDivision(InDivision):
    """How the rounds of a division are drawn from now on; None leaves a setting as it is.

    ``tables``: its tables in the hall, best pair first; empty: all that no other division has.
    ``fixed``: who stays at a table. ``prizes``: how many places pay; ``class_prizes``: how many in
    class 1, 2, ... ``times``: when round 1, 2, ... starts; empty: nobody says.
    """

    tables: tuple[TableNumber, ...] | None = None
    fixed: tuple[FixedSeat, ...] | None = None
    prizes: Annotated[int, Within(0, 9_999)] | None = None
    class_prizes: tuple[Annotated[int, Within(1, 9_999)], ...] | None = None
    times: tuple[RoundStart, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignDevice:
    """A device serves ``table`` in ``role`` from now on; table 0: none, and no role."""

    device: Name
    table: Annotated[int, Within(0, MOST_TABLES)] = 0
    role: DeviceRole | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeCameras:
    """The board cameras of two tables have stood over each other's boards since the games began.

    ``games`` and ``cameras`` are those of the two tables by then; the recorder fills them in.
    """

    tables: Annotated[tuple[TableNumber, ...], AtMost(2)]
    games: Annotated[tuple[GameName, ...], AtMost(2)] = ()
    cameras: Annotated[tuple[Name, ...], AtMost(2)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoEventOrder:
    """An earlier order about the event no longer holds."""

    order: OrderId


PairedGameAct = MoveGame | MovesFirst | ReplayGame | AdjournGame | ResumeGame | ForfeitGame
"""What is ordered of one game of a round, named by one of its players."""

GameAct = PairedGameAct | ClaimResult
"""What is said of one game of a round, by one of its players."""

EntrantAct = ChangePlayer | LeaveEvent | ReturnToEvent | CheckIn
"""What is said of one player."""

LinesAct = PublishRound | EnterResult | GameAct | PenaliseSpread
"""What changes players' lines of a round, and nothing else."""

DivisionAct = EnterPlayer | EntrantAct | LinesAct | PlayByRules | UseWords | ArrangeDivision
"""What is said of something in a division."""

EventAct = (
    DescribeEvent | DivisionAct | MovePlayers | AssignDevice | ExchangeCameras | UndoEventOrder
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOrder:
    """An order about the event; ``id`` is unique for ever.

    ``agreed``: the person who gave it has seen what else it changes.
    """

    id: OrderId
    who: DirectorName
    act: EventAct
    agreed: bool = False

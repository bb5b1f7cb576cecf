"""What a director can say about a game. Values only; what follows from them is in ``rulings``.

An *entry* is one event of the record, named by the number of the row that holds it now, and by
its place among the events of that row (``part``, from 0). Numbers of rows that were superseded
are refused, so that nobody corrects what they have not seen.
"""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.board import Square
from recorder.domain.game import EndRackPenalty, EndRackPoints, GameEvent
from recorder.domain.plays import Placement


@dataclass(frozen=True, slots=True)
class EntryName:
    """An entry of the record: the row that holds it now, and which of that row's events.

    Row 0 stands for the beginning of the game, where something is inserted after it.
    """

    row: int
    part: int = 0

    def __str__(self) -> str:
        return f"entry {self.row}.{self.part + 1}" if self.part else f"entry {self.row}"


BEGINNING = EntryName(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept:
    """A doubt is settled: 0 is the reading as it stands, 1 the first other candidate, and so on.

    All that the clock's press brought is accepted, whichever of its events ``entry`` names.
    """

    entry: EntryName
    candidate: int = 0


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
    letters: tuple[tuple[Square, str], ...] = ()
    placement: Placement | None = None
    kind: TurnKind | None = None
    count: int = 0
    score: int | None = None
    player: int | None = None
    laid: tuple[tuple[Square, str], ...] = ()
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
class Remove:
    """This did not happen."""

    entry: EntryName


class Outcome(StrEnum):
    """How a challenge ended."""

    OFF = "off"
    STANDS = "stands"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """A play was challenged. Off the board, it scores nothing (CHAL-5).

    If it stands, ``bonus`` goes to its player, ``penalty`` is taken from the challenger, and
    ``turn_lost`` costs the challenger a turn (CHAL-4, CHAL-6): what the event has announced.
    """

    entry: EntryName
    outcome: Outcome
    bonus: int = 0
    penalty: int = 0
    turn_lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustClock:
    """A player has so much time left from now on; negative is overtime."""

    player: int
    left_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame:
    """The game is over, whatever the clock says; what the end counts follows from the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetEndRacks:
    """The points for tiles left, in place of those that the recorder has; there may be none."""

    points: tuple[EndRackPoints | EndRackPenalty, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTimePenalty:
    """What a player's overtime costs, in place of what the recorder has; 0 takes it away."""

    player: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Concede:
    """A player loses by forfeit or resignation; see ``recorder.domain.game.Conceded``."""

    player: int
    margin: int
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """A ruling in words, with the rule's id where there is one. It changes no score by itself."""

    text: str
    rule: str = ""
    entry: EntryName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """A text for the public, or with an empty one its end."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark for the record, seen by directors only."""

    text: str
    entry: EntryName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """An earlier order shall not count: the record reads as if it had not been given.

    Undoing an undo puts the order back in force.
    """

    order: str


Act = (
    Accept
    | Correct
    | Insert
    | Remove
    | Challenged
    | AdjustClock
    | EndGame
    | SetEndRacks
    | SetTimePenalty
    | Concede
    | Decide
    | Banner
    | Note
    | Undo
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order: its id, which makes it count once, who gives it, and what it says.

    ``supersedes`` is the id of an earlier order in whose place this one stands, or empty.
    """

    id: str
    who: str
    act: Act
    supersedes: str = ""

    @property
    def ends(self) -> str:
        """The id of the order that no longer counts because of this one, or empty."""
        return self.act.order if isinstance(self.act, Undo) else self.supersedes


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOrder:
    """An order and where it belongs. ``game`` may be empty: whichever is played at the table."""

    table: int
    order: Order
    game: str = ""

"""What the pages of the event are drawn from (dashboard/event)."""

from typing import Annotated, NotRequired, TypedDict

from recorder.frames.desk import Need
from recorder.frames.kinds import Pair


class EarlierGame(TypedDict):
    round: int
    scores: Pair
    winner: int | None
    """Who has won, by place in `scores`; null: nobody."""


class EventGame(TypedDict):
    table: int | None
    players: Pair
    scores: Pair | None
    margins: Pair | None
    """What it counts for the two where the scores do not say so: conceded, or not played."""
    winner: int | None
    met: list[EarlierGame]
    """Games that the two have played, this one too, with their scores in this order."""


class LatestGame(TypedDict):
    """A game as one player had it."""

    round: int
    own: int
    other: int
    margin: int
    """What it counts for them: of a game that was conceded not the difference of the scores."""


class EventPlace(TypedDict):
    rank: int | None
    """Null: has left."""
    id: int
    name: str
    wins: float
    losses: float
    spread: int
    rating: int | None
    expected: float | None
    """Wins that the ratings gave in the games played; null where nobody is rated."""
    average: Annotated[list[float | None], "[number | null, number | null]"]
    """Points a game: own, the opponents'."""
    reach: Annotated[tuple[int, int] | None, "[number, number] | null"]
    """The best and the worst place still possible; null where nobody can say."""
    latest: list[LatestGame]
    """The last games that were played, the oldest first."""


class EventResult(TypedDict):
    round: int
    names: Annotated[list[str], "[string, string]"]
    scores: Pair
    """Of a game that was forfeited what it counts."""
    margins: Pair | None
    forfeited: bool
    winner: int | None


class HighGame(TypedDict):
    name: str
    score: int
    other: str
    round: int


class HighWord(TypedDict):
    """A play of a recorded game that is over."""

    name: str
    word: str
    score: int
    round: int


class EventDivision(TypedDict):
    name: str
    round: int
    rounds: int | None
    """As announced; null where nobody said."""
    prizes: int
    """How many places pay; 0 where nobody said."""
    times: list[str]
    """When round 1, 2, ... starts by the clock in the hall, as far as somebody said."""
    after: int
    results: list[EventResult]
    """The newest first."""
    high: list[HighGame]
    high_losses: list[HighGame]
    high_words: list[HighWord]
    games: list[EventGame]
    out: list[int]
    bye: int | None
    """Who has the bye in the newest round; null: nobody."""
    sitting: list[int]
    """Who takes part and sits the newest round out."""
    standings: list[EventPlace]


class PlayerLine(TypedDict):
    """A round as a player had it."""

    opponent: int | None
    """0: a round without opponent."""
    own: int | None
    other: int | None
    margin: int | None
    """What counts in place of the scores' difference."""
    bye: bool
    first: bool
    table: int | None


class PlayerRounds(TypedDict):
    id: int
    name: str
    rounds: list[PlayerLine]
    rating: int | None
    projected: int | None
    """What the results so far would make of the rating: no federation's word."""
    word: HighWord | None
    """Their highest play in the recorded games."""


class EventRounds(TypedDict):
    """All rounds of a division (dashboard/event/crosstable.py)."""

    name: str
    players: list[PlayerRounds]
    """In the order of the standings."""


class TableGame(TypedDict):
    table: int
    game: str
    players: list[str]
    round: int | None
    division: str


class FeedState(TypedDict):
    source: str
    fault: str
    lines: str


class EventOrder(TypedDict):
    id: str
    who: str
    words: str
    holds: bool
    undo: str


class CheckInPlayer(TypedDict):
    number: int
    name: str
    here: bool


class CheckInDivision(TypedDict):
    name: str
    open: bool
    """Whether round 1 is still to be paired."""
    players: list[CheckInPlayer]


class CheckInModel(TypedDict):
    """Who has checked in (dashboard/event/check_in.py)."""

    divisions: list[CheckInDivision]


class EventModel(TypedDict):
    name: str
    date: str
    divisions: list[EventDivision]
    names: NotRequired[list[str]]
    """All divisions, also where one alone was asked for."""
    usage: NotRequired[str]
    games: NotRequired[list[TableGame]]
    follow: NotRequired[FeedState]
    given: NotRequired[dict[str, str]]
    """The order with which a player's newest result came, by division and number."""
    setup: NotRequired[dict[str, dict[str, str]]]
    """How each division is drawn."""
    needs: NotRequired[list[Need]]
    here: NotRequired[dict[str, list[int]]]
    """Who has checked in, in divisions without a round."""
    orders: NotRequired[list[EventOrder]]


class EventReason(TypedDict):
    text: str


class EventRank(TypedDict):
    division: str
    id: int
    name: str
    rank: Pair
    wins: Annotated[list[float], "[number, number]"]
    spread: Pair


class EventPreview(TypedDict):
    ok: bool
    reason: EventReason | None
    ranks: list[EventRank]
    changes: list[str]
    """What else it changes."""
    left_out: list[str]


class EventPair(TypedDict):
    table: int
    players: Pair
    locked: NotRequired[bool]
    repeat: bool
    why: str


class EventDraw(TypedDict):
    """A round as drawn, and as the director has changed it since."""

    division: str
    method: str
    round: int
    pairs: list[EventPair]
    bye: int | None
    out: list[int]
    again: bool
    """Games of it have been played."""


class ResultPlayer(TypedDict):
    number: int
    name: str
    claim: Pair | None
    """Their own score and the other's, as this player says them."""


class ResultGame(TypedDict):
    division: str
    round: int
    players: Annotated[list[ResultPlayer], "[ResultPlayer, ResultPlayer]"]
    scores: Annotated[list[int | None] | None, "[number, number] | null"]


class RecordedResult(TypedDict):
    scores: Pair
    over: bool
    signed: Annotated[list[bool], "[boolean, boolean]"]


class ResultModel(TypedDict):
    """The result phone of a table (dashboard/event/result_phones.py)."""

    game: ResultGame | None
    recorded: NotRequired[RecordedResult | None]
    """What the table's sensors have of it; null without sensors."""

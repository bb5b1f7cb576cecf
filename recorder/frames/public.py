"""What everybody may see: overlays and the pages of spectators."""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from recorder.frames.kinds import Maybe, Pair

Player = int
"""The number of a player: 0 moves first."""
Phase = Literal["before", "playing", "over"]
TurnKind = Literal["play", "exchange", "pass", "no_play"]
PointsKind = Literal["end_rack", "end_rack_penalty", "time", "penalty"]
LineKind = TurnKind | PointsKind | Literal["illegal", "unseen", "withdraw", "challenge", "conceded"]
Totals = Annotated[list[int], "[player: Player, first: number, second: number]"]
Prices = Annotated[Sequence[Sequence[int]], "[number, number][]"]
"""From that second of overtime on a player has lost so many points; in rising order."""


class TileSet(TypedDict):
    name: str
    values: dict[str, int]
    """Points by letter, in the order of the alphabet."""
    counts: dict[str, int]
    """How many of each the set has; "?" are the blanks."""
    vowels: list[str]
    total: int


class Named(TypedDict):
    name: str
    score: int
    seat: Literal["left", "right"]
    on_turn: bool
    under_review: NotRequired[bool]
    """A doubt is open by which the score would be another one."""


class Clocks(TypedDict):
    """Both times left as of `at`; negative is overtime."""

    remaining_ms: list[int]
    running: Maybe[Player]
    """Whose time runs since then, if any."""
    at: int
    overtime: Maybe[Prices]
    """Not where the rules leave the price of overtime open."""


class WrongChallenge(TypedDict):
    """What it costs to challenge a play that stands."""

    points: int
    per_word: bool
    """The points are for each word that was challenged."""
    turn_lost: bool
    seconds: Pair | None
    """Least and most off the challenger's clock."""


class LaidLine(TypedDict):
    """What every form of a line of the score sheet has (recorder/projections/sheet.py)."""

    n: int
    player: Player
    kind: LineKind
    score: int
    position: str
    """Empty where nothing was laid; 8H is across, H8 down."""
    word: str
    """As placed: "." for a tile that lay there already."""
    words: list[str]
    """Whole words, the main one first."""
    squares: list[str]
    count: int


class LastPlay(LaidLine):
    """The last turn, with what a challenge of it gave its player."""

    total: int
    bonus: int


class PublicLine(LaidLine):
    """A line as everybody may see it."""

    totals: list[int]
    tiles: str
    """Exchanged, left, or of unseen turns; of a laying against the rules what stays on the board,
    by `squares`."""
    spent_ms: NotRequired[int]
    """The time that a turn took; not where its player did not press, nor of other lines."""


class Line(PublicLine):
    """A line as directors and commentators see it."""

    total: int
    faults: list[str]
    """What was wrong with a laying of kind "illegal"; empty on every public page."""
    clocks: NotRequired[list[int]]
    """Both clocks at the end of a turn, where its player pressed."""


class Adjustment(TypedDict):
    player: Player
    kind: PointsKind
    points: int
    tiles: str


class Call(TypedDict):
    """A hold or a challenge that is on; without `ends` where the rules set no end."""

    player: Player
    kind: Literal["hold", "challenge", "play_out"]
    since: int
    ends: Maybe[int]


class Result(TypedDict):
    """How the game was decided, where the scores do not decide it."""

    loser: Player
    margin: int
    how: str


class Forming(TypedDict):
    squares: dict[str, str]
    """Tiles by the name of their square."""


class Unseen(TypedDict):
    tiles: dict[str, int]
    count: int
    vowels: int
    consonants: int
    blanks: int
    bag: int


_From = TypedDict("_From", {"from": str}, total=False)


class PlayerCard(_From, total=False):
    """What the tournament's file says of a player (dashboard/overlays/event_files.py)."""

    wins: float
    losses: float
    draws: float
    spread: int
    average: float
    place: int
    reach: Pair
    """The best and the worst place still possible; not there where nobody can say."""
    rating: int
    country: str
    """ISO 3166: a flag of this server has that name."""
    photo: str
    """Where on this server the picture is."""


class NextGame(TypedDict, total=False):
    players: list[str]
    cards: list[PlayerCard | None]
    at: str
    round: str


class EventHeadline(TypedDict, total=False):
    title: str
    division: str
    round: str
    number: int
    """Of the round, where the log has the event."""
    next: NextGame


class PublicPlay(TypedDict):
    position: str
    word: str
    text: str
    score: int


class PublicBest(TypedDict):
    n: int
    player: Player
    plays: list[PublicPlay]
    missed: NotRequired[int]
    """Points by which the best one is better, with what stays on the rack."""
    ends: NotRequired[int]
    """With the bag empty: by how many points the first of `plays` wins in the end, solved."""


class TableFrame(TypedDict):
    """What pages of many tables need of one."""

    game: str
    phase: Phase
    players: list[Named]
    clock: Maybe[Clocks]
    """Not while a camera alone divides the turns."""
    last_play: Maybe[LastPlay]
    turns: int


class Frame(TableFrame):
    """The public frame (recorder/projections/broadcast.py)."""

    epoch: str
    seq: int
    table: int
    tile_set: TileSet
    board: list[str]
    """15 rows of 15: "." empty, lower case a blank, "?" a blank whose letter nobody knows."""
    adjustments: list[Adjustment]
    banner: Maybe[str]
    """The director's word to everybody."""
    call: Maybe[Call]
    challenge: list[WrongChallenge]
    """The cost of a player's first, second, ... wrong challenge; the last goes on. Empty where the
    rules leave it open."""
    scores: list[Totals]
    """By turn: who made it, then both totals after it."""
    result: Maybe[Result]
    forming: Maybe[Forming]
    unseen: Unseen
    cards: NotRequired[list[PlayerCard | None]]
    """This and what follows is added from the streamer's files and settings."""
    event: NotRequired[EventHeadline]
    best: NotRequired[Maybe[PublicBest]]
    chances: NotRequired[list[float]]
    """Player 0's chance to win after each line of the sheet, 0 to 1; with best plays only."""
    accuracy: NotRequired[Maybe[list[int | None]]]
    """By player, in percent, after the game; with best plays only, once every turn is rated."""
    highest: NotRequired[Maybe[int]]
    """The highest play of the event so far; not in its first game."""
    racks: NotRequired[list[str | None]]
    """By player, only by key: "#" the back of a tile, "?" a blank; null while not known."""


class WatchModel(Frame):
    """The public frame with the score sheet (dashboard/live/watched.py)."""

    sheet: dict[str, PublicLine]
    """By line from 0, so that a turn changes one key."""


class Glimpse(TypedDict):
    """One game among many."""

    table: int
    game: str
    phase: Phase
    players: list[Named]
    clock: Maybe[Clocks]
    board: list[str]
    last_play: Maybe[LaidLine]
    result: Maybe[Result]
    turns: int
    event: Maybe[EventHeadline]
    href: NotRequired[str]
    """Where its page is; only in what was written to files."""


class HallModel(TypedDict):
    tables: dict[str, Glimpse]

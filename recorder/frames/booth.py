"""What commentators see (dashboard/commentator/model.py)."""

from typing import Annotated, TypedDict

from recorder.frames.kinds import Maybe
from recorder.frames.public import Frame, Line, Player, PublicPlay


class Hooks(TypedDict):
    front: str
    back: str


class KnownRack(TypedDict):
    letters: str
    slots: str
    doubtful: list[int]
    """Places of letters that are not sure, from 1."""
    confidence: float
    at: int
    typed: bool
    """By a person, not by a camera."""


class CountedRack(TypedDict):
    count: int
    confidence: float
    at: int


class BoothRack(TypedDict):
    seen: KnownRack | None
    counted: CountedRack | None


class KnownMove(TypedDict):
    """What was known of both racks when a turn ended."""

    rack: KnownRack | None
    other: KnownRack | None


class Verdict(TypedDict):
    """What the list of words says of a play."""

    verdict: Annotated[str | None, '"good" | "bad" | "undecided" | null']
    hooks: Hooks | None


class BoothLine(Line, KnownMove, Verdict):
    win: float


class Pool(TypedDict):
    """What may be drawn; `less` are the players whose racks were taken off."""

    tiles: dict[str, int]
    count: int
    off_board: int
    less: list[Player]


class WordList(TypedDict, total=False):
    """The list of words, or why there is none."""

    name: str
    count: int
    why: str


class Play(PublicPlay):
    leave: str
    worth: float


class Best(TypedDict, total=False):
    """The best plays of a rack: being searched for, found, or why there are none."""

    player: Player
    rack: str
    doubtful: bool
    working: bool
    why: str
    plays: list[Play]


class LastOption(PublicPlay):
    """A play before the last draws: how often it wins over all of them, and the mean spread."""

    win: float
    spread: float


class Ending(TypedDict, total=False):
    """How the game ends from here (recorder/analysis/endgame.py, last_draws.py), or why not."""

    player: Player
    bag: int
    """0: `spread`, `course` and `solved`; 1 or 2: `options`."""
    needs: int
    """The points that the player is short of the lead; 0 or less: in front."""
    working: bool
    why: str
    depth: int
    """How many turns were searched; points decide from there."""
    spread: int
    """At the end of the game, from the player's side."""
    solved: bool
    """Nobody can do better; else it is the best that was found in time."""
    course: list[PublicPlay | None]
    """What both play, null a pass."""
    options: list[LastOption]


class Missed(TypedDict):
    """What a turn gave away against the best play for its rack."""

    best: Play
    lost: float
    """Points, with what the tiles that stay are worth."""
    chance: float
    """Of winning, 0 to 1."""


class Accuracy(TypedDict):
    """How a player has played so far; null where no turn could be rated."""

    turns: int
    rated: int
    lost: float
    accuracy: int | None


class Review(TypedDict):
    """The turns of a game against the best plays; `turns` by the place of their line."""

    turns: dict[str, Missed]
    players: list[Accuracy]


class Chance(TypedDict):
    win: float
    """The chance of player 0, 0 to 1."""
    method: str


class BoothParts(TypedDict):
    sheet: list[BoothLine]
    racks: list[BoothRack]
    pool: Pool
    best: Best
    ending: Maybe[Ending]
    chance: Chance


class BoothKeys(BoothParts):
    """The keys of the commentator's model beside the frame."""

    list: WordList


class BoothModel(BoothKeys):
    frame: Frame


class DrawOdds(TypedDict):
    """The odds that one of `wanted` is among `drawn` tiles; `each` by letter."""

    wanted: str
    drawn: int
    of: int
    any: float
    each: dict[str, float]

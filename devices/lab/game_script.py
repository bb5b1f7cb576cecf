"""A game record becomes happenings at a table: thinking, a hand, tiles, presses, pauses.

Pure: the same record and seed give the same script. The script says nothing of pixels or bytes;
``devices.lab.simulated_table`` acts it out with a scene and a clock.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from random import Random

from recorder.domain.board import CENTRE, EMPTY_BOARD, Board, Square
from recorder.domain.game import (
    ChallengeBonus,
    Exchanged,
    NoPlay,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
)
from recorder.domain.observations import Say, TurnAct
from recorder.domain.tile_text import label_text, write_tiles
from recorder.domain.tiles import BLANK, RACK_SIZE, Tile, Tiles, face, unnamed
from recorder.gcg import GcgGame

SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S = 5.0, 12.0
STILL_BEFORE_PRESS, STILL_AFTER_PRESS = 5, 6
"""Frames of an untouched board on either side of a press; enough for a camera to settle twice."""
AWAY_FRAMES = 3
"""Frames of them for which the bag is off its scale."""
HOLD_S = 4.0
"""Wall-clock seconds in which a held play is looked at before it is challenged."""
ASIDE_S = 2.5
"""Wall-clock seconds in which tiles lie aside before the press: a camera at the rack sees it."""
IN_HAND_S = 6.0
"""Clock time that is left when the thought begins which ends in overtime."""


class Sensors(StrEnum):
    """What a table has beside camera and clock, from nothing to a counter below each rack."""

    CLOCK_CAMERA = "clock-camera"
    BOX = "box"
    RACKS = "racks"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Think:
    """A player thinks; ``seconds`` of clock time pass while the board lies still."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Show:
    """Some frames of a board; ``hand`` is how far a hand reaches towards ``target`` (0..1)."""

    frames: int
    rows: tuple[str, ...]
    hand: float | None = None
    target: Square = CENTRE
    player: int = 0


@dataclass(frozen=True, slots=True)
class PressClock:
    """A player presses their half of the clock."""

    player: int


@dataclass(frozen=True, slots=True)
class StopClock:
    """The middle button: challenge, or the end of the game."""


@dataclass(frozen=True, slots=True)
class StartClock:
    """The middle button again."""


@dataclass(frozen=True, slots=True)
class ResetClock:
    """Both clocks are set back to the time that a game begins with."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Somebody says it by a button: tiles exchanged, a pass (0), or a player's bonus in points."""

    player: int
    say: Say
    count: int


@dataclass(frozen=True, slots=True)
class Call:
    """Another button of the scorer's box: a player holds or challenges the opponent's play."""

    player: int
    act: TurnAct


@dataclass(frozen=True, slots=True)
class RunDown:
    """The player on turn has thought for long: so many seconds are left on the running clock."""

    seconds: float


@dataclass(frozen=True, slots=True)
class MoveBoard:
    """The board now lies turned (degrees clockwise) and pushed (squares) from its first place."""

    turn_deg: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Reflect:
    """A lamp is mirrored at this place (0..1 across and down the picture), or nowhere again."""

    at: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Expose:
    """From now on the camera lets in so much light; 1 is as at the start."""

    gain: float


@dataclass(frozen=True, slots=True)
class TurnTiles:
    """All tiles lie turned against the board's lettering, so many quarters clockwise."""

    quarters: int


@dataclass(frozen=True, slots=True)
class SetRack:
    """So many tiles stand on a player's rack from now on.

    ``letters`` are all of them where the record knows them, else nothing: a counter feels only
    how many there are, a camera sees more.
    """

    player: int
    tiles: int
    letters: Tiles = ()


@dataclass(frozen=True, slots=True)
class LiftBag:
    """Somebody takes the bag from its scale."""


@dataclass(frozen=True, slots=True)
class PutBag:
    """The bag lies on its scale with so many tiles in it."""

    tiles: int


@dataclass(frozen=True, slots=True)
class NewSlip:
    """A slip on which nothing is circled lies at the table, face down."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A player circles the letter of a blank on the slip; ``blank`` 0 is the first one played."""

    blank: int
    letter: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Nobody does anything for so many seconds of the wall clock, at any speed of the players."""

    seconds: float


Happening = (
    Think
    | Show
    | PressClock
    | StopClock
    | StartClock
    | ResetClock
    | Announce
    | Call
    | RunDown
    | MoveBoard
    | Reflect
    | Expose
    | TurnTiles
    | SetRack
    | LiftBag
    | PutBag
    | NewSlip
    | Circle
    | Wait
)


def faces(board: Board) -> tuple[str, ...]:
    """The rows as a camera can see them: a blank shows no letter."""
    return tuple(write_tiles(map(face, row)) for row in board.lines())


def script(game: GcgGame, seed: int, *, announced: bool = True) -> Iterator[Happening]:
    """Everything that happens at the table, from the first press to the stopped clock.

    With ``announced`` there is a scorer's box: exchanges and passes are said before the press, a
    hold and a challenge when they are called, the points of a challenge while the clock stands.
    Without it nothing of them can be heard. Racks, bag and slip are always reported; a table
    without sensors for them takes no notice. Who pays for overtime thinks for so long in the
    last turn.
    """
    random = Random(seed)  # noqa: S311 - a simulation wants repeatable numbers
    board, standing = EMPTY_BOARD, EMPTY_BOARD
    tiles = _Tiles(game)
    late = _overtime_turns(game)
    yield from tiles.opening()
    yield Show(STILL_AFTER_PRESS, faces(board))
    yield PressClock(1)
    yield Show(STILL_AFTER_PRESS, faces(board))
    for number, (event, after) in enumerate(pairwise((*game.events, None))):
        match event:
            case Played(player=player, placement=placement):
                standing = board
                if number in late:
                    yield RunDown(IN_HAND_S)
                yield Think(random.uniform(SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S))
                laid = placement.new_tiles()
                yield from _place(board, laid, player, random)
                board = board.place(laid)
                yield from tiles.lay(player, tuple(laid.values()))
                # A play that is challenged is held first: its player does not draw yet.
                held = isinstance(after, Withdrawn | ChallengeBonus)
                drawn = () if held else tiles.draw(player, number)
                yield from _press(board, player, drawn)
            case Withdrawn(player=player):
                if announced:
                    yield from _challenge(1 - player)
                yield StopClock()
                yield from _take_back(board, standing, player)
                yield from tiles.take_back(player)
                board = standing
                yield StartClock()
                yield Show(STILL_AFTER_PRESS, faces(board))
            case Exchanged(player=player) | Passed(player=player) | NoPlay(player=player):
                yield Think(random.uniform(SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S))
                if announced and not isinstance(event, NoPlay):
                    yield _said(event)
                count = event.count if isinstance(event, Exchanged) else 0
                yield from tiles.lay_aside(player, count)
                yield from _press(board, player, tiles.swap(player, count, number))
            case ChallengeBonus(player=player):
                if announced:
                    yield from _challenge(1 - player)
                    yield StopClock()
                    yield _said(event)
                    yield StartClock()
                yield from _drawn(board, tiles.draw(player, number))
            case _:
                pass  # points without anything to see on the board
    yield StopClock()
    yield Show(2 * STILL_AFTER_PRESS, faces(board))


def _overtime_turns(game: GcgGame) -> frozenset[int]:
    """The numbers of the last plays of those who pay for overtime in this record."""
    payers = {event.player for event in game.events if isinstance(event, TimePenalty)}
    last = {
        event.player: number
        for number, event in enumerate(game.events)
        if isinstance(event, Played)
    }
    return frozenset(last[player] for player in payers if player in last)


def _challenge(player: int) -> Iterator[Happening]:
    """The opponent holds the play, looks at it, and challenges."""
    yield Call(player, TurnAct.HOLD)
    yield Wait(HOLD_S)
    yield Call(player, TurnAct.CHALLENGE)


class _Tiles:
    """Where the tiles are that do not lie on the board, and what is done with them."""

    def __init__(self, game: GcgGame) -> None:
        self._moves = game.moves
        self._held = [RACK_SIZE, RACK_SIZE]
        self._letters: list[list[Tile]] = [[], []]
        self._laid: tuple[Tile, ...] = ()
        self._bag = game.tile_set.total - 2 * RACK_SIZE
        self._blanks = 0

    def opening(self) -> Iterator[Happening]:
        """Both have drawn; the bag lies on its scale."""
        yield NewSlip()
        yield PutBag(self._bag)
        for player in (0, 1):
            yield self._drawn(player, -1)

    def lay(self, player: int, laid: Sequence[Tile]) -> Iterator[Happening]:
        """From the rack to the board; the letter of a blank is circled."""
        self._laid = tuple(BLANK if tile.is_blank else tile for tile in laid)
        self._held[player] -= len(laid)
        self._letters[player] = _without(self._letters[player], self._laid)
        yield self._rack(player)
        for tile in laid:
            if tile.is_blank:
                if tile is not BLANK:
                    yield Circle(self._blanks, label_text(unnamed(tile)))
                self._blanks += 1

    def take_back(self, player: int) -> Iterator[Happening]:
        """The tiles of the last play from the board to the rack again."""
        self._held[player] += len(self._laid)
        self._letters[player] += self._laid
        yield self._rack(player)

    def draw(self, player: int, number: int) -> tuple[Happening, ...]:
        """What is due after the event of that number; nothing when the bag is empty."""
        due = min(RACK_SIZE - self._held[player], self._bag)
        if due <= 0:
            return ()
        self._bag -= due
        self._held[player] += due
        return (LiftBag(), self._drawn(player, number), PutBag(self._bag))

    def lay_aside(self, player: int, count: int) -> Iterator[Happening]:
        """Tiles to be exchanged leave the rack before the press (EXCH-5)."""
        if count:
            yield SetRack(player, self._held[player] - count)
            yield Wait(ASIDE_S)

    def swap(self, player: int, count: int, number: int) -> tuple[Happening, ...]:
        """As many drawn as were laid aside, the old ones into the bag; nothing for none."""
        if not count:
            return ()
        return (LiftBag(), self._drawn(player, number), PutBag(self._bag))

    def _drawn(self, player: int, number: int) -> SetRack:
        """The rack after a draw: its letters are those of the player's next move, if known."""
        later = (move for move in self._moves[number + 1 :] if move.event.player == player)
        self._letters[player] = list(next((move.rack for move in later if move.rack), ()))
        return self._rack(player)

    def _rack(self, player: int) -> SetRack:
        letters, held = tuple(self._letters[player]), self._held[player]
        return SetRack(player, held, letters if len(letters) == held else ())


def _without(rack: Sequence[Tile], laid: Sequence[Tile]) -> list[Tile]:
    """The rack without these tiles; nothing where it cannot have been that rack."""
    left = Counter(rack)
    left.subtract(laid)
    return [] if min(left.values(), default=0) < 0 else list(left.elements())


def _said(event: Exchanged | Passed | ChallengeBonus) -> Announce:
    match event:
        case Exchanged(player=player, count=count):
            return Announce(player, Say.EXCHANGE, count)
        case Passed(player=player):
            return Announce(player, Say.PASS, 0)
        case ChallengeBonus(player=player, points=points):
            return Announce(player, Say.BONUS, points)


def _press(board: Board, player: int, drawn: Sequence[Happening] = ()) -> Iterator[Happening]:
    """The press, and the draw after it: as many frames with it as without."""
    yield Show(STILL_BEFORE_PRESS, faces(board))
    yield PressClock(player)
    yield from _drawn(board, drawn)


def _drawn(board: Board, drawn: Sequence[Happening]) -> Iterator[Happening]:
    """A hand in the bag, if anything is drawn, while the board lies still."""
    for happening in drawn:
        yield happening
        if isinstance(happening, LiftBag):
            yield Show(AWAY_FRAMES, faces(board))
    yield Show(STILL_AFTER_PRESS - (AWAY_FRAMES if drawn else 0), faces(board))


def _place(
    board: Board, tiles: dict[Square, Tile], player: int, random: Random
) -> Iterator[Happening]:
    """A hand brings tiles, one to three at a time, and leaves."""
    left = list(tiles.items())
    target = left[0][0]
    yield Show(1, faces(board), hand=0.5, target=target, player=player)
    while left:
        some = random.randint(1, 3)
        now, left = left[:some], left[some:]
        board = board.place(dict(now))
        yield Show(1, faces(board), hand=1.0, target=now[-1][0], player=player)
    yield Show(1, faces(board), hand=0.5, target=target, player=player)


def _take_back(board: Board, before: Board, player: int) -> Iterator[Happening]:
    """The player lifts the tiles of the play from the board."""
    gone = [square for square in board.occupied() if not before.has_tile(square)]
    yield Show(1, faces(board), hand=0.6, target=gone[0], player=player)
    half = board.remove(gone[: len(gone) // 2])
    yield Show(1, faces(half), hand=1.0, target=gone[0], player=player)
    yield Show(1, faces(before), hand=1.0, target=gone[-1], player=player)
    yield Show(1, faces(before), hand=0.5, target=gone[-1], player=player)
    yield Show(STILL_AFTER_PRESS, faces(before))

"""A game record becomes happenings at a table: thinking, a hand, tiles, presses, pauses.

Pure: the same record and seed give the same script. The script says nothing of pixels or bytes;
``devices.lab.simulated_table`` acts it out with a scene and a clock.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from random import Random

from recorder.domain.board import CENTRE, EMPTY_BOARD, Board, Square
from recorder.domain.game import ChallengeBonus, Exchanged, NoPlay, Passed, Played, Withdrawn
from recorder.domain.observations import Say
from recorder.domain.tile_text import label_text, write_tiles
from recorder.domain.tiles import BLANK, RACK_SIZE, Tile, face, unnamed
from recorder.gcg import GcgGame

SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S = 5.0, 12.0
STILL_BEFORE_PRESS, STILL_AFTER_PRESS = 5, 6
"""Frames of an untouched board on either side of a press; enough for a camera to settle twice."""
AWAY_FRAMES = 3
"""Frames of them for which the bag is off its scale."""


class Sensors(StrEnum):
    """What a table has: nothing but camera and clock, a scorer's box too, or everything."""

    CLOCK_CAMERA = "clock-camera"
    BOX = "box"
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
    """So many tiles stand on a player's rack from now on."""

    player: int
    tiles: int


@dataclass(frozen=True, slots=True)
class LiftBag:
    """Somebody takes the bag from its scale."""


@dataclass(frozen=True, slots=True)
class PutBag:
    """The bag lies on its scale with so many tiles in it."""

    tiles: int


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
    | MoveBoard
    | Reflect
    | Expose
    | TurnTiles
    | SetRack
    | LiftBag
    | PutBag
    | Circle
    | Wait
)


def faces(board: Board) -> tuple[str, ...]:
    """The rows as a camera can see them: a blank shows no letter."""
    return tuple(write_tiles(map(face, row)) for row in board.lines())


def script(game: GcgGame, seed: int, *, announced: bool = True) -> Iterator[Happening]:
    """Everything that happens at the table, from the first press to the stopped clock.

    With ``announced`` there is a scorer's box: exchanges and passes are said before the press, the
    points of a challenge while the clock stands. Without it nothing of them can be heard. Racks,
    bag and slip are always reported; a table without sensors for them takes no notice.
    """
    random = Random(seed)  # noqa: S311 - a simulation wants repeatable numbers
    board, standing = EMPTY_BOARD, EMPTY_BOARD
    tiles = _Tiles(game.tile_set.total)
    yield from tiles.opening()
    yield Show(STILL_AFTER_PRESS, faces(board))
    yield PressClock(1)
    yield Show(STILL_AFTER_PRESS, faces(board))
    for event, after in pairwise((*game.events, None)):
        match event:
            case Played(player=player, placement=placement):
                standing = board
                yield Think(random.uniform(SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S))
                laid = placement.new_tiles()
                yield from _place(board, laid, player, random)
                board = board.place(laid)
                yield from tiles.lay(player, tuple(laid.values()))
                # A play that is challenged is held first: its player does not draw yet.
                drawn = () if isinstance(after, Withdrawn) else tiles.draw(player)
                yield from _press(board, player, drawn)
            case Withdrawn(player=player):
                yield StopClock()
                yield from _take_back(board, standing, player)
                gone = len(board.occupied()) - len(standing.occupied())
                yield from tiles.take_back(player, gone)
                board = standing
                yield StartClock()
                yield Show(STILL_AFTER_PRESS, faces(board))
            case Exchanged(player=player) | Passed(player=player) | NoPlay(player=player):
                yield Think(random.uniform(SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S))
                if announced and not isinstance(event, NoPlay):
                    yield _said(event)
                count = event.count if isinstance(event, Exchanged) else 0
                yield from tiles.lay_aside(player, count)
                yield from _press(board, player, tiles.swap(player, count))
            case ChallengeBonus() if announced:
                yield StopClock()
                yield _said(event)
                yield StartClock()
            case _:
                pass  # points without anything to see on the board
    yield StopClock()
    yield Show(2 * STILL_AFTER_PRESS, faces(board))


class _Tiles:
    """Where the tiles are that do not lie on the board, and what is done with them."""

    def __init__(self, total: int) -> None:
        self._held = [RACK_SIZE, RACK_SIZE]
        self._bag = total - 2 * RACK_SIZE
        self._blanks = 0

    def opening(self) -> Iterator[Happening]:
        """Both have drawn; the bag lies on its scale."""
        yield PutBag(self._bag)
        for player in (0, 1):
            yield SetRack(player, self._held[player])

    def lay(self, player: int, laid: Sequence[Tile]) -> Iterator[Happening]:
        """From the rack to the board; the letter of a blank is circled."""
        self._held[player] -= len(laid)
        yield SetRack(player, self._held[player])
        for tile in laid:
            if tile.is_blank:
                if tile is not BLANK:
                    yield Circle(self._blanks, label_text(unnamed(tile)))
                self._blanks += 1

    def take_back(self, player: int, count: int) -> Iterator[Happening]:
        """From the board to the rack again."""
        self._held[player] += count
        yield SetRack(player, self._held[player])

    def draw(self, player: int) -> tuple[Happening, ...]:
        """What is due; nothing when the bag is empty."""
        due = min(RACK_SIZE - self._held[player], self._bag)
        if due <= 0:
            return ()
        self._bag -= due
        self._held[player] += due
        return (LiftBag(), SetRack(player, self._held[player]), PutBag(self._bag))

    def lay_aside(self, player: int, count: int) -> Iterator[Happening]:
        """Tiles to be exchanged leave the rack before the press (EXCH-5)."""
        if count:
            yield SetRack(player, self._held[player] - count)

    def swap(self, player: int, count: int) -> tuple[Happening, ...]:
        """As many drawn as were laid aside, the old ones into the bag; nothing for none."""
        if not count:
            return ()
        return (LiftBag(), SetRack(player, self._held[player]), PutBag(self._bag))


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

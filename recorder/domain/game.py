"""What has happened in a game, and the position that follows from it.

Events are facts of the record; the position is their fold: ``apply(state, event) -> state``.
What holds of a record that was corrected is for ``recorder.domain.recorded_turns``. Nothing here
knows sensors, clocks or rule sets; the points in an event are those agreed at the table, right or
wrong.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, assert_never

from recorder.domain.board import EMPTY_BOARD, Board, Square, name_across
from recorder.domain.errors import RecorderError
from recorder.domain.laying_faults import LayingFault
from recorder.domain.limits import OneOf, PlayerNumber, Points, Total, Within
from recorder.domain.plays import Placement
from recorder.domain.tile_text import TilesText
from recorder.domain.tiles import RACK_SIZE, Tile, Tiles, TileSet, unseen

TilesBySquare = tuple[tuple[Square, Tile], ...]
MOST_UNSEEN = 100
"""So many turns at most in one gap of the record."""
CONCEDED_BY = ("forfeit", "resignation", "left", "overtime", "lateness")
"""How a game can be conceded."""
ConcededBy = Annotated[str, OneOf(CONCEDED_BY, f"one of {', '.join(CONCEDED_BY)}")]


@dataclass(frozen=True, slots=True)
class Played:
    """Tiles laid on the board for ``score`` points; ``rack`` before the play, as far as known."""

    player: PlayerNumber
    placement: Placement
    score: Points
    rack: TilesText = ()

    @property
    def laid(self) -> dict[Square, Tile]:
        """The tiles that the play has put on the board, by square."""
        return self.placement.new_tiles()

    @property
    def lying(self) -> dict[Square, Tile]:
        """The same: what is laid by the rules stays, or is taken back as a whole."""
        return self.placement.new_tiles()


@dataclass(frozen=True, slots=True)
class IllegallyPlayed:
    """Tiles laid against the rules of placement, for the ``score`` that stands for them (PLACE-2).

    ``tiles`` are all that were laid, in the order of their squares, in line or not; ``faults``
    what was wrong, the most telling first. ``lifted`` are squares whose tiles came off again after
    the opponent's reply: with those the turn is not taken back.
    """

    player: PlayerNumber
    tiles: TilesBySquare
    faults: tuple[LayingFault, ...]
    score: Points
    rack: TilesText = ()
    lifted: tuple[Square, ...] = ()

    @property
    def laid(self) -> dict[Square, Tile]:
        """All tiles that were laid, by square."""
        return dict(self.tiles)

    @property
    def lying(self) -> dict[Square, Tile]:
        """The tiles that stay on the board, by square."""
        return {sq: tile for sq, tile in self.tiles if sq not in self.lifted}


@dataclass(frozen=True, slots=True)
class Unseen:
    """Turns that no look shows apart, the last of them ``player``'s: their tiles lie on the board.

    ``turns`` is how many were pressed, or at least were (``is_least``). They were made from
    ``from_ms`` to ``to_ms`` of the record's time. Who laid which tile is not known, so no points
    stand for them until a director enters what was played.
    """

    player: PlayerNumber
    tiles: TilesBySquare
    turns: Annotated[int, Within(1, MOST_UNSEEN)] = 1
    from_ms: int = 0
    to_ms: int = 0
    is_least: bool = False

    @property
    def score(self) -> int:
        """No points are claimed."""
        return 0

    @property
    def rack(self) -> Tiles:
        """No one rack."""
        return ()

    @property
    def laid(self) -> dict[Square, Tile]:
        """All tiles that came, by square."""
        return dict(self.tiles)

    @property
    def lying(self) -> dict[Square, Tile]:
        """The same."""
        return dict(self.tiles)


Laid = Played | IllegallyPlayed | Unseen
"""The turns that put tiles on the board."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """``count`` tiles swapped with the bag; ``tiles`` names them when they are known."""

    player: PlayerNumber
    count: Annotated[int, Within(1, 100)]
    tiles: TilesText = ()
    rack: TilesText = ()


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn given up, or lost to a failed challenge."""

    player: PlayerNumber
    rack: TilesText = ()


@dataclass(frozen=True, slots=True)
class NoPlay:
    """The board was unchanged at the press: an exchange or a pass, evidence cannot tell."""

    player: PlayerNumber


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The player's last play, legal or not, was taken back; ``score`` points are removed again.

    ``left`` are squares of it whose tiles were forgotten on the board, where they lie by now as
    part of the game (CHAL-9).
    """

    player: PlayerNumber
    score: Points
    left: tuple[Square, ...] = ()

    def off(self, play: Laid) -> dict[Square, Tile]:
        """The tiles of the play that have been removed, by square."""
        return {sq: tile for sq, tile in play.lying.items() if sq not in self.left}


@dataclass(frozen=True, slots=True)
class ChallengeBonus:
    """Points for the player whose play was challenged and stood."""

    player: PlayerNumber
    points: Points


@dataclass(frozen=True, slots=True)
class EndRackPoints:
    """Points for the tiles left on the other rack; ``tiles`` are the opponent's (END-3)."""

    player: PlayerNumber
    points: Points
    tiles: TilesText = ()


@dataclass(frozen=True, slots=True)
class EndRackPenalty:
    """Points (positive) taken off for the player's own tiles left (END-3, END-5)."""

    player: PlayerNumber
    points: Points
    tiles: TilesText = ()


@dataclass(frozen=True, slots=True)
class TimePenalty:
    """Points (positive) taken off for overtime (END-6)."""

    player: PlayerNumber
    points: Points


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points (positive) taken off by a ruling, or for a challenge that failed (CHAL-4)."""

    player: PlayerNumber
    points: Points
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Conceded:
    """The player has lost without the score deciding: by ``how``, with a margin in points.

    ``margin`` is positive and the opponent's. Most rule sets that know such an end set it and
    nothing else; where one says what is written down instead (END-7, END-11, END-12), ``scores``
    are the totals of player 0 and 1 from then on, else empty.
    """

    player: PlayerNumber
    margin: Points
    how: ConcededBy
    scores: tuple[Total, Total] | tuple[()] = ()


GameEvent = (
    Played
    | IllegallyPlayed
    | Unseen
    | Exchanged
    | Passed
    | NoPlay
    | Withdrawn
    | ChallengeBonus
    | EndRackPoints
    | EndRackPenalty
    | TimePenalty
    | Penalty
    | Conceded
)
TURNS = (Played, IllegallyPlayed, Unseen, Exchanged, Passed, NoPlay)
"""The events that are a turn: after them the other player is on turn."""


@dataclass(frozen=True, slots=True)
class GameState:
    """The position after some events; ``standing`` are the plays that are still on the board."""

    tile_set: TileSet
    board: Board = EMPTY_BOARD
    scores: tuple[int, int] = (0, 0)
    on_turn: int = 0
    events: tuple[GameEvent, ...] = ()
    standing: tuple[Laid, ...] = ()

    @property
    def unseen(self) -> dict[Tile, int]:
        """The tiles that are not on the board, by face (see ``recorder.domain.tiles.unseen``)."""
        return unseen(self.tile_set, self.board.cells)

    @property
    def bag_count(self) -> int:
        """How many tiles are in the bag, both racks being drawn full as long as it lasts."""
        return bag_count(self.tile_set, self.board)


def bag_count(tile_set: TileSet, board: Board) -> int:
    """How many tiles must be in the bag when both racks are as full as they can be."""
    return max(0, tile_set.total - len(board.occupied()) - 2 * RACK_SIZE)


def new_game(tile_set: TileSet) -> GameState:
    """The position before the first turn."""
    return GameState(tile_set)


def apply(state: GameState, event: GameEvent) -> GameState:
    """The position after one more event.

    RecorderError when the event cannot have happened on this board: a tile on a tile, a play
    without tiles or over the edge, a withdrawal with no play of that player on top. Not checked:
    whose turn it was, racks, supply, the score, and every rule that a challenge would decide.
    """
    if event.player not in (0, 1):
        raise RecorderError(f"player is 0 or 1, not {event.player}")
    match event:
        case Played() | IllegallyPlayed() | Unseen():
            after = _play(state, event)
        case Exchanged() | Passed() | NoPlay():
            after = replace(state, on_turn=1 - event.player)
        case Withdrawn():
            after = _withdraw(state, event)
        case ChallengeBonus() | EndRackPoints():
            after = _credit(state, event.player, event.points)
        case EndRackPenalty() | TimePenalty() | Penalty():
            after = _credit(state, event.player, -event.points)
        case Conceded(scores=scores):
            after = replace(state, scores=scores) if scores else state
        case _:
            assert_never(event)
    return replace(after, events=(*state.events, event))


def replay(tile_set: TileSet, events: Iterable[GameEvent]) -> GameState:
    """The position after all these events, from an empty board."""
    state = new_game(tile_set)
    for event in events:
        state = apply(state, event)
    return state


@dataclass(frozen=True, slots=True)
class Lying:
    """The board and the plays that stand on it, without the score; what cannot be is left out."""

    board: Board = EMPTY_BOARD
    plays: tuple[Laid, ...] = ()

    def after(self, events: Iterable[GameEvent]) -> "Lying":
        """The same after more events."""
        board, plays = self.board, self.plays
        for event in events:
            if isinstance(event, Laid):
                board, plays = board.place(event.lying), (*plays, event)
            elif isinstance(event, Withdrawn) and plays:
                board, plays = board.remove(event.off(plays[-1])), plays[:-1]
        return Lying(board, plays)


def standing_plays(events: Iterable[GameEvent]) -> list[int]:
    """Where in the events the plays are that nobody has taken back."""
    standing: list[int] = []
    for at, event in enumerate(events):
        if isinstance(event, Laid):
            standing.append(at)
        elif isinstance(event, Withdrawn) and standing:
            standing.pop()
    return standing


def _credit(state: GameState, player: int, points: int) -> GameState:
    first, second = state.scores
    scores = (first + points, second) if player == 0 else (first, second + points)
    return replace(state, scores=scores)


def _play(state: GameState, event: Laid) -> GameState:
    name, tiles = _named(event), event.lying
    is_bare = not (tiles if isinstance(event, Played) else event.tiles)
    if is_bare and not isinstance(event, Unseen):
        raise RecorderError(f"{name}: no new tile")
    if isinstance(event, Played) and len(event.placement.squares()) < len(event.placement.word):
        raise RecorderError(f"{name}: runs off the board")
    taken = [name_across(sq) for sq in tiles if state.board.has_tile(sq)]
    if taken:
        raise RecorderError(f"{name}: already occupied: {', '.join(taken)}")
    after = _credit(state, event.player, event.score)
    return replace(
        after,
        board=state.board.place(tiles),
        on_turn=1 - event.player,
        standing=(*state.standing, event),
    )


def _named(event: Laid) -> str:
    """A laying as errors name it."""
    if isinstance(event, Played):
        return str(event.placement)
    return " ".join(f"{name_across(sq)}={tile}" for sq, tile in event.tiles)


def _withdraw(state: GameState, event: Withdrawn) -> GameState:
    if not state.standing or state.standing[-1].player != event.player:
        raise RecorderError(f"player {event.player + 1} has no last play to take back")
    last = state.standing[-1]
    after = _credit(state, event.player, -event.score)
    return replace(
        after,
        board=state.board.remove(event.off(last)),
        on_turn=1 - event.player,
        standing=state.standing[:-1],
    )

"""Mishaps that change what is played: each makes another game of the record.

The plays that are put in are of legal shape and no words: nobody here has a word list. Pure.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.board import (
    CENTRE,
    SQUARES,
    Board,
    Direction,
    Square,
    col_of,
    neighbours,
    row_of,
)
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    GameState,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    apply,
    bag_count,
    replay,
)
from recorder.domain.plays import Fault, laying_faults, placement_of
from recorder.domain.scoring import score
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import BLANK, RACK_SIZE, Tile, unseen
from recorder.gcg import GcgGame, GcgMove

BONUS = 5
FEW_IN_BAG = 7
"""An exchange needs so many tiles in the bag (EXCH-2)."""
PHONY_AFTER = 2
ZEROS_AFTER = 5
LETTERS_FOR_BLANKS = "es"
_AT_END = (EndRackPoints, EndRackPenalty, TimePenalty)


def play_out(game: GcgGame) -> GcgGame:
    """The game goes on with plays of any letters until a player is out."""
    state = replay(game.tile_set, _turns(game))
    while True:
        held = _held(state)
        out = next((player for player in (0, 1) if held[player] == 0), None)
        if out is not None:
            break
        state = apply(state, some_play(state, state.on_turn, held[state.on_turn]))
    left = unseen(game.tile_set, state.board.cells)
    tiles = tuple(face for face, count in sorted(left.items()) for _ in range(count))
    end = EndRackPoints(out, 2 * game.tile_set.points(tiles), tiles)
    return _with_events(game, (*state.events, end))


def phony_challenged(game: GcgGame) -> GcgGame:
    """A phony is challenged and taken back; the opponent passes."""
    events = _turns(game)
    at = _after_play(events, PHONY_AFTER)
    state = replay(game.tile_set, events[:at])
    phony = some_play(state, state.on_turn, 2)
    new = (phony, Withdrawn(phony.player, phony.score), Passed(1 - phony.player))
    return _with_events(game, (*events[:at], *new, *game.events[at:]))


def phony_stands(game: GcgGame) -> GcgGame:
    """The first play is challenged in vain: it stands, and its player gets points."""
    events = _turns(game)
    at = _after_play(events, 1)
    first = events[at - 1]
    new = ChallengeBonus(first.player, BONUS)
    return _with_events(game, (*events[:at], new, *game.events[at:]))


def illegal_exchange(game: GcgGame) -> GcgGame:
    """A player exchanges from a bag that holds too few; the opponent passes."""
    state = replay(game.tile_set, ())
    for at, event in enumerate(game.events):
        bag = bag_count(game.tile_set, state.board)
        if 0 < bag < FEW_IN_BAG and isinstance(event, Played):
            count = min(bag, 2)
            new = (Exchanged(event.player, count), Passed(1 - event.player))
            return _with_events(game, (*game.events[:at], *new, *game.events[at:]))
        state = apply(state, event)
    raise NotationError("the bag never runs low in this game; give play_out too")


def six_zeros(game: GcgGame) -> GcgGame:
    """After some turns nobody scores any more: exchanges and passes, six of them."""
    events = _turns(game)[:ZEROS_AFTER]
    state = replay(game.tile_set, events)
    for number in range(6):
        player = state.on_turn
        zero: GameEvent = Passed(player) if number % 2 else Exchanged(player, 2)
        state = apply(state, zero)
    return _with_events(game, state.events)


def some_play(state: GameState, player: int, count: int) -> Played:
    """The first play of legal shape with so many of the tiles that nobody has seen."""
    tiles = _tiles(state, count)
    for start in _starts(state.board):
        for direction in Direction:
            laid = _line(state.board, start, direction, tiles)
            if laid and laying_faults(state.board, laid, state.tile_set) is Fault.NONE:
                placement = placement_of(state.board, laid)
                return Played(player, placement, score(state.board, placement, state.tile_set))
    raise NotationError("no room on the board for another play")


def _tiles(state: GameState, count: int) -> list[Tile]:
    """Letters first, as mixed as the set has them; blanks at the end of the game."""
    left = unseen(state.tile_set, state.board.cells)
    blanks = left.pop(BLANK, 0)
    tiles: list[Tile] = []
    while len(tiles) < count and any(left.values()):
        face = max(left, key=lambda letter: left[letter])
        left[face] -= 1
        tiles.append(face)
    return [*tiles, *read_tiles(LETTERS_FOR_BLANKS[:blanks])][:count]


def _starts(board: Board) -> Sequence[Square]:
    """Empty squares beside tiles, the ones near the centre first."""
    if board.is_empty:
        return [CENTRE]
    free = {near for sq in board.occupied() for near in neighbours(sq) if not board.has_tile(near)}
    return sorted(free, key=lambda sq: (abs(row_of(sq) - 7) + abs(col_of(sq) - 7), sq))


def _line(
    board: Board, start: Square, direction: Direction, tiles: Sequence[Tile]
) -> dict[Square, Tile]:
    """The tiles on the free squares from a start on; empty where they run off the board."""
    laid: dict[Square, Tile] = {}
    here: int = start
    for tile in tiles:
        while here < SQUARES and board.has_tile(Square(here)):
            here += direction.step
        if here >= SQUARES or (
            direction is Direction.ACROSS and row_of(Square(here)) != row_of(start)
        ):
            return {}
        laid[Square(here)] = tile
        here += direction.step
    return laid


def _held(state: GameState) -> tuple[int, int]:
    """The tiles on both racks when everybody draws what they should."""
    held, bag = [RACK_SIZE, RACK_SIZE], state.tile_set.total - 2 * RACK_SIZE
    for play in state.standing:
        laid = len(play.laid)
        drawn = min(laid, bag)
        bag -= drawn
        held[play.player] += drawn - laid
    return held[0], held[1]


def _turns(game: GcgGame) -> tuple[GameEvent, ...]:
    return tuple(event for event in game.events if not isinstance(event, _AT_END))


def _after_play(events: Sequence[GameEvent], number: int) -> int:
    """The place after the play of that number that nobody takes back or challenges."""
    settled = [
        at + 1
        for at, event in enumerate(events)
        if isinstance(event, Played)
        and not isinstance((*events, None)[at + 1], Withdrawn | ChallengeBonus)
    ]
    if len(settled) < number:
        raise NotationError(f"the game has {len(settled)} plays that stand; this needs {number}")
    return settled[number - 1]


def _with_events(game: GcgGame, events: Sequence[GameEvent]) -> GcgGame:
    return replace(game, moves=tuple(map(GcgMove, events)))

"""What no order can make of a game: more tiles than there are, points nobody gives, two losers.

Each is refused with its remedy. What is odd and may have been stays possible: a director has seen
the table, and the recorder has not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from recorder.domain.board import Board
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    GameState,
    Laid,
    Penalty,
    Played,
    TimePenalty,
    standing_plays,
)
from recorder.domain.orders import Concede, EntryName
from recorder.domain.plays import Placement
from recorder.domain.reading.notation import notation
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.tiles import EMPTY, RACK_SIZE, Tile, TileSet, face, unnamed

MOST_POINTS = 2000
"""Points that a single order may give or take; more is a slip of the finger."""


def check_points(points: Iterable[int]) -> None:
    """Points that can be meant."""
    given = list(points)
    if any(not 0 <= number <= MOST_POINTS for number in given):
        raise OrderRefusedError("points_are", most=MOST_POINTS, points=", ".join(map(str, given)))


def points_of(event: GameEvent) -> tuple[int, ...]:
    """The points that an event names, none where it has none."""
    match event:
        case Played(score=points):
            return (points,)
        case ChallengeBonus(points=points) | Penalty(points=points) | TimePenalty(points=points):
            return (points,)
        case Conceded(margin=points):
            return (points,)
        case _:
            return ()


def check_supply(before: GameState, after: GameState) -> None:
    """No order lays more tiles of a kind than the set has (EQUIP-2).

    What the board showed by itself stays: it may be a tile of another game (ADJ-1).
    """
    was, now, tile_set = _faces(before.board), _faces(after.board), after.tile_set
    most = [tile for tile in now if now[tile] > max(was[tile], tile_set.count(tile))]
    if most:
        tile = min(most)
        raise OrderRefusedError(
            "more_than_the_set", letter=str(tile), tiles=now[tile], count=tile_set.count(tile)
        )


def _faces(board: Board) -> Counter[Tile]:
    return Counter(face(tile) for tile in board.cells if tile != EMPTY)


def check_play(placement: Placement, where: EntryName) -> None:
    """Nobody plays more tiles than a rack holds; from an overfull one they are no play (P-OVER)."""
    laid = sum(tile is not EMPTY for tile in placement.word)
    if laid > RACK_SIZE:
        raise OrderRefusedError(
            "more_than_a_rack", entry=where.number, play=str(placement), tiles=laid, most=RACK_SIZE
        )


def check_rack_points(
    points: Sequence[EndRackPoints | EndRackPenalty], state: GameState, tile_set: TileSet
) -> None:
    """Tiles left are those that are not on the board, and each player's count once.

    The same tiles may count for who is out and against the other (END-3).
    """
    players = [(type(rack), rack.player) for rack in points]
    if len(set(players)) < len(players):
        raise OrderRefusedError("rack_points_twice")
    name = tile_set.name
    left = Counter({tile: max(0, count) for tile, count in state.unseen.items()})
    for kind in (EndRackPoints, EndRackPenalty):
        counted = Counter(
            unnamed(tile) for rack in points if isinstance(rack, kind) for tile in rack.tiles
        )
        for tile, tiles in counted.items():
            if tiles > left[tile]:
                raise OrderRefusedError(
                    "not_so_many_left", letter=str(tile), tiles=tiles, count=left[tile], set=name
                )


def check_rests(where: EntryName, play: Laid, later: Sequence[tuple[EntryName, GameEvent]]) -> None:
    """A play is removed as long as no later one that stands reads through its tiles."""
    own = play.laid.keys()
    for at in standing_plays(event for _, event in later):
        name, event = later[at]
        if isinstance(event, Played) and own & set(event.placement.squares()):
            raise OrderRefusedError(
                "plays_rest_on_it", entry=where.number, by=name.number, play=notation(event)
            )


def check_conceded(act: Concede, counting: Iterable[Ruling], supersedes: str) -> None:
    """One game is lost by one player, save in the place of the order ``supersedes``."""
    for earlier in counting:
        lost, is_other = earlier.order.act, earlier.order.id != supersedes
        if isinstance(lost, Concede) and lost.player != act.player and is_other:
            raise OrderRefusedError("conceded_by_other", player=lost.player)

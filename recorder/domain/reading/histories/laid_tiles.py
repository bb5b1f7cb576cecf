"""What was laid in a turn as events: a play, or a laying against the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from recorder.domain.board import Board, Square
from recorder.domain.game import GameEvent, IllegallyPlayed, Laid, Played
from recorder.domain.laying_faults import shape_faults
from recorder.domain.plays import Placement, placement_of
from recorder.domain.scoring import laying_points, score
from recorder.domain.tiles import Tile, TileSet


def play_of(tile_set: TileSet, board: Board, tiles: Mapping[Square, Tile], player: int) -> Laid:
    """The play that these tiles are."""
    placement, points = _placed(tile_set, board, tuple(tiles.items()))
    return Played(player=player, placement=placement, score=points)


@lru_cache(maxsize=2048)
def _placed(
    tile_set: TileSet, board: Board, tiles: tuple[tuple[Square, Tile], ...]
) -> tuple[Placement, int]:
    """The placement of tiles and its points: a game's plays are reported again at every look."""
    placement = placement_of(board, dict(tiles))
    return placement, score(board, placement, tile_set)


def illegal_laying_of(
    tile_set: TileSet, board: Board, tiles: Mapping[Square, Tile], player: int
) -> Laid:
    """The laying that no rule knows, with what is wrong with its shape."""
    return IllegallyPlayed(
        player=player,
        tiles=tuple(tiles.items()),
        faults=shape_faults(board.occupied(), tuple(tiles)),
        score=laying_points(board, tiles, tile_set),
    )


def without_lifted(event: GameEvent, squares: Sequence[Square]) -> GameEvent:
    """An earlier laying, with those of its tiles gone that came off after the reply to it."""
    if not isinstance(event, IllegallyPlayed):
        return event
    gone = set(event.lifted) | (set(event.laid) & set(squares))
    return replace(event, lifted=tuple(sorted(gone)))

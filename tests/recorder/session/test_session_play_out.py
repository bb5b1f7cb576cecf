"""A game that ends with the clock stopped instead of pressed, as four of five rule sets have it."""

import random
from itertools import cycle
from pathlib import Path

import pytest

from recorder.domain.board import Board, Square, neighbours
from recorder.domain.observations import Side
from recorder.domain.tile_text import read_tile, write_tiles
from recorder.domain.tiles import face
from recorder.tilesets import load_tile_set
from tests.domain.legal_games import legal_game
from tests.recorder.session_table import Table, game_types, recorded, run

pytestmark = pytest.mark.slow

PLAYED_OUT = 362
"""A game by dice whose last play empties a rack, with three tiles on the other."""
SQUARES_FROM_THE_END = tuple(map(Square, reversed(range(225))))
OTHER = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}


def rows(board: Board) -> list[str]:
    """The board as a camera sees it: blanks have no letter."""
    cells = write_tiles(map(face, board.cells))
    return [cells[at : at + 15] for at in range(0, 225, 15)]


def test_a_stop_on_a_board_that_lay_still_since_the_press_brings_no_play(tmp_path: Path) -> None:
    """What then looks like a tile was not laid: the play-out was the end (END-2)."""
    *turns, last = legal_game(random.Random(PLAYED_OUT), load_tile_set("english"))
    playing = Table()
    recorder, store = run(tmp_path, playing)
    playing.press(Side.RIGHT, Side.LEFT)
    sides = cycle((Side.LEFT, Side.RIGHT))
    for side, after in zip(sides, turns, strict=False):
        playing.think(side, 20)
        playing.show(rows(after))
        playing.press(side, OTHER[side])
        playing.show(rows(after))
    side = (Side.LEFT, Side.RIGHT)[len(turns) % 2]
    playing.think(side, 20)
    playing.show(rows(last), still_ms=1000)
    playing.press(side, OTHER[side])
    playing.show(rows(last), still_ms=1100)
    playing.stop_clock()
    beside = next(sq for sq in SQUARES_FROM_THE_END if not last.has_tile(sq) and touches(last, sq))
    playing.show(rows(last.place({beside: read_tile("E")})), still_ms=1200)
    recorder.stop()
    store.close()
    types = [name for name in game_types(recorded(tmp_path)) if name.startswith("game.")]
    assert types[-2:] == ["game.played", "game.end_rack_points"]


def touches(board: Board, square: Square) -> bool:
    """Whether a tile lies beside a square."""
    return any(board.has_tile(near) for near in neighbours(square))

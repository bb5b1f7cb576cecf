"""A game that ends with the clock stopped instead of pressed, as four of five rule sets have it."""

import random
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from recorder.domain.board import EMPTY_BOARD, Board, Square, neighbours
from recorder.domain.game import TURNS, Played
from recorder.domain.observations import Side
from recorder.domain.tile_text import read_tile, write_tiles
from recorder.domain.tiles import face
from recorder.gcg import read_gcg
from recorder.service.recorder import Recorder
from recorder.tilesets import load_tile_set
from tests.domain.legal_games import legal_game
from tests.recorder.session_table import Table, game_types, recorded, run

pytestmark = pytest.mark.slow

GAME = Path(__file__).parents[3] / "devices" / "lab" / "games" / "english.gcg"
PLAYS = sum(isinstance(move.event, Played) for move in read_gcg(GAME.read_bytes()).moves)
PLAYED_OUT = 362
"""A game by dice whose last play empties a rack, with three tiles on the other."""
SQUARES_FROM_THE_END = tuple(map(Square, reversed(range(225))))
OTHER = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}


def boards() -> Iterator[tuple[int, list[str]]]:
    """Whose turn it was, and the board afterwards, for every turn of the game."""
    board = EMPTY_BOARD
    for move in read_gcg(GAME.read_bytes()).moves:
        if isinstance(move.event, Played):
            board = board.place(move.event.placement.new_tiles())
        if isinstance(move.event, TURNS):
            yield move.event.player, rows(board)


def rows(board: Board) -> list[str]:
    """The board as a camera sees it: blanks have no letter."""
    cells = write_tiles(map(face, board.cells))
    return [cells[at : at + 15] for at in range(0, 225, 15)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Table, Recorder]]:
    """The shipped game until its last play is laid: no look has shown it, nobody has pressed."""
    table = Table()
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    *turns, (player, _) = boards()
    for earlier, after in turns:
        side = Side.LEFT if earlier == 0 else Side.RIGHT
        table.think(side, 20)
        table.show(after)
        table.press(side, OTHER[side])
        table.show(after)
    table.think(Side.LEFT if player == 0 else Side.RIGHT, 20)
    yield table, recorder
    recorder.stop()
    store.close()


def test_the_last_play_counts_when_the_clock_is_stopped(
    table: tuple[Table, Recorder], tmp_path: Path
) -> None:
    """Play, rack points and nothing else: nobody pressed, and that is right (END-2)."""
    playing, recorder = table
    *_, (_, last) = boards()
    playing.show(last)
    playing.stop_clock()
    playing.show(last)
    recorder.stop()
    types = [name for name in game_types(recorded(tmp_path)) if name.startswith("game.")]
    assert types.count("game.played") == PLAYS
    assert types[-2:] == ["game.played", "game.end_rack_points"]


def test_a_stop_before_the_end_is_no_turn(table: tuple[Table, Recorder], tmp_path: Path) -> None:
    """With the last play taken up again the stop ended nothing, and the clock can go on."""
    playing, recorder = table
    *_, (_, before), (player, last) = boards()
    side = Side.LEFT if player == 0 else Side.RIGHT
    playing.show(last)
    playing.show(before)
    playing.stop_clock()
    playing.show(before)
    playing.resume(side)
    playing.show(last)
    playing.press(side, OTHER[side])
    playing.show(last)
    recorder.stop()
    types = game_types(recorded(tmp_path))
    assert types.count("game.played") == PLAYS
    assert "game.end_rack_points" not in types


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

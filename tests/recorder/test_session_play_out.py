"""A game that ends with the clock stopped instead of pressed, as four of five rule sets have it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.game import TURNS, Played
from recorder.domain.observations import Side
from recorder.gcg import read_gcg
from recorder.service.recorder import Recorder
from tests.recorder.session_table import Table, game_types, recorded, run

pytestmark = pytest.mark.slow

GAME = Path(__file__).parents[2] / "devices" / "sim" / "games" / "english.gcg"
PLAYS = sum(isinstance(move.event, Played) for move in read_gcg(GAME.read_bytes()).moves)
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
    cells = "".join("?" if cell.islower() else cell for cell in board.cells)
    return [cells[at : at + 15] for at in range(0, 225, 15)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Table, Recorder]]:
    """The shipped game until its last play lies on the board and nobody has pressed."""
    table = Table()
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    turns = list(boards())
    for at, (player, after) in enumerate(turns):
        side = Side.LEFT if player == 0 else Side.RIGHT
        table.think(side, 20)
        table.show(after)
        if at < len(turns) - 1:
            table.press(side, OTHER[side])
            table.show(after)
    yield table, recorder
    recorder.stop()
    store.close()


def test_the_last_play_counts_when_the_clock_is_stopped(
    table: tuple[Table, Recorder], tmp_path: Path
) -> None:
    """Play, rack points and nothing else: nobody pressed, and that is right (END-2)."""
    playing, recorder = table
    *_, (_, last) = boards()
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

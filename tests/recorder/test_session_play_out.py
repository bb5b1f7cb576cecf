"""A game that ends with the clock stopped instead of pressed, as four of five rule sets have it."""

from collections.abc import Iterator
from math import log
from pathlib import Path

import pytest

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.game import TURNS, Played
from recorder.domain.observations import (
    BLANK_SYMBOL,
    COST_PER_NAT,
    EMPTY_SYMBOL,
    SYMBOLS,
    Side,
    SquareCosts,
)
from recorder.gcg import read_gcg
from recorder.service.recorder import Recorder
from tests.recorder.session_table import Table, costs, game_types, recorded, run

pytestmark = pytest.mark.slow

GAME = Path(__file__).parents[2] / "devices" / "sim" / "games" / "english.gcg"
PLAYS = sum(isinstance(move.event, Played) for move in read_gcg(GAME.read_bytes()).moves)
BLANK_AT_THE_END = 21
"""The square of the last letter of the last play."""
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


def hardly_seen(rows: list[str], square: int) -> SquareCosts:
    """A look at a board that sees a blank on a square, and may as well see nothing there."""
    seen = bytearray(costs(rows).costs)
    width = len(SYMBOLS)
    for symbol, chance in ((BLANK_SYMBOL, 0.5), (EMPTY_SYMBOL, 0.48)):
        seen[square * width + SYMBOLS.index(symbol)] = round(-COST_PER_NAT * log(chance))
    return SquareCosts(bytes(seen))


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


def test_a_stop_on_a_board_that_lay_still_since_the_press_brings_no_play(
    table: tuple[Table, Recorder], tmp_path: Path
) -> None:
    """The last blank is hardly seen: it is the presser's all the same, and nobody laid it since."""
    playing, recorder = table
    *_, (player, last) = boards()
    side = Side.LEFT if player == 0 else Side.RIGHT
    seen = hardly_seen(last, BLANK_AT_THE_END)
    playing.show(seen, still_ms=1000)
    playing.press(side, OTHER[side])
    playing.show(seen, still_ms=1100)
    playing.stop_clock()
    playing.show(seen, still_ms=1200)
    recorder.stop()
    types = [name for name in game_types(recorded(tmp_path)) if name.startswith("game.")]
    assert types.count("game.played") == PLAYS
    assert types[-1] == "game.end_rack_points"
    assert "correction" not in game_types(recorded(tmp_path))[-4:]

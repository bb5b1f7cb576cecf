"""The players clear the board: after the game, between games, before anybody has confirmed the end.

Nothing of that is an act of the game: no play is withdrawn, nobody's turn passes.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from recorder.domain.board import EMPTY_BOARD, Board, col_of, row_of, square
from recorder.domain.game import TURNS, EndRackPoints, Played, Withdrawn
from recorder.domain.observations import Acted, BoardSeen, ClockAct, ClockChanged, Side, TurnAct
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import face
from recorder.gcg import read_gcg
from tests.cases import first_of
from tests.looks import whole_look
from tests.recorder.order_game import CORNERS, EMPTY, HAND, HAND_CAT, OrderGame

pytestmark = pytest.mark.slow

GAME = Path(__file__).parents[3] / "devices" / "lab" / "games" / "english.gcg"
SIDES = (Side.LEFT, Side.RIGHT)
NOBODY = Side.NONE


def boards() -> Iterator[tuple[int, Board]]:
    """Whose turn it was, and the board afterwards, for every turn of the shipped game."""
    board = EMPTY_BOARD
    for move in read_gcg(GAME.read_bytes()).moves:
        if isinstance(move.event, Played):
            board = board.place(move.event.placement.new_tiles())
        if isinstance(move.event, TURNS):
            yield move.event.player, board


TURNS_PLAYED = tuple(boards())
LAST_BOARD = TURNS_PLAYED[-1][1]


def show(game: OrderGame, board: Board) -> None:
    """A clear look at a whole board; blanks show no letter."""
    cells = write_tiles(map(face, board.cells))
    game.see(
        BoardSeen(
            frame=f"f{game.at}",
            squares=whole_look([cells[at : at + 15] for at in range(0, 225, 15)]),
            corners=CORNERS,
            pose_score=0.9,
            turn_margin=20.0,
            covered=0.0,
            still_ms=50,
        )
    )


@cache
def _played() -> OrderGame:
    """The shipped game, played out; the last press is made and seen, the clock runs."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    for player, board in TURNS_PLAYED:
        show(game, board)
        game.press(SIDES[player], SIDES[1 - player])
        show(game, board)
    return game


@pytest.fixture
def game() -> OrderGame:
    return _played().copied()


@pytest.fixture
def early() -> OrderGame:
    """HAND and CAT: the players give up after two turns."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    game.turn(Side.RIGHT, HAND_CAT)
    return game


def change(act: ClockAct) -> ClockChanged:
    """The clock is set to its full time, or goes on."""
    running = Side.LEFT if act is ClockAct.RESUME else NOBODY
    return ClockChanged(act=act, left_ms=1_500_000, right_ms=1_500_000, running=running)


LAST_PLAY = set(LAST_BOARD.occupied()) - set(TURNS_PLAYED[-2][1].occupied())
SOME = set(sorted(set(LAST_BOARD.occupied()) - LAST_PLAY)[:4])
WITHOUT_LAST, WITHOUT_MORE = (
    LAST_BOARD.remove(tuple(squares)) for squares in (LAST_PLAY, LAST_PLAY | SOME)
)
WAYS = {
    "at once": (EMPTY_BOARD,),
    "the last play first": (WITHOUT_LAST, EMPTY_BOARD),
    "by handfuls": (WITHOUT_LAST, WITHOUT_MORE, EMPTY_BOARD),
    "from the other side": (LAST_BOARD.remove(tuple(SOME)), WITHOUT_MORE, EMPTY_BOARD),
}


CASES = [("by handfuls", False), ("at once", True), *((way, True) for way in [*WAYS][1:])]


@pytest.mark.parametrize(("way", "stops"), first_of(2, CASES))
def test_a_board_cleared_after_the_game_takes_no_play_back(
    game: OrderGame, way: str, *, stops: bool
) -> None:
    """However the tiles go, and whether anybody has stopped the clock: the game stays as it was."""
    before = game.game_recorder.recorded.events
    if stops:
        game.stop_clock()
        show(game, LAST_BOARD)
    for board in WAYS[way]:
        show(game, board)
    after = game.game_recorder.recorded.events
    assert after[: len(before)] == before
    assert [type(event) for event in after[len(before) :]] == [EndRackPoints] * stops


def test_clearing_with_the_end_not_confirmed_takes_no_play_back(early: OrderGame) -> None:
    """The clock stands, nobody has said why: the tiles go into the bag all the same."""
    before = early.game_recorder.recorded.events
    early.stop_clock()
    early.show(HAND_CAT)
    early.show(EMPTY)
    assert early.game_recorder.recorded.events == before


def test_a_press_upon_a_cleared_board_waits(early: OrderGame) -> None:
    """Somebody tries the clock between two games: no turn, and no play taken back."""
    before = early.game_recorder.recorded.events
    early.show(EMPTY)
    early.turn(Side.LEFT, EMPTY)
    early.press(Side.RIGHT, Side.LEFT)
    assert early.game_recorder.recorded.events == before


def test_a_bare_board_that_was_not_the_board_costs_no_turn(early: OrderGame) -> None:
    """The camera looked elsewhere at two presses; once it is back both turns are read."""
    early.show(EMPTY)
    early.turn(Side.LEFT, EMPTY)
    early.show(HAND_CAT.replace("HAND", "HANDY"))
    events = early.game_recorder.recorded.events
    assert [type(event) for event in events] == [Played, Played, Played]
    assert events[-1].player == 0


@pytest.mark.parametrize("act", [ClockAct.RESET, ClockAct.RESUME])
def test_the_next_game_at_the_table_leaves_the_finished_one_alone(
    game: OrderGame, act: ClockAct
) -> None:
    """Reset clocks and new tiles on a cleared board are not the game that was played out."""
    game.stop_clock()
    show(game, LAST_BOARD)
    before = game.game_recorder.recorded.events
    game.show(EMPTY)
    game.see(change(act))
    game.press(Side.RIGHT, Side.LEFT)
    for board, player in ((HAND, 0), (HAND_CAT, 1)):
        game.show(board)
        game.press(SIDES[player], SIDES[1 - player])
        game.show(board)
    assert game.game_recorder.recorded.events == before


@pytest.mark.parametrize("act", [ClockAct.RESET, ClockAct.RESUME])
def test_a_game_that_nobody_has_ended_stays_as_it_was_when_another_begins(
    early: OrderGame, act: ClockAct
) -> None:
    """The other game soon fills squares of the first. Reset clocks say that the first is over."""
    before = early.game_recorder.recorded.events
    early.stop_clock()
    early.show(EMPTY)
    early.see(change(act))
    early.press(Side.RIGHT, Side.LEFT)
    for player, board in TURNS_PLAYED:
        show(early, board)
        early.press(SIDES[player], SIDES[1 - player])
        show(early, board)
    assert early.game_recorder.recorded.events == before
    assert bool(early.game_recorder.state.turns.unread) is (act is ClockAct.RESUME)


def test_a_board_seen_a_column_off_decides_no_turn() -> None:
    """The camera was knocked and takes a line of the grid for the next; then it is right again."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    for player, board in TURNS_PLAYED[:4]:
        show(game, board)
        game.press(SIDES[player], SIDES[1 - player])
        show(game, board)
    before = game.game_recorder.recorded.events
    player, board = TURNS_PLAYED[4]
    lower = {square(row_of(sq) + 1, col_of(sq)): board[sq] for sq in board.occupied()}
    off = EMPTY_BOARD.place(lower)
    show(game, off)
    game.press(SIDES[player], SIDES[1 - player])
    show(game, off)
    assert game.game_recorder.recorded.events == before
    show(game, board)
    events = game.game_recorder.recorded.events
    assert events[:-1] == before
    assert isinstance(events[-1], TURNS)


def test_the_last_press_counts_when_the_board_is_cleared_at_once(early: OrderGame) -> None:
    """Laid, pressed, stopped and swept off: the look before the press has to do."""
    laid = HAND_CAT.replace("HAND", "HANDY")
    early.show(laid)
    early.press(Side.LEFT, Side.RIGHT)
    early.stop_clock()
    early.show(EMPTY)
    assert [type(event) for event in early.game_recorder.recorded.events] == [Played] * 3


def test_a_challenged_play_comes_off_and_the_board_is_cleared(early: OrderGame) -> None:
    """What somebody challenged was taken back, however soon the rest follows."""
    early.see(Acted(side=Side.LEFT, act=TurnAct.CHALLENGE))
    early.stop_clock()
    early.show(HAND)
    early.show(EMPTY)
    assert [type(event) for event in early.game_recorder.recorded.events][-1] is Withdrawn
    assert not early.game_recorder.state.turns.unread


def test_a_play_taken_back_long_before_stays_taken_back(early: OrderGame) -> None:
    """Only what goes with the rest is clearing."""
    early.stop_clock()
    early.show(HAND)
    early.at += 60_000
    early.show(EMPTY)
    assert [type(event) for event in early.game_recorder.recorded.events][-1] is Withdrawn

"""Single tiles that lie another way than the game.

Reported with their play, over once put right.
"""

from dataclasses import replace

import pytest

from recorder.domain.board import parse_square
from recorder.domain.instruments import TurnedTile
from recorder.domain.observations import BoardSeen, Side
from recorder.domain.record import NoticeGiven, ProcedureStands
from tests.looks import Beliefs, look
from tests.recorder.order_game import CORNERS, EMPTY, HAND, HAND_CAT, STARTED, OrderGame
from tests.recorder.table.test_board_as_recorded import told


def show(played: OrderGame, board: str, *turned: str, beliefs: Beliefs | None = None) -> None:
    """A clear look at a board with tiles upside down on these squares."""
    tiles = (TurnedTile(square=parse_square(name)[0], degrees=180) for name in turned)
    played.see(
        BoardSeen(
            frame=f"f{played.at}",
            squares=look(board, beliefs),
            corners=CORNERS,
            pose_score=0.9,
            turn_margin=20.0,
            covered=0.0,
            still_ms=50,
            turned_tiles=tuple(tiles),
        )
    )


@pytest.fixture
def played() -> OrderGame:
    """HAND has been played with its D upside down, and player 1 is on turn."""
    game = OrderGame(replace(STARTED, confirmed=()))
    game.turn(Side.RIGHT, EMPTY)
    game.press(Side.LEFT, Side.RIGHT)
    show(game, HAND, "8J")
    return game


def test_a_tile_of_the_play_is_told_with_its_press_and_over_once_it_lies_right(
    played: OrderGame,
) -> None:
    """The director's page has the square and the procedure; the play stays as it was."""
    assert told(played) == [("tile_turned", ("8J",), "show")]
    stands = [row.says for row in played.rows() if isinstance(row.says, ProcedureStands)]
    assert [row.procedure.code for row in stands] == ["orientation"]
    show(played, HAND)
    assert told(played) == []
    assert len(played.game_recorder.recorded.events) == 1


def test_it_is_told_once_though_a_hand_hides_it_and_the_game_goes_on(played: OrderGame) -> None:
    """What is not seen lies as it lay; the next play is no other tile."""
    show(played, HAND, beliefs={"8J": {"#": 0.97}})
    played.press(Side.RIGHT, Side.LEFT)
    show(played, HAND_CAT, "8J")
    rows = [row.says for row in played.rows() if isinstance(row.says, NoticeGiven)]
    assert [row.notice.code.value for row in rows] == ["tile_turned"]
    assert rows[0].notice.player == 0


def test_a_tile_put_right_while_the_clocks_stand_is_over(played: OrderGame) -> None:
    """Taken up for it, it still counts as turned; lying right it does not."""
    played.stop_clock()
    codes = [code for code, _, _ in told(played)]
    show(played, HAND.replace("HAND", "HAN."))
    assert "tile_turned" in codes
    assert [code for code, _, _ in told(played)] == codes
    show(played, HAND)
    assert "tile_turned" not in [code for code, _, _ in told(played)]


def test_a_tile_of_an_earlier_play_is_told_after_a_while(played: OrderGame) -> None:
    """Anyone who knocks one puts it right within seconds."""
    show(played, HAND)
    played.press(Side.RIGHT, Side.LEFT)
    show(played, HAND_CAT)
    show(played, HAND_CAT, "8H")
    assert told(played) == []
    for _ in range(5):
        show(played, HAND_CAT, "8H")
    assert told(played) == [("tile_turned", ("8H",), "show")]

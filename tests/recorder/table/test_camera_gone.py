"""The board camera gives no look for a press or two: what it shows afterwards is shared out."""

import pytest

from recorder.domain.game import NoPlay, Played, Withdrawn
from recorder.domain.observations import BoardNotSeen, BoardStirred, ClockAct, ClockChanged, Side
from recorder.domain.tile_text import read_tiles
from tests.recorder.order_game import EMPTY, HAND, HAND_CAT, OrderGame

HAND_CAT_OUR = HAND_CAT + "....OUR........\n"
GONE = (BoardNotSeen(frame="f", reason="no frame came"), BoardStirred(frame="f"))


@pytest.mark.parametrize("gone", GONE, ids=["gone", "only told that something moves"])
def test_two_plays_pressed_unseen_are_two_turns_of_their_players(
    gone: BoardNotSeen | BoardStirred,
) -> None:
    """Not a turn without a play and two plays for the wrong players; the director is asked."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.show(HAND)
    game.turn(Side.LEFT, HAND)
    game.show(HAND)
    game.see(gone)
    game.press(Side.RIGHT, Side.LEFT)
    game.turn(Side.LEFT, HAND_CAT_OUR)
    events = game.game_recorder.recorded.events
    played = [(event.player, event.placement.word) for event in events if isinstance(event, Played)]
    assert played == [(0, read_tiles("HAND")), (1, read_tiles("CAT")), (0, read_tiles("OUR"))]
    assert len(events) == 3
    doubts = [row.body["doubt"] for row in game.rows() if row.body.get("doubt")]
    assert doubts


def test_a_tile_that_a_quick_opponent_adds_before_any_look_is_doubted() -> None:
    """HAND is pressed unseen, the opponent adds S at once: HANDS of one player is not sure."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.see(BoardStirred(frame="f"))
    game.press(Side.LEFT, Side.RIGHT)
    game.at += 3_000
    game.show(HAND.replace("HAND.", "HANDS"))
    game.turn(Side.RIGHT, HAND.replace("HAND.", "HANDS"))
    (doubt,) = {
        reason["code"]
        for row in game.rows()
        if row.type == "game.played" and row.body.get("doubt")
        for reason in row.body["doubt"]["reasons"]
    }
    assert doubt == "seen_late"


def test_two_plays_that_a_late_camera_shows_in_one_turn_are_doubted() -> None:
    """CAT was laid and pressed, but the look after it still shows the board before: no play.

    Then both plays come into sight in the next turn: no laying against the rules without a doubt.
    """
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.show(HAND)
    game.turn(Side.LEFT, HAND)
    game.turn(Side.RIGHT, HAND)
    both = HAND_CAT + "..........OUR..\n"
    game.show(both)
    game.turn(Side.LEFT, both)
    assert [type(event) for event in game.game_recorder.recorded.events][1] is NoPlay
    doubts = {
        reason["code"]
        for row in game.rows()
        if row.body.get("doubt")
        for reason in row.body["doubt"]["reasons"]
    }
    assert {"quiet_unsaid", "tiles_of_turn_before"} <= doubts


def test_a_play_that_a_late_camera_shows_in_the_next_turn_is_doubted() -> None:
    """CAT was laid and pressed, but the look still shows the board before, and nobody lays more.

    It comes into sight before the next press and is a play that either could have made.
    """
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.show(HAND)
    game.turn(Side.LEFT, HAND)
    game.turn(Side.RIGHT, HAND)
    game.show(HAND_CAT)
    game.at += 8_000  # the opponent thinks, and exchanges
    game.turn(Side.LEFT, HAND_CAT)
    assert ["play_of_turn_before"] in _doubted(game)


def test_a_play_after_an_exchange_is_not_doubted_where_the_old_board_was_seen() -> None:
    """The exchange is unannounced and asks; the opponent's play, laid seconds later, is theirs."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.show(HAND)
    game.turn(Side.LEFT, HAND)
    game.at += 30_000
    game.turn(Side.RIGHT, HAND)
    game.at += 3_000
    game.show(HAND_CAT)
    game.at += 8_000
    game.turn(Side.LEFT, HAND_CAT)
    (doubt,) = _doubted(game)
    assert "quiet_unsaid" in doubt


def test_a_play_laid_after_a_press_on_a_still_board_is_the_next_players() -> None:
    """The clock was offline, its presses come late: no look after the exchange shows the board.

    Nothing had moved at its press, and the opponent's press shows nothing more.
    """
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.show(HAND)
    game.turn(Side.LEFT, HAND)
    game.see(BoardStirred(frame="f"))
    game.show(HAND_CAT)
    game.at += 10_000
    game.show(HAND_CAT)
    game.at -= 5_000
    game.press(Side.RIGHT, Side.LEFT)
    game.at += 9_000
    game.press(Side.LEFT, Side.RIGHT)
    game.at += 200
    game.see(BoardStirred(frame="f"))
    game.at += 2_000
    game.show(HAND_CAT_OUR)
    game.at += 5_000
    game.turn(Side.RIGHT, HAND_CAT_OUR)
    events = game.game_recorder.recorded.events
    assert [event.player for event in events] == [0, 1, 0, 1]
    assert isinstance(events[2], NoPlay)
    assert isinstance(events[3], Played)
    assert "quiet_unsaid" in _doubted(game)[-1]


def test_a_withdrawal_stays_a_turn_where_its_opponent_presses_without_a_play() -> None:
    """CAT lay before its press: a press that shows nothing more does not give it to anybody."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.show(HAND)
    game.turn(Side.LEFT, HAND)
    game.see(BoardStirred(frame="f"))
    game.show(HAND_CAT)
    game.turn(Side.RIGHT, HAND_CAT)
    game.stop_clock()
    game.see(BoardStirred(frame="f"))
    game.show(HAND)
    game.see(
        ClockChanged(act=ClockAct.RESUME, left_ms=900_000, right_ms=900_000, running=Side.LEFT)
    )
    game.turn(Side.LEFT, HAND)
    events = game.game_recorder.recorded.events
    assert [type(event) for event in events] == [Played, Played, Withdrawn, NoPlay]
    assert not [row for row in game.rows() if row.body.get("reason") == "gone"]


def _doubted(game: OrderGame) -> list[list[str]]:
    return [
        [reason["code"] for reason in row.body["doubt"]["reasons"]]
        for row in game.rows()
        if row.body.get("doubt")
    ]

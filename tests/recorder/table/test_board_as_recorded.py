"""Tiles that lie otherwise than recorded.

Reported after some seconds, and over once they lie again.
"""

from dataclasses import replace

import pytest

from recorder.domain.game import Played
from recorder.domain.observations import Side
from recorder.domain.plays import parse_placement
from recorder.domain.record import NoticeGiven, NoticeOver
from recorder.texts.telling import coded_text
from tests.recorder.order_game import EMPTY, HAND, HAND_CAT, STARTED, OrderGame

pytestmark = pytest.mark.slow

PLAYS = [Played(0, parse_placement("8G HAND"), 16), Played(1, parse_placement("9F CAT"), 14)]
HAN_CAT = HAND_CAT.replace("HAND", "HAN.")
D_MOVED = HAN_CAT.replace("......HAN.", "......HAN...D")
SET_DOWN = HAND.replace("...HAND", "...HAND....CAT")


def game(rules: str = "wespa4") -> OrderGame:
    """HAND and CAT have been played, and player 1's clock runs."""
    played = OrderGame(replace(STARTED, rules=rules, confirmed=()))
    played.turn(Side.RIGHT, EMPTY)
    played.turn(Side.LEFT, HAND)
    played.turn(Side.RIGHT, HAND_CAT)
    return played


def told(played: OrderGame) -> list[tuple[str, tuple[str, ...], str]]:
    """Codes, squares and who is informed, of what holds."""
    rows = played.rows()
    over = {row.says.row for row in rows if isinstance(row.says, NoticeOver)}
    given = [(row.seq, row.says.notice) for row in rows if isinstance(row.says, NoticeGiven)]
    return [
        (one.code.value, one.squares, one.routing.director.value)
        for seq, one in given
        if seq not in over
    ]


def lies(played: OrderGame, board: str, seconds: int = 5) -> None:
    for _ in range(seconds):
        played.show(board)


@pytest.mark.parametrize(
    ("board", "code", "squares"),
    [
        (HAN_CAT, "tile_gone", ("8J",)),
        (D_MOVED, "tile_moved", ("8J",)),
        (SET_DOWN, "changed_after_press", ("9F", "9G", "9H")),
        (HAND_CAT.replace("CAT", "COT"), "changed_after_press", ("9G",)),
    ],
    ids=["gone", "moved", "set down elsewhere", "another letter"],
)
def test_a_board_that_lies_otherwise_is_told_and_changes_no_play(
    board: str, code: str, squares: tuple[str, ...]
) -> None:
    """What was pressed stays on record with its points (TURN-3); the director is informed."""
    played = game()
    lies(played, board)
    assert told(played) == [(code, squares, "alert")]
    assert list(played.game_recorder.recorded.events) == PLAYS
    lies(played, HAND_CAT)
    assert told(played) == []


def test_nobody_is_accused_of_what_lies_after_turns_that_no_press_ended() -> None:
    """CAT came off, and two plays without a press have come, one of them on its squares."""
    played = game()
    two_plays = HAND_CAT.replace(".....CAT...", "....TOUR...").replace("......HAND.", ".TROPHANDLE")
    lies(played, two_plays)
    assert told(played) == []


def test_nobody_is_accused_where_the_next_play_lies_on_squares_of_a_play_that_came_off() -> None:
    """CAT came off without a word to the clock, and DO is being laid where it lay."""
    played = game()
    lies(played, HAND_CAT.replace(".....CAT", "......DO"))
    assert told(played) == []


def test_another_letter_names_the_words_that_it_is_part_of() -> None:
    """So that the director sees at once which turns it touches."""
    played = game()
    lies(played, HAND_CAT.replace("CAT", "COT"))
    (notice,) = (row.says.notice for row in played.rows() if isinstance(row.says, NoticeGiven))
    assert [coded_text(text, "evidence") for text in notice.evidence] == ["it is part of CAT"]


def test_a_tile_that_stays_astray_over_the_next_press_is_told_once() -> None:
    """It is about the play whose tile it is, not about whichever was the last."""
    played = game()
    lies(played, D_MOVED)
    played.press(Side.LEFT, Side.RIGHT)
    lies(played, D_MOVED.replace("CAT", "CATS"))
    moved = [
        row.says.notice
        for row in played.rows()
        if isinstance(row.says, NoticeGiven) and row.says.notice.code == "tile_moved"
    ]
    assert [notice.ref for notice in moved] == [played.game_recorder.ruled().groups[0].ref]


def test_what_was_told_with_a_play_is_not_taken_back_by_the_next_look_that_shows_it() -> None:
    """Seen with the play it is reported at once.

    By a later look alone it is after three seconds.
    """
    played = game()
    played.press(Side.LEFT, Side.RIGHT)
    lies(played, D_MOVED.replace("CAT", "CATS"))
    says = [row.says for row in played.rows()]
    assert [said.notice.code for said in says if isinstance(said, NoticeGiven)] == ["tile_moved"]
    assert not any(isinstance(said, NoticeOver) for said in says)


def test_a_tile_pushed_for_a_moment_is_told_to_nobody() -> None:
    """Anyone who knocks a tile off puts it back within seconds."""
    played = game()
    lies(played, HAN_CAT, 2)
    lies(played, HAND_CAT, 5)
    assert not any(isinstance(row.says, NoticeGiven) for row in played.rows())


def test_tiles_taken_off_while_the_clocks_stand_are_taken_off_by_right() -> None:
    """A challenge or a director takes them off; the game recorder sees a withdrawal, no mistake."""
    played = game()
    played.stop_clock()
    lies(played, HAND)
    assert [code for code, _, _ in told(played) if code != "clock_stopped"] == []
    assert played.game_recorder.recorded.events[-1] != PLAYS[-1]


def test_a_look_before_the_play_accuses_nobody_of_taking_it_off() -> None:
    """The clock is stopped at once after the press: only the look after it shows the play."""
    played = game()
    lies(played, HAND_CAT)
    played.press(Side.LEFT, Side.RIGHT)
    played.stop_clock()
    lies(played, HAND_CAT.replace("CAT", "CATS"))
    assert [code for code, _, _ in told(played) if code != "clock_stopped"] == []


def test_a_camera_that_gives_no_looks_is_told_until_it_does() -> None:
    """Presses alone make no turn, and silence would look like a game in order."""
    played = game()
    plan = played.game_recorder.plan
    played.game_recorder.plan = replace(plan, devices={"cam-1": "board-camera"})
    played.press(Side.LEFT, Side.RIGHT)
    played.at += 16_000
    played.press(Side.RIGHT, Side.LEFT)
    assert [code for code, _, _ in told(played)] == ["no_look"]
    played.show(HAND_CAT)
    assert told(played) == []


def test_a_board_that_is_cleared_says_nothing() -> None:
    """After the game the tiles go into the bag; nobody asks after each of them."""
    long = HAND_CAT.replace("......HAND", "......HANDSOMER")
    played = game()
    played.turn(Side.LEFT, long)
    lies(played, EMPTY)
    assert told(played) == []

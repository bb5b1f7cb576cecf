"""A turn reported at its press, from the look before it; the look after it has the last word."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.board import parse_square
from recorder.domain.instruments import BoardStill
from recorder.domain.observations import COST_PER_NAT, SYMBOLS, BoardStirred, Side, SquareCosts
from recorder.domain.reading.reconstruct import Reconstruction, step
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from tests.looks import whole_look
from tests.recorder.session_table import Table, board, recorded, run

pytestmark = pytest.mark.slow

HAND, HANDS = board("8G HAND"), board("8G HANDS")


def begin(table: Table, *, watched: bool = True) -> None:
    """The first player's clock runs; the camera has said once that something moved."""
    table.press(Side.RIGHT, Side.LEFT)
    if watched:
        table.say("cam", BoardStirred(frame="f0"))
    table.think(Side.LEFT, 30)


@contextmanager
def recording(folder: Path, table: Table) -> Iterator[None]:
    """A recorder beside the table, until what it was reported is stored."""
    recorder, store = run(folder, table)
    yield
    recorder.stop()
    store.close()


def stirred(table: Table, before_press_ms: int) -> None:
    """Something begins to move; the press follows so much later."""
    table.say("cam", BoardStirred(frame=f"f{table.now_ms}"))
    table.now_ms += before_press_ms
    table.left[Side.LEFT] -= before_press_ms


def told(folder: Path) -> list[tuple[Kind, str]]:
    """What was recorded and corrected, in words."""

    def words(row: Row) -> str:
        events = row.body.get("events", [{"data": row.body.get("data", {})}])
        return " ".join(event["data"].get("word", "") for event in events)

    kinds = (Kind.RECORDED, Kind.CORRECTED)
    return [(row.kind, words(row)) for row in recorded(folder) if row.kind in kinds][1:]


def doubts(folder: Path) -> list[list[str]]:
    """Why each row about the play was doubted, in codes."""
    found = [row.body["doubt"] for row in recorded(folder) if "doubt" in row.body]
    return [[why["code"] for why in doubt["reasons"]] if doubt else [] for doubt in found]


def rests_on(folder: Path) -> list[str]:
    """The rows that the play rests on, which is not doubted."""
    rows = recorded(folder)
    played = next(row for row in rows if row.body["type"] == "game.played")
    assert played.body["doubt"] is None
    return [rows[ref - 1].body["type"] for ref in played.refs]


def test_a_play_that_lay_still_is_told_at_its_press(tmp_path: Path, table: Table) -> None:
    """No look has come after the press; the row rests on the press and the look before it."""
    with recording(tmp_path, table):
        begin(table)
        table.show(HAND)
        table.press(Side.LEFT, Side.RIGHT)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND")]
    assert rests_on(tmp_path) == ["clock.press", "board.seen"]


def test_a_stop_right_after_the_press_takes_the_play_back_for_no_moment(
    tmp_path: Path, table: Table
) -> None:
    """A challenge, or the end: the clock stands before the camera has looked again."""
    with recording(tmp_path, table):
        begin(table)
        table.show(HAND)
        table.press(Side.LEFT, Side.RIGHT)
        table.think(Side.RIGHT, 1)
        table.stop_clock()
        table.show(HAND)
    assert told(tmp_path)[0] == (Kind.RECORDED, "HAND")
    assert (Kind.CORRECTED, "") not in told(tmp_path)


@pytest.mark.parametrize("watched", [True, False])
def test_a_look_is_weighed_before_its_press_and_not_again(
    tmp_path: Path, table: Table, monkeypatch: pytest.MonkeyPatch, *, watched: bool
) -> None:
    """Weighing takes tens of milliseconds, which nobody waits for once the clock is pressed.

    Nor is it done again where the press waits for the camera's word that the board lay still.
    """
    weighed: list[int] = []

    def counted(*args: Any, ref: int) -> Reconstruction:
        weighed.append(ref)
        return step(*args, ref=ref)

    monkeypatch.setattr("recorder.domain.reading.table_fold.step", counted)
    with recording(tmp_path, table):
        begin(table, watched=watched)
        table.show(HAND)
        frame = f"f{table.now_ms}"
        deadline = time.monotonic() + 60
        while not weighed and time.monotonic() < deadline:
            time.sleep(0.002)
        table.press(Side.LEFT, Side.RIGHT)
        if not watched:
            lies_still(table, frame)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND")]
    assert rests_on(tmp_path) == ["clock.press", "board.seen"]
    assert weighed == [0]


def test_the_look_after_the_press_that_shows_the_same_is_no_news(
    tmp_path: Path, table: Table
) -> None:
    """Nor is anything recorded twice after a restart between the two."""
    with recording(tmp_path, table):
        begin(table)
        table.show(HAND)
        table.press(Side.LEFT, Side.RIGHT)
    with recording(tmp_path, table):
        table.show(HAND)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND")]


def test_the_look_after_the_press_has_the_last_word(tmp_path: Path, table: Table) -> None:
    """An S that was laid unseen: reported as HAND, corrected to HANDS."""
    with recording(tmp_path, table):
        begin(table)
        table.show(HAND)
        table.press(Side.LEFT, Side.RIGHT)
        table.show(HANDS)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND"), (Kind.CORRECTED, "HANDS")]


@pytest.mark.parametrize(
    ("before_press_ms", "at_press"),
    [pytest.param(300, True, id="hand to the clock"), pytest.param(900, False, id="hand on board")],
)
def test_what_moves_before_the_press(
    tmp_path: Path, table: Table, before_press_ms: int, *, at_press: bool
) -> None:
    """Just before it, it is the hand that presses; earlier, it may have laid a tile."""
    with recording(tmp_path, table):
        begin(table)
        table.show(HAND)
        stirred(table, before_press_ms)
        table.press(Side.LEFT, Side.RIGHT)
    assert told(tmp_path) == ([(Kind.RECORDED, "HAND")] if at_press else [])


def test_a_still_look_after_what_moved_counts_again(tmp_path: Path, table: Table) -> None:
    """The hand was gone before the press, and the board was looked at once more."""
    with recording(tmp_path, table):
        begin(table)
        table.show(HAND)
        stirred(table, 900)
        table.show(HANDS)
        table.press(Side.LEFT, Side.RIGHT)
    assert told(tmp_path) == [(Kind.RECORDED, "HANDS")]


def test_nothing_is_told_early_that_the_look_does_not_show(tmp_path: Path, table: Table) -> None:
    """No tile is new: played later, passed, exchanged, who knows; the look after it shows."""
    with recording(tmp_path, table):
        begin(table)
        table.show(board())
        table.press(Side.LEFT, Side.RIGHT)
    assert told(tmp_path) == []


def test_a_camera_that_never_says_what_moves_is_waited_for(tmp_path: Path, table: Table) -> None:
    """Its last look promises nothing."""
    with recording(tmp_path, table):
        begin(table, watched=False)
        table.show(HAND)
        table.press(Side.LEFT, Side.RIGHT)
    assert told(tmp_path) == []


def lies_still(table: Table, frame: str, after_ms: int = 60) -> None:
    """Asked at the press, the camera says until when the board lay as on that frame."""
    table.now_ms += after_ms
    table.say("cam", BoardStill(frame=frame))


def pressed(table: Table, rows: list[str] | SquareCosts, *, watched: bool = True) -> str:
    """A board lies there for a while, then the clock is pressed; the frame that shows it."""
    begin(table, watched=watched)
    table.show(rows)
    frame = f"f{table.now_ms}"
    table.think(Side.LEFT, 5)
    table.press(Side.LEFT, Side.RIGHT)
    return frame


def test_a_first_play_is_told_once_the_board_is_said_to_lie_still(
    tmp_path: Path, table: Table
) -> None:
    """The camera has not said before that it shows what moves; the look after it is no news."""
    with recording(tmp_path, table):
        lies_still(table, pressed(table, HAND, watched=False))
    assert told(tmp_path) == [(Kind.RECORDED, "HAND")]
    with recording(tmp_path, table):
        table.show(HAND)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND")]


def test_a_turn_without_a_play_waits_for_the_look_after_its_press(
    tmp_path: Path, table: Table
) -> None:
    """Racks may say yet that it is an exchange, and tiles may be laid after the press."""
    with recording(tmp_path, table):
        lies_still(table, pressed(table, board()))
    assert told(tmp_path) == []
    with recording(tmp_path, table):
        table.show(board())
    assert told(tmp_path) == [(Kind.RECORDED, "")]


def unsure(rows: list[str], square: int, other: str) -> SquareCosts:
    """A look in which a letter could nearly as well be another one."""
    looked = bytearray(whole_look(rows).costs)
    row, col = divmod(square, 15)
    letter = looked[square * len(SYMBOLS) + SYMBOLS.index(rows[row][col])]
    looked[square * len(SYMBOLS) + SYMBOLS.index(other)] = letter + COST_PER_NAT // 2
    return SquareCosts(bytes(looked))


def test_a_letter_in_doubt_is_told_as_such_once_the_board_is_said_to_lie_still(
    tmp_path: Path, table: Table
) -> None:
    """At once, for nothing has moved; the look after the press decides whether it stands."""
    with recording(tmp_path, table):
        lies_still(table, pressed(table, unsure(HAND, parse_square("8H")[0], "O")))
    assert told(tmp_path) == [(Kind.RECORDED, "HAND")]
    assert doubts(tmp_path) == [["weak_letter"]]
    with recording(tmp_path, table):
        table.show(HAND)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND"), (Kind.CORRECTED, "HAND")]
    assert doubts(tmp_path) == [["weak_letter"], []]


@pytest.mark.parametrize(("before_ms", "known"), [(300, ["HAND"]), (500, [])])
def test_a_picture_from_just_before_the_press_will_do(
    tmp_path: Path, table: Table, before_ms: int, known: list[str]
) -> None:
    """Nobody lays a tile and presses in 300 ms."""
    with recording(tmp_path, table):
        lies_still(table, pressed(table, HAND, watched=False), -before_ms)
    assert told(tmp_path) == [(Kind.RECORDED, word) for word in known]


def test_a_board_that_lies_as_on_another_look_tells_nothing(tmp_path: Path, table: Table) -> None:
    """The look meant is not the newest that is known."""
    with recording(tmp_path, table):
        pressed(table, HAND, watched=False)
        lies_still(table, "f1")
    assert told(tmp_path) == []


def test_a_tile_that_no_difference_of_pictures_shows_is_corrected(
    tmp_path: Path, table: Table
) -> None:
    """The look after the press has the last word over a board that seemed to lie as it did."""
    with recording(tmp_path, table):
        lies_still(table, pressed(table, HAND, watched=False))
        table.show(HANDS)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND"), (Kind.CORRECTED, "HANDS")]


def test_two_presses_before_any_look_wait_for_one(tmp_path: Path, table: Table) -> None:
    """A clock pressed and pressed back: which of them ended a turn is for the look."""
    with recording(tmp_path, table):
        frame = pressed(table, HAND, watched=False)
        table.press(Side.RIGHT, Side.LEFT)
        lies_still(table, frame)
    assert told(tmp_path) == []

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

HAND = board("8G HAND")


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
    rows = recorded(folder)
    played = next(row for row in rows if row.body["type"] == "game.played")
    assert played.body["doubt"] is None
    return [rows[ref - 1].body["type"] for ref in played.refs]


def lies_still(table: Table, frame: str, after_ms: int = 60) -> None:
    """Asked at the press, the camera says until when the board lay as on that frame."""
    table.now_ms += after_ms
    table.say("cam", BoardStill(frame=frame))


def act(table: Table, words: list[str], frame: str) -> str:
    """One step of ``play``; the frame of the last look."""
    match words:
        case ["press"]:
            table.press(Side.LEFT, Side.RIGHT)
        case ["back"]:
            table.press(Side.RIGHT, Side.LEFT)
        case ["stop"]:
            table.think(Side.RIGHT, 1)
            table.stop_clock()
        case ["wait"]:
            table.think(Side.LEFT, 5)
        case ["stir", ms]:
            stirred(table, int(ms))
        case ["still", ms]:
            lies_still(table, frame, int(ms))
        case [word]:
            table.show(board() if word == "-" else board(f"8G {word}"))
            return f"f{table.now_ms}"
    return frame


def play(folder: Path, table: Table, steps: str, *, watched: bool = True) -> list[tuple[Kind, str]]:
    """What a first turn of these steps is recorded as; ``|`` is a restart of the recorder.

    A word is a look that shows it, ``-`` one at an empty board; ``still 60`` says so many ms later
    that the board lies as on the last look; ``stir 900`` comes so many ms before the next step.
    """
    frame = ""
    for number, part in enumerate(steps.split(" | ")):
        with recording(folder, table):
            if number == 0:
                begin(table, watched=watched)
            for words in part.split(", "):
                frame = act(table, words.split(), frame)
    return told(folder)


@pytest.mark.parametrize(
    ("steps", "known"),
    [
        pytest.param("HAND, press | HAND", "HAND", id="the look after it is no news"),
        pytest.param("HAND, press, HANDS", "HAND HANDS", id="the look after it has the last word"),
        pytest.param("HAND, stir 300, press", "HAND", id="the hand that presses"),
        pytest.param("HAND, stir 900, press", "", id="a hand that may have laid a tile"),
        pytest.param("HAND, stir 900, HANDS, press", "HANDS", id="a still look after what moved"),
        pytest.param("-, press", "", id="no tile is new"),
        # Racks may say yet that it is an exchange, and tiles may be laid after the press.
        pytest.param("-, wait, press, still 60", "", id="no tile is new and the board lies still"),
        pytest.param("-, wait, press, still 60 | -", "-", id="a turn without a play"),
    ],
)
def test_a_play_that_lay_still_is_told_at_its_press(
    tmp_path: Path, table: Table, steps: str, known: str
) -> None:
    """No look has come after the press; the row rests on the press and the look before it."""
    assert play(tmp_path, table, steps) == turns_of(known)


@pytest.mark.parametrize(
    ("steps", "known"),
    [
        pytest.param("HAND, wait, press, still 60 | HAND", "HAND", id="the look is no news"),
        pytest.param("HAND, wait, press, still -300", "HAND", id="nobody lays and presses in that"),
        pytest.param("HAND, wait, press, still -500", "", id="a picture from too long before"),
        pytest.param("HAND, wait, press, still 60, HANDS", "HAND HANDS", id="a tile not seen"),
        # A clock pressed and pressed back: which of them ended a turn is for the look.
        pytest.param("HAND, wait, press, back, still 60", "", id="two presses before any look"),
    ],
)
def test_a_first_play_is_told_once_the_board_is_said_to_lie_still(
    tmp_path: Path, table: Table, steps: str, known: str
) -> None:
    """The camera has not said before that it shows what moves."""
    assert play(tmp_path, table, steps, watched=False) == turns_of(known)


def turns_of(known: str) -> list[tuple[Kind, str]]:
    kinds = (Kind.RECORDED, Kind.CORRECTED)
    return [(kind, word.strip("-")) for kind, word in zip(kinds, known.split(), strict=False)]


def test_a_stop_right_after_the_press_takes_the_play_back_for_no_moment(
    tmp_path: Path, table: Table
) -> None:
    """A challenge, or the end: the clock stands before the camera has looked again."""
    rows = play(tmp_path, table, "HAND, press, stop, HAND")
    assert rows[0] == (Kind.RECORDED, "HAND")
    assert (Kind.CORRECTED, "") not in rows


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
        begin(table)
        table.show(unsure(HAND, parse_square("8H")[0], "O"))
        frame = f"f{table.now_ms}"
        table.think(Side.LEFT, 5)
        table.press(Side.LEFT, Side.RIGHT)
        lies_still(table, frame)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND")]
    assert doubts(tmp_path) == [["weak_letter"]]
    with recording(tmp_path, table):
        table.show(HAND)
    assert told(tmp_path) == [(Kind.RECORDED, "HAND"), (Kind.CORRECTED, "HAND")]
    assert doubts(tmp_path) == [["weak_letter"], []]

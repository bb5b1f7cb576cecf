"""Clocks that stand, and clocks that run out, through the recorder.

Reported in time and not before.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.observations import Acted, ClockAct, ClockChanged, Side, TurnAct
from recorder.domain.orders import Note
from recorder.service.recorder import Recorder
from tests.recorder.session_table import START_MS, Table, board, play_two_turns, recorded, run

pytestmark = pytest.mark.slow

STOPPED = "clock_stopped"
TURNS = ("8G HAND", "9F CAT")


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[tuple[Table, Recorder]]:
    """A table after two turns, the first player to move."""
    table = Table()
    recorder, store = run(tmp_path, table, rules="wespa1")
    play_two_turns(table)
    yield table, recorder
    recorder.stop()
    store.close()


def told(tmp_path: Path) -> list[Any]:
    """What was noticed, in order."""
    rows = recorded(tmp_path)
    return [row.body["data"]["code"] for row in rows if row.body.get("type") == "table.notice"]


def wait(table: Table, seconds: float) -> None:
    """Let time pass at the table, and the camera see the same board."""
    table.now_ms += round(seconds * 1000) - 100
    table.show(board(*TURNS))


def test_a_stop_without_a_reason_is_told_after_a_minute(
    playing: tuple[Table, Recorder], tmp_path: Path
) -> None:
    """Not before, for most stops have a reason that somebody will give (CLOCK-1)."""
    table, recorder = playing
    table.stop_clock()
    wait(table, 57)
    assert told(tmp_path) == []
    wait(table, 4)
    recorder.stop()
    assert told(tmp_path) == [STOPPED]


def test_a_challenge_is_a_reason_until_half_a_minute_after_its_verdict(
    playing: tuple[Table, Recorder], tmp_path: Path
) -> None:
    """While it is looked up nothing is reported; a clock that stands on afterwards is (CLOCK-4)."""
    table, recorder = playing
    table.say("clock", Acted(side=Side.LEFT, act=TurnAct.CHALLENGE))
    table.stop_clock()
    wait(table, 240)
    assert told(tmp_path) == []
    table.say("clock", Acted(side=Side.LEFT, act=TurnAct.ACCEPT))
    wait(table, 27)
    assert told(tmp_path) == []
    wait(table, 4)
    recorder.stop()
    assert told(tmp_path) == [STOPPED]


def test_what_a_director_says_is_a_reason(playing: tuple[Table, Recorder], tmp_path: Path) -> None:
    """Anyone who has written about the table knows that its clocks stand."""
    table, recorder = playing
    table.stop_clock()
    table.order(Note(text="clocks stopped: fire drill"))
    wait(table, 300)
    recorder.stop()
    assert told(tmp_path) == []


def test_tiles_taken_back_are_a_reason(playing: tuple[Table, Recorder], tmp_path: Path) -> None:
    """Nobody keyed the challenge, but the play has left the board (CHAL-5)."""
    table, recorder = playing
    table.stop_clock()
    table.now_ms += 40_000
    table.show(board(TURNS[0]))
    table.now_ms += 25_000
    table.show(board(TURNS[0]))
    recorder.stop()
    assert told(tmp_path) == []


def test_the_limit_of_overtime_is_told_while_the_clock_runs(
    playing: tuple[Table, Recorder], tmp_path: Path
) -> None:
    """Wespa 1: a warning at nine minutes, and at ten the game is lost (END-7)."""
    table, recorder = playing
    out = ClockChanged(act=ClockAct.ADJUST, left_ms=0, right_ms=START_MS, running=Side.LEFT)
    table.say("clock", out)
    wait(table, 538)
    assert told(tmp_path) == []
    wait(table, 3)
    wait(table, 60)
    recorder.stop()
    assert told(tmp_path) == ["overtime_near_limit", "overtime_lost"]

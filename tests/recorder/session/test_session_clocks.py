"""Clocks that stand, and clocks that run out, through the recorder.

Reported in time and not before.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.observations import ClockAct, ClockChanged, Side
from recorder.service.recorder import Recorder
from tests.recorder.session_table import START_MS, Table, board, play_two_turns, recorded, run

pytestmark = pytest.mark.slow

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

"""What is said by buttons, through the recorder: corrected rows, live GCG, public score."""

from pathlib import Path

import pytest

from recorder.domain.game import ChallengeBonus, Exchanged, Passed
from recorder.domain.observations import Announced, ClockAct, ClockChanged, Say, Side
from recorder.domain.row_kind import Kind
from recorder.gcg import read_gcg
from recorder.log.port import Row
from tests.folded import broadcast_frame
from tests.recorder.session_table import Table, board, play_two_turns, recorded, run

BOTH = ("8G HAND", "9F CAT")


def say(table: Table, side: Side, word: Say, count: int = 0) -> None:
    """A button of the scorer's box, which is on the clock's line."""
    table.say("clock", Announced(side=side, say=word, count=count))


def start_clock(table: Table, side: Side) -> None:
    """The middle button again: a half goes on."""
    left, right = table.left[Side.LEFT], table.left[Side.RIGHT]
    act = ClockChanged(act=ClockAct.RESUME, left_ms=left, right_ms=right, running=side)
    table.say("clock", act)


def unchanged_turn(table: Table, side: Side, running: Side) -> None:
    table.think(side, 20)
    table.press(side, running)
    table.show(board(*BOTH))


def wait_for_rows(table: Table, tmp_path: Path, type_name: str, count: int = 1) -> None:
    """Let the recorder conclude before anything else is said."""
    for _ in range(500):
        if sum(row.body.get("type") == type_name for row in recorded(tmp_path)) == count:
            return
        table.show(board(*BOTH))
    pytest.fail(f"no {type_name} was recorded")


def changes(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.kind is Kind.CORRECTED]


def test_what_is_said_later_corrects_the_turn(tmp_path: Path, table: Table) -> None:
    """First nobody knows, then somebody says it: a new row that names the one it supersedes."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    unchanged_turn(table, Side.LEFT, Side.RIGHT)
    wait_for_rows(table, tmp_path, "game.no_play")
    say(table, Side.LEFT, Say.PASS)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    undecided = next(row for row in rows if row.body["type"] == "game.no_play")
    (corrected,) = changes(rows)
    assert corrected.body["supersedes"] == undecided.seq
    assert [event["type"] for event in corrected.body["events"]] == ["game.passed"]
    assert (corrected.body["reason"], corrected.body["doubt"]) == (
        "announced",
        None,
    )


def test_the_live_gcg_and_the_screens_have_the_bonus(tmp_path: Path, table: Table) -> None:
    """Points of a challenge count on air at once; the file reads back without a fault."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    table.stop_clock()
    say(table, Side.RIGHT, Say.BONUS, 5)
    start_clock(table, Side.LEFT)
    say(table, Side.LEFT, Say.EXCHANGE, 7)
    unchanged_turn(table, Side.LEFT, Side.RIGHT)
    say(table, Side.RIGHT, Say.PASS)
    unchanged_turn(table, Side.RIGHT, Side.LEFT)
    recorder.stop()
    store.close()
    text = (tmp_path / "live.gcg").read_text(encoding="utf-8")
    assert "(challenge) +5 19" in text
    assert "UNKNOWN -7 +0 16" in text
    game = read_gcg(text)
    assert game.faults == ()
    assert game.events[2:] == (ChallengeBonus(1, 5), Exchanged(0, 7), Passed(1))
    assert game.final == (16, 19)
    frame = broadcast_frame(recorded(tmp_path))
    assert [player["score"] for player in frame["players"]] == [16, 19]

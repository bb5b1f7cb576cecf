"""The recorder on a real log, with devices that speak the wire over the memory bus."""

import json
from pathlib import Path

import pytest

from recorder.domain.observations import ClockPressed, Side
from recorder.domain.row_kind import Kind
from recorder.gcg import read_gcg
from recorder.wire.topics import Up, UpChannel
from tests.eventually import eventually
from tests.recorder.session_table import (
    VENUE,
    Table,
    board,
    game_types,
    play_two_turns,
    recorded,
    run,
)

pytestmark = pytest.mark.slow


def test_presses_and_looks_become_scored_turns(tmp_path: Path, table: Table) -> None:
    """Two presses, two plays; the rows rest on the press and the look; the GCG reads clean."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert game_types(rows) == ["game.started", "game.played", "game.played"]
    last = [row for row in rows if row.kind is Kind.RECORDED][-1]
    assert last.body["data"] == {
        "player": 1, "position": "9F", "word": "CAT", "score": 14, "rack": "",
    }  # fmt: skip
    assert [rows[ref - 1].body["type"] for ref in last.refs] == ["clock.press", "board.seen"]
    game = read_gcg((tmp_path / "live.gcg").read_bytes())
    assert game.ok
    assert game.final == (16, 14)


def test_a_turn_waits_for_a_look_that_no_hand_covers(tmp_path: Path, table: Table) -> None:
    """A hand over the board after the press decides nothing; the next clear look does."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.turn(Side.LEFT, board("8G HA"), covered=0.3)
    table.show(board("8G HAND"))
    recorder.stop()
    store.close()
    played = [row for row in recorded(tmp_path) if row.body["type"] == "game.played"]
    assert [row.body["data"]["word"] for row in played] == ["HAND"]


def test_the_next_player_placing_before_the_first_look_is_not_mixed_in(
    tmp_path: Path, table: Table
) -> None:
    """The look after the press shows two words; the look before it tells them apart."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.think(Side.LEFT, 1)
    table.turn(Side.LEFT, board("8G HAND", "9F CAT"))
    table.think(Side.RIGHT, 5)
    table.turn(Side.RIGHT, board("8G HAND", "9F CAT"))
    recorder.stop()
    store.close()
    played = [row for row in recorded(tmp_path) if row.kind is Kind.RECORDED][1:]
    assert [row.body["data"]["word"] for row in played] == ["HAND", "CAT"]
    assert [row.body["doubt"] for row in played] == [None, None]


def test_a_restart_in_mid_game_records_nothing_twice(tmp_path: Path, table: Table) -> None:
    """A second recorder on the same log goes on where the first one stopped."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    recorder.stop()
    store.close()
    before = recorded(tmp_path)
    recorder, store = run(tmp_path, table)
    table.think(Side.LEFT, 20)
    table.turn(Side.LEFT, board("8G HANDY", "9F CAT"))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert rows[: len(before)] == before
    assert game_types(rows) == ["game.started", "game.played", "game.played", "game.played"]
    assert rows[-1].body["data"]["word"] == "....Y"


def test_an_event_sent_again_is_stored_once(tmp_path: Path, table: Table) -> None:
    """A device that resends what it was not acknowledged doubles nothing."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    left, right = table.left[Side.LEFT], table.left[Side.RIGHT]
    press = ClockPressed(side=Side.RIGHT, left_ms=left, right_ms=right, running=Side.LEFT)
    table.say("clock", press, number=1)
    recorder.stop()
    store.close()
    assert recorder.counters.doubled == 1
    assert game_types(recorded(tmp_path)) == ["game.started", "game.played", "game.played"]


def test_a_forged_or_broken_message_is_kept_as_refused_and_stops_nothing(
    tmp_path: Path, table: Table
) -> None:
    """A payload under another device's name, and one that is no JSON: refused, with the reason."""
    recorder, store = run(tmp_path, table)
    topic = str(Up(VENUE, "cam", UpChannel.EVENT))
    forged = {
        "v": 1,
        "dev": "clock",
        "boot": "0000abcd",
        "seq": 9,
        "t": 1,
        "type": "a.b",
        "data": {},
    }
    table.bus.publish(topic, json.dumps(forged).encode())
    table.bus.publish(topic, b"\xff\x00 not json")
    play_two_turns(table)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    refused = [row for row in rows if row.body["type"] == "recorder.refused"]
    assert recorder.counters.refused == len(refused) == 2
    assert [row.body["data"]["code"] for row in refused] == ["forged", "malformed"]
    assert "clock" in refused[0].body["data"]["fault"]
    assert game_types(rows) == ["game.started", "game.played", "game.played"]


def test_a_gcg_that_cannot_be_written_stops_no_recording(
    tmp_path: Path, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """Something stands where the file should go: said once, by name; the log is complete."""
    (tmp_path / "live.gcg").mkdir()
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    recorder.stop()
    store.close()
    assert game_types(recorded(tmp_path)) == ["game.started", "game.played", "game.played"]
    said = [line for line in caplog.messages if "cannot be written" in line]
    assert len(said) == 1
    assert "live.gcg" in said[0]
    assert "broker lost" not in caplog.text, "it has ended in good order"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_recorder_that_cannot_go_on_says_so(tmp_path: Path, table: Table) -> None:
    """Its log is gone for good: the process that runs it can see that nobody records."""
    recorder, store = run(tmp_path, table)
    assert recorder.is_running
    store.close()
    table.recorder = None
    table.press(Side.RIGHT, Side.LEFT)
    eventually(lambda: not recorder.is_running, "it ends without a log")
    recorder.stop()


def test_a_game_keeps_the_rules_under_which_it_began(
    tmp_path: Path, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """A file that was edited meanwhile is reported: pages read the game's rules from its log."""
    recorder, store = run(tmp_path, table, rules="wespa1")
    recorder.stop()
    store.close()
    recorder, store = run(tmp_path, table, rules="naspa")
    recorder.stop()
    store.close()
    assert "game g1 keeps its rules, wespa1; the file names others, naspa" in caplog.text
    (game,) = [row.says for row in recorded(tmp_path) if row.body["type"] == "game.started"]
    assert game.rules == "wespa1"

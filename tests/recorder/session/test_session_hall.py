"""One recorder for a hall: the tables where nothing happens are left alone."""

import queue
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recorder.domain.observations import BoardNotSeen, Side
from recorder.log.port import NewRow
from recorder.service.games.look_requests import LOOK_AGAIN_MS
from recorder.table.game_recorder import GameRecorder
from recorder.table.guarded import GuardedGameRecorder
from recorder.wire.topics import Down, DownChannel
from tests.eventually import eventually
from tests.recorder.hall import Hall
from tests.recorder.session_table import START_MS, VENUE, board

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from recorder.bus.port import Message

TABLES = range(1, 65)


@pytest.fixture
def visited(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tables that are asked for news from now on, in order."""
    tables: list[int] = []
    news = GameRecorder.pending_rows

    def noted(game_recorder: GameRecorder, at: int) -> list[NewRow]:
        tables.append(game_recorder.plan.started.table)
        return news(game_recorder, at)

    hall.settle()
    monkeypatch.setattr(GameRecorder, "pending_rows", noted)
    return tables


def test_an_event_turns_to_its_own_table_alone(hall: Hall, visited: list[int]) -> None:
    """However many tables there are; and when nothing happens, to none."""
    hall.say("cam-7", BoardNotSeen(frame="f", reason="covered"))
    hall.settle()
    assert visited == [7]
    hall.settle()
    assert visited == [7]


def test_a_turn_that_waits_for_a_look_is_not_forgotten(hall: Hall, visited: list[int]) -> None:
    """Its camera is asked again as time passes, though nothing more is stored."""
    asked: queue.Queue[Message] = queue.Queue()
    hall.devices.subscribe(str(Down(VENUE, "cam-9", DownChannel.COMMAND)), asked.put)
    hall.press(9, Side.RIGHT, Side.LEFT)
    hall.now_ms += 60_000
    hall.press(9, Side.LEFT, Side.RIGHT, left_ms=START_MS - 60_000)
    assert b"look" in asked.get(timeout=60).payload
    visited.clear()  # after a minute every table was told of its silent devices
    hall.now_ms += LOOK_AGAIN_MS
    hall.settle()
    assert b"look" in asked.get(timeout=60).payload
    assert set(visited) == {9}


def test_what_is_due_later_is_not_turned_to_before(hall: Hall, visited: list[int]) -> None:
    """Nine minutes of overtime are reported while the clock runs: the table is due then."""
    hall.press(5, Side.RIGHT, Side.LEFT)
    hall.show(5, board())
    hall.now_ms += 30_000
    hall.show(5, board("8G HAND"))
    hall.press(5, Side.LEFT, Side.RIGHT, left_ms=START_MS - 30_000)
    hall.show(5, board("8G HAND"))
    hall.settle()
    visited.clear()
    hall.now_ms += START_MS
    hall.settle()
    assert visited == []
    hall.now_ms += 9 * 60_000
    hall.settle()
    assert set(visited) == {5}
    assert any(row.type == "table.notice" for row in hall.log.read_from(1))


def test_a_recorder_that_ends_leaves_unread_what_would_take_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its thread ends before its log is closed: what it has not read it reads at the next start."""
    monkeypatch.setattr("recorder.service.recorder._GOODBYE_S", 0.2)
    monkeypatch.setattr(GuardedGameRecorder, "fold_on", lambda _game, _is_enough: False)
    hall = Hall(tmp_path)
    hall.recorder.start()
    hall.send("cam-7", BoardNotSeen(frame="f", reason="covered"))
    eventually(lambda: hall.recorder.counters.stored == 1)
    hall.recorder.stop()
    hall.devices.stop()
    assert not hall.recorder.is_running

"""A game that is settled costs a recorder nothing: it is read from the log when somebody asks."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from recorder.domain.event.seating import seating as seat
from recorder.domain.orders import EntryName, Remove
from recorder.domain.record import Recorded
from recorder.lab.memory_log import MemoryEventLog
from recorder.orders.event_record import EVENT_TABLE
from recorder.service.games import table_games
from recorder.service.games.table_games import AT_HAND_MS
from tests.event.event_hall import EventHall

pytestmark = pytest.mark.slow  # plays games

if TYPE_CHECKING:
    from recorder.domain.event.divisions import Event

MINUTE_MS = 60_000


def first_round(folder: Path) -> EventHall:
    folder.mkdir()
    hall = EventHall(folder, MemoryEventLog(), tables=2)
    for name in ("Ashdown, Vera", "Brok, Ilse", "Caro, Mateo", "Dube, Thandi"):
        hall.orders(f"player A {name}")
    hall.orders("round A 1 1:1-3 2:4-2")
    for table in (1, 2):
        hall.show(table)
        hall.play(table, "8G HAND", "9F CAT")
    hall.sign(1)
    hall.show(1)
    return hall


def later(hall: EventHall) -> list[tuple[Any, ...]]:
    """Table 1's game is corrected, the other signed, a round begins: what the recorder says."""
    played = next(row for row in hall.rows() if row.table == 1 and isinstance(row.says, Recorded))
    hall.rules(1, Remove(entry=EntryName(played.seq)), "A-round-1-table-1")
    hall.sign(1, "A-round-1-table-1")
    hall.sign(2)
    hall.orders("round A 2 1:4-1 2:3-2")
    hall.show(1)
    hall.play(1, "8G QUIZ")
    return [
        (row.table, row.game, row.kind, row.type, row.refs, row.body.get("data"))
        for row in hall.rows()
    ]


def after_a_while(hall: EventHall) -> None:
    """The settled game was not asked for any more, and something is ordered of the event."""
    hall.now_ms += AT_HAND_MS + MINUTE_MS
    hall.orders("player B Else, Somebody")


def test_an_order_about_an_event_costs_no_look_at_all_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where players sit is worked out again once for a start, not for each row about the event."""
    hall = first_round(tmp_path / "hall")
    for number in range(2, 12):
        hall.orders(f"round A {number} 1:1-3 2:4-2")
    counted: list[Event] = []
    monkeypatch.setattr(table_games, "seating", lambda event: counted.append(event) or seat(event))
    hall.restart()
    assert len([row for row in hall.rows() if row.table == EVENT_TABLE]) > 15
    assert len(counted) <= 1, "where all sit was worked out for each of the rows"


def test_a_restart_leaves_a_settled_game_on_disk(tmp_path: Path) -> None:
    """It is read when somebody asks; its correction comes to what it would have anyway."""
    hall, without = first_round(tmp_path / "restarted"), first_round(tmp_path / "plain")
    hall.restart()
    assert hall.recorder._games.sleeps(1)
    assert not hall.recorder._games.sleeps(2)
    assert later(hall) == later(without)
    assert hall.scores(1)[1, 3] == (0, 6)


def test_a_settled_game_goes_to_sleep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it was not asked for in ten minutes; what comes of it is the same."""
    hall = first_round(tmp_path / "asleep")
    after_a_while(hall)
    assert hall.recorder._games.sleeps(1)
    assert not hall.recorder._games.sleeps(2)
    rows = later(hall)
    monkeypatch.setattr(table_games, "AT_HAND_MS", 100 * AT_HAND_MS)
    awake = first_round(tmp_path / "awake")
    after_a_while(awake)
    assert not awake.recorder._games.sleeps(1)
    assert rows == later(awake)

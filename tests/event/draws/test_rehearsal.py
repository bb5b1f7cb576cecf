"""A day of a tournament at the running recorder: four rounds, three tables, and what goes wrong.

One player comes late, one does not come at all, one leaves, one result is corrected after the next
round is paired, one game is played at another table than paired, and the recorder is restarted in
the middle of a game. Nothing is edited; the standings are right at the end.
"""

from pathlib import Path

import pytest

from recorder.domain.observations import Side
from recorder.domain.orders import EndGame, EntryName, Remove
from recorder.domain.record import Corrected, OrderRefused, Recorded
from recorder.log.sqlite import SqliteEventLog
from tests.event.event_hall import EventHall

pytestmark = pytest.mark.slow

SIX = (
    *("Vera Ashdown", "Ilse Brok", "Mateo Caro"),
    *("Thandi Dube", "Saga Eklund", "Nour Farouk"),
)
SHORT, LONG = ("8G HAND", "9F CAT"), ("8G HANDY", "9F CAT")
"""16 to 14, and 24 to 14 for the player who moves first."""


def played(hall: EventHall, table: int, *words: str, side: Side = Side.LEFT) -> None:
    """A game from the bare board to both signatures."""
    hall.show(table)
    hall.play(table, *words, side=side)
    hall.sign(table)


@pytest.mark.further
def test_a_day_of_four_rounds(tmp_path: Path) -> None:
    """From the first player's entry to the last standings, without an edited file."""
    with SqliteEventLog(tmp_path / "log.db") as log:
        hall = EventHall(tmp_path, log)
        hall.orders("about name Harbour Open")
        for name in SIX[:5]:
            hall.orders(f"player A {name}")
        hall.orders("rules A naspa")
        _first_round(hall)
        _second_round(hall)
        _third_round(hall)
        _fourth_round(hall)
        assert log.verify() is None
        refused = [row for row in hall.rows() if isinstance(row.says, OrderRefused)]
        assert refused == []
        assert hall.standings() == [
            (1, 2, 3.0, 16 - 2 + 50 + 2),
            (2, 1, 3.0, 10 + 2 + 2 - 2),
            (3, 3, 2.0, -16 + 2 - 2 + 10),
            (4, 5, 2.0, 50 - 50 + 2 - 10),
            (5, 6, 1.0, -50 - 2 - 2 + 50),
            (None, 4, 1.0, -10 + 50 - 50 - 50),
        ]
        assert len({game.game for game in hall.begun()}) == 9


def _first_round(hall: EventHall) -> None:
    """Five players; the sixth comes after the round, and counts as absent in it."""
    hall.orders("round A 1 1:1-4 2:2-3 bye 5")
    played(hall, 1, *LONG)
    played(hall, 2, *SHORT, side=Side.RIGHT)
    hall.orders("player A Farouk, Nour")
    hall.orders("result A 1 6 -50")
    assert hall.scores(1) == {(1, 4): (24, 14), (2, 3): (16, 14)}


def _second_round(hall: EventHall) -> None:
    """Player 5 does not come; two pairs sit at each other's tables; a restart in mid-game."""
    hall.orders("round A 2 1:1-2 2:3-6 3:5-4")
    for table in (1, 2, 3):
        hall.show(table)
    assert hall.now_at(3).players == (SIX[4], SIX[3])
    hall.orders("noshow A 2 5")
    hall.start(1)
    hall.orders("table A 2 3 1")
    assert (hall.now_at(1).players, hall.now_at(2).players) == ((SIX[2], SIX[5]), SIX[:2])
    hall.show(1, SHORT[0])
    hall.press(1, Side.LEFT)
    rows = len(hall.rows())
    hall.restart()
    assert len(hall.rows()) == rows
    hall.show(1, *SHORT)
    hall.press(1, Side.RIGHT)
    hall.show(1, *SHORT)
    hall.stop(1)
    hall.rules(1, EndGame())
    hall.sign(1)
    hall.play(2, *SHORT)
    hall.sign(2)
    assert hall.scores(2) == {(1, 2): (16, 14), (3, 6): (16, 14), (4, 5): None}


def _third_round(hall: EventHall) -> None:
    """Player 4 leaves; a game of round 1 is corrected, which changes no pairing."""
    hall.orders("round A 3 1:1-3 2:2-4 3:5-6")
    hall.orders("left A 4")
    hall.orders("noshow A 3 4")
    played(hall, 1, *SHORT)
    said = [
        row.seq
        for row in hall.rows()
        if row.game == "A-round-1-table-2" and isinstance(row.says, Recorded | Corrected)
    ]
    hall.rules(2, Remove(entry=EntryName(said[-1])), "A-round-1-table-2")
    played(hall, 3, *SHORT)
    assert hall.scores(1)[2, 3] == (16, 0)
    assert hall.scores(3) == {(1, 3): (16, 14), (2, 4): None, (5, 6): (16, 14)}


def _fourth_round(hall: EventHall) -> None:
    """The last round, with who is left."""
    hall.orders("round A 4 1:2-1 2:3-5 bye 6")
    played(hall, 1, *SHORT)
    played(hall, 2, *LONG)

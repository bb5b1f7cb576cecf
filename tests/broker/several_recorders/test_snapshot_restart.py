"""A recorder is killed in the middle of a game, and goes on from the snapshot of its fold."""

import re
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.bus.broker import BrokerHandle
from recorder.domain.game import Played
from recorder.domain.observations import Side
from recorder.domain.record import Recorded
from recorder.domain.row_kind import Kind
from recorder.log.places import open_log_reader
from recorder.log.port import Row
from recorder.service.venue_file import LOG_NAME, SNAPSHOTS_NAME, read_record_file
from recorder.table.game_recorder import GameRecorder
from tests.broker.several_recorders.test_standby import WiredTable, recorder
from tests.eventually import eventually
from tests.recorder.session_table import board

pytestmark = pytest.mark.broker
PLAYS = ("8G HAND", "9F CAT", "10E DO", "7H ON", "11D SO")


def test_a_killed_recorder_goes_on_from_its_snapshot(broker: BrokerHandle, tmp_path: Path) -> None:
    """Nothing is lost or doubled, and the record is that of a game folded from its first row."""
    folder = tmp_path / "a"
    kept = folder / "record" / SNAPSHOTS_NAME / "table-1.fold"
    with ExitStack() as running:
        machine, told = recorder(folder, broker, log="")
        running.callback(machine.end, signal.SIGKILL)
        eventually(lambda: "table 1" in told(), "it records")
        table = WiredTable(broker.url, tmp_path, running)
        table.press(Side.RIGHT, Side.LEFT)
        table.show(board())
        for turn in range(3):
            lay_and_press(table, turn)
        eventually(kept.exists, "a snapshot is kept")
        assert kept.stat().st_mode & 0o077 == 0, "racks are in it"
        table.show(board(*PLAYS[:4]))
        eventually(lambda: not table.waiting(), "all is acknowledged")
        machine.end(signal.SIGKILL)
        press(table, 3)
        machine.start()
        # What is said while nobody listens is sent again, later than what comes after it.
        eventually(lambda: not table.waiting(), "it has what was said meanwhile")
        lay_and_press(table, 4)
        eventually(lambda: len(plays(folder)) == len(PLAYS), "all turns are recorded")
        eventually(lambda: not table.waiting(), "all is acknowledged")
        machine.end(signal.SIGTERM)
    went_on = re.findall("table 1: goes on from a snapshot of ([0-9]+) of its ([0-9]+)", told())
    ((folded, known),) = went_on
    assert 0 < int(folded) <= int(known)
    assert "is not used" not in told()
    rows = logged(folder)
    for outbox in table.outboxes.values():
        keys = [row.key[2] for row in rows if row.key and row.key[0] == outbox.device]
        assert keys == list(range(1, outbox.last_seq + 1))
    assert [placed(row) for row in plays(folder)] == list(PLAYS)
    (setup,) = read_record_file(folder / "venue.toml").plan.tables
    anew = GameRecorder(setup)
    for row in rows:
        anew.take(row)
    assert anew.pending_rows(rows[-1].at) == [], "there is nothing to correct"


def lay_and_press(table: WiredTable, turn: int) -> None:
    table.show(board(*PLAYS[: turn + 1]))
    press(table, turn)


def press(table: WiredTable, turn: int) -> None:
    sides = (Side.LEFT, Side.RIGHT) if turn % 2 == 0 else (Side.RIGHT, Side.LEFT)
    table.press(*sides)
    table.show(board(*PLAYS[: turn + 1]))


def logged(folder: Path) -> list[Row]:
    with open_log_reader(folder / "record" / LOG_NAME) as log:
        assert log.verify() is None
        return list(log.read_from(1))


def plays(folder: Path) -> list[Row]:
    rows = [row for row in logged(folder) if row.game]
    assert not [row.body for row in rows if row.kind is Kind.CORRECTED]
    return [row for row in rows if row.type == "game.played"]


def placed(row: Row) -> str:
    says = row.says
    assert isinstance(says, Recorded)
    assert isinstance(says.event, Played)
    return str(says.event.placement)

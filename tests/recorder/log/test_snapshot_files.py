"""A recorder that is started again goes on from the snapshots of its games, or does without."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from recorder.domain.event.orders import TableGame
from recorder.domain.observations import Side
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.sqlite import SqliteEventLog
from recorder.service.games import snapshots
from recorder.service.recorder import Recorder
from tests.bench.hall.bench_hall import AT_MS
from tests.bench.hall.hall_log import hall_plan, order, played_game, result, write_hall
from tests.eventually import eventually
from tests.recorder.session_table import Table, board, plan, play_two_turns, recorded

pytestmark = pytest.mark.slow


class Restarted:
    """A table whose recorder, in this process, is started again and again on its log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "snapshots" / "table-1.fold"
        self.table = Table()

    @contextmanager
    def recording(self) -> Iterator[None]:
        """A recorder that runs meanwhile."""
        of_table = replace(plan(self.folder / "live.gcg"), snapshots=self.file.parent)
        with SqliteEventLog(self.folder / "log.db") as store:
            bus = MemoryBus(self.table.broker)
            recording = Recorder(of_table, bus, store, lambda: 1_000_000 + self.table.now_ms)
            recording.start()
            self.table.recorder = recording
            yield
            recording.stop()

    def told(self, count: int) -> None:
        """Wait until so many plays are recorded."""

        def plays() -> int:
            return [row.type for row in recorded(self.folder)].count("game.played")

        eventually(lambda: plays() >= count, f"{count} plays are recorded")
        assert plays() == count

    def third_turn(self) -> None:
        self.table.think(Side.LEFT, 20)
        self.table.press(Side.LEFT, Side.RIGHT)
        self.table.show(board("8G HAND", "9F CAT", "10E DO"))


@pytest.fixture
def restarted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Restarted:
    monkeypatch.setattr(snapshots, "TURNS_BETWEEN", 1)
    monkeypatch.setattr(snapshots, "REST_S", 0.0)
    found = Restarted(tmp_path)
    with found.recording():
        play_two_turns(found.table)
        found.told(2)
        eventually(lambda: found.file.exists() and taken_of(found.file) >= 6, "a snapshot is kept")
    return found


def taken_of(file: Path) -> int:
    """Of how many observations a snapshot is, by what it says."""
    return int(json.loads(file.read_bytes().partition(b"\n")[0])["taken"])


def test_a_recorder_goes_on_from_its_snapshot(
    restarted: Restarted, caplog: pytest.LogCaptureFixture
) -> None:
    """It says so, records the next turn, and keeps the snapshot of that one."""
    caplog.set_level(logging.INFO)
    before = taken_of(restarted.file)
    with restarted.recording():
        restarted.third_turn()
        restarted.told(3)
        eventually(lambda: taken_of(restarted.file) > before, "its snapshot is the newest")
    assert f"table 1: goes on from a snapshot of {before} of its " in caplog.text
    warned = [said.getMessage() for said in caplog.records if said.levelno >= logging.WARNING]
    # Devices that this table does not have are missed after a while.
    assert [text for text in warned if "never heard" not in text] == []
    assert sorted(path.name for path in restarted.file.parent.iterdir()) == ["table-1.fold"]


def _damage(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def _of_another_game(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b'"g1"', b'"g2"', 1))


def _no_file(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [(_damage, "it is damaged"), (_of_another_game, "another game"), (_no_file, "Is a directory")],
)
def test_a_snapshot_in_doubt_is_thrown_away_and_the_game_is_right(
    restarted: Restarted,
    caplog: pytest.LogCaptureFixture,
    spoil: Callable[[Path], None],
    why: str,
) -> None:
    """It is said once; the rows are those of a game that never had one."""
    spoil(restarted.file)
    with restarted.recording():
        restarted.third_turn()
        restarted.told(3)
    said = [record.getMessage() for record in caplog.records if "is not used" in record.message]
    assert len(said) == 1
    assert why in said[0]
    assert "the game is read from its first row" in said[0]


def test_a_folder_that_takes_nothing_costs_the_snapshots_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Read-only, full, or a file in its place: said once, and recording goes on."""
    monkeypatch.setattr(snapshots, "TURNS_BETWEEN", 1)
    monkeypatch.setattr(snapshots, "REST_S", 0.0)
    found = Restarted(tmp_path)
    found.file.parent.write_text("no folder")
    with found.recording():
        play_two_turns(found.table)
        found.told(2)
        found.third_turn()
        found.told(3)
        eventually(lambda: "no snapshot of table 1 is kept" in caplog.text, "it is said")
    assert caplog.text.count("no snapshot of table 1 is kept") == 1


def test_the_snapshot_of_a_game_that_has_its_result_is_deleted(tmp_path: Path) -> None:
    """One that is in play is kept, and nothing else lies there."""
    one, rows = played_game(4)
    of_hall = replace(hall_plan(one, 2), snapshots=tmp_path / "snapshots")
    names = ["table-1.fold", "table-2.fold"]

    def kept() -> list[str]:
        return sorted(path.name for path in of_hall.snapshots.glob("*"))  # type: ignore[union-attr]

    with SqliteEventLog(tmp_path / "log.db") as store:
        write_hall(store, rows, 2, 0, begun=rows)
        for wanted in (names, names[1:]):
            recording = Recorder(of_hall, MemoryBus(MemoryBroker()), store, lambda: AT_MS)
            recording.start()
            eventually(lambda wanted=wanted: kept() == wanted, f"{wanted} are kept")  # type: ignore[misc]
            recording.stop()
            order(store, [result(1, TableGame(table=1, first=1, second=2))], 1)

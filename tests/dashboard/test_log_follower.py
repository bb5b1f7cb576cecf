"""Following a log that may be absent, replaced or late; holding rows back."""

import queue
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard.live.log_follower import Batch, DelayLine, LogFollower
from recorder.domain.game import Passed, Played
from recorder.domain.plays import parse_placement
from tests.dashboard.table_writer import TableWriter

pytestmark = pytest.mark.slow

START_MS = 1_800_000_000_000
Batches = queue.Queue[Batch]


@pytest.fixture
def batches(tmp_path: Path) -> Iterator[Batches]:
    """What a follower of ``log.db`` delivers; the follower runs before the file is there."""
    delivered: Batches = queue.Queue()
    follower = LogFollower(tmp_path / "log.db", delivered.put)
    follower.start()
    yield delivered
    follower.stop()


def seqs_until(batches: Batches, wanted: int) -> list[int]:
    """The numbers delivered until the wanted one; 0 stands for a start anew."""
    seqs: list[int] = []
    deadline = time.monotonic() + 5
    while not seqs or seqs[-1] != wanted:
        batch = batches.get(timeout=deadline - time.monotonic())
        seqs += [0] if batch.anew else []
        seqs += [row.seq for row in batch.rows]
    return seqs


def test_a_log_that_comes_later_is_followed_from_its_first_row(
    batches: Batches, tmp_path: Path
) -> None:
    """The dashboard may be started before the recorder."""
    time.sleep(0.1)
    assert batches.empty()
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    writer.start()
    assert seqs_until(batches, 1) == [0, 1]
    writer.play(0, "8D ZEPHYR")
    writer.record(Passed(1))
    assert seqs_until(batches, 3) == [2, 3]
    writer.log.close()


def test_a_recorder_that_restarts_is_not_noticed(batches: Batches, tmp_path: Path) -> None:
    """The same log under a new writer goes on where it was."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    writer.start()
    assert seqs_until(batches, 1) == [0, 1]
    writer.log.close()
    again = TableWriter(tmp_path / "log.db", at=START_MS + 9000)
    again.start(game="g2")
    assert seqs_until(batches, 2) == [2]
    again.log.close()


def test_a_replaced_log_starts_everything_anew(batches: Batches, tmp_path: Path) -> None:
    """Another file under the same name is another record."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    writer.start()
    writer.play(0, "8D ZEPHYR")
    assert seqs_until(batches, 2) == [0, 1, 2]
    writer.log.close()
    other = TableWriter(tmp_path / "other.db", at=START_MS + 9000)
    other.start(game="g2")
    other.log.close()
    for suffix in ("-wal", "-shm"):
        (tmp_path / f"log.db{suffix}").unlink(missing_ok=True)
    (tmp_path / "other.db").replace(tmp_path / "log.db")
    assert seqs_until(batches, 1) == [0, 1]


def test_a_delay_holds_rows_back_for_their_time(tmp_path: Path) -> None:
    """A row leaves when it is old enough, not a millisecond before, and in order."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    first, second = writer.start(), writer.play(0, "8D ZEPHYR")
    line = DelayLine(30_000)
    line.put(first)
    line.put(second)
    assert list(line.due(first.at + 29_999)) == []
    assert [row.seq for row, _ in line.due(first.at + 30_000)] == [1]
    assert [row.seq for row, _ in line.due(second.at + 30_000)] == [2]
    writer.log.close()


def test_a_correction_repairs_before_air(tmp_path: Path) -> None:
    """What is known to be wrong leaves together with its repair, numbered as of that moment."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    rows = [writer.start(), writer.play(0, "8D ZEPHYR"), writer.play(1, "7H AX")]
    repair = writer.correct(2, Played(0, parse_placement("8D ZEPHYr"), 40))
    line = DelayLine(30_000)
    for row in [*rows, repair]:
        line.put(row)
    due = [(row.seq, as_of) for row, as_of in line.due(rows[1].at + 30_000)]
    assert due == [(1, 1), (2, 2), (4, 2)]
    rest = [(row.seq, as_of) for row, as_of in line.due(repair.at + 30_000)]
    assert rest == [(3, 3)]
    writer.log.close()


def test_a_correction_of_what_is_out_leaves_at_once(tmp_path: Path) -> None:
    """A mistake that is on air is not left there for another delay."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    first, second = writer.start(), writer.play(0, "8D ZEPHYR")
    line = DelayLine(30_000)
    line.put(first)
    line.put(second)
    assert len(list(line.due(second.at + 30_000))) == 2
    writer.at += 40_000
    repair = writer.correct(2, Passed(0))
    line.put(repair)
    assert [row.seq for row, _ in line.due(repair.at)] == [3]
    writer.log.close()

"""Following a log that may be absent, replaced or late; holding rows back."""

import queue
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dashboard.live.log_follower import Batch, DelayLine, LogFollower
from recorder.domain.game import ChallengeBonus, GameEvent, Passed, Penalty, Played, Withdrawn
from recorder.domain.orders import Act, EndGame, Order, TableOrder, Undo
from recorder.domain.plays import parse_placement
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from recorder.wire.orders import encode_order
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
    """The numbers delivered until the wanted one; 0 stands for a start again."""
    seqs: list[int] = []
    deadline = time.monotonic() + 60
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


def test_a_correction_of_what_is_out_waits_like_any_row(tmp_path: Path) -> None:
    """It was made of what has just been seen, and a mistake on air is no reason to tell that."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    first, second = writer.start(), writer.play(0, "8D ZEPHYR")
    line = DelayLine(30_000)
    line.put(first)
    line.put(second)
    assert len(list(line.due(second.at + 30_000))) == 2
    writer.at += 40_000
    repair = writer.correct(2, Passed(0))
    line.put(repair)
    assert list(line.due(repair.at + 29_999)) == []
    assert [row.seq for row, _ in line.due(repair.at + 30_000)] == [3]
    writer.log.close()


def test_a_restart_brings_no_correction_forward(tmp_path: Path) -> None:
    """All rows are read at once then: what came when the wrong thing was out waits as before."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    rows = [writer.start(), writer.play(0, "8D ZEPHYR")]
    writer.at += 40_000
    repair = writer.correct(2, Passed(0))
    again = DelayLine(30_000)
    for row in (*rows, repair):
        again.put(row)
    assert [row.seq for row, _ in again.due(repair.at + 29_999)] == [1, 2]
    assert [row.seq for row, _ in again.due(repair.at + 30_000)] == [3]
    writer.log.close()


PLAY = Played(0, parse_placement("8D ZEPHYR"), 50)
BONUS = ChallengeBonus(1, 5)
UNDONE: list[tuple[tuple[tuple[GameEvent, ...], ...], tuple[int, ...]]] = [
    (((PLAY, BONUS), (PLAY,)), (2, 3, 4)),
    (((PLAY, BONUS), (PLAY,), (PLAY, BONUS)), (2, 3, 4)),
    (((PLAY, BONUS), (Passed(0), BONUS)), (2,)),
]


@pytest.mark.parametrize(
    ("corrections", "with_the_play"), UNDONE, ids=["undone", "ruled again", "read otherwise"]
)
def test_corrections_of_one_entry_keep_their_order(
    tmp_path: Path,
    corrections: tuple[tuple[GameEvent, ...], ...],
    with_the_play: tuple[int, ...],
) -> None:
    """An undone bonus leaves with the play and its undo; the log's last word is the last here."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    rows = [writer.start(), writer.play(0, "8D ZEPHYR", points=50)]
    for events in corrections:
        writer.at += 5_000
        rows.append(writer.correct(2, *events))
    line = DelayLine(60_000)
    for row in rows:
        line.put(row)
    left = [row.seq for row, _ in line.due(rows[1].at + 60_000)]
    assert tuple(left[1:]) == with_the_play
    left += [row.seq for row, _ in line.due(rows[-1].at + 60_000)]
    assert left == [row.seq for row in rows]
    writer.log.close()


def test_an_undo_after_the_play_is_out_leaves_with_what_it_undoes(tmp_path: Path) -> None:
    """The play is on air; bonus and undo still wait: the bonus is never shown alone."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    line = DelayLine(60_000)
    for row in (writer.start(), writer.play(0, "8D ZEPHYR", points=50)):
        line.put(row)
    assert len(list(line.due(writer.at + 60_000))) == 2
    writer.at += 61_000
    bonus = writer.correct(2, PLAY, BONUS)
    line.put(bonus)
    writer.at += 5_000
    line.put(writer.correct(3, PLAY))
    due = [(row.seq, as_of) for row, as_of in line.due(bonus.at + 60_000)]
    assert due == [(3, 3), (4, 3)]
    writer.log.close()


def test_a_game_that_was_ended_by_mistake_is_never_over(tmp_path: Path) -> None:
    """An order and what undoes it leave together; one undone when it was out is undone later."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    rows = [writer.start(), writer.play(0, "8D ZEPHYR")]
    rows.append(ruled(writer, "o1", EndGame()))
    writer.at += 20_000
    rows.append(ruled(writer, "o2", Undo(order="o1")))
    rows.append(ruled(writer, "o3", EndGame()))
    writer.at += 61_000
    rows.append(ruled(writer, "o4", Undo(order="o3")))
    line = DelayLine(60_000)
    for row in rows:
        line.put(row)
    assert [row.seq for row, _ in line.due(rows[2].at + 60_000)] == [1, 2, 3, 4]
    assert [row.seq for row, _ in line.due(rows[5].at + 59_999)] == [5]
    assert [row.seq for row, _ in line.due(rows[5].at + 60_000)] == [6]
    writer.log.close()


def ruled(writer: TableWriter, name: str, act: Act) -> Row:
    """An order about the game that was applied."""
    order = TableOrder(table=1, order=Order(id=name, who="Dora", act=act))
    type_name, data = encode_order(order)
    return writer.write(Kind.RULED, {"type": type_name, "data": data})


ADDED: list[tuple[GameEvent, ...]] = [
    (Played(0, parse_placement("8D ZEPHYR"), 50), Played(1, parse_placement("7H AX"), 20)),
    (Played(0, parse_placement("8D ZEPHYR"), 50), Penalty(1, 10)),
    (Played(0, parse_placement("8D ZEPHYR"), 50), Withdrawn(0, 50)),
    (Played(1, parse_placement("8D ZEPHYR"), 50),),
]


@pytest.mark.parametrize("events", ADDED, ids=["a turn", "a penalty", "a challenge", "another's"])
@pytest.mark.parametrize("is_out", [True, False], ids=["out", "waiting"])
def test_what_a_correction_adds_is_late_too(
    tmp_path: Path, events: tuple[GameEvent, ...], *, is_out: bool
) -> None:
    """However it is written down, and whether its turn is public or not."""
    writer = TableWriter(tmp_path / "log.db", at=START_MS)
    first, second = writer.start(), writer.play(0, "8D ZEPHYR")
    line = DelayLine(30_000)
    line.put(first)
    line.put(second)
    if is_out:
        assert len(list(line.due(second.at + 30_000))) == 2
    writer.at += 40_000 if is_out else 10_000
    correction = writer.correct(2, *events)
    line.put(correction)
    assert correction.seq not in [row.seq for row, _ in line.due(correction.at + 29_999)]
    assert [row.seq for row, _ in line.due(correction.at + 30_000)] == [3]
    writer.log.close()


def test_the_time_that_a_device_claims_brings_nothing_forward(tmp_path: Path) -> None:
    """A camera whose clock is wrong dates its look back by more than the delay."""
    row = replace(
        TableWriter(tmp_path / "log.db", at=START_MS).start(),
        at=START_MS - 5_000_000,
        body={"type": "board.seen", "data": {}, "received": START_MS},
    )
    line = DelayLine(30_000)
    line.put(row)
    assert list(line.due(START_MS + 29_999)) == []
    assert len(list(line.due(START_MS + 30_000))) == 1

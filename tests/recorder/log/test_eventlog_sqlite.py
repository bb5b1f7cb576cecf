"""What only the log in a file must do: survive, refuse amendment, be followed."""

import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.row_kind import Kind
from recorder.log.port import LogGoneError, NewRow
from recorder.log.sqlite import SqliteEventLog

pytestmark = pytest.mark.slow

WRITER = """
import sys
from pathlib import Path
from recorder.log.port import LogGoneError, NewRow
from recorder.domain.row_kind import Kind
from recorder.log.sqlite import SqliteEventLog
log = SqliteEventLog(Path(sys.argv[1]))
while True:
    batch = [
        NewRow(table=1, game="", kind=Kind.OBSERVED, at=0, body={}, key=("d", "b", log.head() + n))
        for n in (1, 2, 3)
    ]
    print(log.append(batch)[-1].seq, flush=True)
"""


def row(number: int, body: dict[str, object] | None = None) -> NewRow:
    content = body or {"number": number}
    return NewRow(table=1, game="g", kind=Kind.RULED, at=number, body=content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "log.db"
    with SqliteEventLog(place) as log:
        log.append([row(number) for number in range(1, 6)])
    return place


@pytest.mark.parametrize(
    "statement", ["UPDATE event SET at = 7 WHERE seq = 2", "DELETE FROM event WHERE seq = 2"]
)
def test_rows_can_be_neither_changed_nor_deleted(path: Path, statement: str):
    """A plain SQLite client gets a clear refusal."""
    with closing(sqlite3.connect(path)) as plain:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            plain.execute(statement)
        plain.rollback()
    with SqliteEventLog(path) as log:
        assert log.verify() is None


REPLACE = """INSERT OR REPLACE INTO event SELECT seq, "table", game, kind, v, at,
    '{"number":99}', refs, dev, boot, number, prev_hash, hash FROM event WHERE seq = 3"""


@pytest.mark.parametrize(
    ("tamper", "broken"),
    [
        pytest.param([REPLACE], 3, id="replace gets past the triggers"),
        pytest.param(["UPDATE event SET at = 7 WHERE seq = 2"], 2, id="time changed"),
        pytest.param(["UPDATE event SET refs = '[1]' WHERE seq = 4"], 4, id="reference added"),
        pytest.param(["UPDATE event SET dev='d', boot='b', number=1 WHERE seq=1"], 1, id="key"),
        pytest.param(["DELETE FROM event WHERE seq = 4"], 4, id="row taken out"),
        pytest.param(["UPDATE event SET body = '7' WHERE seq = 5"], 5, id="body is no object"),
        pytest.param(["UPDATE event SET refs = '[[]]' WHERE seq = 2"], 2, id="refs are no numbers"),
    ],
)
def test_tampering_is_found_and_located(path: Path, tamper: list[str], broken: int):
    """Somebody with the file and sqlite3 can change it, but not unseen."""
    with closing(sqlite3.connect(path)) as plain, plain:
        if tamper != [REPLACE]:
            plain.execute("DROP TRIGGER event_no_update")
            plain.execute("DROP TRIGGER event_no_delete")
        for statement in tamper:
            assert plain.execute(statement).rowcount == 1
    with closing(SqliteEventLog.open_reader(path)) as log:
        assert log.verify() == broken


def test_killing_the_writer_loses_no_row_that_was_confirmed(tmp_path: Path):
    """After kill -9 every row whose append had returned is there, batches are whole."""
    place = tmp_path / "log.db"
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE, text=True
        ) as writer:
            for _ in range(20):
                confirmed = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            confirmed = max(
                [confirmed, *(int(line) for line in writer.stdout if line[-1:] == "\n")]
            )
        with SqliteEventLog(place) as log:
            assert log.head() >= confirmed
            assert log.head() % 3 == 0
            assert log.verify() is None
            assert log.contiguous("d", "b") == log.head()


def test_a_full_disk_is_said_clearly_and_stores_nothing_half(path: Path):
    """RecorderError names the file and the remedy; once there is room, appending works again."""
    with SqliteEventLog(path) as log:
        pages = log._connection.execute("PRAGMA page_count").fetchone()[0]
        log._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        big = {"text": "x" * 3000}
        with pytest.raises(RecorderError, match=r"full.*free space.*log\.db"):
            log.append([row(number, big) for number in range(40)])
        assert log.head() == 5
        log._connection.execute("PRAGMA max_page_count = 100000")
        assert [stored and stored.seq for stored in log.append([row(6, big)])] == [6]
        assert log.verify() is None


LIMITED = """
import sys
from pathlib import Path
from recorder.domain.errors import RecorderError
from recorder.log.port import LogGoneError, NewRow
from recorder.domain.row_kind import Kind
from recorder.log.sqlite import SqliteEventLog
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = SqliteEventLog(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
new = NewRow(table=1, game="", kind=Kind.RULED, at=0, body={"text": "x" * 3000})
stored = 0
while True:
    try:
        stored = log.append([new] * 5)[-1].seq
    except RecorderError as err:
        print(stored, err, flush=True)
        break
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(log.append([new])[0].seq, log.verify())
"""


def test_a_write_that_the_system_refuses_leaves_the_confirmed_rows(tmp_path: Path):
    """With the system's own limit in the way, not SQLite's, the promise is the same."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    place = tmp_path / "log.db"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(place)], capture_output=True, text=True, check=True
    )
    refused, after = done.stdout.splitlines()
    stored = int(refused.split()[0])
    assert "the log takes no rows" in refused
    assert stored >= 5
    assert after == f"{stored + 1} None"


def test_a_second_writer_is_refused(path: Path):
    """Two processes writing one log would fork the chain."""
    with SqliteEventLog(path) as first, SqliteEventLog(path) as second:
        second.append([row(6)])
        with pytest.raises(RecorderError, match="another process is writing"):
            first.append([row(7)])
        assert second.verify() is None


def test_a_reader_follows_the_writer(path: Path):
    """The dashboard's connection notices new rows, and only then."""
    with SqliteEventLog(path) as writer, closing(SqliteEventLog.open_reader(path)) as reader:
        assert reader.changed()
        assert not reader.changed()
        writer.append([row(6)])
        assert reader.changed()
        assert not reader.changed()
        assert [seen.seq for seen in reader.read_from(6)] == [6]
        assert reader.head() == 6
        with pytest.raises(RecorderError, match="read-only"):
            reader.append([row(7)])


@pytest.mark.parametrize("make", [SqliteEventLog, SqliteEventLog.open_reader], ids=["rw", "ro"])
def test_a_file_that_is_no_log_is_named(tmp_path: Path, make: type[SqliteEventLog]):
    """Opening something else says which file, and leaves it as it was."""
    place = tmp_path / "holiday.jpg"
    place.write_bytes(b"not a database, but long enough to be looked at" * 30)
    before = place.read_bytes()
    with pytest.raises(RecorderError, match=r"holiday\.jpg"):
        make(place)
    assert place.read_bytes() == before


def test_a_log_that_is_not_there_cannot_be_followed(tmp_path: Path):
    """A reader never makes an empty file."""
    with pytest.raises(RecorderError, match=r"none\.db"):
        SqliteEventLog.open_reader(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_reopening_continues_the_chain_and_the_numbers(path: Path):
    """A restarted recorder goes on where it stopped."""
    with SqliteEventLog(path) as log:
        assert log.head() == 5
        assert [stored and stored.seq for stored in log.append([row(6)])] == [6]
        assert log.verify() is None


def test_a_log_that_lacks_nothing_is_opened_without_the_tool_of_migrations(path: Path):
    """It takes a third of a second to load, and a recorder that starts again must not wait."""
    program = (
        "import sys; from pathlib import Path; from recorder.log.sqlite import SqliteEventLog;"
        "SqliteEventLog(Path(sys.argv[1])).close(); print('sqlite_utils' in sys.modules)"
    )
    command = [sys.executable, "-c", program, str(path)]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"False\n"


def test_every_commit_is_flushed(path: Path):
    """WAL with synchronous FULL (2), as the guarantee needs it."""
    with SqliteEventLog(path) as log:
        assert log._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert log._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("what", ["the file", "its -wal", "the file, gone"])
def test_a_log_that_is_replaced_while_it_is_written_stores_nothing_more(
    tmp_path: Path, what: str
) -> None:
    """A backup tool or a careless copy: noticed before anything would be acknowledged."""
    path = tmp_path / "log.db"
    with SqliteEventLog(tmp_path / "other.db") as other, SqliteEventLog(path) as store:
        other.append([row(1)])
        store.append([row(1)])
        match what:
            case "the file":
                (tmp_path / "other.db").replace(path)
            case "its -wal":
                (tmp_path / "log.db-wal").unlink()
            case _:
                path.unlink()
        with pytest.raises(LogGoneError, match="nothing is acknowledged"):
            store.append([row(2)])

"""A log in PostgreSQL: who may write it, what is said of it, how a dashboard follows it."""

import queue
from collections.abc import Callable

import pytest

import tilecast
from dashboard.live.log_follower import Batch, LogFollower
from recorder.domain.errors import RecorderError
from recorder.log.database import connected
from recorder.log.lease import WriterElsewhereError
from recorder.log.places import open_log
from recorder.log.port import LogGoneError, UnfitRowError, chained
from recorder.log.postgres import PostgresEventLog
from tests.contracts.test_eventlog_contract import observed, ruling
from tests.eventually import eventually

pytestmark = pytest.mark.slow
MakeDatabase = Callable[[], str]


def break_connections(address: str, name: str = "") -> None:
    """End all other sessions of a database, or those that have said something."""
    with connected(address) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database() AND query LIKE %s",
            (f"%{name}%",),
        )


def test_a_database_has_one_writer_and_outlives_a_lost_connection(
    empty_database: MakeDatabase,
) -> None:
    """A second recorder is refused by name; rows whose commit was not heard are stored once."""
    import psycopg

    address = empty_database()
    with PostgresEventLog(address, holder="recorder-1 on a") as log:
        with pytest.raises(WriterElsewhereError, match=r"writes this log \(recorder-1 on a\)"):
            PostgresEventLog(address)
        log.append([observed(1)])
        planned = [observed(2), ruling(1)]
        following = chained(planned, log._seq, log._hash, log._has)
        log._store([row for row in following if row is not None])
        break_connections(address)
        with pytest.raises(RecorderError, match="cannot store 2 rows"):
            log.append(planned)
        assert [row and row.seq for row in log.append(planned)] == [2, 3]
        assert log.append([ruling(2)])[0] is not None
        assert ([row.seq for row in log.read_from(1)], log.verify()) == ([1, 2, 3, 4], None)
        assert log.contiguous("clock-07", "9c31f0aa") == 2
        with connected(address) as other, pytest.raises(psycopg.Error, match="append-only"):
            other.execute("DELETE FROM event")
    with PostgresEventLog(address) as again:  # what is let go of is had at once
        assert again.contiguous("clock-07", "9c31f0aa") == 2


def test_a_writer_that_wakes_late_stores_nothing(empty_database: MakeDatabase) -> None:
    """Its token is asked for with the rows: the log is its successor's alone, and stays whole."""
    address = empty_database()
    with PostgresEventLog(address) as sleeper:
        sleeper.append([observed(1)])
        sleeper._lease.close()  # as for one that is frozen until its lease has run out
        with PostgresEventLog(address) as successor:
            with pytest.raises(LogGoneError, match="another recorder has taken over"):
                sleeper.append([observed(2)])
            assert [row and row.seq for row in successor.append([observed(2)])] == [2]
            with pytest.raises(LogGoneError):
                sleeper.append([observed(3)])
        assert successor.head() == 2
    with PostgresEventLog.open_reader(address) as log:
        assert ([row.key and row.key[2] for row in log.read_from(1)], log.verify()) == (
            [1, 2],
            None,
        )


def test_a_writer_keeps_its_log_while_it_says_nothing(empty_database: MakeDatabase) -> None:
    """Between two turns of slow players, and when its session was cut meanwhile."""
    address = empty_database()
    with PostgresEventLog(address) as log, connected(address) as other:
        break_connections(address, "UPDATE writer")

        def until() -> float:
            found = other.execute("SELECT extract(epoch FROM until) FROM writer").fetchone()
            return float(found[0]) if found else 0.0

        before = until()
        eventually(lambda: until() > before, "the lease is renewed over another connection")
        assert log.append([observed(1)])[0] is not None


def test_what_a_database_cannot_store_is_unfit(empty_database: MakeDatabase) -> None:
    """And stops nobody: PostgreSQL has no text with a zero in it."""
    with PostgresEventLog(empty_database()) as log:
        with pytest.raises(UnfitRowError):
            log.append([ruling(1, game="a\0b")])
        assert log.append([ruling(1)])[0] is not None


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://u:s3c-ret@127.0.0.1:1/hall", "127.0.0.1:1/hall: connection"),
        ("postgresql://u:s3c-ret@127.0.0.1:1/hall?password=s3c-ret&sslmode=disable", "connection"),
        ("postgresql://u:s3c:ret/s3c-ret@127.0.0.1:1/hall", "127.0.0.1:1/hall"),
        ("postgresql://u:s3c-ret@127.0.0.1:1/hall?s3c-ret", "not an address"),
    ],
)
def test_a_database_that_cannot_be_reached_is_named_without_its_password(
    address: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unreachable, or no address at all: in one line of the command, and no part of a secret."""
    assert tilecast.main(["log", "verify", address]) == 1
    with pytest.raises(RecorderError) as fault:
        open_log(address)
    for heard in (capsys.readouterr().err, str(fault.value)):
        assert said in heard
        assert "s3c" not in heard


def test_a_dashboard_is_told_of_rows_and_goes_on_when_its_connection_is_cut(
    empty_database: MakeDatabase,
) -> None:
    """By LISTEN and NOTIFY, in order, none twice; a database without a log is waited for."""
    address, batches = empty_database(), queue.Queue[Batch]()
    follower = LogFollower(address, batches.put)
    follower.start()
    seqs: list[int] = []

    def followed(wanted: int) -> None:
        while not seqs or seqs[-1] != wanted:
            batch = batches.get(timeout=60)
            seqs.extend([0] if batch.anew else [])
            seqs.extend(row.seq for row in batch.rows)

    try:
        with open_log(address) as log:
            log.append([observed(1), observed(2)])
            followed(2)
            log.append([observed(3)])
            followed(3)
            break_connections(address, "LISTEN")
            log.append([observed(4)])
            followed(4)
        assert seqs == [0, 1, 2, 3, 4]
    finally:
        follower.stop()


def test_a_row_changed_below_a_writer_is_noticed(empty_database: MakeDatabase) -> None:
    """By the table's own owner, who put the trigger away: nothing is stored on top of it."""
    address = empty_database()
    with PostgresEventLog(address) as log:
        log.append([observed(number) for number in range(1, 6)])
        with connected(address) as other:
            other.execute("ALTER TABLE event DISABLE TRIGGER event_no_change")
            other.execute("UPDATE event SET at = at + 1 WHERE seq = 3")
            other.execute("ALTER TABLE event ENABLE TRIGGER event_no_change")
        number = [6]

        def is_refused() -> bool:
            try:
                log.append([observed(number[0])])
            except LogGoneError as fault:
                return "row 3 was changed" in str(fault)
            number[0] += 1
            return False

        eventually(is_refused)

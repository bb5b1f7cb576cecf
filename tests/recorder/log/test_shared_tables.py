"""Recorders that share a database: who holds which table, and one chain of what all of them say."""

import threading
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from recorder.domain.errors import NotationError, RecorderError
from recorder.log.database import connected
from recorder.log.lease import WriterElsewhereError
from recorder.log.port import HeadMovedError, LogGoneError, chained
from recorder.log.postgres import PostgresEventLog
from recorder.log.shared.dealing import HALL_TABLE, to_take, too_many
from recorder.log.shared.membership import HallMembership
from recorder.log.shared.shared_log import SharedEventLog
from recorder.service.hall.sharing import log_of_member, outliving_database
from recorder.service.venue_file import read_record_file
from tests.contracts.test_eventlog_contract import observed, ruling
from tests.eventually import eventually
from tests.postgres_server import running_server, server_programs
from tests.recorder.log.test_log_in_database import break_connections

pytestmark = pytest.mark.slow
MakeDatabase = Callable[[], str]
TABLES = range(1, 9)


def member(url: str, name: str, running: ExitStack) -> HallMembership:
    """A recorder that has joined."""
    joined = HallMembership(url, name, TABLES)
    joined.join()
    running.enter_context(closing(joined))
    return joined


@pytest.mark.parametrize(
    ("held", "recorders", "taken"),
    [
        ({}, 1, range(9)),
        ({}, 2, [0, 1, 2, 3, 4]),
        ({0: 7, 1: 7, 2: 7, 3: 7, 4: 7}, 2, [5, 6, 7, 8]),
        ({0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 7}, 2, []),
        (dict.fromkeys(range(9), 7), 2, []),
    ],
)
def test_free_tables_are_taken_up_to_a_share(
    held: dict[int, int], recorders: int, taken: list[int]
) -> None:
    """And what is about no table by whoever sees it free; what is left over whatever the share."""
    assert to_take([HALL_TABLE, *TABLES], held, recorders, me=1) == list(taken)
    assert set(to_take([HALL_TABLE, *TABLES], held, recorders, 1, range(9))) >= (
        set(range(9)) - held.keys()
    )


def test_who_holds_more_than_its_share_gives_the_rest() -> None:
    """Eight tables for two, and for three."""
    held = dict.fromkeys(range(9), 1)
    assert [too_many([0, *TABLES], held, many, 1) for many in (1, 2, 3)] == [0, 4, 5]
    assert too_many([0, *TABLES], held, 2, me=2) == 0


def test_tables_change_hands_and_those_of_one_that_is_silent_are_taken(
    empty_database: MakeDatabase,
) -> None:
    """What is given away is taken; one that is not heard is removed, and stores nothing more."""
    url = empty_database()
    with ExitStack() as running:
        first = member(url, "recorder-1", running)
        assert first.tables == {HALL_TABLE, *TABLES}
        second = member(url, "recorder-2", running)
        eventually(lambda: first.surplus == 4, "the first sees that it holds too much")
        assert not second.tables
        with pytest.raises(WriterElsewhereError, match="recorder-1"):
            HallMembership(url, "recorder-1", TABLES).join()
        with pytest.raises(WriterElsewhereError, match="recorders that share the tables"):
            PostgresEventLog(url)
        first.give_away([5, 6, 7, 8])
        eventually(lambda: second.tables == {5, 6, 7, 8}, "the second takes what is given")
        assert first.tables == {0, 1, 2, 3, 4}
        sleeper = running.enter_context(SharedEventLog(url, first))
        sleeper.append([ruling(1)])
        first._stopping.set()  # as one that stands still: its lease is not renewed
        eventually(lambda: len(second.tables) == 9, "the second has taken the rest")
        with pytest.raises(LogGoneError, match="the other recorders have taken over"):
            sleeper.append([ruling(2)])
        heir = running.enter_context(SharedEventLog(url, second))
        assert [row and row.seq for row in heir.append([ruling(2)])] == [2]
        second.close()
        with PostgresEventLog(url) as alone:  # the last one has left: the log is free at once
            with pytest.raises(LogGoneError):
                heir.append([ruling(3)])
            assert (alone.head(), alone.verify()) == (2, None)


def test_the_rows_of_all_recorders_form_one_chain(empty_database: MakeDatabase) -> None:
    """Written at the same time; each row once, each key once, whoever brings it."""
    url = empty_database()
    with ExitStack() as running:
        logs = [
            running.enter_context(SharedEventLog(url, member(url, name, running)))
            for name in ("recorder-1", "recorder-2")
        ]

        def write(log: SharedEventLog, device: str) -> None:
            for number in range(1, 41):
                log.append([observed(number, device), ruling(number), observed(number, "both")])

        hands = [
            threading.Thread(target=write, args=(log, f"clock-{number}"))
            for number, log in enumerate(logs)
        ]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        for log in logs:
            log.append([])
            assert [log.contiguous(name, "9c31f0aa") for name in ("clock-0", "both")] == [40, 40]
        with PostgresEventLog.open_reader(url) as reader:
            assert (reader.head(), reader.verify()) == (4 * 40 + 40, None)


def test_what_others_store_is_had_in_its_place(empty_database: MakeDatabase) -> None:
    """Of the hall and of one's own tables, before the rows of one's own that follow it."""
    url = empty_database()
    with ExitStack() as running:
        first, second = (member(url, name, running) for name in ("recorder-1", "recorder-2"))
        first.give_away([5, 6, 7, 8])
        eventually(lambda: len(second.tables) == 4, "both hold tables")
        one, two = (running.enter_context(SharedEventLog(url, who)) for who in (first, second))
        one.append([ruling(1, table=HALL_TABLE), ruling(2, table=1), ruling(3, table=6)])
        with pytest.raises(HeadMovedError):
            two.append([ruling(4, table=6)], after=0)
        (mine,) = two.append([ruling(4, table=6)], after=3)
        assert mine is not None
        assert [row.seq for row in two.others()] == [1, 3]
        assert (mine.seq, two.others()) == (4, [])
        one.others()
        two.append([ruling(5, table=HALL_TABLE)])
        heard: list[int] = []
        eventually(lambda: heard.extend(row.seq for row in one.others()) or heard, "it is told")
        assert heard == [5]


def test_rows_whose_commit_was_not_heard_are_stored_once(empty_database: MakeDatabase) -> None:
    """The connection is lost between the commit and its answer, and others go on meanwhile."""
    url = empty_database()
    with ExitStack() as running:
        first, second = (member(url, name, running) for name in ("recorder-1", "recorder-2"))
        one, two = (running.enter_context(SharedEventLog(url, who)) for who in (first, second))
        planned = [observed(1), ruling(1)]
        following = chained(planned, one._seq, one._hash, one._has)
        one._store([row for row in following if row is not None])
        two.append([ruling(2)])
        break_connections(url)
        with pytest.raises(RecorderError, match="cannot store 2 rows"):
            one.append(planned)
        eventually(lambda: _appends(two), "the other is connected again")
        assert [row and row.seq for row in one.append(planned)] == [1, 2]
        (last,) = one.append([ruling(4)])
        assert last is not None
        assert (last.seq, one.verify()) == (5, None)


def _appends(log: SharedEventLog) -> bool:
    with suppress(RecorderError):
        return bool(log.append([ruling(3)]))
    return False


@pytest.mark.parametrize("shares", ["true", "false"])
def test_sharing_needs_a_database(tmp_path: Path, shares: str) -> None:
    """A file has one writer."""
    path = tmp_path / "venue.toml"
    path.write_text(
        f"[recorder]\nshare_tables = {shares}\n[[table]]\nnumber = 1\nplayers = ['A', 'B']\n"
        'devices = { cam-1 = "board-camera" }\n',
        encoding="utf-8",
    )
    if shares == "true":
        with pytest.raises(NotationError, match="share_tables: needs a log in a database"):
            read_record_file(path)
    else:
        assert not read_record_file(path).shares_tables


def test_a_member_stays_one_when_its_session_is_cut(empty_database: MakeDatabase) -> None:
    """It renews its lease over another connection."""
    url = empty_database()
    with ExitStack() as running:
        joined = member(url, "recorder-1", running)
        break_connections(url, "hall_member")
        with connected(url) as other:

            def until() -> float:
                sql = "SELECT extract(epoch FROM until) FROM hall_member"
                found = other.execute(sql).fetchone()
                return float(found[0]) if found else 0.0

            before = until()
            eventually(lambda: until() > before, "the lease is renewed")
        assert not joined.is_lost


def test_nobody_is_removed_because_the_database_was_away(
    empty_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All leases have run out meanwhile; whoever is back first waits for the others."""
    url = empty_database()
    with ExitStack() as running:
        members = [member(url, name, running) for name in ("recorder-1", "recorder-2")]
        refused = iter(range(2))

        def late(address: str) -> object:
            """The second machine reaches the database a second after the first."""
            if threading.current_thread() is members[1]._thread and next(refused, None) is not None:
                raise RecorderError("not there yet")
            return connected(address)

        monkeypatch.setattr("recorder.log.shared.membership.connected", late)
        with connected(url) as other:
            with other.transaction():
                other.execute("UPDATE hall_member SET until = '-infinity'")
                other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )

            def renewed() -> bool:
                sql = "SELECT count(*) FROM hall_member WHERE until > clock_timestamp()"
                return other.execute(sql).fetchone() == (2,)

            eventually(renewed, "both have renewed their leases")
        eventually(lambda: members[0].surplus, "they look at each other's tables again")
        assert not [who for who in members if who.is_lost]


def test_a_member_that_begins_anew_while_the_database_is_away_waits_for_it() -> None:
    """And goes on with its tables; what is wrong with a database that answers is no wait."""
    programs = server_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed: apt install postgresql")
    stop, has_stored, said = threading.Event(), threading.Event(), list[str]()
    with running_server(programs) as server, ExitStack() as running:
        first = member(server.address, "recorder-1", running)

        def begin_anew() -> None:
            while not has_stored.is_set() and not stop.is_set():
                with (
                    outliving_database(server.address, first, said.append, stop),
                    log_of_member(server.address, first, said.append, stop) as store,
                ):
                    assert store is not None
                    store.append([ruling(1)])
                    has_stored.set()

        server.crash()
        beginning = threading.Thread(target=begin_anew)
        beginning.start()
        running.callback(beginning.join)
        running.callback(stop.set)
        eventually(lambda: any("goes on when" in line for line in said), "it says that it waits")
        server.start()
        eventually(has_stored.is_set, "it has its log, and stores")
        assert len(first.tables) == 9
        with (
            pytest.raises(RecorderError, match="its own fault"),
            outliving_database(server.address, first, said.append, stop),
        ):
            raise RecorderError("its own fault")

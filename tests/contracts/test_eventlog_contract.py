"""What every event log promises, asked of each of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import tilecast
from recorder.domain.errors import RecorderError
from recorder.domain.row_kind import Kind
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import GENESIS, EventLog, NewRow
from recorder.log.postgres import PostgresEventLog
from recorder.log.sqlite import SqliteEventLog


@pytest.fixture(
    params=[
        "memory",
        "sqlite",
        pytest.param("postgres", marks=pytest.mark.slow),
    ]
)
def event_log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventLog]:
    opened: EventLog
    match request.param:
        case "memory":
            opened = MemoryEventLog()
        case "sqlite":
            opened = SqliteEventLog(tmp_path / "log.db")
        case _:
            opened = PostgresEventLog(request.getfixturevalue("empty_database")())
    yield opened
    opened.close()


def test_what_a_device_said_of_a_type_is_had_without_the_rest(event_log: EventLog) -> None:
    """Of one boot, in order; a row that only speaks of the type is none."""
    sync = {"type": "time.sync", "data": {"offset_ms": 5}}
    speaks = {"type": "clock.press", "data": {"of": "time.sync"}}
    bodies = (sync, speaks, sync)
    for boot in ("0000000a", "0000000b"):
        event_log.append(
            [
                replace(observed(number, "clock"), body=body, key=("clock", boot, number))
                for number, body in enumerate(bodies, start=1)
            ]
        )
    found = list(event_log.of_sender("clock", "0000000b", "time.sync"))
    assert [row.key for row in found] == [("clock", "0000000b", 1), ("clock", "0000000b", 3)]
    assert list(event_log.of_sender("clock-2", "0000000b", "time.sync")) == []


def begun(game: str, **other: object) -> NewRow:
    body = {"type": "game.started", "data": {"game": game}}
    return ruling(0, **{"kind": Kind.RECORDED, "game": game, "body": body, **other})


def test_the_rows_of_a_game_are_had_without_the_others(event_log: EventLog) -> None:
    """By table and name, "" for those of no game, from a number on; more than a page of them."""
    games = ("g1", "g2", "")
    event_log.append([ruling(n, game=games[n % 3], table=3 + n % 2) for n in range(600)])
    every = list(event_log.read_from(1))
    for table in (3, 4, 5):
        for game in games:
            mine = [row for row in every if (row.table, row.game) == (table, game)]
            assert list(event_log.of_game(table, game)) == mine
            assert list(event_log.of_game(table, game, 300)) == [r for r in mine if r.seq >= 300]


def test_the_beginnings_of_games_are_had_without_the_others(event_log: EventLog) -> None:
    """Those that begin a game, not those that only speak of it."""
    only_words = {"type": "table.notice", "data": {"why": "game.started"}}
    event_log.append(
        [begun("g1"), ruling(1, kind=Kind.RECORDED, body=only_words), ruling(2), begun("g2")]
    )
    assert [(row.seq, row.game) for row in event_log.beginnings()] == [(1, "g1"), (4, "g2")]


def ruling(number: int, **other: object) -> NewRow:
    fields = {"table": 3, "game": "g1", "kind": Kind.RULED, "at": 1000 + number}
    return NewRow(**{**fields, "body": {"number": number}, **other})  # type: ignore[arg-type]


def observed(seq: int, dev: str = "clock-07", boot: str = "9c31f0aa") -> NewRow:
    body = {"type": "clock.press", "seq": seq}
    key = (dev, boot, seq)
    return NewRow(table=3, game="g1", kind=Kind.OBSERVED, at=seq, body=body, key=key)


def test_rows_come_back_in_the_order_of_appending(event_log: EventLog):
    """Numbers count from 1 over all batches, and every field comes back as it went in."""
    event_log.append([ruling(1), observed(1)])
    stored = event_log.append([ruling(2, refs=(1, 2), kind=Kind.CORRECTED)])
    rows = list(event_log.read_from(1))
    assert [row.seq for row in rows] == [1, 2, 3]
    assert [row.body.get("number") for row in rows] == [1, None, 2]
    assert rows[1].key == ("clock-07", "9c31f0aa", 1)
    assert (rows[2].refs, rows[2].kind, rows[2].at) == ((1, 2), Kind.CORRECTED, 1002)
    assert stored == rows[2:]
    assert event_log.head() == 3


def test_an_observation_delivered_twice_is_stored_once(event_log: EventLog):
    """A key met before, or twice in one batch, answers None and adds nothing."""
    first = event_log.append([observed(1)])
    again = event_log.append([observed(1), observed(2), observed(2)])
    assert first[0] is not None
    assert [row is None for row in again] == [True, False, True]
    assert event_log.head() == 2
    assert event_log.verify() is None


def test_the_same_number_of_another_boot_or_device_is_another_event(event_log: EventLog):
    rows = event_log.append([observed(1), observed(1, boot="00000001"), observed(1, dev="cam-1")])
    assert None not in rows


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(ruling(9, body={"set": {1, 2}}), id="body that is not JSON"),
        pytest.param(ruling(9, body={"x": float("nan")}), id="not a number"),
        pytest.param(ruling(9, refs=(7,)), id="reference to a later row"),
        pytest.param(ruling(9, at=1.5), id="time that is not whole"),
        pytest.param(ruling(9, table=-1), id="negative table"),
    ],
)
def test_a_batch_with_a_bad_row_stores_nothing(event_log: EventLog, bad: NewRow):
    """All or nothing, and the log goes on working afterwards."""
    event_log.append([ruling(1)])
    with pytest.raises(RecorderError):
        event_log.append([ruling(2), observed(1), bad])
    assert event_log.head() == 1
    stored = event_log.append([observed(1)])
    assert stored[0] is not None
    assert stored[0].seq == 2
    assert event_log.verify() is None


def test_reading_starts_and_stops_where_asked(event_log: EventLog):
    """A reader resumes at any number; a limit bounds the answer; beyond the head is nothing."""
    event_log.append([ruling(number) for number in range(1, 1203)])
    assert [row.seq for row in event_log.read_from(1200)] == [1200, 1201, 1202]
    assert [row.seq for row in event_log.read_from(0, limit=2)] == [1, 2]
    assert [row.seq for row in event_log.read_from(1, limit=0)] == []
    assert [row.seq for row in event_log.read_from(1203)] == []
    assert sum(1 for _ in event_log.read_from(1)) == 1202


def test_every_row_names_the_hash_of_the_one_before(event_log: EventLog):
    """The chain begins at sixty-four zeros and holds over batches."""
    event_log.append([ruling(1), ruling(2)])
    event_log.append([ruling(3)])
    rows = list(event_log.read_from(1))
    assert rows[0].prev_hash == GENESIS
    assert [row.prev_hash for row in rows[1:]] == [row.hash for row in rows[:-1]]
    assert len({row.hash for row in rows}) == 3
    assert event_log.verify() is None


def test_the_two_makes_compute_the_same_hashes(tmp_path: Path):
    """The hash is of the content, not of the store."""
    rows = [ruling(1, body={"name": "Jörg", "pair": (1, 2)}), observed(1), ruling(2, refs=(1,))]
    memory = MemoryEventLog()
    with SqliteEventLog(tmp_path / "log.db") as sqlite:
        assert memory.append(rows) == sqlite.append(rows)


def test_contiguous_counts_up_to_the_first_gap(event_log: EventLog):
    """A number that is missing holds the ack back until it arrives, in whatever order."""
    assert event_log.contiguous("clock-07", "9c31f0aa") == 0
    event_log.append([observed(2), observed(1), observed(5), observed(4)])
    assert event_log.contiguous("clock-07", "9c31f0aa") == 2
    event_log.append([observed(3)])
    assert event_log.contiguous("clock-07", "9c31f0aa") == 5
    assert event_log.contiguous("clock-07", "other") == 0


def test_a_new_log_goes_on_where_an_earlier_one_took_the_events(event_log: EventLog):
    """What a device has let go of is not waited for."""
    event_log.append([observed(501), observed(502), observed(504)])
    assert event_log.contiguous("clock-07", "9c31f0aa") == 0
    assert event_log.contiguous("clock-07", "9c31f0aa", floor=500) == 502
    event_log.append([observed(503)])
    assert event_log.contiguous("clock-07", "9c31f0aa") == 504


def test_a_later_change_to_a_body_given_does_not_reach_the_record(event_log: EventLog):
    """The log keeps its own copy."""
    body = {"players": ["Ann", "Bob"]}
    event_log.append([ruling(1, body=body)])
    body["players"].append("Eve")
    assert next(event_log.read_from(1)).body == {"players": ["Ann", "Bob"]}
    assert event_log.verify() is None


@pytest.mark.slow
def test_a_log_goes_into_a_database_and_back(
    empty_database: Callable[[], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Row by row with the same hashes; a place that has a log is left alone."""
    file, back, database = tmp_path / "log.db", tmp_path / "back.db", empty_database()
    with SqliteEventLog(file) as log:
        log.append([observed(number) for number in range(1, 700)])
        log.append([ruling(1, refs=(3, 690))])
        rows = list(log.read_from(1))
    assert tilecast.main(["log", "copy", str(file), database]) == 0
    assert tilecast.main(["log", "copy", database, str(back)]) == 0
    assert capsys.readouterr().out.count("700 rows copied, head 700-") == 2
    with SqliteEventLog.open_reader(back) as log, PostgresEventLog.open_reader(database) as other:
        assert list(log.read_from(1)) == rows == list(other.read_from(1))
        assert log.verify() is other.verify() is None
    assert tilecast.main(["log", "copy", str(file), database]) == 1
    assert "a copy does not replace it" in capsys.readouterr().err

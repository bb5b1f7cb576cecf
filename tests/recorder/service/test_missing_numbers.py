"""A number that a device has lost: told to the director, and taken back when it comes after all."""

import json
from pathlib import Path

import pytest

from recorder.contiguity import Contiguity
from recorder.domain.instruments import DeviceRole
from recorder.domain.observations import Side
from recorder.domain.orders import Decide, Undo
from recorder.projections.health.device_health import Expected, HealthGrade
from recorder.projections.health.heard_devices import HeardDevices
from recorder.projections.timeline import timeline
from recorder.service.incoming import missing_numbers
from recorder.wire.topics import Up, UpChannel
from tests.eventually import eventually
from tests.recorder.session_table import VENUE, Table, recorded, run

CLOCK = Expected(name="clock", role=DeviceRole.SERIAL_CLOCK, table=1)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing_numbers, "GRACE_MS", 100)


def beat(table: Table, upto: int, *, keeps: int, boot: str = "0000abcd") -> None:
    """A heartbeat of the clock, a second later: it has come to a number and keeps some."""
    table.now_ms += 1000
    said = {"v": 1, "boot": boot, "t": table.now_ms, "seq_high": upto, "outbox": keeps}
    topic = str(Up(VENUE, "clock", UpChannel.HEARTBEAT))
    table.bus.publish(topic, json.dumps(said).encode())


def told(tmp_path: Path) -> list[tuple[int, int, int]]:
    """First, last and count of each row about events that are missing."""
    rows = [row.body["data"] for row in recorded(tmp_path) if row.type == "device.missing"]
    return [(row["first"], row["last"], row["count"]) for row in rows]


def wait_for(table: Table, tmp_path: Path, said: list[tuple[int, int, int]]) -> None:
    """Let the table's time pass until that is reported, and nothing else."""

    def is_told() -> bool:
        table.now_ms += 100
        return len(told(tmp_path)) >= len(said)

    eventually(is_told, "it is told")
    assert told(tmp_path) == said


def press(table: Table, number: int) -> None:
    table._numbers["clock"] = number - 1
    table.press(Side.RIGHT, Side.LEFT)


def test_what_a_device_has_lost_is_told_once_and_taken_back(tmp_path: Path, table: Table) -> None:
    """By the row of its table, by the director's line and by the verdict on the device."""
    service, store = run(tmp_path, table)
    press(table, 1)
    beat(table, 1, keeps=0)
    press(table, 4)
    beat(table, 4, keeps=3)  # it has 2 to 4 still
    beat(table, 4, keeps=1)
    beat(table, 4, keeps=0)
    wait_for(table, tmp_path, [(2, 3, 2)])
    heard = HeardDevices()
    for row in recorded(tmp_path):
        heard.take_row(row)
    (clock,) = heard.health((CLOCK,), None, "", table.now_ms).devices
    assert clock.grade is HealthGrade.ILL
    press(table, 3)
    wait_for(table, tmp_path, [(2, 3, 2), (2, 3, 1)])
    press(table, 2)
    wait_for(table, tmp_path, [(2, 3, 2), (2, 3, 1), (2, 3, 0)])
    service.stop()
    store.close()
    rows = recorded(tmp_path)
    lines = [item for item in timeline(rows) if item["type"] == "device.missing"]
    assert lines[0]["text"] == "clock: 2 events of 2 to 3 are missing"
    assert [item["missing"] for item in lines if not item["superseded_by"]] == [0]
    assert lines[-1]["text"] == "clock: the missing events of 2 to 3 have arrived"
    for row in rows:
        heard.take_row(row)
    assert heard._heard["clock"].missing is None


def test_a_director_settles_what_a_device_has_lost(tmp_path: Path, table: Table) -> None:
    """With a reason; undone it stands there again, and so does what is lost after it."""
    service, store = run(tmp_path, table)
    press(table, 1)
    beat(table, 3, keeps=2)
    press(table, 3)
    beat(table, 3, keeps=0)
    wait_for(table, tmp_path, [(2, 2, 1)])

    def seen() -> tuple[list[bool], bool]:
        """Whether each line is settled, and whether nothing of the device is left to look at."""
        heard, rows = HeardDevices(), recorded(tmp_path)
        for row in rows:
            heard.take_row(row)
        lines = [item for item in timeline(rows) if item["type"] == "device.missing"]
        return [item["settled"] for item in lines], heard._heard["clock"].missing is None

    assert seen() == ([False], False)
    (lost,) = (row for row in recorded(tmp_path) if row.type == "device.missing")
    ruling = table.order(Decide(text="Both sheets agree: nothing lacks.", settles=lost.seq))
    assert seen() == ([True], True)
    undo = table.order(Undo(order=ruling))
    assert seen() == ([False], False)
    table.order(Undo(order=undo))
    assert seen() == ([True], True)
    table.now_ms += 60_000
    beat(table, 6, keeps=0)
    wait_for(table, tmp_path, [(2, 2, 1), (2, 6, 4)])
    assert seen() == ([True, False], False)
    service.stop()
    store.close()
    assert "Both sheets agree" in str(recorded(tmp_path)[lost.seq :])


def test_what_is_missing_is_known_after_a_restart(tmp_path: Path, table: Table) -> None:
    """It is not reported again, and taken back when it comes.

    What got lost meanwhile is reported too.
    """
    service, store = run(tmp_path, table)
    press(table, 1)
    beat(table, 3, keeps=2)
    press(table, 3)
    beat(table, 3, keeps=0)
    wait_for(table, tmp_path, [(2, 2, 1)])
    service.stop()
    store.close()
    service, store = run(tmp_path, table)
    beat(table, 3, keeps=0)
    press(table, 2)
    wait_for(table, tmp_path, [(2, 2, 1), (2, 2, 0)])
    service.stop()
    store.close()
    service, store = run(tmp_path, table)
    beat(table, 5, keeps=0)
    wait_for(table, tmp_path, [(2, 2, 1), (2, 2, 0), (4, 5, 2)])
    service.stop()
    store.close()


def test_what_an_earlier_log_took_is_not_missing(tmp_path: Path, table: Table) -> None:
    """A new log begins in the middle of a boot; an event on its way is no lost one either."""
    service, store = run(tmp_path, table)
    beat(table, 500, keeps=0)
    press(table, 501)
    beat(table, 502, keeps=1)
    press(table, 502)
    beat(table, 502, keeps=0)
    for number in range(20):
        beat(table, 1000 + number, keeps=0, boot=f"{number:08x}")
    table.press(Side.LEFT, Side.RIGHT)
    service.stop()
    store.close()
    assert told(tmp_path) == []


def test_a_device_that_invents_numbers_fills_no_log(tmp_path: Path, table: Table) -> None:
    """A thousand boots with gaps without end are a row a minute at most."""
    service, store = run(tmp_path, table)
    for number in range(1000):
        for high in (0, 2**53 - 1):
            beat(table, high, keeps=0, boot=f"{number:08x}")
        table.now_ms -= 2000
    wait_for(table, tmp_path, [(1, 2**53 - 1, 2**53 - 1)])
    table.press(Side.RIGHT, Side.LEFT)
    service.stop()
    store.close()
    assert len(told(tmp_path)) == 1


def test_numbers_that_came_out_of_turn_are_not_missing() -> None:
    """First, last and count name what is missing alone."""
    numbers = Contiguity()
    for number in (1, 2, 4, 7, 9):
        numbers.add(("d", "b", number))
    assert numbers.missing("d", "b", upto=9, after=0) == (3, 8, 4)
    assert numbers.missing("d", "b", upto=7, after=3) == (5, 6, 2)
    assert numbers.missing("d", "b", upto=4, after=3) is None
    assert numbers.missing("d", "b", upto=12, after=None) == (10, 12, 3)
    assert numbers.missing("d", "other", upto=12, after=None) is None

"""A device that goes on holding what is stored does not hear; one behind a frozen broker does."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from recorder.bus.port import Message
from recorder.domain.instruments import DeviceRole
from recorder.domain.observations import Side
from recorder.projections.health.device_health import Expected
from recorder.projections.health.heard_devices import HeardDevices
from recorder.wire.control import Heartbeat, Presence, RecorderState, decode_time_reply, encode
from recorder.wire.topics import Up, UpChannel
from tests.eventually import eventually
from tests.recorder.session_table import VENUE, Table, recorded, run

CLOCK = Expected(name="clock", role=DeviceRole.SERIAL_CLOCK, table=1)
TOPIC = str(Up(VENUE, "clock", UpChannel.HEARTBEAT))
HOLDS = Heartbeat(boot="0000abcd", t_ms=0, seq_high=1, outbox=1)
"""It has given out one number, and waits for its ack."""


class Line:
    """Sends the clock's heartbeats, each once the one before it is answered, by table time."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.answered: set[int] = set()
        self.heard = HeardDevices()
        table.bus.subscribe(f"tc/v1/{VENUE}/down/clock/time", self._take)

    def _take(self, message: Message) -> None:
        self.answered.add(decode_time_reply(message.payload).t_ms)

    def beats(self, seconds: int) -> None:
        """One heartbeat each second, heard by the recorder and by anyone who reports health."""
        for _ in range(seconds):
            self.table.now_ms += 1000
            payload = encode(replace(HOLDS, t_ms=self.table.now_ms))
            self.heard.take_message(TOPIC, payload, self.now_ms())
            self.table.bus.publish(TOPIC, payload)
            eventually(lambda: self.table.now_ms in self.answered, "the recorder answers")

    def now_ms(self) -> int:
        """The time by which the recorder dates its rows."""
        return 1_000_000 + self.table.now_ms

    def verdict(self) -> str:
        (clock,) = self.heard.health((CLOCK,), None, "", self.now_ms()).devices
        return clock.finding.code


def test_a_silence_of_the_broker_is_no_deafness(
    tmp_path: Path, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """Ten seconds without a heartbeat count for nothing.

    Ten with them, unheard, are reported once.
    """
    recorder, store = run(tmp_path, table)
    line = Line(table)
    table.press(Side.RIGHT, Side.LEFT)
    for row in recorded(tmp_path):
        line.heard.take_row(row)
    with caplog.at_level(logging.WARNING, "tilecast.recorder"):
        line.beats(2)
        table.now_ms += 10_000
        line.beats(3)
        assert "does not hear" not in caplog.text
        assert line.verdict() != "deaf"
        line.beats(12)
        assert line.verdict() == "deaf"
        table.now_ms += 10_000
        line.beats(14)
        recorder.stop()
    store.close()
    assert caplog.text.count("clock does not receive that its events up to 1 are stored") == 1


def test_what_waited_for_a_full_disk_is_no_fault_of_its_device(
    tmp_path: Path, table: Table
) -> None:
    """Neither while nothing can be stored, nor once it is: late by itself it is reported."""
    recorder, store = run(tmp_path, table)
    line = Line(table)
    table.press(Side.RIGHT, Side.LEFT)
    recorder.stop()
    store.close()
    (row,) = (row for row in recorded(tmp_path) if row.device == "clock")
    late = replace(row, body={**row.body, "received": row.at + 15_000})
    full = RecorderState(state=Presence.READY, since_ms=0, fault="the disk is full")

    def verdict(at_ms: int, recorder: RecorderState | None) -> str:
        beat = encode(replace(HOLDS, t_ms=at_ms))
        line.heard.take_message(TOPIC, beat, row.at + at_ms)
        (clock,) = line.heard.health((CLOCK,), recorder, "", row.at + at_ms).devices
        return clock.finding.code

    line.heard.take_row(late)
    assert verdict(1000, None) == "came_late"
    assert {verdict(at_ms, full) for at_ms in range(2000, 16_000, 1000)} == {"did"}
    assert verdict(17_000, replace(full, fault="")) == "did"
    line.heard.take_row(
        replace(late, at=row.at + 17_000, body={**row.body, "received": row.at + 20_000})
    )
    assert verdict(21_000, None) == "came_late"

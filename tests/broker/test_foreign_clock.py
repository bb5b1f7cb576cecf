"""A clock of a stranger, built by the page of the protocol alone, on a broker that is killed."""

import json
import os
import signal
from itertools import pairwise
from pathlib import Path

import pytest

import tilecast
from recorder.bus.broker import BrokerHandle
from recorder.bus.mqtt import MqttBus
from recorder.commands.trials.doctor import Check, Grade
from recorder.lab.clock_exam.clock_exam import ClockExam
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from recorder.service.plan import RecorderPlan
from recorder.service.recorder import Recorder
from recorder.table.game_recorder import TablePlan
from tests.eventually import eventually
from tests.foreign_clock import PahoClock
from tests.recorder.session_table import plan

pytestmark = pytest.mark.broker

PACE = 0.25
BUSY_MS = 1_000


def killed(broker: BrokerHandle) -> None:
    assert broker.pid is not None
    os.kill(broker.pid, signal.SIGKILL)


def recorder(broker: BrokerHandle, store: SqliteEventLog, folder: Path) -> Recorder:
    (table,) = plan(folder / "live.gcg").tables
    table = TablePlan(started=table.started, devices={"clock-9": "mqtt-clock"})
    at_table = RecorderPlan(venue="hall", recorder="r1", tables=(table,))
    return Recorder(at_table, MqttBus(broker.url, "recorder-r1"), store, wall_ms)


def test_no_press_is_lost_while_recorder_and_broker_are_gone(
    broker: BrokerHandle, tmp_path: Path
) -> None:
    with SqliteEventLog(tmp_path / "log.db") as store:
        with PahoClock(broker.url, "hall", "clock-9", tmp_path / "flash") as clock:
            first = recorder(broker, store, tmp_path)
            first.start()
            press(clock, 4)
            eventually(lambda: not clock.waiting(), "the first are stored")
            first.stop()
            press(clock, 4)
            second = recorder(broker, store, tmp_path)
            second.start()
            try:
                press(clock, 2)
                killed(broker)
                press(clock, 4)
                eventually(lambda: not clock.waiting(), "all are stored")
            finally:
                second.stop()
        rows = [row for row in store.read_from(1) if row.type == "clock.press"]
    sides = {row.key[2]: row.body["data"]["side"] for row in rows if row.key}
    assert len(rows) == len(sides)
    assert [side for _, side in sorted(sides.items())] == ["R", "L"] * 7
    times = [at for _, at in sorted((row.key[2], row.at) for row in rows if row.key)]
    # It compares no clocks: the quickest message so far dates them, and a busy machine is slow.
    assert all(later - earlier > -BUSY_MS for earlier, later in pairwise(times))


@pytest.mark.further
def test_the_doctor_tries_a_clock_over_a_lost_broker(broker: BrokerHandle, tmp_path: Path) -> None:
    """All requirements hold, the reconnect too; the builder presses when asked."""
    found: list[Check] = []
    with PahoClock(broker.url, "bench", "clock-9", tmp_path / "flash", pace=PACE) as clock:

        def tell(check: Check) -> None:
            if check.is_request:
                press(clock, 4)
            else:
                found.append(check)

        exam = ClockExam(
            *(lambda name: MqttBus(broker.url, name), "bench", "clock-9", tell),
            pace=PACE,
            restart=lambda: killed(broker),
        )
        assert exam.examine(), found
    assert {check.grade for check in found} == {Grade.OK}


def test_the_doctor_says_that_it_hears_no_clock(
    broker: BrokerHandle, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recorder.lab.clock_exam.clock_exam.FIRST_S", 0.5)
    command = ["doctor", "clock", "clock-8", "--venue", "bench", "--broker", broker.url, "--json"]
    assert tilecast.main(command) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is False
    assert [finding["what"] for finding in document["findings"]] == ["greeting"]


def press(clock: PahoClock, count: int) -> None:
    """Right and left in turn."""
    for number in range(count):
        clock.press("RL"[number % 2])

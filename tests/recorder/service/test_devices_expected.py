"""Devices that the file names: those that never speak, and those that come back after a restart."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recorder.domain.observations import DeviceBack, DeviceLost
from recorder.domain.record import Observed
from recorder.lab.memory_bus import MemoryBus
from recorder.log.sqlite import SqliteEventLog
from recorder.projections.timeline import Timeline
from recorder.service.presence import MOST_LOSSES, NEVER_MS, SILENCE_MS, UNSTEADY_MS, missed
from recorder.service.recorder import Recorder
from recorder.wire.control import Heartbeat, encode
from recorder.wire.topics import Up, UpChannel, recorder_filter
from tests.eventually import eventually
from tests.recorder.session_table import VENUE, Table, plan, recorded

if TYPE_CHECKING:
    from recorder.bus.port import Message

CAM_SILENT = [(SILENCE_MS // 2 + 1, ("clock",))] * 2


class Hall:
    """A recorder that is driven by hand, and the time that passes."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table, self.folder, self.now_ms = table, folder, 1_000_000
        self.answers: list[Message] = []
        self.states: list[Message] = []
        table.bus.subscribe(f"tc/v1/{VENUE}/down/+/time", self.answers.append)
        table.bus.subscribe(recorder_filter(VENUE), self.states.append)

    def beat(self, device: str) -> None:
        beat = Heartbeat(boot="0000abcd", t_ms=self.now_ms, seq_high=0, outbox=0)
        self.table.bus.publish(str(Up(VENUE, device, UpChannel.HEARTBEAT)), encode(beat), qos=0)

    def recorder_runs(self, *spells: tuple[int, tuple[str, ...]]) -> None:
        """A recorder from its start to its end: so many ms pass, then these devices beat."""
        with SqliteEventLog(self.folder / "log.db") as store:
            bus = MemoryBus(self.table.broker)
            whole = plan(self.folder / "x.gcg")
            devices = {"cam": "board-camera", "clock": "serial-clock"}
            two = replace(whole, tables=(replace(whole.tables[0], devices=devices),))
            recorder = Recorder(two, bus, store, lambda: self.now_ms)
            self.states.clear()
            recorder.open()
            eventually(lambda: self.states, "the recorder is connected")
            for passed_ms, speaking in spells:
                self.now_ms += passed_ms
                self.answers.clear()
                for device in speaking:
                    self.beat(device)
                recorder.catch_up()
                due = len(speaking)
                eventually(
                    lambda due=due: recorder.catch_up() or len(self.answers) >= due, "answers"
                )
            recorder.stop()

    def said(self) -> list[tuple[str, str]]:
        """Which devices were informed lost or back, and why."""
        found = []
        for row in recorded(self.folder):
            match row.says:
                case Observed(what=DeviceLost(device=device, reason=reason)):
                    found.append((device, reason.code))
                case Observed(what=DeviceBack(device=device)):
                    found.append((device, "back"))
        return found

    def lost_on_page(self) -> dict[str, object]:
        timeline = Timeline(1)
        for row in recorded(self.folder):
            timeline.advance(row)
        return {name: state["lost"] for name, state in timeline.devices().items() if state["lost"]}


@pytest.fixture
def hall(table: Table, tmp_path: Path) -> Hall:
    """Table 1 with a camera and a clock."""
    return Hall(table, tmp_path)


def test_a_device_that_never_speaks_is_told_once_with_what_may_keep_it_out(hall: Hall) -> None:
    """After twenty seconds; the page lists it like one that was lost."""
    often = [(1_000, ("clock",))] * (NEVER_MS // 1_000)
    hall.recorder_runs(*often, (1_000, ("clock",)), (1_000, ("clock",)))
    assert hall.said() == [("cam", "never_heard")]
    (why,) = hall.lost_on_page().values()
    assert "access list" in str(why)


def test_a_device_that_speaks_late_is_back(hall: Hall) -> None:
    hall.recorder_runs((NEVER_MS + 1, ()), (1_000, ("cam", "clock")))
    assert sorted(hall.said()) == sorted(
        [("cam", "never_heard"), ("clock", "never_heard"), ("cam", "back"), ("clock", "back")]
    )
    assert hall.lost_on_page() == {}


def test_a_device_lost_before_a_restart_is_back_after_it(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says it was lost, so the log says that it is back; the program's says so in words."""
    hall.recorder_runs((1_000, ("cam", "clock")), *CAM_SILENT)
    assert hall.said() == [("cam", "no_heartbeat")]
    hall.recorder_runs((1_000, ("cam", "clock")))
    assert hall.said() == [("cam", "no_heartbeat"), ("cam", "back")]
    lost, back = (text for text in caplog.messages if text.startswith("cam"))
    assert lost.startswith("cam lost: no heartbeat for ")
    assert back == "cam is back"
    assert hall.lost_on_page() == {}


def test_a_new_game_lists_no_device_of_an_earlier_one(hall: Hall) -> None:
    """What was lost in the round before is not this game's."""
    hall.recorder_runs((1_000, ("cam", "clock")), *CAM_SILENT)
    rows = recorded(hall.folder)
    timeline = Timeline(1)
    data = {**rows[0].body["data"], "game": "g2"}
    for row in [*rows, replace(rows[0], game="g2", body={**rows[0].body, "data": data})]:
        timeline.advance(row)
    assert timeline.devices() == {}


def test_nobody_misses_an_assistant() -> None:
    """Who types racks does so when they like; no loss of theirs is reported."""
    roles = {"cam": "board-camera", "phone-racks-1": "assistant", "old": "sundial"}
    assert missed(roles) == ["cam", "old"]


def test_a_device_that_comes_and_goes_is_told_so_a_few_times(hall: Hall) -> None:
    """By no more than some rows a minute; it counts as lost meanwhile, and is back when steady."""
    both, rounds = ("cam", "clock"), 30
    spells = [(SILENCE_MS // 2 + 1, ("clock",)), (SILENCE_MS // 2 + 1, ("clock",)), (100, both)]
    hall.recorder_runs((1, both), *(spells * rounds))
    minutes = rounds * (SILENCE_MS + 102) / UNSTEADY_MS
    losses = [why for device, why in hall.said() if (device, why) == ("cam", "no_heartbeat")]
    assert MOST_LOSSES <= len(losses) <= MOST_LOSSES * (minutes + 1)
    assert "cam" in hall.lost_on_page()
    hall.recorder_runs((1, both), *[(SILENCE_MS // 2, both)] * (3 * UNSTEADY_MS // SILENCE_MS))
    assert hall.said()[-1] == ("cam", "back")

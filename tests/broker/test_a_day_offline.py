"""A table that was cut off for a day: its outboxes drain in order into a recorder that works on."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.bus.broker import BrokerHandle
from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox, OutboxSender
from recorder.domain.observations import BoardSeen, ClockPressed, Observation, Side
from recorder.domain.row_kind import Kind
from recorder.log.opening import wall_ms
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from recorder.wire.observations import encode_observation
from tests.eventually import eventually
from tests.looks import whole_look
from tests.recorder.session_table import START_MS, VENUE, board, plan

pytestmark = [pytest.mark.broker, pytest.mark.further]

HOUR_MS = 60 * 60 * 1000
LOOK_EVERY_MS, PRESS_EVERY_MS = 10_000, 30_000
WITHIN_S = 200.0


def fill(outbox: Outbox, observation: Observation, every_ms: int, count: int) -> None:
    """Put what a device saw over a day."""
    type_name, data = encode_observation(observation)
    for number in range(count):
        outbox.put(type_name, {**data}, number * every_ms)


def looks() -> BoardSeen:
    """What a camera says every ten seconds."""
    corners = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))
    return BoardSeen(
        frame="f", squares=whole_look(board("8G HAND")), corners=corners, pose_score=0.9,
        turn_margin=20.0, covered=0.0, still_ms=50, picture="ab" * 32,
    )  # fmt: skip


@pytest.mark.parametrize("hours", [2, 10])
def test_what_a_table_saw_in_a_day_without_network_drains_in_order(
    broker: BrokerHandle, tmp_path: Path, hours: int
) -> None:
    """Up to 3,600 looks and 1,200 presses: each once, in order, and the boxes are empty."""
    looked, presses = hours * HOUR_MS // LOOK_EVERY_MS, hours * HOUR_MS // PRESS_EVERY_MS
    pressed = ClockPressed(side=Side.LEFT, left_ms=START_MS, right_ms=START_MS, running=Side.RIGHT)
    with ExitStack() as stack:
        camera = stack.enter_context(Outbox(tmp_path / "cam.db", "cam"))
        clock = stack.enter_context(Outbox(tmp_path / "clock.db", "clock"))
        fill(camera, looks(), LOOK_EVERY_MS, looked)
        fill(clock, pressed, PRESS_EVERY_MS, presses)
        store = stack.enter_context(SqliteEventLog(tmp_path / "log.db"))
        bus = MqttBus(broker.url, "recorder-r1")
        recorder = Recorder(plan(tmp_path / "live.gcg"), bus, store, wall_ms)
        recorder.start()
        stack.callback(recorder.stop)
        # What is sent before anybody listens is sent again, later than what comes after it.
        eventually(lambda: bus.is_connected, "the recorder listens")
        for outbox in (camera, clock):
            line = stack.enter_context(MqttBus(broker.url, outbox.device))
            stack.enter_context(OutboxSender(outbox, line, VENUE))
        eventually(lambda: not camera.depth + clock.depth, "nothing waits", WITHIN_S)
    assert numbers(tmp_path, "cam") == list(range(1, looked + 1))
    assert numbers(tmp_path, "clock") == list(range(1, presses + 1))


def numbers(folder: Path, device: str) -> list[int]:
    def is_its(row: Row) -> bool:
        return row.kind is Kind.OBSERVED and row.body["dev"] == device

    with SqliteEventLog.open_reader(folder / "log.db") as log:
        return [row.body["seq"] for row in log.read_from(1) if is_its(row)]

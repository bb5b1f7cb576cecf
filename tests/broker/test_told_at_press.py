"""A turn without a play, from a camera over HTTP and a networked clock to its row of the log."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.bus.broker import BrokerHandle
from recorder.log.port import Kind, Row
from recorder.log.sqlite import SqliteEventLog
from tests.broker.test_dripping_camera import TABLE, dripping
from tests.broker.test_recorder_at_work import VENUE, running
from tests.eventually import eventually
from tests.foreign_clock import PahoClock

pytestmark = [pytest.mark.broker, pytest.mark.pixels]
DEVICES = 'cam-1 = "board-camera", clock-1 = "mqtt-clock"'
TURNS = 5
"""One is enough, unless the machine is so busy that a picture waits for long to be compared."""


def test_a_turn_without_a_play_rests_on_the_look_before_its_press(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """The board lies still, says the camera when it is asked: the next look is not awaited."""

    def rows(kind: str) -> list[Row]:
        with SqliteEventLog.open_reader(tmp_path / "tilecast.db") as log:
            return [row for row in log.read_from(1) if row.type == kind]

    def wait_for(kind: str, number: int) -> None:
        eventually(lambda: len(rows(kind)) >= number, f"{number} of {kind}")

    def is_early(turn: Row) -> bool:
        looks = {look.seq for look in rows("board.seen")}
        (press,) = {each.seq for each in rows("clock.press")} & set(turn.refs)
        return turn.kind is Kind.RECORDED and min(looks & set(turn.refs)) < press

    venue, table = tmp_path / "venue.toml", tmp_path / "table.toml"
    text = VENUE.format(url=broker.url, folder=tmp_path, more="")
    venue.write_text(text.replace('clock-1 = "serial-clock"', DEVICES), "utf-8")
    SqliteEventLog(tmp_path / "tilecast.db").close()  # which is read from the first moment on
    with ExitStack() as on:
        camera = on.enter_context(dripping())
        given = TABLE.format(url=broker.url, folder=tmp_path / "agent", source=camera.url)
        table.write_text(given.replace("interval_ms = 1000", "interval_ms = 100"), "utf-8")
        on.enter_context(running("record", str(venue), said=tmp_path / "recorder"))
        on.enter_context(running("agent", str(table), said=tmp_path / "said"))
        clock = on.enter_context(PahoClock(broker.url, "main", "clock-1", tmp_path / "flash"))
        wait_for("board.seen", 1)
        clock.press("R")
        for number in range(TURNS):
            looks = len(rows("board.seen"))
            clock.press("LR"[number % 2])
            wait_for("game.no_play", number + 1)
            wait_for("board.seen", looks + 1)
            if any(map(is_early, rows("game.no_play"))):
                break
        eventually(lambda: not clock.waiting(), "the clock's events are stored")
        turns = rows("game.no_play")
    assert any(map(is_early, turns))
    assert {row.body["data"]["frame"] for row in rows("board.still")}

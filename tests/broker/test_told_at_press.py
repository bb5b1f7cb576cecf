"""A game's first play, from a camera over HTTP and a networked clock to its row of the log."""

import itertools
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import encode_jpeg
from recorder.bus.broker import BrokerHandle
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from tests.broker.test_dripping_camera import TABLE
from tests.broker.test_recorder_at_work import VENUE, running
from tests.eventually import PATIENCE_S, eventually
from tests.foreign_clock import PahoClock
from tests.rehearsal.cameras import bare_table
from tests.served import Quiet, serving

pytestmark = [pytest.mark.broker, pytest.mark.pixels]
DEVICES = 'cam-1 = "board-camera", clock-1 = "mqtt-clock"'
BARE = [encode_jpeg(bare_table())]
EMPTY = EMPTY_BOARD.rows()
WINDY = (*EMPTY[:7], "...WINDY.......", *EMPTY[8:])


def laid(rows: tuple[str, ...]) -> list[bytes]:
    """Pictures of a board with tiles, each with noise of its own."""
    scene = TableScene(demo_style(), seed=4)
    scene.board = rows
    return [encode_jpeg(scene.frame(number)) for number in range(4)]


class Camera:
    """Gives its pictures in turn; while it is held, anyone who asks for one waits."""

    def __init__(self, pictures: Sequence[bytes]) -> None:
        self.pictures, self.given, self.given_s = pictures, 0, 0.0
        self.held, self.goes_on, self.is_awaited = (threading.Event() for _ in range(3))
        numbers, camera = itertools.count(), self

        class Handler(Quiet):
            def answer(self) -> None:
                if camera.held.is_set():
                    camera.is_awaited.set()
                    camera.goes_on.wait(PATIENCE_S)
                self.give(camera.pictures[next(numbers) % len(camera.pictures)])
                camera.given, camera.given_s = camera.given + 1, time.monotonic()

        self._served = ExitStack()
        self.url = self._served.enter_context(serving(Handler)) + "/shot.jpg"

    def close(self) -> None:
        self.goes_on.set()
        self._served.close()


def press_as_of(clock: PahoClock, side: str, at_s: float) -> None:
    """A press at an instant of this machine that has just gone by."""
    with clock.lock:
        clock.clock.now_s = lambda: at_s
        clock.press(side)
        clock.clock.now_s = time.monotonic


def test_a_first_play_is_told_before_the_camera_has_another_picture(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """The board lay still, the camera says when it is asked; the look that follows is no news."""

    def rows(kind: str) -> list[Row]:
        with SqliteEventLog.open_reader(tmp_path / "tilecast.db") as log:
            return [row for row in log.read_from(1) if row.type == kind]

    venue, table = tmp_path / "venue.toml", tmp_path / "table.toml"
    text = VENUE.format(url=broker.url, folder=tmp_path, more="")
    venue.write_text(text.replace('clock-1 = "serial-clock"', DEVICES), "utf-8")
    SqliteEventLog(tmp_path / "tilecast.db").close()  # which is read from the first moment on
    with ExitStack() as on:
        camera = on.enter_context(closing(Camera(BARE)))
        given = TABLE.format(url=broker.url, folder=tmp_path / "agent", source=camera.url)
        table.write_text(given.replace("interval_ms = 1000", "interval_ms = 100"), "utf-8")
        on.enter_context(running("record", str(venue), said=tmp_path / "recorder"))
        on.enter_context(running("agent", str(table), said=tmp_path / "said"))
        clock = on.enter_context(PahoClock(broker.url, "main", "clock-1", tmp_path / "flash"))
        eventually(lambda: rows("board.not_seen"), "the camera is there")
        clock.press("R")
        eventually(lambda: rows("clock.press"), "the game has begun")
        camera.pictures = laid(WINDY)
        eventually(lambda: rows("board.seen"), "the play is seen")
        before = camera.given
        eventually(lambda: camera.given > before + 2, "the board lies still")
        camera.held.set()
        eventually(camera.is_awaited.is_set, "the camera waits for a picture")
        press_as_of(clock, "L", camera.given_s)
        eventually(lambda: rows("game.played"), "the play is told")
        seen = rows("board.seen")
        camera.held.clear()
        camera.goes_on.set()
        eventually(lambda: len(rows("board.seen")) > len(seen), "the look after the press")
        eventually(lambda: not clock.waiting(), "the clock's events are stored")
    (play,), press = rows("game.played"), rows("clock.press")[-1]
    assert play.body["data"]["word"] == "WINDY"
    assert (play.kind, play.body["doubt"]) == (Kind.RECORDED, None)
    assert press.seq in play.refs
    known = {look.body["data"]["frame"] for look in seen}
    assert rows("board.still")[0].body["data"]["frame"] in known

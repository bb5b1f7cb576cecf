"""Frames of streams are as old as they are: what waited in a queue, what a server says of them."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from devices.cameras.camera import open_source
from devices.cameras.frames import BadFrame, CameraFrame
from devices.cameras.live.capture import LiveCapture
from devices.cameras.live.stream_time import StreamTime
from devices.pictures import encode_jpeg
from tests.eventually import eventually
from tests.served import Quiet, serving


def test_a_frame_that_waited_in_a_queue_is_as_old_as_it_is() -> None:
    """The quickest frame gives the measure: one that comes 400 ms later than its time is so old."""
    stream = StreamTime()
    assert stream.taken_ms(5_000, 100.0, waited=True) == 5_000
    assert stream.taken_ms(5_090, 200.0, waited=True) == 5_090
    assert stream.taken_ms(5_590, 300.0, waited=True) == pytest.approx(5_190, abs=1)
    assert stream.taken_ms(5_591, 400.0, waited=False) == pytest.approx(5_290, abs=1)


def test_a_quartz_that_runs_apart_makes_no_frame_old() -> None:
    """Three hours of a camera that loses 300 parts in a million: 3 s, and no frame seems late."""
    stream = StreamTime()
    ages = [
        at - stream.taken_ms(at, 1 + at * (1 - 300e-6), waited=True)
        for at in range(0, 3 * 3_600_000, 1_000)
    ]
    assert max(ages) <= 1


@pytest.mark.parametrize("positions", [[0.0] * 60, [90_000.0, *range(100, 6_000, 100)]])
def test_a_stream_without_times_or_with_a_jump_is_taken_as_it_comes(positions: list[float]) -> None:
    """A time that is not after the last one says nothing; after it a new measure is taken."""
    stream = StreamTime()
    taken = [
        stream.taken_ms(100 * number, position, waited=True)
        for number, position in enumerate(positions)
    ]
    assert taken[2:] == pytest.approx(list(range(200, 100 * len(positions), 100)), abs=1)


def test_a_frame_without_a_time_makes_no_frame_of_a_queue_new() -> None:
    """A laptop slept for 12 s; the second frame that waited meanwhile was damaged: it has no time.

    Else the old board is seen at the moment of waking, after the presses.
    """
    stream = StreamTime()
    for at in range(0, 8_000, 125):
        stream.taken_ms(1_000 + at, 1 + at, waited=True)
    waited = [8_001.0, 0.0, *(8_001.0 + at for at in range(125, 11_000, 125))]
    ages = [21_000 - stream.taken_ms(21_000, position, waited=False) for position in waited]
    assert ages[:3] == pytest.approx([12_000, 12_000, 11_875], abs=30)
    assert min(ages) > 1_000


def test_a_stream_whose_time_runs_slowly_is_not_believed_for_long() -> None:
    """Its seconds last 1.25 s and each frame has to be waited for: no frame is seconds old."""
    stream = StreamTime()
    ages = [at - stream.taken_ms(at, 1 + at * 0.8, waited=True) for at in range(0, 120_000, 100)]
    assert max(ages) < 2_000


class Streaming(Quiet):
    """Serves as phone apps do, one of three ways; each picture is brighter than the last."""

    says = "length"
    level = 0
    picture_s, remarks = 0.02, 0
    ended = threading.Event()

    def answer(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
        self.end_headers()
        try:
            while not self.ended.wait(self.picture_s):
                type(self).level = (self.level + 1) % 200
                jpeg = encode_jpeg(np.full((60, 80, 3), self.level, np.uint8))
                jpeg = b"no picture" if self.says == "rubbish" else jpeg
                remark = b"\xff\xfe\xff\xff" + bytes(0xFFFF - 2)
                jpeg = jpeg[:2] + self.remarks * remark + jpeg[2:]
                head = b"--cut\r\nContent-Type: image/jpeg\r\n"
                if self.says != "nothing":
                    head += b"Content-Length: %d\r\n" % len(jpeg)
                if self.says == "time":
                    head += b"X-Timestamp: %.6f\r\n" % time.monotonic()
                self.wfile.write(head + b"\r\n" + jpeg + b"\r\n")
        except OSError:
            pass  # the reader has gone


@pytest.fixture
def app() -> Iterator[tuple[type[Streaming], str]]:
    """The server's class, to tell it how to serve, and its address."""

    class App(Streaming):
        ended = threading.Event()

    with serving(App) as address:
        yield App, f"{address}/video"
        App.ended.set()


def _next(source: LiveCapture) -> CameraFrame | BadFrame:
    found: list[CameraFrame | BadFrame | None] = []

    def comes() -> bool:
        found.append(source.read(0.2))
        return found[-1] is not None

    eventually(comes, "a frame comes")
    assert found[-1] is not None
    return found[-1]


def _ticks() -> int:
    return time.monotonic_ns() // 1_000_000


@pytest.mark.parametrize("says", ["length", "nothing", "time"])
def test_a_stream_of_jpegs_gives_its_newest_picture_as_it_came(
    app: tuple[type[Streaming], str], says: str
) -> None:
    """With and without a length; a reader that was busy finds the newest, and no queue."""
    served, address = app
    served.says = says
    source = open_source(address, _ticks)
    assert isinstance(source, LiveCapture)
    try:
        first = _next(source)
        assert isinstance(first, CameraFrame)
        assert first.jpeg.startswith(b"\xff\xd8")
        level = served.level
        eventually(lambda: served.level >= level + 10, "the reader is busy elsewhere")
        least = served.level - 4
        newest = _next(source)
        assert isinstance(newest, CameraFrame)
        assert round(float(newest.image.mean())) >= least
        assert 0 <= _ticks() - newest.captured_ms < 1_000
    finally:
        source.close()


_READER = """
import sys, time
from devices.cameras.camera import open_source
source = open_source(sys.argv[1], lambda: time.monotonic_ns() // 1_000_000)
while True:
    if (frame := source.read(1.0)) is not None:
        print(time.monotonic(), round(float(frame.image.mean())), flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a program cannot be held here")
def test_a_picture_that_waited_while_the_laptop_slept_is_not_new(
    app: tuple[type[Streaming], str],
) -> None:
    """Nobody knows when what waited was taken: the newest alone is given."""
    served, address = app
    served.picture_s, served.remarks = 0.05, 8
    words = [sys.executable, "-c", _READER, address]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout
        for _ in range(5):
            reader.stdout.readline()
        reader.send_signal(signal.SIGSTOP)
        level = served.level
        time.sleep(1.5)
        awake_s, least = time.monotonic(), served.level - 8
        assert served.level > level
        reader.send_signal(signal.SIGCONT)
        time.sleep(1)
        reader.kill()
        lines = [line.split() for line in reader.stdout.read().splitlines()]
    seen = [int(shown) for at_s, shown in lines if float(at_s) > awake_s]
    assert seen
    assert min(seen) >= least


def test_a_part_that_is_no_picture_is_told_and_the_stream_goes_on(
    app: tuple[type[Streaming], str],
) -> None:
    served, address = app
    served.says = "rubbish"
    source = open_source(address, _ticks)
    assert isinstance(source, LiveCapture)
    try:
        assert isinstance(_next(source), BadFrame)
        served.says = "length"
        eventually(lambda: isinstance(_next(source), CameraFrame), "pictures again")
    finally:
        source.close()

"""``tilecast watch --follow`` of a camera of 1920 x 1080 at 25 pictures a second, on one core.

A rendered game is streamed in real time to the real command, which has one core for itself and
whatever else runs there; broker and recorder run beside it. Counted are the processor seconds of
the command for a second of film, start-up apart, and the time from the moment at which tiles and
hands lie still to the row of the look that shows them, by this machine's clock; as p95 stands the
longest. Time depends on what else the machine does: the load is reported with it.
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np

from devices.lab.demo_processes import DemoProcesses
from devices.lab.game_video import film
from devices.pictures import Image
from recorder.bus.broker import start_broker
from recorder.domain.observations import BoardSeen, BoardStirred
from recorder.domain.record import Observed
from recorder.gcg import read_gcg
from recorder.lab.venue_files import venue_toml
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from tests.bench.figures import Figure, Figures
from tests.devices.watching.picture_stream import streaming
from tests.eventually import eventually

GAME = Path(__file__).parents[2] / "golden" / "phony_withdrawn_after_a_challenge_bonus.gcg"
FRAMES_PER_S = 25
POLL_S = 0.01
CLOCK = ', clock-1 = "serial-clock"'


def run() -> Figures:
    """Processor seconds for a second of film, and from stillness to the row, in ms."""
    with tempfile.TemporaryDirectory() as place, ExitStack() as running:
        folder, seen = Path(place), threading.Event()
        broker = start_broker(workdir=folder / "broker")
        running.callback(broker.stop)
        venue = folder / "venue.toml"
        venue.write_text(venue_toml(broker.url, ["Ada", "Ben"], "english").replace(CLOCK, ""))
        DemoProcesses(folder, running).start("record", venue)
        filmed = _broad(film(read_gcg(GAME.read_bytes()), 3))
        stream = running.enter_context(
            streaming(filmed, every_s=1 / FRAMES_PER_S, once=seen.is_set)
        )
        words = ["watch", stream.address, "--follow", "--broker", broker.url]
        words += ["--folder", str(folder / "watched"), "--tiles", "english"]
        watching = subprocess.Popen(
            [sys.executable, "-m", "tilecast", *words], stderr=subprocess.DEVNULL
        )
        running.callback(watching.kill)
        os.sched_setaffinity(watching.pid, {max(os.sched_getaffinity(0))})
        log = folder / "record" / "tilecast.db"
        eventually(log.exists)
        with SqliteEventLog.open_reader(log) as reader:
            looks = Looks(reader)
            eventually(looks.new)
            began, used = time.monotonic(), _cpu_s(watching.pid)
            seen.set()
            while not stream.given.is_set():
                looks.new()
                time.sleep(POLL_S)
            cost = (_cpu_s(watching.pid) - used) / (time.monotonic() - began)
        watching.send_signal(signal.SIGINT)
        watching.wait(30)
    took = looks.took_ms[1:]
    return {
        "follow, cpu per second": Figure("s", cost),
        f"follow, from stillness to the row, load {os.getloadavg()[0]:.0f}": Figure(
            f"ms of {len(took)}", round(statistics.median(took)), round(max(took))
        ),
    }


class Looks:
    """The first looks after something moved, as they come into a log.

    ``took_ms``: how long after stillness each was there.
    """

    def __init__(self, reader: SqliteEventLog) -> None:
        self._reader, self._next = reader, 1
        self._stirred = True
        self.took_ms: list[float] = []

    def new(self) -> bool:
        """Whether there are any by now, after another look into the log."""
        for row in self._reader.read_from(self._next):
            self._next = row.seq + 1
            what = row.says.what if isinstance(row.says, Observed) else None
            if isinstance(what, BoardSeen) and self._stirred:
                self.took_ms.append(wall_ms() - (row.device_ms - what.still_ms))
            self._stirred = isinstance(what, BoardStirred) or (
                self._stirred and not isinstance(what, BoardSeen)
            )
        return bool(self.took_ms)


def _broad(frames: Iterator[Image]) -> Iterator[Image]:
    """As a camera of 1920 x 1080 gives them: five for two that were drawn."""
    for number, frame in enumerate(frames):
        tall = cv2.resize(frame, (1440, 1080), interpolation=cv2.INTER_LINEAR)
        broad = cv2.copyMakeBorder(tall, 0, 0, 240, 240, cv2.BORDER_REPLICATE)
        yield from [np.asarray(broad, np.uint8)] * (2 + number % 2)


def _cpu_s(pid: int) -> float:
    """User and system time of a process; fields 14 and 15 of its stat, in ticks."""
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

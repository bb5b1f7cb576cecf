"""What goes wrong at a venue that runs; each is over when it returns, or soon after."""

import os
import signal
import time
from pathlib import Path

from tests.rehearsal.account import Asleep
from tests.rehearsal.hall import Hall

ASLEEP_S = 8.0


def kill_broker(hall: Hall) -> None:
    """The broker is gone without a word; ``tilecast venue`` starts another."""
    os.kill(hall.pid_of("broker/mosquitto.conf"), signal.SIGKILL)


def put_to_sleep(hall: Hall) -> Asleep:
    """Every process of the venue stands still, as on a laptop whose lid is shut."""
    begun_ms = time.time_ns() // 1_000_000
    numbers = [int(words[0]) for words in hall.processes()]
    for number in numbers:
        os.kill(number, signal.SIGSTOP)
    time.sleep(ASLEEP_S)
    for number in reversed(numbers):
        os.kill(number, signal.SIGCONT)
    return begun_ms, time.time_ns() // 1_000_000


class WallClock:
    """The time of day as the venue's programs see it, by ``libfaketime``; they run on steadily."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "time-of-day"
        self.set(0)

    @staticmethod
    def library() -> str:
        """Where it is installed; empty where it is not."""
        places = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
        return str(next(places, ""))

    def environment(self) -> dict[str, str]:
        """For the programs."""
        return {
            "LD_PRELOAD": self.library(),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, ahead_s: int) -> None:
        """So many seconds ahead of the true time."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{ahead_s:+d}\n", "utf-8")
        written.replace(self._file)

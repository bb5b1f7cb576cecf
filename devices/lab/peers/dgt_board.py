"""A DGT e-board with a clock on it, in software behind a pseudo-terminal: only bytes cross.

Seconds pass when the test says so (``advance``); the lever and the middle button are methods. It
also says what a driver must pass over: board dumps and acknowledgements.
"""

import threading
import time
from dataclasses import replace
from typing import Self

from devices.clocks.dgt_frames import (
    ASK_CLOCK,
    BWTIME,
    UPDATE_NICE,
    ClockTimes,
)
from devices.lab.peers.device_port import device_port
from recorder.domain.observations import Side

BOARD_DUMP = bytes([0x86, 0, 67]) + bytes(64)
CLOCK_ACK = bytes([0x8D, 0, 10, 0x0A, 0x10, 0x08, 0, 0, 0, 0])


class DgtBoard:
    """The board, switched on. All methods may be called from any thread."""

    def __init__(self, left_s: int = 1500, right_s: int = 1500) -> None:
        self.port = device_port("dgt")
        self.times = ClockTimes(
            left_s=left_s, right_s=right_s, is_running=False, turn=Side.LEFT, lever_right=True
        )
        self.has_clock = True
        self._lock = threading.RLock()
        self._updates = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="simulated DGT board")
        self._thread.start()

    @property
    def path(self) -> str:
        """What to open as the serial port."""
        return self.port.path

    def press(self, side: Side) -> None:
        """A player pushes the lever down on their side; the other one's time runs."""
        turn = Side.RIGHT if side is Side.LEFT else Side.LEFT
        self._now(is_running=True, turn=turn, lever_right=turn is Side.RIGHT)

    def middle(self) -> None:
        """The button that stops, and goes on."""
        self._now(is_running=not self.times.is_running)

    def advance(self, seconds: int) -> None:
        """Let time pass on the half that runs; at zero its flag falls and the count ends."""
        with self._lock:
            for _ in range(seconds if self.times.is_running else 0):
                name = "left_s" if self.times.turn is Side.LEFT else "right_s"
                left_s = max(0, getattr(self.times, name) - 1)
                flag = self.times.turn if left_s == 0 else self.times.flag
                self._now(**{name: left_s, "flag": flag})

    def set(self, left_s: int, right_s: int) -> None:
        """Somebody sets the clock."""
        self._now(left_s=left_s, right_s=right_s, flag=Side.NONE)

    def close(self) -> None:
        """Switch it off."""
        self._stop.set()
        self._thread.join()
        self.port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _now(self, **changes: object) -> None:
        with self._lock:
            self.times = replace(self.times, **changes)  # type: ignore[arg-type]
            if self._updates:
                self._say()

    def _say(self) -> None:
        self.port.write(encode_times(self.times) if self.has_clock else encode_no_clock())

    def _work(self) -> None:
        next_dump = time.monotonic()
        while not self._stop.is_set():
            data = self.port.read(0.05)
            with self._lock:
                self._updates = self._updates or UPDATE_NICE in data
                if ASK_CLOCK in data:
                    self._say()
                if self._updates and time.monotonic() > next_dump:
                    next_dump = time.monotonic() + 0.3
                    self.port.write(BOARD_DUMP + CLOCK_ACK)


def encode_times(times: ClockTimes) -> bytes:
    """The message with these times, as the board sends it."""
    right = _time_bytes(times.right_s, is_fallen=times.flag is Side.RIGHT)
    left = _time_bytes(times.left_s, is_fallen=times.flag is Side.LEFT)
    status = times.is_running | times.lever_right << 1 | times.battery_low << 2
    status |= {Side.RIGHT: 0x08, Side.LEFT: 0x10, Side.NONE: 0}[times.turn]
    return bytes([BWTIME, 0, 10]) + right + left + bytes([status])


def encode_no_clock() -> bytes:
    """The message of a board without a clock."""
    return bytes([BWTIME, 0, 10, 0, 0, 0, 0, 0, 0, 0x20])


def _time_bytes(seconds: int, *, is_fallen: bool) -> bytes:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    both = (minutes // 10 << 4 | minutes % 10, rest // 10 << 4 | rest % 10)
    return bytes([hours | is_fallen << 4, *both])

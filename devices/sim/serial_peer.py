"""A table clock in software, on the far side of a pseudo-terminal: only bytes cross.

The scenario presses the switches and lets the players' time pass (``advance``), so thinking time
costs no waiting. ``unplug`` closes the far side as pulling the cable does; after ``replug`` the
same ``path`` leads to a fresh terminal. Must not know the agent, the recorder or the game.
"""

import contextlib
import os
import secrets
import select
import tempfile
import threading
import time
import tty
from pathlib import Path
from typing import Self

from devices.framing import Frame, LineReader
from devices.sim.clock_firmware import ClockFace, ClockFirmware
from recorder.domain.observations import Say, Side

_BEAT_S = 1.0


class SerialPeer:
    """The simulated clock behind a serial path. All methods may be called from any thread.

    ``speed`` lets the players' time pass by itself, so many times faster than the wall clock;
    with 0 only ``advance`` moves it. The clock's own milliseconds are real in either case.
    """

    def __init__(
        self,
        dev: str = "CLOCK1",
        *,
        face: ClockFace | None = None,
        boot: str | None = None,
        speed: float = 0.0,
        beat_s: float = _BEAT_S,
    ) -> None:
        self._born = time.monotonic()
        self._speed, self._beat_s = speed, beat_s
        self._lock = threading.RLock()
        self._clock = ClockFirmware(
            dev, boot or secrets.token_hex(4), face or ClockFace(), self._ticks
        )
        self._folder = tempfile.TemporaryDirectory(prefix="tilecast-clock-")
        self._link = Path(self._folder.name) / "tty"
        self._ends: tuple[int, int] | None = None
        self._stop = threading.Event()
        self.replug()
        self._thread = threading.Thread(target=self._work, name=f"simulated clock {dev}")
        self._thread.start()

    @property
    def path(self) -> str:
        """What to open as the serial port; stays the same over unplug and replug."""
        return str(self._link)

    @property
    def is_plugged(self) -> bool:
        """Whether the cable is in."""
        return self._ends is not None

    @property
    def face(self) -> ClockFace:
        """The times and the running half, now."""
        with self._lock:
            return self._clock.face

    @property
    def outbox(self) -> int:
        """Events that the host has not acknowledged."""
        with self._lock:
            return self._clock.outbox

    @property
    def seq_high(self) -> int:
        """The number of the newest event."""
        with self._lock:
            return self._clock.seq_high

    def press(self, side: Side) -> None:
        """A player presses a half."""
        with self._lock:
            self._send(self._clock.press(side))

    def pause(self) -> None:
        """The middle button."""
        with self._lock:
            self._send(self._clock.pause())

    def resume(self) -> None:
        """The middle button again."""
        with self._lock:
            self._send(self._clock.resume())

    def reset(self) -> None:
        """Back to the starting times."""
        with self._lock:
            self._send(self._clock.reset())

    def say(self, side: Side, say: Say, count: int) -> None:
        """A button of the scorer's box: tiles exchanged, a pass (0), or a bonus in points."""
        with self._lock:
            self._send(self._clock.say(side, say, count))

    def advance(self, elapsed_ms: int) -> None:
        """Let the players' time pass at once."""
        with self._lock:
            self._send(self._clock.advance(elapsed_ms))

    def noise(self, data: bytes) -> None:
        """The line stutters: these bytes go out between the clock's own."""
        with self._lock:
            self._write(data)

    def unplug(self) -> None:
        """Pull the cable; the clock goes on counting and keeps its events."""
        with self._lock:
            if self._ends is None:
                return
            self._link.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    def replug(self) -> None:
        """Put the cable back."""
        with self._lock:
            if self._ends is not None:
                return
            clock_end, host_end = os.openpty()
            # Both ends raw, or the terminal echoes and mangles CR LF. The host's end stays open
            # here too, for without any opener the clock's end reads nothing but errors.
            tty.setraw(clock_end)
            tty.setraw(host_end)
            os.set_blocking(clock_end, False)
            self._link.symlink_to(os.ttyname(host_end))
            self._ends = (clock_end, host_end)

    def close(self) -> None:
        """Switch the clock off."""
        self._stop.set()
        self._thread.join()
        self.unplug()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ticks(self) -> int:
        return int((time.monotonic() - self._born) * 1000)

    def _work(self) -> None:
        reader = LineReader()
        next_beat = time.monotonic()
        passed = time.monotonic()
        while not self._stop.is_set():
            data = self._read(0.05)
            now = time.monotonic()
            with self._lock:
                for line in reader.feed(data):
                    if isinstance(line, Frame):
                        self._send(self._clock.hear(line))
                if self._speed:
                    self._send(self._clock.advance(int((now - passed) * 1000 * self._speed)))
                passed = now
                if now >= next_beat:
                    self._send(self._clock.greeting())
                    next_beat = now + self._beat_s

    def _read(self, timeout_s: float) -> bytes:
        with self._lock:
            ends = self._ends
        if ends is None:
            self._stop.wait(timeout_s)
            return b""
        try:
            ready, _, _ = select.select([ends[0]], [], [], timeout_s)
            with self._lock:
                return os.read(ends[0], 4096) if ready and self._ends is ends else b""
        except (OSError, ValueError):
            # Unplugged while waiting.
            return b""

    def _send(self, frames: list[Frame]) -> None:
        self._write(b"".join(frame.to_bytes() for frame in frames))

    def _write(self, data: bytes) -> None:
        # A UART does not wait for a listener: what the terminal cannot hold is gone.
        if self._ends is not None and data:
            with contextlib.suppress(BlockingIOError):
                os.write(self._ends[0], data)

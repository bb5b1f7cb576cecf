"""A table clock in software, on the far side of a pseudo-terminal: only bytes cross.

The script presses the switches and lets the players' time pass (``advance``), so thinking time
costs no waiting. ``unplug`` closes the far side as pulling the cable does; after ``replug`` the
same ``path`` leads to a fresh terminal. Must not know the agent, the recorder or the game.
"""

import secrets
import threading
import time
from typing import Self

from devices.lab.peers.clock_firmware import ClockFace, ClockFirmware
from devices.lab.peers.device_port import device_port
from devices.tcc1.framing import LineReader, TccFrame
from recorder.domain.observations import Say, Side, TurnAct

_BEAT_S = 1.0


class SerialPeer:
    """The simulated clock behind a serial path. All methods may be called from any thread.

    ``speed`` lets the players' time pass by itself, so many times faster than the wall clock;
    with 0 only ``advance`` moves it. The clock's own milliseconds are real in either case, but for
    the drift of its quartz.
    """

    def __init__(
        self,
        dev: str = "CLOCK1",
        *,
        face: ClockFace | None = None,
        boot: str | None = None,
        speed: float = 0.0,
        beat_s: float = _BEAT_S,
        drift_ppm: float = 0.0,
    ) -> None:
        self._born = time.monotonic()
        self._speed, self._beat_s = speed, beat_s
        self._rate = 1 + drift_ppm / 1e6
        self._lock = threading.RLock()
        self._clock = ClockFirmware(
            dev, boot or secrets.token_hex(4), face or ClockFace(), self._ticks
        )
        self._port = device_port("clock")
        self._passed, self._rest_ms = self._born, 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"simulated clock {dev}")
        self._thread.start()

    @property
    def path(self) -> str:
        """What to open as the serial port; stays the same over unplug and replug."""
        return self._port.path

    @property
    def is_plugged(self) -> bool:
        """Whether the cable is in."""
        return self._port.is_plugged

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
            self._let_time_pass()
            self._send(self._clock.press(side))

    def pause(self) -> None:
        """The middle button."""
        with self._lock:
            self._let_time_pass()
            self._send(self._clock.pause())

    def resume(self) -> None:
        """The middle button again."""
        with self._lock:
            self._let_time_pass()
            self._send(self._clock.resume())

    def reset(self) -> None:
        """Back to the starting times."""
        with self._lock:
            self._let_time_pass()
            self._send(self._clock.reset())

    def say(self, side: Side, say: Say, count: int) -> None:
        """A button of the scorer's box: tiles exchanged, a pass (0), or a bonus in points."""
        with self._lock:
            self._send(self._clock.say(side, say, count))

    def act(self, side: Side, act: TurnAct, count: int = 0, letter: str = "") -> None:
        """Another button of the box: hold, accept, challenge, a score, a blank's letter."""
        with self._lock:
            self._send(self._clock.act(side, act, count, letter))

    def advance(self, elapsed_ms: int) -> None:
        """Let the players' time pass at once."""
        with self._lock:
            self._send(self._clock.advance(elapsed_ms))

    def noise(self, data: bytes) -> None:
        """The line stutters: these bytes go out between the clock's own."""
        with self._lock:
            self._port.write(data)

    def unplug(self) -> None:
        """Pull the cable; the clock goes on counting and keeps its events."""
        with self._lock:
            self._port.unplug()

    def replug(self) -> None:
        """Put the cable back."""
        with self._lock:
            self._port.replug()

    def close(self) -> None:
        """Switch the clock off."""
        self._stop.set()
        self._thread.join()
        self._port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ticks(self) -> int:
        return int((time.monotonic() - self._born) * 1000 * self._rate)

    def _work(self) -> None:
        reader = LineReader()
        next_beat = time.monotonic()
        while not self._stop.is_set():
            data = self._port.read(0.05)
            now = time.monotonic()
            with self._lock:
                for line in reader.feed(data):
                    if isinstance(line, TccFrame):
                        self._send(self._clock.hear(line))
                self._let_time_pass()
                if now >= next_beat:
                    self._send(self._clock.greeting())
                    next_beat = now + self._beat_s

    def _let_time_pass(self) -> None:
        """The players' time up to now, whole milliseconds; what is left over counts next time.

        At a press too: on a busy machine the thread may come late, and a real clock does not.
        """
        now = time.monotonic()
        exact_ms = (now - self._passed) * 1000 * self._speed * self._rate + self._rest_ms
        self._passed, self._rest_ms = now, exact_ms % 1
        if self._speed:
            self._send(self._clock.advance(int(exact_ms)))

    def _send(self, frames: list[TccFrame]) -> None:
        self._port.write(b"".join(frame.to_bytes() for frame in frames))

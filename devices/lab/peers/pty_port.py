"""The far side of a pseudo-terminal: what a simulated serial device speaks through.

``unplug`` closes it as pulling the cable does; after ``replug`` the same ``path`` leads to a fresh
terminal. Must not know what the bytes mean.
"""

import contextlib
import os
import select
import tempfile
import threading
from pathlib import Path

from recorder.systems import open_terminal


class PtyPort:
    """One serial port of a simulated device. All methods may be called from any thread."""

    def __init__(self, name: str) -> None:
        self._lock = threading.RLock()
        self._folder = tempfile.TemporaryDirectory(prefix=f"tilecast-{name}-")
        self._link = Path(self._folder.name) / "tty"
        self._ends: tuple[int, int] | None = None
        self._closed = threading.Event()
        self.replug()

    @property
    def path(self) -> str:
        """What to open as the serial port; stays the same over unplug and replug."""
        return str(self._link)

    @property
    def is_plugged(self) -> bool:
        """Whether the cable is in."""
        return self._ends is not None

    def unplug(self) -> None:
        """Pull the cable."""
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
            # The host's end stays open here too: without any opener the device's end reads errors.
            device_end, host_end, name = open_terminal()
            self._link.symlink_to(name)
            self._ends = (device_end, host_end)

    def read(self, timeout_s: float) -> bytes:
        """What the host has sent, or nothing within the time."""
        with self._lock:
            ends = self._ends
        if ends is None:
            self._closed.wait(timeout_s)
            return b""
        try:
            ready, _, _ = select.select([ends[0]], [], [], timeout_s)
            with self._lock:
                return os.read(ends[0], 4096) if ready and self._ends is ends else b""
        except (OSError, ValueError):
            # Unplugged while waiting.
            return b""

    def write(self, data: bytes) -> None:
        """Send. A UART does not wait for a listener: what the terminal cannot hold is gone."""
        with self._lock:
            if self._ends is not None and data:
                with contextlib.suppress(BlockingIOError):
                    os.write(self._ends[0], data)

    def close(self) -> None:
        """Let go of the terminal and its path."""
        self._closed.set()
        self.unplug()
        self._folder.cleanup()

"""The far side of a serial port: what a simulated device speaks through.

A pseudo-terminal, or a socket where the system has none (``socket://``, as pyserial opens it).
``unplug`` closes it as pulling the cable does; after ``replug`` the same ``path`` leads to a fresh
one. Must not know what the bytes mean.
"""

import contextlib
import os
import select
import socket
import tempfile
import threading
from pathlib import Path
from typing import Protocol

from recorder import systems

_MOST_READ = 4096


class DevicePort(Protocol):
    """One serial port of a simulated device. All methods may be called from any thread."""

    @property
    def path(self) -> str:
        """What to open as the serial port; stays the same over unplug and replug."""

    @property
    def is_plugged(self) -> bool:
        """Whether the cable is in."""

    def unplug(self) -> None:
        """Pull the cable."""

    def replug(self) -> None:
        """Put the cable back."""

    def read(self, timeout_s: float) -> bytes:
        """What the host has sent, or nothing within the time."""

    def write(self, data: bytes) -> None:
        """Send. A UART does not wait for a listener: what the port cannot hold is gone."""

    def close(self) -> None:
        """Let go of the port and its path."""


def device_port(name: str) -> DevicePort:
    """The port of a device, of the kind that this system gives."""
    try:
        return PtyPort(name)
    except OSError:
        return SocketPort()


class PtyPort:
    """A pseudo-terminal; ``path`` is a link to it in a folder of its own."""

    def __init__(self, name: str) -> None:
        self._lock = threading.RLock()
        self._folder = tempfile.TemporaryDirectory(prefix=f"tilecast-{name}-")
        self._link = Path(self._folder.name) / "tty"
        self._ends: tuple[int, int] | None = None
        self._closed = threading.Event()
        try:
            self.replug()
        except OSError:
            self._folder.cleanup()
            raise

    @property
    def path(self) -> str:
        """See ``DevicePort``."""
        return str(self._link)

    @property
    def is_plugged(self) -> bool:
        """See ``DevicePort``."""
        return self._ends is not None

    def unplug(self) -> None:
        """See ``DevicePort``."""
        with self._lock:
            if self._ends is None:
                return
            self._link.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    def replug(self) -> None:
        """See ``DevicePort``."""
        with self._lock:
            if self._ends is not None:
                return
            # The host's end stays open here too: without any opener the device's end reads errors.
            device_end, host_end, name = systems.open_terminal()
            self._link.symlink_to(name)
            self._ends = (device_end, host_end)

    def read(self, timeout_s: float) -> bytes:
        """See ``DevicePort``."""
        with self._lock:
            ends = self._ends
        if ends is None:
            self._closed.wait(timeout_s)
            return b""
        try:
            ready, _, _ = select.select([ends[0]], [], [], timeout_s)
            with self._lock:
                return os.read(ends[0], _MOST_READ) if ready and self._ends is ends else b""
        except (OSError, ValueError):
            # Unplugged while waiting.
            return b""

    def write(self, data: bytes) -> None:
        """See ``DevicePort``."""
        with self._lock:
            if self._ends is not None and data:
                with contextlib.suppress(BlockingIOError):
                    os.write(self._ends[0], data)

    def close(self) -> None:
        """See ``DevicePort``."""
        self._closed.set()
        self.unplug()
        self._folder.cleanup()


class SocketPort:
    """A TCP port of this machine; one host at a time, as on a cable."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._server: socket.socket | None = None
        self._host: socket.socket | None = None
        self._number = 0
        self._closed = threading.Event()
        self.replug()

    @property
    def path(self) -> str:
        """See ``DevicePort``."""
        return f"socket://127.0.0.1:{self._number}"

    @property
    def is_plugged(self) -> bool:
        """See ``DevicePort``."""
        return self._server is not None

    def unplug(self) -> None:
        """See ``DevicePort``."""
        with self._lock:
            for end in (self._host, self._server):
                if end is not None:
                    end.close()
            self._host = self._server = None

    def replug(self) -> None:
        """See ``DevicePort``."""
        with self._lock:
            if self._server is None:
                self._server = socket.create_server(("127.0.0.1", self._number), backlog=1)
                self._server.settimeout(0)
                self._number = self._server.getsockname()[1]

    def read(self, timeout_s: float) -> bytes:
        """See ``DevicePort``."""
        with self._lock:
            ends = [end for end in (self._host, self._server) if end is not None]
        if not ends:
            self._closed.wait(timeout_s)
            return b""
        try:
            ready, _, _ = select.select(ends, [], [], timeout_s)
            with self._lock:
                if self._server in ready:
                    self._welcome(self._server)
                return self._heard() if self._host in ready else b""
        except (OSError, ValueError):
            # Unplugged while waiting.
            return b""

    def write(self, data: bytes) -> None:
        """See ``DevicePort``."""
        with self._lock:
            if self._host is not None and data:
                with contextlib.suppress(OSError):
                    self._host.send(data)

    def close(self) -> None:
        """See ``DevicePort``."""
        self._closed.set()
        self.unplug()

    def _welcome(self, server: socket.socket) -> None:
        newcomer, _ = server.accept()
        newcomer.settimeout(0)
        newcomer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._host is not None:
            self._host.close()
        self._host = newcomer

    def _heard(self) -> bytes:
        if self._host is None:
            return b""
        said = self._host.recv(_MOST_READ)
        if not said:
            self._host.close()
            self._host = None
        return said

"""Cameras and clocks while a venue is set up: what each shows now, as long as somebody looks.

A camera is let go some seconds after the last look at its picture, so that an agent can have it.
"""

import threading
import time
from contextlib import closing

from devices.agent_process.ticks import agent_ticks
from devices.cameras.camera import open_source
from devices.cameras.complaint import local_complaint
from devices.cameras.frames import CameraFrame
from devices.link.serial_port import SerialLink
from devices.pictures import Image, encode_jpeg
from devices.ports import LinkBack, LinkLost, Received
from devices.tcc1.framing import LineReader, TccFrame
from devices.tcc1.messages import Heartbeat, Hello
from recorder.domain.errors import NotationError, TilecastError
from recorder.domain.observations import ClockPressed, Side

_UNSEEN_S = 5.0
_QUALITY = 70
_MOST = 16
"""Cameras and ports that are tried at once: more than a page shows."""


class TriedCamera:
    """One camera's newest picture. All methods may be called from any thread."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.fault = ""
        self._newest: Image | None = None
        self._seen_s = time.monotonic()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, name=f"trying {source}")
        self._thread.start()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures; zeros before the first."""
        newest = self._newest
        return (0, 0) if newest is None else (newest.shape[1], newest.shape[0])

    def picture(self) -> bytes:
        """The newest picture, JPEG; empty before there is one."""
        self._seen_s = time.monotonic()
        newest = self._newest
        return b"" if newest is None else encode_jpeg(newest, _QUALITY)

    @property
    def is_over(self) -> bool:
        """Whether the camera was let go."""
        return not self._thread.is_alive()

    def close(self) -> None:
        """Let go of it."""
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        try:
            if fault := local_complaint(self.source):
                raise NotationError(fault)
            with closing(open_source(self.source, agent_ticks())) as source:
                while not self._is_over.is_set() and time.monotonic() - self._seen_s < _UNSEEN_S:
                    frame = source.read(0.2)
                    if isinstance(frame, CameraFrame):
                        self._newest = frame.image
                    self.fault = source.lost
        except (TilecastError, OSError) as wrong:
            self.fault = str(wrong)


class TriedPort:
    """What a serial port says. All methods may be called from any thread.

    ``heard`` is nothing, open, clock, left or right (a press), or a fault; ``name`` is the clock.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.heard, self.name, self.presses = "nothing", "", 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._listen, name=f"trying {path}")
        self._thread.start()

    def close(self) -> None:
        """Let go of it."""
        self._is_over.set()
        self._thread.join()

    def _listen(self) -> None:
        with closing(SerialLink(self.path, agent_ticks())) as link:
            reader = LineReader()
            while not self._is_over.is_set():
                match link.news(0.2):
                    case Received(data=data):
                        for line in reader.feed(data):
                            if isinstance(line, TccFrame):
                                self._hear(line)
                    case LinkLost(reason=reason):
                        self.heard = reason
                    case LinkBack():
                        self.heard = "open"

    def _hear(self, line: TccFrame) -> None:
        self.name = line.dev
        match line.body:
            case ClockPressed(side=side):
                self.presses += 1
                self.heard = "left" if side is Side.LEFT else "right"
            case Hello() | Heartbeat() if not self.presses:
                self.heard = "clock"


class Trials:
    """All that is tried, by source and path. Closing it lets go of everything."""

    def __init__(self) -> None:
        self._cameras: dict[str, TriedCamera] = {}
        self._ports: dict[str, TriedPort] = {}
        self._lock = threading.Lock()

    def camera(self, source: str) -> TriedCamera:
        """This camera, tried from now on."""
        with self._lock:
            tried = self._cameras.get(source)
            if tried is None or tried.is_over:
                _refuse_more(len(self._cameras) - (tried is not None))
                tried = self._cameras[source] = TriedCamera(source)
            return tried

    def port(self, path: str) -> TriedPort:
        """This port, listened to from now on."""
        with self._lock:
            if path not in self._ports:
                _refuse_more(len(self._ports))
                self._ports[path] = TriedPort(path)
            return self._ports[path]

    def close(self) -> None:
        """Let go of everything; it can be tried again."""
        with self._lock:
            cameras, ports = [*self._cameras.values()], [*self._ports.values()]
            self._cameras, self._ports = {}, {}
        for camera in cameras:
            camera.close()
        for port in ports:
            port.close()


def _refuse_more(count: int) -> None:
    if count >= _MOST:
        raise TilecastError(f"{_MOST} are tried at once; load the page again to start again")

"""Cameras and clocks while a venue is set up: what each shows now, as long as somebody looks.

A camera is let go some seconds after the last look at its picture, so that an agent can have it.
"""

import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

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
from recorder.own_thread import OwnThread

_UNSEEN_S = 5.0
_QUALITY = 70
_MOST = 16
"""Cameras and ports that are tried at once: more than a page shows."""


class Tried(OwnThread):
    """A device that is tried on a thread. All methods may be called from any thread."""

    def __init__(self, place: str) -> None:
        super().__init__(f"trying {place}")
        self.place = place
        self.start()

    @property
    def is_over(self) -> bool:
        """Whether it was let go."""
        return not self._thread.is_alive()


class TriedCamera(Tried):
    """One camera's newest picture."""

    def __init__(self, place: str) -> None:
        self.fault = ""
        self._newest: Image | None = None
        self._seen_s = time.monotonic()
        super().__init__(place)

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

    def _work(self) -> None:
        try:
            if fault := local_complaint(self.place):
                raise NotationError(fault)
            with closing(open_source(self.place, agent_ticks())) as source:
                while not self._ends.is_set() and time.monotonic() - self._seen_s < _UNSEEN_S:
                    frame = source.read(0.2)
                    if isinstance(frame, CameraFrame):
                        self._newest = frame.image
                    self.fault = source.lost
        except (TilecastError, OSError) as wrong:
            self.fault = str(wrong)


class TriedPort(Tried):
    """What a serial port says.

    ``heard`` is nothing, open, clock, left or right (a press), or a fault; ``name`` is the clock.
    """

    def __init__(self, place: str) -> None:
        self.heard, self.name, self.presses = "nothing", "", 0
        super().__init__(place)

    def _work(self) -> None:
        with closing(SerialLink(self.place, agent_ticks())) as link:
            reader = LineReader()
            while not self._ends.is_set():
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


_Tried = TypeVar("_Tried", TriedCamera, TriedPort)


class Trials:
    """All that is tried, by source and path. Closing it lets go of everything."""

    def __init__(self) -> None:
        self._cameras: dict[str, TriedCamera] = {}
        self._ports: dict[str, TriedPort] = {}
        self._lock = threading.Lock()

    def camera(self, source: str) -> TriedCamera:
        """This camera, tried from now on."""
        return self._tried(self._cameras, source, TriedCamera)

    def port(self, path: str) -> TriedPort:
        """This port, listened to from now on."""
        return self._tried(self._ports, path, TriedPort)

    def _tried(
        self, known: dict[str, _Tried], place: str, begin: Callable[[str], _Tried]
    ) -> _Tried:
        with self._lock:
            tried = known.get(place)
            if tried is None or tried.is_over:
                if len(known) - (tried is not None) >= _MOST:
                    raise TilecastError(
                        f"{_MOST} are tried at once; load the page again to start again"
                    )
                tried = known[place] = begin(place)
            return tried

    def close(self) -> None:
        """Let go of everything; it can be tried again."""
        with self._lock:
            tried = [*self._cameras.values(), *self._ports.values()]
            self._cameras, self._ports = {}, {}
        for each in tried:
            each.stop()

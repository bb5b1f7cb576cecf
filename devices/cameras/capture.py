"""A live camera through OpenCV: a thread keeps the newest frame, and finds the camera again.

Opened here and nowhere else; ``devices.cameras.camera`` chooses it. Must not know what frames are
for.
"""

import logging
import re
import threading

import cv2
import numpy as np

from devices.cameras.frames import BadFrame, CameraFrame
from devices.ports import Ticks
from recorder.backoff import Backoff

_LOG = logging.getLogger(__name__)

_STREAM_TIMEOUT_MS = 5_000
_PAUSES_S = Backoff(0.5, 10.0)


class LiveCapture:
    """A camera number, device path or stream URL. The newest frame wins; older ones are gone."""

    is_stills = False
    ended = False

    def __init__(self, source: int | str, ticks: Ticks) -> None:
        self._source = source
        self._ticks = ticks
        self._fresh = threading.Condition()
        self._newest: CameraFrame | None = None
        self._stop = threading.Event()
        self._lost = "not opened yet"
        self._number = 0
        self._thread = threading.Thread(target=self._work, name="camera")
        self._thread.start()

    @property
    def name(self) -> str:
        """See ``FrameSource``; a stream's password is left out."""
        if isinstance(self._source, int):
            return f"camera {self._source}"
        return re.sub(r"//[^/@]*@", "//", self._source)

    @property
    def lost(self) -> str:
        """See ``FrameSource``."""
        return self._lost

    def read(self, timeout_s: float) -> CameraFrame | BadFrame | None:
        """See ``FrameSource``. Each frame is given once."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest is not None, timeout_s)
            newest, self._newest = self._newest, None
        return newest

    def close(self) -> None:
        """See ``FrameSource``. Waits for a read that is under way (a stream: 5 s at most)."""
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        failures = 0
        was_logged = False
        while not self._stop.is_set():
            capture = self._open()
            if capture.isOpened() and self._grab_until_lost(capture, was_lost=was_logged):
                failures, was_logged = 0, False
            capture.release()
            if self._stop.is_set():
                return
            self._lost = "no frames come; is it plugged in, and free of other programs?"
            if not was_logged:
                _LOG.warning("%s is lost, trying again", self.name)
                was_logged = True
            failures += 1
            self._stop.wait(_PAUSES_S.after(failures))

    def _open(self) -> cv2.VideoCapture:
        if isinstance(self._source, int) or "://" not in self._source:
            return cv2.VideoCapture(self._source)
        timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _STREAM_TIMEOUT_MS]
        timeouts += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, _STREAM_TIMEOUT_MS]
        return cv2.VideoCapture(self._source, cv2.CAP_FFMPEG, timeouts)

    def _grab_until_lost(self, capture: cv2.VideoCapture, *, was_lost: bool) -> bool:
        """Whether any frame came before the camera went."""
        first = self._number
        while not self._stop.is_set():
            got, image = capture.read()
            if not got:
                break
            if self._number == first and was_lost:
                _LOG.info("%s is back", self.name)
            self._lost = ""
            self._number += 1
            frame = CameraFrame(
                name=f"live-{self._number:08d}",
                captured_ms=self._ticks(),
                image=np.ascontiguousarray(image, dtype=np.uint8),
            )
            with self._fresh:
                self._newest = frame
                self._fresh.notify()
        return self._number > first

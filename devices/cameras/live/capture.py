"""A live camera: a thread keeps the newest frame, and finds the camera again.

Streams and devices are opened here and nowhere else, by OpenCV or, where an answer is a row of
JPEGs, by ``devices.cameras.live.mjpeg``; ``devices.cameras.camera`` chooses it. Must not know what
frames are for.
"""

import http.client
import logging
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from devices.cameras.frames import BadFrame, CameraFrame, frame_of
from devices.cameras.live.mjpeg import MjpegStream, open_mjpeg
from devices.cameras.live.stream_time import StreamTime
from devices.pictures import Image
from devices.ports import Ticks
from devices.words import camera_fault
from recorder.backoff import Backoff

_LOG = logging.getLogger(__name__)

_OPENING_MS, _STREAM_TIMEOUT_MS = 12_000, 5_000
_PAUSES_S = Backoff(0.5, 10.0)
_BEHIND_MS, _AT_LEAST_EVERY_MS = 150, 500
"""A frame so much older than it need be is passed over, for newer ones wait; not for ever."""
_EVEN_SO_MS = 5_000
"""A stream in which none ever had to be waited for is taken as it is after so long."""


@dataclass(frozen=True, slots=True)
class _Taken:
    """A frame as it came: pixels, or the JPEG, decoded where it is wanted."""

    name: str
    captured_ms: int
    image: Image | None = None
    jpeg: bytes = b""

    def decoded(self) -> CameraFrame | BadFrame:
        if self.image is None:
            return frame_of(self.jpeg, self.name, self.captured_ms)
        return CameraFrame(name=self.name, captured_ms=self.captured_ms, image=self.image)


class LiveCapture:
    """A camera number, device path or stream URL. The newest frame wins; older ones are gone.

    A frame's time is when it was taken, as far as the stream shows: what waited in a queue is as
    old as it is. What the camera and the network always need is not known, and not taken off.
    """

    is_stills = False
    ended = False

    def __init__(self, source: int | str, ticks: Ticks) -> None:
        self._source = source
        self._ticks = ticks
        self._fresh = threading.Condition()
        self._newest: _Taken | None = None
        self._stop = threading.Event()
        self.lost = ""  # to open a stream takes FFmpeg five seconds: no fault yet
        self._number = 0
        self._answer: MjpegStream | None = None
        self._thread = threading.Thread(target=self._work, name="camera")
        self._thread.start()

    @property
    def name(self) -> str:
        """See ``FrameSource``; a stream's password is left out."""
        if isinstance(self._source, int):
            return f"camera {self._source}"
        return re.sub(r"//[^/@]*@", "//", self._source)

    def read(self, timeout_s: float) -> CameraFrame | BadFrame | None:
        """See ``FrameSource``. Each frame is given once."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest is not None, timeout_s)
            newest, self._newest = self._newest, None
        return None if newest is None else newest.decoded()

    def close(self) -> None:
        """See ``FrameSource``. Waits for a read of a stream for 5 s, while it opens for 12."""
        self._stop.set()
        if self._answer is not None:
            self._answer.hang_up()
        self._thread.join()

    def _work(self) -> None:
        failures = 0
        was_logged = False
        while not self._stop.is_set():
            if self._take_until_lost(was_lost=was_logged):
                failures, was_logged = 0, False
            if self._stop.is_set():
                return
            self.lost = camera_fault(
                "no_frames" if "://" in str(self._source) else "no_frames_here"
            )
            if not was_logged:
                _LOG.warning("%s is lost, trying again", self.name)
                was_logged = True
            failures += 1
            self._stop.wait(_PAUSES_S.after(failures))

    def _take_until_lost(self, *, was_lost: bool) -> bool:
        """Whether any frame came before the camera went."""
        first = self._number
        for taken in self._frames():
            if self._number == first + 1 and was_lost:
                _LOG.info("%s is back", self.name)
            self.lost = ""
            with self._fresh:
                self._newest = taken
                self._fresh.notify()
            if self._stop.is_set():
                break
        return self._number > first

    def _frames(self) -> Iterator[_Taken]:
        """The frames of the camera, opened again, until no more come."""
        is_web = str(self._source).startswith(("http://", "https://"))
        try:
            self._answer = open_mjpeg(str(self._source)) if is_web else None
        except OSError:
            return
        if self._answer is not None:
            yield from self._of_answer(self._answer)
            return
        capture = self._open()
        try:
            if capture.isOpened():
                yield from self._of_capture(capture)
        finally:
            capture.release()

    def _of_answer(self, answer: MjpegStream) -> Iterator[_Taken]:
        """The JPEGs of an answer, but those after which newer bytes have come already."""
        stream, behind_ms = StreamTime(), None
        try:
            for part in answer.parts():
                now_ms = self._ticks()
                has_more = answer.has_more()
                taken_ms = now_ms
                if part.time_s is not None:
                    taken_ms = stream.taken_ms(now_ms, part.time_s * 1000, waited=not has_more)
                if has_more:
                    behind_ms = now_ms if behind_ms is None else behind_ms
                    if now_ms - behind_ms < _BEHIND_MS:
                        continue
                behind_ms = None
                yield _Taken(self._next_name(), taken_ms, jpeg=part.jpeg)
        except (OSError, ValueError, http.client.HTTPException):
            return  # it has ended
        finally:
            answer.close()

    def _open(self) -> cv2.VideoCapture:
        if isinstance(self._source, int) or "://" not in self._source:
            return cv2.VideoCapture(self._source)
        timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPENING_MS]
        timeouts += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, _STREAM_TIMEOUT_MS]
        return cv2.VideoCapture(self._source, cv2.CAP_FFMPEG, timeouts)

    def _of_capture(self, capture: cv2.VideoCapture) -> Iterator[_Taken]:
        """What OpenCV reads, but frames of a stream that are behind: only the newest is decoded."""
        opened_ms = given_ms = self._ticks()
        stream, position_ms = StreamTime(), 0.0
        is_live = "://" not in str(self._source)  # a device keeps no queue to speak of
        while True:
            asked_ms = self._ticks()
            if not capture.grab():
                return
            now_ms = self._ticks()
            before_ms, position_ms = position_ms, capture.get(cv2.CAP_PROP_POS_MSEC)
            waited = now_ms - asked_ms >= max(2.0, (position_ms - before_ms) / 2)
            taken_ms = stream.taken_ms(now_ms, position_ms, waited=waited)
            is_live |= (waited and before_ms > 0) or now_ms - opened_ms > _EVEN_SO_MS
            is_behind = now_ms - taken_ms > _BEHIND_MS and now_ms - given_ms < _AT_LEAST_EVERY_MS
            if is_live and not is_behind and (read := capture.retrieve())[0]:
                given_ms = now_ms
                pixels = np.ascontiguousarray(read[1], dtype=np.uint8)
                yield _Taken(self._next_name(), taken_ms, image=pixels)

    def _next_name(self) -> str:
        self._number += 1
        return f"live-{self._number:08d}"

"""A source as it is followed live: few enough frames that motion shows between them, at their pace.

Must not know boards, or what a frame is used for.
"""

import time

from devices.cameras.frames import BadFrame, CameraFrame, FrameSource
from devices.ports import Ticks

SAMPLE_MS = 90
"""Frames that come sooner after the last one are passed over."""
STILL_FRAMES, STILL_MS = 3, 250
"""So many frames alike, over so long: the hands are gone."""


class PacedSource:
    """Frames of another source, none sooner than 90 ms (of the picture's time) after the last.

    A video is played ``speed`` times as fast as it was filmed, no faster; times are its own.
    Photographs pass as they are. Where the source ends, the first and the last frame that were
    passed over since the last one that was given are given still: they show how it ended.
    ``first_ms`` is the time of the first frame.
    """

    def __init__(
        self, source: FrameSource, ticks: Ticks, *, is_video: bool, speed: float = 1.0
    ) -> None:
        self._source, self._ticks = source, ticks
        self._speed = speed if is_video else 0.0
        self._began: tuple[int, int] | None = None
        self._last_ms: int | None = None
        self._passed: list[CameraFrame] = []
        self._is_over = False
        self.first_ms: int | None = None

    @property
    def name(self) -> str:
        """See ``FrameSource``."""
        return self._source.name

    @property
    def is_stills(self) -> bool:
        """See ``FrameSource``."""
        return self._source.is_stills

    @property
    def ended(self) -> bool:
        """See ``FrameSource``."""
        return (self._source.ended or self._is_over) and not self._passed

    @property
    def lost(self) -> str:
        """See ``FrameSource``."""
        return self._source.lost

    def read(self, timeout_s: float) -> CameraFrame | BadFrame | None:
        """See ``FrameSource``; waits longer than ``timeout_s`` where a video's pace asks for it."""
        if self._is_over:
            return self._passed.pop(0) if self._passed else None
        while isinstance(frame := self._source.read(timeout_s), CameraFrame):
            if self.is_stills:
                return frame
            if self._last_ms is None or frame.captured_ms - self._last_ms >= SAMPLE_MS:
                return self._given(frame)
            self._passed[1:] = [frame]
        if frame is None and self._source.ended:
            self._is_over = True
            return self.read(timeout_s)
        return frame

    def end(self) -> None:
        """Give no more of the source than has come: the program that watches it has to end."""
        self._is_over = True

    def _given(self, frame: CameraFrame) -> CameraFrame:
        if self.first_ms is None:
            self.first_ms = frame.captured_ms
        self._last_ms = frame.captured_ms
        self._passed.clear()
        if self._speed:
            self._wait_for(frame)
        return frame

    def _wait_for(self, frame: CameraFrame) -> None:
        if self._began is None:
            self._began = self._ticks(), frame.captured_ms
        began_ms, first_ms = self._began
        due_ms = began_ms + (frame.captured_ms - first_ms) / self._speed
        time.sleep(max(0.0, (due_ms - self._ticks()) / 1000))

    def close(self) -> None:
        """See ``FrameSource``."""
        self._passed.clear()
        self._source.close()

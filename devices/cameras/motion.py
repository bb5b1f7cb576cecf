"""Is anything moving, and has anything changed since the last look? Pure arrays, no time source.

Frames are compared as small grey pictures: averaging removes the sensor's noise, and taking off
the median difference removes a lamp or an exposure that changes the whole picture. What moved is
not asked: a hand, a tile and a turned board are all the same here.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image

_WIDTH = 240
_LEVELS = 16
_SHARE = 0.0005
"""About 20 of 240 x 180 points: a tile that comes or goes changes at least 30."""

LAST_STILL_FRAMES = 2
"""So many frames alike show a settled board where pictures end: no third one comes."""

_NOISY_FRAMES = 20
"""So often noise must have been seen before its absence says anything."""
_TIMES_LONGER = 3
"""Streams repeat a picture while nothing moves: so much longer than ever before is frozen."""

_Small = npt.NDArray[np.int16]


def small_grey(image: Image) -> _Small:
    """The picture 240 points wide, grey, averaged."""
    height = max(1, round(image.shape[0] * _WIDTH / image.shape[1]))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, (_WIDTH, height), interpolation=cv2.INTER_AREA).astype(np.int16)


def differ(picture: _Small, other: _Small) -> bool:
    """Whether two small pictures show something different. Other sizes are different."""
    if picture.shape != other.shape:
        return True
    difference = picture - other
    difference -= np.int16(np.median(difference))
    return bool(np.count_nonzero(np.abs(difference) > _LEVELS) > _SHARE * difference.size)


@dataclass(frozen=True, slots=True)
class Motion:
    """``still_frames`` in a row are alike (1 = it moves); for ``still_ms`` nothing moved.

    ``is_repeated``: not even the sensor's noise differs from the frame before.
    """

    still_frames: int
    still_ms: int
    changed_since_look: bool
    is_repeated: bool = False


class MotionGate:
    """Frames in, stillness out. Times are those of the frames."""

    def __init__(self) -> None:
        self._last: _Small | None = None
        self._looked_at: _Small | None = None
        self._still_frames = 0
        self._still_since_ms = 0

    @property
    def small(self) -> _Small:
        """The newest frame as it is compared; there must have been one."""
        assert self._last is not None
        return self._last

    def step(self, image: Image, at_ms: int) -> Motion:
        """Compare the next frame with the one before it and the one last looked at."""
        small = small_grey(image)
        is_repeated = self._last is not None and np.array_equal(self._last, small)
        if self._last is None or differ(self._last, small):
            self._still_frames, self._still_since_ms = 1, at_ms
        else:
            self._still_frames += 1
        self._last = small
        return Motion(
            still_frames=self._still_frames,
            still_ms=max(0, at_ms - self._still_since_ms),
            changed_since_look=self._looked_at is None or differ(self._looked_at, small),
            is_repeated=is_repeated,
        )

    def looked(self) -> None:
        """The newest frame has been looked at."""
        self._looked_at = self._last


class RepeatedPicture:
    """Has a camera frozen? Motion of frame after frame in, since when it gives one picture out.

    A sensor has noise: no two pictures are the same. Only of a camera whose pictures have shown
    noise is it said; never of one that draws them, or that gave the same one from the first on.
    """

    def __init__(self, after_ms: int) -> None:
        self._after_ms = after_ms
        self._noisy = 0
        self._longest_ms = 0
        self._same_since_ms = 0
        self.since_ms: int | None = None
        """When the picture came that has been given ever since; None where none is, or not long
        enough."""

    def step(self, motion: Motion, at_ms: int) -> None:
        """One more frame. Times in ms are those of the frames; ``after_ms`` 0 shows nothing."""
        lasted_ms = at_ms - self._same_since_ms
        if motion.is_repeated:
            needed_ms = max(self._after_ms, _TIMES_LONGER * self._longest_ms)
            if self._after_ms and self._noisy >= _NOISY_FRAMES and lasted_ms >= needed_ms:
                self.since_ms = self._same_since_ms
            return
        if motion.still_frames > 1 and self.since_ms is None:
            self._noisy += 1
            self._longest_ms = max(self._longest_ms, lasted_ms)
        self._same_since_ms, self.since_ms = at_ms, None

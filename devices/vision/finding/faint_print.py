"""Print that hardly differs from the board, made to differ: what lies there is stretched.

Boards that print little (embossed, carved, dark on dark) differ by a few levels from square to
square; the sensor's noise, averaged over a reduced picture, by less than one.
"""

import cv2
import numpy as np

from devices.pictures import Image

_GAIN = 6.0
_REDUCED = 0.25
_WINDOW = 25
"""Points of the reduced picture around one that give its surroundings: about four squares."""


def stretched(lab: Image) -> Image:
    """A Lab picture with what differs from its surroundings six times as strong, cut off at black.

    Tiles and hands are burnt out; what they are is asked of the picture itself.
    """
    small = cv2.resize(lab, None, fx=_REDUCED, fy=_REDUCED, interpolation=cv2.INTER_AREA)
    around = cv2.merge([cv2.medianBlur(channel, _WINDOW) for channel in cv2.split(small)])
    around = cv2.resize(around, lab.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    difference = (lab.astype(np.float32) - around) * _GAIN + 128.0
    return np.asarray(np.clip(np.rint(difference), 0, 255), dtype=np.uint8)

"""The field of a board as seen from above, square by square."""

from typing import Any

import cv2
import numpy as np

from devices.pictures import Image
from devices.vision.geometry.pose import Floats
from recorder.domain.board import SIZE


def from_above(image: Image, homography: Floats, px: int, border: int = cv2.BORDER_CONSTANT) -> Any:
    """The field with ``px`` pixels for a square, [15 * px, 15 * px, 3]."""
    scale = np.array([[1 / px, 0, 0.5 / px], [0, 1 / px, 0.5 / px], [0, 0, 1.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (SIZE * px, SIZE * px)
    return cv2.warpPerspective(image, homography @ scale, size, flags=flags, borderMode=border)


def by_square(flat: Floats, px: int) -> Floats:
    """The pixels of such a field by row and column, [15, 15, px, px, 3]."""
    return flat.reshape(SIZE, px, SIZE, px, 3).transpose(0, 2, 1, 3, 4)

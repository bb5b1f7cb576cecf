"""How blurred the letters of a board are, against the size of a square. Pure arrays.

A stroke's edge climbs from ink to tile over some pixels. In a sharp picture that is a small part of
a square; out of focus it is wide in every direction, and moved, along one of them.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from devices.vision.geometry.pose import Floats
from devices.vision.squares.net import CROP_PX, Crops

_LEAST_CONTRAST = 25.0
"""Grey levels between ink and tile from which an edge can be measured."""
_FEWEST = 3
_NOISE_PX = 0.8
_RIM = 9
"""Pixels at the sides of a crop that show neighbours and the rim of the tile."""
_MOVED_RATIO = 1.7
"""An edge that is so much wider across one direction than across another one was moved."""


@dataclass(frozen=True, slots=True)
class Sharpness:
    """``blur`` is the width of letters' edges in squares; ``is_moved``: along one direction."""

    blur: float
    is_moved: bool


def sharpness_of(crops: Crops, square_px: float) -> Sharpness | None:
    """How blurred letters are on crops [N, 40, 40, 3] of tiles; None where too few show any.

    ``square_px`` is how many pixels of a crop a square takes.
    """
    if len(crops) < _FEWEST:
        return None
    widths = [_widths(crop) for crop in crops]
    measured = np.array([width for width in widths if width is not None])
    if len(measured) < _FEWEST:
        return None
    # A letter need not have strokes in every direction: the clearer half of the tiles has.
    across = np.quantile(measured, 0.35, axis=0) / square_px
    widest, least = float(across.max()), float(across.min())
    return Sharpness(widest, widest > _MOVED_RATIO * least)


def _widths(crop: Crops) -> Floats | None:
    """The width of the steepest edges across four directions, in pixels."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)[_RIM : CROP_PX - _RIM, _RIM : CROP_PX - _RIM]
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _NOISE_PX)
    low, high = np.percentile(soft, (4, 96))
    contrast = float(high - low)
    if contrast < _LEAST_CONTRAST:
        return None
    x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3) / 8
    y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3) / 8
    half = np.float32(np.sqrt(0.5))
    slopes = (x, (x + y) * half, y, (y - x) * half)
    steepest = np.array([np.percentile(np.abs(slope), 97) for slope in slopes])
    widths: Floats = contrast / np.maximum(steepest, 0.5)
    return widths

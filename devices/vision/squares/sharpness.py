"""How blurred the letters of a board are, against the size of a square. Pure arrays.

A stroke's edge climbs from ink to tile over some pixels. In a sharp picture that is a small part of
a square; out of focus it is wide in every direction, and moved, along one of them.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from devices.vision.geometry.pose import Floats
from devices.vision.squares.net import CROP_PX, Crops

_MOST_BLUR = 0.2
"""Width of a letter's edge in squares from which nothing is sure."""
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

    @property
    def is_blurred(self) -> bool:
        """Whether nothing that is read is sure."""
        return self.blur > _MOST_BLUR


def sharpness_of(edges: Floats, square_px: float) -> Sharpness | None:
    """How blurred letters with such edges [N, 4] are; None where too few show any.

    ``square_px`` is how many pixels of a crop a square takes.
    """
    measured = edges[np.isfinite(edges).all(axis=1)]
    if len(measured) < _FEWEST:
        return None
    # A letter need not have strokes in every direction: the clearer half of the tiles has.
    across = np.quantile(measured, 0.35, axis=0) / square_px
    widest, least = float(across.max()), float(across.min())
    return Sharpness(widest, widest > _MOVED_RATIO * least)


def edge_widths(crops: Crops) -> Floats:
    """How wide the steepest edges across four directions are on crops [N, 40, 40, 3] of tiles.

    In pixels, [N, 4]; NaN where there is too little contrast.
    """
    if len(crops) == 0:
        return np.zeros((0, 4))
    inner = crops[:, _RIM : CROP_PX - _RIM, _RIM : CROP_PX - _RIM]
    planes: list[list[Floats]] = []
    for crop in inner:
        grey = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY).astype(np.float32)
        soft = cv2.GaussianBlur(grey, (0, 0), _NOISE_PX)
        x, y = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
        planes.append([soft, x, y])
    soft, x, y = np.array(planes).reshape(len(crops), 3, -1).transpose(1, 0, 2)
    low, high = np.percentile(soft, (4, 96), axis=1)
    half = np.float32(np.sqrt(0.5))
    slopes = np.abs([x, (x + y) * half, y, (y - x) * half])
    steepest = np.percentile(slopes, 97, axis=2).T
    contrast = (high - low)[:, None]
    widths: Floats = np.where(
        contrast < _LEAST_CONTRAST, np.nan, contrast / np.maximum(steepest, 0.5)
    )
    return widths

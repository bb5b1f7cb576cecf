"""Compact, square-ish spots that stand out from their surroundings by lightness or colour.

Premium squares and lone tiles are such spots on any board, whatever the colours are. Knows
nothing of boards; a spot is only a centre and a shape.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from devices.pictures import Image
from devices.vision.geometry.pose import Floats

_LEVELS = ((1, 5.0), (1, 11.0), (1, 22.0), (2, 5.0), (2, 11.0), (2, 22.0), (0, 16.0), (0, 40.0))
_FAINT_LEVELS = ((1, 3.0), (1, 7.0), (2, 3.0), (2, 7.0), (0, 8.0), (0, 25.0))
_MIN_SIDE = 5.0
_MAX_SHARE = 1 / 11


@dataclass(frozen=True, slots=True, eq=False)
class Blobs:
    """Spots of a picture.

    ``centres`` [n, 2] in pixels, ``frames`` [n, 2, 2] (columns: the two sides as vectors) and
    ``quality`` [n], 1 for a perfect parallelogram.
    """

    centres: Floats
    frames: Floats
    quality: Floats

    def __len__(self) -> int:
        return len(self.centres)


Shape = tuple[Floats, Floats, float]
"""Centre, frame and quality of a spot, as in ``Blobs``."""


def local_contrast(lab: Image) -> Floats:
    """Lab less the median of the surroundings, float32 [h, w, 3]."""
    height, width = lab.shape[:2]
    quarter = cv2.resize(lab, (max(1, width // 4), max(1, height // 4)), interpolation=3)
    reach = max(3, min(quarter.shape[:2]) // 8) | 1
    around = cv2.resize(cv2.medianBlur(quarter, reach), (width, height))
    return cv2.subtract(lab, around, dtype=cv2.CV_32F).astype(np.float32)


def find_blobs(lab: Image, *, faint: bool = False) -> Blobs:
    """All compact spots of a Lab picture, at several levels of contrast, each once.

    ``faint`` looks for spots of little contrast and with print on them, among more noise.
    """
    contrast = local_contrast(lab)
    contrast = cv2.GaussianBlur(contrast, (0, 0), 1.8 if faint else 0.8)
    max_side = _MAX_SHARE * max(lab.shape[:2])
    found: list[Shape] = []
    for channel, level in _FAINT_LEVELS if faint else _LEVELS:
        for sign in (1.0, -1.0):
            mask = (sign * contrast[..., channel] > level).astype(np.uint8)
            found.extend(find_shapes(mask, max_side))
    return each_once(found)


def find_shapes(mask: Image, max_side: float, *, nested: bool = False) -> list[Shape]:
    """The compact parallelograms of a mask (0 or 1) with sides of up to ``max_side`` px.

    ``nested``: also those that lie in the hole of another patch.
    """
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    which = cv2.RETR_LIST if nested else cv2.RETR_EXTERNAL
    contours, _ = cv2.findContours(opened, which, cv2.CHAIN_APPROX_NONE)
    shapes = []
    for contour in contours:
        if not 3 * _MIN_SIDE <= len(contour) <= 8 * max_side:
            continue
        shape = _shape(contour, max_side)
        if shape is not None:
            shapes.append(shape)
    return shapes


def _shape(contour: Floats, max_side: float) -> Shape | None:
    """Centre, frame and quality of an outline; None unless it is a compact parallelogram."""
    moments = cv2.moments(contour)
    area = moments["m00"]
    if not _MIN_SIDE**2 <= area <= max_side**2:
        return None
    # Twelve times the spread of a parallelogram is its two sides' matrix times its transpose.
    across, cross, down = (12.0 * moments[name] / area for name in ("mu20", "mu11", "mu02"))
    product = across * down - cross * cross
    if product <= 0.0 or (across + down) ** 2 > 7.2 * product:
        return None
    extent = math.sqrt(product)
    compact = area / extent
    if not 0.78 < compact < 1.12:
        return None
    root = np.array([[across + extent, cross], [cross, down + extent]])
    root /= math.sqrt(across + down + 2.0 * extent)
    centre = np.array([moments["m10"], moments["m01"]]) / area
    even = (contour.reshape(-1, 2) - centre) @ np.linalg.inv(root)
    box = cv2.minAreaRect(even.astype(np.float32))
    fill = 1.0 / max(box[1][0] * box[1][1], 0.5)
    cos, sin = math.cos(math.radians(box[2])), math.sin(math.radians(box[2]))
    frame = root @ np.array([[cos, -sin], [sin, cos]])
    return centre, frame, min(fill, 1.0) * min(compact, 1.0 / compact)


def each_once(found: list[Shape]) -> Blobs:
    """Keep the best of the outlines that lie on the same spot."""
    if not found:
        return Blobs(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros(0))
    centres = np.array([shape[0] for shape in found])
    frames = np.array([shape[1] for shape in found])
    quality = np.array([shape[2] for shape in found])
    side = np.sqrt(np.abs(np.linalg.det(frames)))
    order = np.argsort(-quality)
    kept: list[int] = []
    there, sides = np.empty_like(centres), np.empty_like(side)  # of those kept, in their order
    for index in order:
        count = len(kept)
        gap = np.hypot(*(there[:count] - centres[index]).T)
        if not (gap < 0.4 * np.maximum(side[index], sides[:count])).any():
            there[count], sides[count] = centres[index], side[index]
            kept.append(int(index))
    return Blobs(centres[kept], frames[kept], quality[kept])

"""How far a tile lies askew, from the directions of its edges and strokes. Pure arrays.

Rims are straight and square, and so are most strokes: directions are averaged modulo quarter
turns. Knows nothing of letters; more than 45 degrees cannot be told from less.
"""

import cv2
import numpy as np
import numpy.typing as npt

_REACH = 0.5
"""Radius of what counts, in parts of a crop's side: the tile, not its neighbours' far rims."""


def turns_of(
    crops: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Degrees clockwise (-45..45) of crops [N, side, side, 3], and how clear that is (0..1)."""
    side = crops.shape[1]
    off = np.abs(np.arange(side) - (side - 1) / 2)
    inside = np.hypot(off[:, None], off[None, :]) < _REACH * side
    degrees, clear = np.zeros(len(crops)), np.zeros(len(crops))
    for index, crop in enumerate(crops):
        grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
        slope = (
            cv2.Sobel(grey, cv2.CV_32F, 1, 0)[inside]
            + 1j * cv2.Sobel(grey, cv2.CV_32F, 0, 1)[inside]
        )
        length = np.abs(slope)
        square = slope * slope
        total = (square * square / np.maximum(length, 1e-6) ** 3).sum(dtype=np.complex128)
        degrees[index] = np.degrees(np.angle(total)) / 4
        clear[index] = abs(total) / max(float(length.sum()), 1e-6)
    return degrees, clear

"""What lies over the board: a hand's rim hides more than the network says, a shadow's rim less.

The pixels of squares that are surely covered tell what a hand looks like; those of squares that
are surely not tell what the board looks like, in light and in shadow.
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from devices.vision.pose import Floats, Image
from devices.vision.squares import LETTER_CLASSES, SquareReading
from recorder.domain.observations import SYMBOLS

_PX = 12
"""Pixels per square."""
_SURE = float(np.log(0.8))
_LEAST_COVERED = 3
_HIDDEN_PART = 0.3
"""Where so much of a square looks like the hand beside it, the hand lies on it."""
_CLOSER = 12.0
"""Grey levels of Lab by which a pixel must look more like the hand than like anything else."""
_HAND_COLOURS, _OTHER_COLOURS = 4, 10
_NOW_COVERED = float(np.log(0.9))
_EMPTY, _COVERED = SYMBOLS.index("."), SYMBOLS.index("#")

Pixels = npt.NDArray[np.float32]


def under_the_hand(image: Image, reading: SquareReading) -> SquareReading:
    """The reading with the squares at a hand's rim covered where pixels say so.

    Squares that show little of the hand, and boards without one, are left as they are.
    """
    log_probs = reading.log_probs.reshape(225, -1)
    covered = (log_probs[:, _COVERED] > _SURE) & reading.read.ravel()
    if covered.sum() < _LEAST_COVERED:
        return reading
    cells = _cells(image, reading.tops)
    letters = np.logaddexp.reduce(log_probs[:, LETTER_CLASSES], axis=1)
    away = ~_near(covered) & ((log_probs[:, _EMPTY] > _SURE) | (letters > _SURE))
    if not away.any():
        return reading
    hand = _palette(cells[covered], _HAND_COLOURS)
    other = _palette(cells[away], _OTHER_COLOURS)
    like_hand = _gap(cells, hand) + _CLOSER < _gap(cells, other)
    hidden = like_hand.mean(axis=1) > _HIDDEN_PART
    grown = covered
    for _ in range(2):
        grown = grown | (_near(grown) & hidden)
    more = grown & (log_probs[:, _COVERED] < _NOW_COVERED)
    changed = log_probs.copy()
    changed[more] += np.log1p(-np.exp(_NOW_COVERED))
    changed[more, _COVERED] = _NOW_COVERED
    changed[more] -= np.logaddexp.reduce(changed[more], axis=1, keepdims=True)
    return replace(reading, log_probs=changed.reshape(reading.log_probs.shape))


def _cells(image: Image, homography: Floats) -> Pixels:
    """The Lab pixels of every square, [225, n, 3]."""
    scale = np.array([[1 / _PX, 0, 0.5 / _PX], [0, 1 / _PX, 0.5 / _PX], [0, 0, 1.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(image, homography @ scale, (15 * _PX, 15 * _PX), flags=flags)
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).astype(np.float32)
    cells = lab.reshape(15, _PX, 15, _PX, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(cells).reshape(225, _PX * _PX, 3)


def _near(squares: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """These squares and all that touch them."""
    spread = cv2.dilate(squares.reshape(15, 15).astype(np.uint8), np.ones((3, 3), np.uint8))
    near: npt.NDArray[np.bool_] = spread.ravel() > 0
    return near


def _palette(cells: Pixels, count: int) -> Pixels:
    """The main colours of these squares, [count, 3]; the same for the same pixels."""
    pixels = np.ascontiguousarray(cells.reshape(-1, 3)[:: max(1, cells.size // 9000)])
    count = min(count, len(pixels))
    start = np.argsort(pixels[:, 0])[np.linspace(0, len(pixels) - 1, count).astype(int)]
    middles = pixels[start]
    for _ in range(8):
        nearest = np.linalg.norm(pixels[:, None] - middles[None], axis=2).argmin(axis=1)
        for index in range(count):
            if (nearest == index).any():
                middles[index] = pixels[nearest == index].mean(axis=0)
    return middles


def _gap(cells: Pixels, palette: Pixels) -> Pixels:
    """How far every pixel is from the nearest colour, [225, n]."""
    gaps = np.stack([np.linalg.norm(cells - colour, axis=2) for colour in palette])
    nearest: Pixels = gaps.min(axis=0)
    return nearest

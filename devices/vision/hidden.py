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
from recorder.domain.board import STANDARD_PREMIUMS, Premium
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
_MOST_AT_A_RIM = 45
_ENOUGH_PLAIN = 30
_DARKER = 0.75
_BETWEEN = 0.15
"""Light that falls off gently leaves more squares than that between light and dark."""
_STRANGE_PART = 0.12
_BARELY = float(np.log(0.05))
_PLAIN = np.array([premium is Premium.NONE for premium in STANDARD_PREMIUMS])
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


def out_of_the_shadow(image: Image, ground: Floats, reading: SquareReading) -> SquareReading:
    """The reading with bare squares under a shadow's rim taken for what they are.

    The rim itself looks like the rim of a sleeve. Only where the board's plain squares show two
    lights, and every pixel of a square has the colour of its kind in one of them. ``ground`` is
    the homography of the board itself.
    """
    log_probs = reading.log_probs.reshape(225, -1)
    empty = (log_probs[:, _EMPTY] > _SURE) & reading.read.ravel()
    unsure = np.flatnonzero((log_probs[:, _COVERED] > np.log(0.3)) & reading.read.ravel())
    if len(unsure) == 0 or len(unsure) > _MOST_AT_A_RIM:
        return reading
    cells = _cells(image, ground, cv2.COLOR_BGR2RGB)
    ratio = _two_lights(np.median(cells, axis=1)[empty & _PLAIN])
    if ratio is None:
        return reading
    changed = log_probs.copy()
    for square in unsure:
        kind = np.array([p is STANDARD_PREMIUMS[square] for p in STANDARD_PREMIUMS])
        if not (kind & empty).any():
            continue
        own = _palette(cells[kind & empty], _OTHER_COLOURS)
        own = np.concatenate([own, own * ratio, own / ratio])
        middle = own.mean(axis=1, keepdims=True)
        near = np.linalg.norm(cells[square][:, None] - own[None], axis=2)
        strange = (near > 14.0 + 0.1 * middle[None, :, 0]).all(axis=1)
        if strange.mean() < _STRANGE_PART:
            changed[square, _EMPTY] = np.logaddexp(
                changed[square, _EMPTY], changed[square, _COVERED]
            )
            changed[square, _COVERED] = _BARELY
            changed[square] -= np.logaddexp.reduce(changed[square])
    return replace(reading, log_probs=changed.reshape(reading.log_probs.shape))


def _two_lights(plain: Pixels) -> float | None:
    """How much darker the shaded plain squares are (0..1); None when the light is one."""
    if len(plain) < _ENOUGH_PLAIN:
        return None
    level = np.sort(plain.sum(axis=1))
    low, high = level[len(level) // 10], level[-1 - len(level) // 10]
    dark, bright = level[level < (low + high) / 2], level[level >= (low + high) / 2]
    ratio = float(np.median(dark) / max(float(np.median(bright)), 1.0))
    between = (level > np.median(dark) * 1.25) & (level < np.median(bright) * 0.8)
    is_two = ratio < _DARKER and between.mean() < _BETWEEN
    return ratio if is_two and min(len(dark), len(bright)) > _ENOUGH_PLAIN // 4 else None


def _cells(image: Image, homography: Floats, colours: int = cv2.COLOR_BGR2LAB) -> Pixels:
    """The pixels of every square in Lab (or another space), [225, n, 3]."""
    scale = np.array([[1 / _PX, 0, 0.5 / _PX], [0, 1 / _PX, 0.5 / _PX], [0, 0, 1.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(image, homography @ scale, (15 * _PX, 15 * _PX), flags=flags)
    coloured = cv2.cvtColor(flat, colours).astype(np.float32)
    cells = coloured.reshape(15, _PX, 15, _PX, 3).transpose(0, 2, 1, 3, 4)
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
    middles: Pixels = pixels[start].copy()
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

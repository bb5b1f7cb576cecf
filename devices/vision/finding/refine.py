"""Move a nearly right pose onto the picture: Lucas-Kanade with a template in its own colours.

The template is made from the picture itself: every class of squares looks like the mean of its
squares that seem empty, made symmetric so that a misplaced grid cannot confirm itself. Squares
that do not look empty have no say; so tiles, which stand above the board, do not pull the grid.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from devices.pictures import Image
from devices.vision.finding.premium_layout import (
    PREMIUM_CLASSES,
    Classes,
    LayoutFit,
    class_grid,
    fit_layout,
)
from devices.vision.geometry.from_above import by_square, from_above
from devices.vision.geometry.pose import Floats, Pose, corner_errors
from recorder.domain.board import SIZE

_PX = 12
"""Pixels for a square in the flattened board."""
_LIGHTNESS_WEIGHT = 0.36
_MAX_SHIFT = 0.6

Flat = Floats


@dataclass(frozen=True, slots=True)
class Stage:
    """``blur`` in squares; ``textured``: squares look like their mean, not like their colour."""

    blur: float
    textured: bool
    rounds: int


COARSE = (
    Stage(blur=0.22, textured=False, rounds=3),
    Stage(blur=0.12, textured=False, rounds=2),
    Stage(blur=0.06, textured=True, rounds=3),
)
FINE = (Stage(blur=0.10, textured=False, rounds=2), Stage(blur=0.06, textured=True, rounds=2))


def flatten(lab: Image, pose: Pose) -> Flat:
    """The field seen from above, [15 * 12, 15 * 12, 3] in Lab."""
    flat = from_above(lab, pose.homography, _PX, cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.float32)


def square_colours(flat: Flat) -> Floats:
    """The mean colour of the inner part of each square, [15, 15, 3]."""
    rim = 2
    side = _PX - 2 * rim
    return cv2.blur(flat, (side, side), anchor=(0, 0))[rim::_PX, rim::_PX]


def judge(lab: Image, pose: Pose) -> LayoutFit:
    """How well the picture under this pose fits the premium layout."""
    flat = flatten(lab, pose)
    near, far = 1, _PX // 2 + 1
    side = _PX // 2 - 2
    means = cv2.blur(flat, (side, side), anchor=(0, 0))
    quarters = [means[down::_PX, across::_PX] for down in (near, far) for across in (near, far)]
    return fit_layout(square_colours(flat), quarters)


def refine(lab: Image, pose: Pose, stages: tuple[Stage, ...] = COARSE) -> Pose:
    """The pose moved to the best agreement nearby, with the score it has there.

    Returns the start when the search runs away; nothing further than 0.6 square is sought.
    """
    classes = class_grid()
    current = pose
    for stage in stages:
        for _ in range(stage.rounds):
            moved = _step(lab, current, stage, classes)
            if moved is None:
                break
            current = moved
    if not corner_errors(current, pose).max() <= _MAX_SHIFT:
        current = pose
    after, before = judge(lab, current), judge(lab, pose)
    if after.agreement >= before.agreement - 0.05:
        return current.with_score(after.score)
    return pose.with_score(before.score)


def misfit(lab: Image, pose: Pose) -> float:
    """How much the squares that look empty differ from those of their class, in Lab levels.

    Compares grids in pictures of one board: a grid that is off by little has it high.
    """
    flat = flatten(lab, pose)
    classes = class_grid()
    fit = fit_layout(square_colours(flat))
    template = _template(flat, fit, classes, textured=True)
    unlike = np.linalg.norm((flat - template) * (_LIGHTNESS_WEIGHT**0.5, 1.0, 1.0), axis=-1)
    cells = unlike.reshape(SIZE, _PX, SIZE, _PX).mean(axis=(1, 3))
    return float(np.median(cells[fit.belongs])) if fit.belongs.any() else np.inf


def _step(lab: Image, pose: Pose, stage: Stage, classes: Classes) -> Pose | None:
    """One Gauss-Newton step; None when there is nothing left to gain."""
    flat = flatten(lab, pose)
    fit = fit_layout(square_colours(flat))
    template = _template(flat, fit, classes, textured=stage.textured)
    sigma = stage.blur * _PX
    now = cv2.GaussianBlur(flat, (0, 0), sigma)
    want = cv2.GaussianBlur(template, (0, 0), sigma)
    mask = fit.belongs.repeat(_PX, axis=0).repeat(_PX, axis=1).astype(np.float64)
    motion = _solve(now, want, mask)
    if motion is None:
        return None
    scale = np.array([[2 / SIZE, 0, -1], [0, 2 / SIZE, -1], [0, 0, 1.0]])
    warp = np.linalg.inv(scale) @ (np.eye(3) + motion) @ scale
    moved = pose.homography @ warp
    return Pose(moved / moved[2, 2], pose.score)


def _solve(now: Flat, want: Flat, mask: Floats) -> Floats | None:
    """The small homography (less identity, field = -1..1) that takes ``now`` to ``want``."""
    mean = 0.5 * (now + want)
    pull_x = cv2.Sobel(mean, cv2.CV_32F, 1, 0, scale=1 / 8) * (SIZE * _PX / 2)
    pull_y = cv2.Sobel(mean, cv2.CV_32F, 0, 1, scale=1 / 8) * (SIZE * _PX / 2)
    error = now - want
    strong = _summed(np.abs(pull_x)) + _summed(np.abs(pull_y))
    # From here on every product of two of these weighs lightness less than colour.
    for part in (pull_x, pull_y, error):
        part[..., 0] *= _LIGHTNESS_WEIGHT**0.5
    size = np.sqrt(_summed(error * error))
    usual = np.median(size[mask > 0]) + 1e-3 if mask.any() else 1.0
    weight = mask * np.minimum(1.0, 2.0 * usual / np.maximum(size, 1e-6))
    weight[strong <= 0.15 * strong.max()] = 0.0
    if np.count_nonzero(weight) < 400:
        return None
    across, down = _MOVES_ACROSS, _MOVES_DOWN
    both_x = _moments(weight * _summed(pull_x * pull_x))
    both_y = _moments(weight * _summed(pull_y * pull_y))
    mixed = _moments(weight * _summed(pull_x * pull_y))
    to_x = _moments(weight * _summed(pull_x * error))
    to_y = _moments(weight * _summed(pull_y * error))
    crossed = across @ _products(mixed) @ down.T
    normal = across @ _products(both_x) @ across.T + down @ _products(both_y) @ down.T
    normal += crossed + crossed.T
    right = across @ _singles(to_x) + down @ _singles(to_y)
    normal += 1e-4 * np.trace(normal) / 8 * np.eye(8)
    solved = -np.linalg.solve(normal, right)
    result: Floats = np.append(solved, 0.0).reshape(3, 3)
    return result


def _summed(channels: Flat) -> Floats:
    """The three channels [rows, columns, 3] of every pixel, summed."""
    result: Floats = channels[..., 0] + channels[..., 1] + channels[..., 2]
    return result


_POWERS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
"""The powers of x and of y in 1, x, y, xx, xy, yy: all that a small homography moves pixels by."""
_MOVES_ACROSS, _MOVES_DOWN = np.zeros((8, 6)), np.zeros((8, 6))
"""How far each of the eight numbers of a small homography moves a pixel, in those six terms."""
_MOVES_ACROSS[[0, 1, 2, 6, 7], [1, 2, 0, 3, 4]] = (1, 1, 1, -1, -1)
_MOVES_DOWN[[3, 4, 5, 6, 7], [1, 2, 0, 4, 5]] = (1, 1, 1, -1, -1)


@cache
def _powers() -> Floats:
    """The powers 0 to 4 of where the middles of pixels lie (field = -1..1), [15 * 12, 5]."""
    steps = (np.arange(SIZE * _PX) + 0.5) * (2 / (SIZE * _PX)) - 1
    return np.stack([steps**power for power in range(5)], axis=-1)


def _moments(values: Floats) -> Floats:
    """The sum of the values [rows, columns] times x to the first and y to the second index."""
    result: Floats = (_powers().T @ (values @ _powers())).T
    return result


def _products(moments: Floats) -> Floats:
    """The sums with the product of each two of the six terms, [6, 6]."""
    powers = np.array(_POWERS)
    x, y = (powers[:, None] + powers[None]).transpose(2, 0, 1)
    result: Floats = moments[x, y]
    return result


def _singles(moments: Floats) -> Floats:
    """The sums with each of the six terms, [6]."""
    x, y = np.array(_POWERS).T
    result: Floats = moments[x, y]
    return result


def _template(flat: Flat, fit: LayoutFit, classes: Classes, *, textured: bool) -> Flat:
    """The empty board in the picture's own colours; squares that seem covered stay plain."""
    cells = by_square(flat, _PX)
    template = np.zeros_like(cells)
    for index in range(PREMIUM_CLASSES):
        of_class = classes == index
        shown = of_class & fit.belongs
        if textured and shown.any():
            template[of_class] = symmetric(cells[shown].mean(axis=0))
        elif shown.any():
            template[of_class] = cells[shown].mean(axis=(0, 1, 2))
    return np.ascontiguousarray(template.transpose(0, 2, 1, 3, 4)).reshape(flat.shape)


def symmetric(patch: Flat) -> Flat:
    """The mean of a square patch over its eight reflections and turns."""
    both = patch + patch.transpose(1, 0, 2)
    both = both + both[::-1]
    result: Flat = (both + both[:, ::-1]) / 8
    return result

"""A located board in a hard shadow, as it would look in one light: to judge and refine its grid."""

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.finding.refine import FINE, refine
from devices.vision.geometry.from_above import by_square, from_above
from devices.vision.geometry.pose import Pose
from devices.vision.squares.shadow_lights import PLAIN, two_lights
from recorder.domain.board import SQUARES

_PX = 8
_MARGIN = 2
"""Squares of inner rim left out, in pixels of a square: lines and neighbours."""
_SAME_HUE = 0.05
"""How far a plain square's share of blue, green and red may be from the middle of all."""


def rescored_in_one_light(image: Image, pose: Pose) -> Pose | None:
    """The pose refined and scored on the picture without its shadow; None when there is none.

    A shadow over half of a board makes squares of one kind look like two kinds, so that a right
    grid scores badly.
    """
    lit = _in_one_light(image, pose)
    return None if lit is None else refine(cv2.cvtColor(lit, cv2.COLOR_BGR2LAB), pose, FINE)


def _in_one_light(image: Image, pose: Pose) -> Image | None:
    """The picture with the shaded squares brightened; None when the board lies in one light."""
    scale = np.array([[1 / _PX, 0, 0.5 / _PX], [0, 1 / _PX, 0.5 / _PX], [0, 0, 1.0]])
    cells = by_square(from_above(image, pose.homography, _PX), _PX)
    inner = cells[:, :, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
    pixels = inner.reshape(SQUARES, -1, 3).astype(np.float32)
    colours = np.median(pixels, axis=1)
    lights = two_lights(colours, _alike(colours))
    if lights is None:
        return None
    gains = np.kron((1.0 / lights.own).reshape(15, 15), np.ones((_PX, _PX), np.float32))
    gain = cv2.warpPerspective(
        gains.astype(np.float32),
        pose.homography @ scale,
        (image.shape[1], image.shape[0]),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=1.0,
    )
    lit = np.clip(np.rint(image * gain[..., None]), 0, 255)
    return np.asarray(lit, dtype=np.uint8)


def _alike(colours: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Plain squares of the colour that most of them share, whatever the light: no tiles."""
    share = colours / np.maximum(colours.sum(axis=1, keepdims=True), 1.0)
    middle = np.median(share[PLAIN], axis=0)
    alike: npt.NDArray[np.bool_] = PLAIN & (np.abs(share - middle).max(axis=1) < _SAME_HUE)
    return alike

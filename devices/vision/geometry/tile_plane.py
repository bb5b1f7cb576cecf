"""The plane of the tile tops, from the homography of the board.

Tile tops stand 4 to 5 mm above the board, so from the side they appear shifted by up to a third
of a square. The camera is estimated from the homography: square pixels, the principal point in
the middle of the picture, and a focal length that is weighed against what cameras usually have.
"""

from dataclasses import dataclass

import numpy as np

from devices.vision.geometry.pose import Floats, Pose

TILE_HEIGHT = 0.235
"""Height of a tile in squares: 4.4 mm on squares of 18.8 mm."""

_USUAL_FOCAL = 0.9
_FOCAL_SPREAD = 0.5
_SHAPE_SPREAD = 0.012


@dataclass(frozen=True, slots=True, eq=False)
class CameraGuess:
    """What the homography says of the camera. ``rise`` [3, 3] is added per square of height."""

    focal_px: float
    tilt_deg: float
    rise: Floats

    def plane(self, pose: Pose, height: float) -> Floats:
        """The homography of the plane this many squares above the board."""
        raised: Floats = _facing(pose.homography) + height * self.rise
        return raised


def _facing(homography: Floats) -> Floats:
    """The same homography, its sign so that the board lies before the camera."""
    middle = homography[2] @ np.array([7.5, 7.5, 1.0])
    facing: Floats = homography / np.linalg.norm(homography[:, 0]) * np.sign(middle)
    return facing


def guess_camera(pose: Pose, size: tuple[int, int]) -> CameraGuess:
    """The likeliest camera of a pose in a picture of ``size`` (width, height) pixels."""
    homography = _facing(pose.homography)
    long = max(size)
    best_cost, best = np.inf, None
    for focal in long * np.geomspace(0.45, 4.0, 24):
        inverse = np.array(
            [[1 / focal, 0, -size[0] / 2 / focal], [0, 1 / focal, -size[1] / 2 / focal], [0, 0, 1]]
        )
        axes = inverse @ homography
        first, second = axes[:, 0], axes[:, 1]
        lengths = np.linalg.norm(first), np.linalg.norm(second)
        ratio = np.log(lengths[0] / lengths[1]) / _SHAPE_SPREAD
        angle = first @ second / (lengths[0] * lengths[1]) / _SHAPE_SPREAD
        usual = np.log(focal / long / _USUAL_FOCAL) / _FOCAL_SPREAD
        # Students' shape: one constraint spoilt by a cropped picture must not rule alone.
        cost = float(np.log1p(ratio**2) + np.log1p(angle**2) + usual**2)
        if cost < best_cost:
            best_cost, best = cost, (focal, first, second, float(np.mean(lengths)))
    assert best is not None
    focal, first, second, scale = best
    down = np.cross(first, second) / scale
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    rise = np.zeros((3, 3))
    rise[:, 2] = -inner @ down
    tilt = float(np.degrees(np.arccos(np.clip(abs(down[2]) / np.linalg.norm(down), 0, 1))))
    return CameraGuess(float(focal), tilt, rise)

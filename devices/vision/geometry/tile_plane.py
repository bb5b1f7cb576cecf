"""The plane of the tile tops, from the homography of the board.

Tile tops stand 4 to 5 mm above the board, so from the side they appear shifted by up to a third
of a square. The camera is estimated from the homography: square pixels, the principal point in
the middle of the picture, and a focal length that is weighed against what cameras usually have.
"""

import numpy as np

from devices.pictures import Image
from devices.vision.geometry.pose import Floats, Pose

_TILE_HEIGHT = 0.235
"""Height of a tile in squares: 4.4 mm on squares of 18.8 mm."""

_USUAL_FOCAL = 0.9
_FOCAL_SPREAD = 0.5
_SHAPE_SPREAD = 0.012


def tops_of(image: Image, pose: Pose) -> Floats:
    """The homography of the plane of the tiles' tops on a board in this picture."""
    size = (image.shape[1], image.shape[0])
    # Of the sign with which the board lies before the camera.
    side = np.sign(pose.homography[2] @ np.array([7.5, 7.5, 1.0]))
    homography: Floats = pose.homography / np.linalg.norm(pose.homography[:, 0]) * side
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
    homography[:, 2] -= _TILE_HEIGHT * (inner @ down)
    return homography

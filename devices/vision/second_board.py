"""Two boards in one picture: which of them is meant, or that nobody can tell.

A neighbour's table at the rim of the picture is smaller or cut off; two boards of like size are
a camera that points wrongly, and to record either would be a guess.
"""

from collections.abc import Sequence

import numpy as np

from devices.pictures import Image
from devices.vision.finding.locate import locate_another, reduced
from devices.vision.geometry.pose import TRUSTED_SCORE, Pose, field_corners, moved_by

_ALIKE = 0.7
"""A board whose squares are smaller by this factor is somebody else's."""
_SQUARE_PX = 15.0
_MARGIN = 0.4
"""Squares around a field that are still its board."""

TWO_BOARDS = (
    "two boards of like size are in the picture: point the camera at one, or name its corners"
)


def the_board(image: Image, pose: Pose) -> tuple[Pose, tuple[Pose, ...], str]:
    """The pose of the board that is meant, those beside it, and why there is none, or nothing.

    Only strips beside the found board are searched, and only where another board has room, so
    that a camera over one board pays nothing.
    """
    beside: list[Pose] = []
    for found in others(image, pose):
        other = found
        ratio = other.square_px() / pose.square_px()
        if _ALIKE < ratio < 1 / _ALIKE:
            return pose, (), TWO_BOARDS
        if ratio > 1.0:
            pose, other = other, pose
        beside.append(other)
    return pose, tuple(beside), ""


def others(image: Image, pose: Pose) -> list[Pose]:
    """The boards beside this one, as far as they are wholly in the picture.

    Looked for at a scale at which squares of this one's size are just large enough: one of less
    than half its size is passed over.
    """
    boxes = _beside(image, pose)
    if not boxes:
        return []
    found = []
    factor = min(1.0, _SQUARE_PX / pose.square_px())
    lab, factor = reduced(image, round(factor * max(image.shape[:2])))
    for box in boxes:
        left, top, right, bottom = (int(factor * edge) for edge in box)
        strip = np.ascontiguousarray(lab[top:bottom, left:right])
        other = locate_another(strip)
        if other is None or other.score < TRUSTED_SCORE:
            continue
        if other.is_sane(strip.shape[1], strip.shape[0]):
            there = moved_by(left, top) @ other.homography
            found.append(Pose(there, other.score).scaled(1.0 / factor))
    return found


def which_was_read(pose: Pose, beside: Sequence[Pose]) -> str:
    """What to tell people when smaller boards lie beside the one that was read, or nothing."""
    if not beside:
        return ""
    here, there = (np.mean(board.corners(), axis=0) for board in (pose, beside[0]))
    across, down = here - there
    if abs(across) >= abs(down):
        side = "right" if across > 0 else "left"
    else:
        side = "lower" if down > 0 else "upper"
    return f"{len(beside) + 1} boards are in the picture: the larger, {side} one was read"


def _beside(image: Image, pose: Pose) -> list[tuple[int, int, int, int]]:
    """What lies left of, right of, above and below the board, where it is wide enough.

    Left, top, right and bottom in pixels.
    """
    height, width = image.shape[:2]
    corners = pose.project(field_corners(_MARGIN))
    left, top = np.clip(corners.min(axis=0), 0, (width, height)).astype(int)
    right, bottom = np.clip(corners.max(axis=0), 0, (width, height)).astype(int)
    least = _ALIKE * 15 * pose.square_px()
    boxes = [(0, 0, left, height), (right, 0, width, height)]
    boxes += [(0, 0, width, top), (0, bottom, width, height)]
    return [
        (x, y, beyond, below) for x, y, beyond, below in boxes if min(beyond - x, below - y) > least
    ]

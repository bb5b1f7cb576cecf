"""Where the 15 x 15 field lies in a picture: a homography from board units to pixels.

Board units: x = column 0..15, y = row 0..15, so the outer corners of the field are (0, 0),
(15, 0), (15, 15) and (0, 15) as the letters read. Knows nothing of pictures or tiles.
"""

from dataclasses import dataclass
from typing import Any, Self

import cv2
import numpy as np
import numpy.typing as npt

from recorder.domain.board import SIZE
from recorder.domain.observations import Corners

Floats = npt.NDArray[Any]
"""Arrays of floats, as exact as OpenCV's stubs: "some array"."""

TRUSTED_SCORE = 0.45
"""Poses that score less may be wrong by whole squares."""

FIELD = np.array([[0.0, 0.0], [SIZE, 0.0], [SIZE, SIZE], [0.0, SIZE]])
"""The outer corners of the field in board units, clockwise from the top-left."""


def apply_homography(homography: Floats, points: npt.NDArray[Any]) -> Floats:
    """Map points of shape [..., 2] through a 3 x 3 homography."""
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    mapped = flat @ homography[:, :2].T + homography[:, 2]
    result: Floats = (mapped[:, :2] / mapped[:, 2:]).reshape(np.shape(points))
    return result


def field_corners(outside: float) -> Floats:
    """The corners of the field, moved outwards by this many squares, [4, 2]."""
    return FIELD + outside * np.sign(FIELD - SIZE / 2)


def moved_by(across: float, down: float) -> Floats:
    """The homography that moves the plane by so much."""
    return np.array([[1.0, 0.0, across], [0.0, 1.0, down], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """The field in one picture. ``homography`` maps board units to pixels (3 x 3, float64).

    ``score`` is 0..1; below ``TRUSTED_SCORE`` the grid may be wrong.
    """

    homography: Floats
    score: float = 1.0

    @classmethod
    def from_corners(cls, corners: Corners | npt.ArrayLike, score: float = 1.0) -> Self:
        """The pose whose field has these corners (pixels, clockwise from the top-left)."""
        points = np.asarray(corners, dtype=np.float32).reshape(4, 2)
        matrix = cv2.getPerspectiveTransform(FIELD.astype(np.float32), points)
        return cls(np.asarray(matrix, dtype=np.float64), score)

    def corners(self) -> Corners:
        """The outer corners of the field in pixels, clockwise from the top-left."""
        tl, tr, br, bl = ((float(x), float(y)) for x, y in self.project(FIELD))
        return tl, tr, br, bl

    def project(self, points: npt.ArrayLike) -> Floats:
        """Pixels of points [..., 2] in board units."""
        return apply_homography(self.homography, np.asarray(points, dtype=np.float64))

    def rotated(self, quarter_turns: int) -> Self:
        """The same field read from another side.

        Row r, column c of the pose turned once is row c, column 14 - r of this one: what
        reads upright after one turn lay turned by 90 degrees clockwise before.
        """
        turn = np.array([[0.0, -1.0, SIZE], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        matrix = self.homography @ np.linalg.matrix_power(turn, quarter_turns % 4)
        return type(self)(matrix, self.score)

    def scaled(self, factor: float) -> Self:
        """The same field in the picture resized by this factor (pixel centres kept aligned)."""
        shift = (factor - 1.0) / 2.0
        scale = np.array([[factor, 0.0, shift], [0.0, factor, shift], [0.0, 0.0, 1.0]])
        return type(self)(scale @ self.homography, self.score)

    def with_score(self, score: float) -> Self:
        """The same field with another score."""
        return type(self)(self.homography, score)

    def square_px(self) -> float:
        """The side of a square in pixels, from the area of the field."""
        points = np.asarray(self.corners(), dtype=np.float32)
        return float(np.sqrt(abs(cv2.contourArea(points))) / SIZE)

    def is_sane(self, width: int, height: int) -> bool:
        """Whether the field is a convex quadrilateral, not mirrored, mostly in the picture."""
        points = np.asarray(self.corners())
        edges = np.roll(points, -1, axis=0) - points
        after = np.roll(edges, -1, axis=0)
        turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
        margin = 0.08 * max(width, height)
        inside = (points > -margin) & (points < (width + margin, height + margin))
        lengths = np.hypot(*edges.T)
        return bool(
            np.isfinite(points).all()
            and (turns > 0).all()
            and inside.all()
            and lengths.min() > 0.35 * lengths.max()
        )


def quarter_turns_between(pose: Pose, other: Pose) -> int:
    """How often ``pose`` must be turned to lie nearest to ``other``."""
    errors = [corner_errors(pose.rotated(turns), other).max() for turns in range(4)]
    return int(np.argmin(errors))


def corner_errors(pose: Pose, truth: Pose) -> Floats:
    """Distance of each corner from the truth's, in squares of the truth, as [4]."""
    gap = np.asarray(pose.corners()) - np.asarray(truth.corners())
    errors: Floats = np.hypot(gap[:, 0], gap[:, 1]) / truth.square_px()
    return errors


def corner_errors_any_side_up(pose: Pose, truth: Pose) -> Floats:
    """Like ``corner_errors``, whichever side the pose takes for the top."""
    return corner_errors(pose.rotated(quarter_turns_between(pose, truth)), truth)

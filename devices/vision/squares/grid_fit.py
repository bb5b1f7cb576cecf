"""Whether the grid lies on the tiles: the networks say where each tile's middle is. Pure arrays.

On a full board few premium squares carry the search for the board, and a corner may end up most of
a square off: then letters are cut in half, or read one square beside their own. The middles of the
tiles themselves tell, and move the grid.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from devices.vision.geometry.pose import FIELD, Floats, Pose
from recorder.domain.board import SIZE

_USUAL_CORNER = 0.25
"""Squares by which a corner is off, as a rule: what few tiles say is held against this."""
_TILE_OFF = 0.08
"""Squares by which a tile lies off its middle, as players lay them."""
_ROUNDS = 4
_LEAST_TILES = 4
_WORTH_MOVING = 0.1
"""Squares: a grid that is off by less, at the tiles, is left as it is."""
_CONTRADICTORY = 0.1
"""Squares that remain where a corner is off by more than half a square: tiles beyond the middle
between two squares point to the wrong one. Grids that are right leave at most .07."""
DOUBTFUL_SHIFT = 0.3
"""Squares by which a grid may be off at a square before what it shows there is in doubt."""


@dataclass(frozen=True, slots=True)
class GridFit:
    """Where the grid should lie. ``corners`` [4, 2]: how far its corners have to move, in squares.

    ``off`` is how far the tiles' middles lie from those of the grid (root mean square), ``left``
    what remains of it once the grid is moved; both in squares.
    """

    corners: Floats
    off: float
    left: float

    @property
    def is_contradictory(self) -> bool:
        """Whether no grid fits the tiles: a part of them lies on the squares beside their own."""
        return self.left > _CONTRADICTORY and self.off > DOUBTFUL_SHIFT / 2

    @property
    def is_better(self) -> bool:
        """Whether moving the grid is worth another look."""
        return self.off > _WORTH_MOVING and self.left < 0.8 * self.off

    def moved(self, pose: Pose) -> Pose:
        """The pose with its corners moved."""
        return Pose.from_corners(pose.project(FIELD + self.corners), pose.score)

    def shift_at(self, squares: npt.NDArray[np.intp]) -> Floats:
        """By how much the grid is off at these squares, as lengths in squares."""
        rows, cols = np.divmod(squares, SIZE)
        shifts = _shares(np.stack([cols + 0.5, rows + 0.5], axis=1)) @ self.corners
        lengths: Floats = np.hypot(shifts[:, 0], shifts[:, 1])
        return lengths


def _shares(points: Floats) -> Floats:
    """How much each corner of the field counts at points (x, y) [N, 2] in squares: [N, 4]."""
    x, y = points[:, 0] / SIZE, points[:, 1] / SIZE
    return np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=1)


def fit_grid(squares: npt.NDArray[np.intp], shifts: Floats, weights: Floats) -> GridFit | None:
    """The grid that fits these tiles' middles best; None where too few tiles say anything.

    ``shifts`` [N, 2] are the middles (x, y) seen from the middles of their squares. Single tiles
    that lie badly count little; a corner without tiles near it stays where it is.
    """
    if weights.sum() < _LEAST_TILES:
        return None
    rows, cols = np.divmod(squares, SIZE)
    shares = _shares(np.stack([cols + 0.5, rows + 0.5], axis=1))
    corners: Floats = np.zeros((4, 2))
    rest: Floats = np.zeros(len(shifts))
    counts = weights.astype(np.float64)
    for _ in range(_ROUNDS):
        scaled = shares * counts[:, None]
        normal = shares.T @ scaled + np.eye(4) * (_TILE_OFF / _USUAL_CORNER) ** 2
        corners = np.linalg.solve(normal, scaled.T @ shifts)
        rest = np.linalg.norm(shifts - shares @ corners, axis=1)
        counts = weights / (1.0 + (rest / _TILE_OFF) ** 2)
    before = _spread(np.linalg.norm(shifts, axis=1), weights)
    return GridFit(corners, before, _spread(rest, weights))


def _spread(lengths: Floats, weights: Floats) -> float:
    """The weighted root of the mean square."""
    return float(np.sqrt((weights * lengths**2).sum() / weights.sum()))

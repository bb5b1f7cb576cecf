"""The middles of tiles move a grid that lies beside them, and no other."""

import numpy as np
import pytest

from devices.vision.geometry.pose import Pose, corner_errors
from devices.vision.squares.grid_fit import fit_grid

TRUE = Pose.from_corners(((100, 90), (880, 110), (900, 890), (80, 860)))
SQUARES = np.arange(0, 225, 7)


def _shifts(pose: Pose, squares: np.ndarray, rng: np.random.Generator, spread: float) -> np.ndarray:
    """Where tiles on the true grid lie, seen from the middles of another grid's squares."""
    rows, cols = np.divmod(squares, 15)
    middles = np.stack([cols + 0.5, rows + 0.5], axis=1)
    seen = Pose(np.linalg.inv(pose.homography)).project(TRUE.project(middles))
    return seen - middles + rng.normal(0.0, spread, middles.shape)


@pytest.mark.parametrize("corner", range(4))
def test_a_corner_that_is_off_is_moved_back(corner: int):
    """Seven tenths of a square at one corner: the tiles show it, and how far."""
    corners = np.array(TRUE.corners())
    corners[corner] += (25.0, -28.0)
    wrong = Pose.from_corners(corners)
    fit = fit_grid(SQUARES, _shifts(wrong, SQUARES, np.random.default_rng(1), 0.05), np.ones(33))
    assert fit is not None
    assert fit.is_better
    assert corner_errors(wrong, TRUE).max() > 0.6
    assert corner_errors(fit.moved(wrong), TRUE).max() < 0.2


def test_a_right_grid_stays_where_sloppy_tiles_lie():
    """Tiles laid a tenth of a square off in every direction say nothing of the grid."""
    fit = fit_grid(SQUARES, _shifts(TRUE, SQUARES, np.random.default_rng(2), 0.1), np.ones(33))
    assert fit is not None
    assert not fit.is_better
    assert fit.shift_at(SQUARES).max() < 0.1


def test_few_tiles_say_nothing_and_move_no_far_corner():
    """Three tiles are too few; a word in one corner leaves the opposite one where it is."""
    rng = np.random.default_rng(3)
    few = SQUARES[:3]
    assert fit_grid(few, _shifts(TRUE, few, rng, 0.05), np.ones(3)) is None
    corners = np.array(TRUE.corners())
    corners[0] += (20.0, 20.0)
    wrong, word = Pose.from_corners(corners), np.arange(6)
    fit = fit_grid(word, _shifts(wrong, word, rng, 0.02), np.ones(6))
    assert fit is not None
    assert np.abs(fit.corners[2]).max() < 0.05


def test_one_tile_far_off_does_not_move_the_grid():
    """A tile pushed aside by a sleeve is one tile."""
    shifts = _shifts(TRUE, SQUARES, np.random.default_rng(4), 0.03)
    shifts[5] += (0.4, 0.4)
    fit = fit_grid(SQUARES, shifts, np.ones(33))
    assert fit is not None
    assert fit.shift_at(SQUARES).max() < 0.08

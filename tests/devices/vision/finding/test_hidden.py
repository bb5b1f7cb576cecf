"""A hand on the board: what it hides is reported as covered, what it leaves free is read."""

import cv2
import numpy as np
import pytest

from calibration.lab.eyes.disturbances import DISTURBANCES, Shot, undisturbed
from calibration.lab.eyes.eyes_disturb import wrong_squares
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Pose
from devices.vision.look import BoardReading
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ROWS = (
    *["..............."] * 3,
    ".......W.......",
    ".......O.......",
    ".......U.......",
    "...WINDOW......",
    ".......S.......",
    "....OUTPOUR....",
    "....U..........",
    "....WOVE.......",
    *["..............."] * 4,
)


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    """Eyes for the English set."""
    return Eyes("english")


def _under_a_hand(eyes: Eyes, seed: int) -> tuple[Shot, BoardReading]:
    camera = SceneCamera(distance=34, tilt_deg=10)
    image, truth = render(Scene(style=demo_style(), rows=ROWS, camera=camera, seed=seed))
    shot = undisturbed(image, Pose(truth.homography), "".join(ROWS), seed)
    spoilt = DISTURBANCES["hand over the centre"](shot)
    return spoilt, eyes.read(spoilt.image)


@pytest.mark.parametrize("row", first_of(1, [9, 2]))
def test_squares_under_a_banner_are_covered_and_no_others(eyes: Eyes, row: int):
    """A broadcast's banner with names hides tiles and bare squares alike: none is read as bare."""
    camera = SceneCamera(distance=34)
    image, truth = render(Scene(style=demo_style(), rows=ROWS, camera=camera, seed=3))
    corners = Pose(truth.homography).project([(2, row), (12, row), (12, row + 2), (2, row + 2)])
    (left, top), (right, bottom) = np.rint([corners.min(axis=0), corners.max(axis=0)]).astype(int)
    cv2.rectangle(image, (left, top), (right, bottom), (90, 20, 110), -1)
    at = (left + 10, bottom - 25)
    cv2.putText(image, "ADA 312 - BEN 298", at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 255, 255), 2)
    look = eyes.read(image)
    hidden = {15 * line + col for line in (row, row + 1) for col in range(2, 12)}
    covered = {square for square, symbol in enumerate(look.symbols) if symbol == "#"}
    assert covered <= hidden
    assert len(covered) >= 18
    assert hidden <= {*look.doubtful}


@pytest.mark.parametrize("seed", first_of(1, range(6)))
def test_what_a_hand_leaves_free_is_read_and_what_it_hides_is_covered(eyes: Eyes, seed: int):
    """Half an O is a C: a letter that the hand crosses is covered, or at least looked at."""
    shot, look = _under_a_hand(eyes, seed)
    assert look.found
    wrong = wrong_squares(shot, look)
    assert set(wrong) <= set(look.doubtful)
    assert len(wrong) <= 2
    read = np.array(list("".join(look.rows)))
    assert (read[shot.cover > 0.6] == "#").all()
    assert (read[shot.cover < 0.05] != "#").all()

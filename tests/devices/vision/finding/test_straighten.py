"""Lenses that bend lines, on rendered tables: measured, taken out; straight ones are left alone."""

import numpy as np
import pytest

from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.pictures import Image
from devices.vision.eyes import Eyes
from devices.vision.finding.locate import locate
from devices.vision.finding.straighten import measure_bend, to_straight, to_taken
from devices.vision.geometry.pose import Floats, Pose, corner_errors_any_side_up
from devices.vision.single_photo import read_photograph
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ROWS = (
    *["..............."] * 4,
    "......B........",
    "......R........",
    "......E........",
    "...FLUKE.......",
    "......E........",
    "......D.JERKS..",
    *["..............."] * 5,
)
SIZE = (1280, 960)


def _taken(bend: float, tilt_deg: float = 12.0) -> tuple[Image, Floats]:
    """A table through such a lens, and the corners of its field in the picture."""
    camera = SceneCamera(focal_px=1100, distance=24.5, tilt_deg=tilt_deg)
    scene = Scene(style=demo_style(), rows=ROWS, camera=camera, sensor=Sensor(noise=2.0), seed=5)
    image, truth = render(scene)
    # To bend is to undo a straightening: look each pixel up where the straight picture has it.
    across, down = np.meshgrid(np.arange(SIZE[0], dtype=np.float64), np.arange(SIZE[1]))
    at = np.rint(to_straight(np.stack([across, down], axis=-1), bend, *SIZE)).astype(int)
    inside = at.clip((0, 0), (SIZE[0] - 1, SIZE[1] - 1))
    return image[inside[..., 1], inside[..., 0]], to_taken(truth.corners, bend, *SIZE)


@pytest.mark.further
@pytest.mark.parametrize("bend", first_of(1, [-0.3, -0.15, 0.1]))
def test_a_bent_picture_is_measured_read_and_located(bend: float):
    """Corners within a twentieth of a square, where the grid alone is off by up to one and more."""
    image, corners = _taken(bend)
    truth = Pose.from_corners(corners)
    found = locate(image)
    assert found is not None
    assert corner_errors_any_side_up(found, truth).max() > 0.15
    assert measure_bend(image, found) == pytest.approx(bend, abs=0.03)
    look, notes = read_photograph(Eyes("english"), image)
    assert look.pose is not None
    assert corner_errors_any_side_up(look.pose, truth).max() < 0.05
    assert look.rows == ROWS
    assert "lens bends lines" in notes[0]


@pytest.mark.further
@pytest.mark.parametrize("tilt_deg", first_of(1, [25.0, 0.0]))
def test_a_straight_picture_is_left_as_it_is(tilt_deg: float):
    image, _ = _taken(0.0, tilt_deg)
    found = locate(image)
    assert found is not None
    assert measure_bend(image, found) == 0.0

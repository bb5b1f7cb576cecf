"""The rendered table: what its truth says must be where the pixels say it is."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from devices.lab.scenes.hands import Arm
from devices.lab.scenes.lens import SceneCamera, Sensor, expose
from devices.lab.scenes.lettering import LETTERS, Face
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.lab.scenes.variety import random_scene
from devices.pictures import Image
from devices.vision.geometry.pose import Floats

pytestmark = pytest.mark.pixels

ROWS = (
    *["..............."] * 6,
    "....?..........",
    "...FIRNS...ÄÖÜ.",
    "....V..........",
    *["..............."] * 6,
)


def _at(image: Image, point: Floats) -> npt.NDArray[np.int_]:
    x, y = np.rint(point).astype(int)
    return image[y, x].astype(int)


def test_the_field_begins_at_the_corners_that_the_truth_names():
    """Just inside every corner lies a red square, just outside the green frame."""
    style = demo_style()
    style = replace(style, board=replace(style.board, shape="square", line_width=0.0))
    camera = SceneCamera(tilt_deg=25, azimuth_deg=40, turn_deg=17, distance=40)
    image, truth = render(Scene(style=style, camera=camera, seed=3))
    inside = camera.project([[0.25, 0.25], [14.75, 0.25], [14.75, 14.75], [0.25, 14.75]])
    outside = camera.project([[-0.25, -0.25], [15.25, -0.25], [15.25, 15.25], [-0.25, 15.25]])
    for within, beyond, corner in zip(inside, outside, truth.corners, strict=True):
        blue, green, red = _at(image, within)
        assert red > green + 60
        assert red > blue + 60
        blue, green, red = _at(image, beyond)
        assert green >= max(blue, red)
        assert np.hypot(*(corner - (within + beyond) / 2)) < 3.0


def test_corners_go_clockwise_from_the_boards_top_left_however_it_is_turned():
    """Turning the board by 90 degrees moves its top-left corner to the picture's top-right."""
    for turn, expected in ((0, 0), (90, 1), (180, 2), (270, 3)):
        truth = render(Scene(style=demo_style(), camera=SceneCamera(turn_deg=turn)))[1]
        signs = np.sign(truth.corners[0] - truth.corners.mean(axis=0))
        ways = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        assert tuple(signs) == ways[expected]


def test_the_same_seed_gives_the_same_pixels():
    """A scene drawn by lot is reproducible, and another seed is another scene."""
    faces = [Face("sans", 700)]
    pictures = [render(random_scene(np.random.default_rng(seed), faces))[0] for seed in (5, 5, 6)]
    assert np.array_equal(pictures[0], pictures[1])
    assert pictures[0].shape != pictures[2].shape or not np.array_equal(pictures[0], pictures[2])


def test_tiles_stand_above_the_board():
    """From the side, a tile's face lies where the plane of the tops says, not on the board."""
    style = replace(demo_style(), jitter=0.0, turn_jitter_deg=0.0)
    camera = SceneCamera(tilt_deg=45, azimuth_deg=90, distance=40)
    rows = [*["..............."] * 7, ".......?.......", *["..............."] * 7]
    image, truth = render(Scene(style=style, camera=camera, rows=rows))
    empty, _ = render(Scene(style=style, camera=camera))
    changed = cv2.absdiff(image, empty).max(axis=2) > 40
    bright = changed & (image.min(axis=2) > 150)
    middle = np.argwhere(bright).mean(axis=0)[::-1]
    on_top = cv2.perspectiveTransform(np.array([[[7.5, 7.5]]]), truth.top_homography)[0, 0]
    on_board = cv2.perspectiveTransform(np.array([[[7.5, 7.5]]]), truth.homography)[0, 0]
    assert np.hypot(*(middle - on_top)) < 3.0
    assert np.hypot(*(middle - on_board)) > 4.0


def test_a_hand_covers_the_squares_that_the_truth_names():
    """Every square under the arm looks different from the same square without it."""
    scene = Scene(style=demo_style(), rows=ROWS, seed=2)
    arm = Arm(elbow=(900, 1000), tip=(640, 480), width=110)
    clear, _ = render(scene)
    covered, truth = render(replace(scene, arms=(arm,)))
    assert len(truth.covered) > 10
    for square in truth.covered:
        row, col = divmod(square, 15)
        point = scene.camera.project([[col + 0.5, row + 0.5]])[0]
        patch = tuple(slice(int(v) - 12, int(v) + 12) for v in point[::-1])
        assert cv2.absdiff(clear[patch], covered[patch]).mean() > 10
    assert 0 not in truth.covered


def test_the_truth_shows_a_blank_as_a_blank():
    """Whatever letter a blank stands for, the picture shows a bare tile."""
    rows = [*["..............."] * 7, "...fIRNS.......", *["..............."] * 7]
    truth = render(Scene(style=demo_style(), rows=rows))[1]
    assert truth.rows[7] == "...?IRNS......."


def test_a_still_table_gives_frames_that_differ_by_noise_only():
    """Two frames of the same table differ, but nowhere by more than the sensor's noise."""
    table = TableScene(demo_style(), seed=1)
    table.board = ROWS
    first, second = table.frame(1), table.frame(2)
    gap = cv2.absdiff(first, second)
    assert first.shape == (960, 1280, 3)
    assert 0 < int(gap.max()) < 25
    assert np.array_equal(first, table.frame(1))


def test_laying_a_tile_changes_its_square_and_no_far_one():
    """A new tile moves no other tile and leaves the rest of the board as it was."""
    table = TableScene(demo_style(), seed=1)
    table.noise = 0.0
    table.board = ROWS
    before, truth = table.frame_with_truth(1)
    rows = list(ROWS)
    rows[12] = "..........X...."
    table.board = rows
    gap = cv2.absdiff(before, table.frame(1)).max(axis=2)
    ys, xs = np.nonzero(gap > 30)
    board = cv2.perspectiveTransform(
        np.stack([xs, ys], axis=1).reshape(-1, 1, 2).astype(float), np.linalg.inv(truth.homography)
    ).reshape(-1, 2)
    assert len(board) > 500
    assert np.abs(board - (10.5, 12.5)).max() < 1.2


def test_the_hand_comes_in_from_outside_and_reaches_its_square():
    """At progress 0 no square is covered; at 1 the target is."""
    table = TableScene(demo_style(), seed=1)
    table.board = ROWS
    for progress, covered in ((0.0, False), (1.0, True)):
        table.hand = (progress, 112, (90, 50, 30))
        truth = table.frame_with_truth(1)[1]
        assert bool(truth.covered) is covered
        if covered:
            assert truth.cover[7:9, 7].max() > 0.3


def test_the_turntable_keeps_the_whole_field_in_the_picture():
    """At no angle does a corner of the field leave the demo's frame."""
    table = TableScene(demo_style(), seed=1)
    for turn in range(0, 360, 45):
        table.turn_deg = float(turn)
        corners = table.camera.__class__.project(
            replace(table.camera, turn_deg=table.camera.turn_deg + turn),
            [[0, 0], [15, 0], [15, 15], [0, 15]],
        )
        assert (corners > 0).all()
        assert (corners < (table.camera.width, table.camera.height)).all()


@pytest.mark.parametrize("name", ["sans", "italic", "uni"])
def test_the_built_in_faces_have_all_letters(name: str):
    """The demo needs no font files: umlauts and digits are in OpenCV's own faces."""
    assert Face(name, 600).is_complete()


def test_a_letter_is_as_high_as_asked():
    """Capitals come out at the wanted height, dots on top of it unless squeezed."""
    face = Face("sans", 700)
    assert abs(face.mask("H", 40).shape[0] - 40) <= 1
    assert face.mask("Ö", 40).shape[0] > 46
    assert abs(face.mask("Ö", 40, umlaut_squeeze=1.0).shape[0] - 40) <= 1
    assert len({face.mask(letter, 40).tobytes() for letter in LETTERS}) == len(LETTERS)


def test_a_dark_exposure_is_darker_and_a_cast_is_seen():
    """Gain and colour cast reach the pixels in the direction that they name."""
    grey = np.full((40, 40, 3), 128, np.uint8)
    rng = np.random.default_rng(0)
    dark = expose(grey, Sensor(gain=0.5, cast=(1.0, 1.0, 1.2)), rng)
    blue, green, red = dark.reshape(-1, 3).mean(axis=0)
    assert 60 < green < 68
    assert blue == green < red

"""``tilecast calibrate camera``: rendered boards through the real eyes, good ones and bad ones."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from calibration.guide.board_geometry import (
    MOST_BEND,
    MOST_CORNER_ERROR,
    estimated_corner_errors,
    measure_board,
    zone_shifts,
)
from devices.cameras.profile import BOARD_FILE
from devices.cameras.readers import open_eyes
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import Image
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Pose, corner_errors, corner_errors_any_side_up
from recorder.domain.errors import NotationError
from tests.cases import first_of

pytestmark = pytest.mark.pixels

CAMERA = SceneCamera(tilt_deg=8.0, focal_px=1560.0, distance=36.0)
EMPTY = ("." * 15,) * 15
FOX = (*EMPTY[:7], "......FOX......", *EMPTY[8:])


@pytest.fixture(scope="module")
def scene() -> TableScene:
    """A bare board below a tripod."""
    return TableScene(demo_style(), 3, CAMERA)


class Table:
    """A table file with one board camera, whose source is a folder of pictures."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "table.toml"
        self.profile = folder / "cam-1.json"
        self.file.write_text('[[device]]\nkind = "board-camera"\nname = "cam-1"\nsource = "cam"\n')

    def shows(self, *pictures: Image) -> None:
        """What the camera gives from now on."""
        camera = self.folder / "cam"
        camera.mkdir(exist_ok=True)
        for old in camera.iterdir():
            old.unlink()
        for number, picture in enumerate(pictures):
            assert cv2.imwrite(str(camera / f"{number}.png"), picture)

    def calibrate(self, *options: str) -> int:
        """The exit status of ``tilecast calibrate camera``."""
        return tilecast.main(["calibrate", "camera", str(self.file), "--yes", *options])


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table that was never calibrated."""
    return Table(tmp_path)


def _lab(picture: Image) -> Image:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)


def _bulging(picture: Image, strength: float) -> Image:
    """As a wide-angle lens would have it."""
    height, width = picture.shape[:2]
    down, across = np.mgrid[:height, :width].astype(np.float32)
    x, y = (across - width / 2) / (width / 2), (down - height / 2) / (width / 2)
    more = (1 + strength * (x * x + y * y)) * width / 2
    return cv2.remap(picture, width / 2 + x * more, height / 2 + y * more, cv2.INTER_LINEAR)


def _shown(scene: TableScene, rows: Sequence[str] = EMPTY, **camera: float) -> Image:
    """The picture of another moment; the scene is left as it was."""
    other = TableScene(demo_style(), 3, SceneCamera(**{**_fields(), **camera}))
    other.board = rows
    return other.frame(9)


def _fields() -> dict[str, float]:
    return {"tilt_deg": 8.0, "focal_px": 1560.0, "distance": 36.0}


def test_a_good_board_is_kept_with_its_picture(
    scene: TableScene, table: Table, capsys: pytest.CaptureFixture[str]
):
    """Corners as they are, what the bare board looks like, and a line to put into the file."""
    table.shows(*(scene.frame(number) for number in range(3)))
    assert table.calibrate() == 0
    profile = BOARD_FILE.load(table.profile)
    truth = Pose(scene.frame_with_truth(1)[1].homography)
    assert corner_errors(Pose.from_corners(profile.corners), truth).max() < 0.05
    assert profile.image_size == (1280, 960)
    assert profile.residual_px < 2
    assert not profile.fixed
    assert set(profile.empty) >= {"NONE", "DOUBLE_LETTER", "DOUBLE_WORD", "TRIPLE_WORD"}
    assert (table.folder / "cam-1.jpg").read_bytes().startswith(b"\xff\xd8")
    said = capsys.readouterr().out
    assert "corner error" in said
    assert 'put profile = "cam-1.json" below name = "cam-1"' in said


def test_tiles_on_the_board_are_refused_by_their_squares(
    scene: TableScene, table: Table, capsys: pytest.CaptureFixture[str]
):
    """Nothing is written but the picture of the refusal."""
    table.shows(_shown(scene, FOX))
    assert table.calibrate() == 1
    assert "not empty: tiles are seen on 8G, 8H, 8I" in capsys.readouterr().err
    assert not table.profile.exists()
    assert (table.folder / "cam-1-refused.jpg").exists()


@pytest.mark.parametrize(
    ("what", "reason"),
    first_of(
        2,
        [
            ("far", "a square has"),
            ("hand", "something covers"),
            ("cut", "corner is outside the picture"),
            ("bulging", "the grid is bent by"),
            ("shaken", "moved by"),
        ],
    ),
)
def test_a_bad_view_is_refused_with_its_reason(
    what: str, reason: str, scene: TableScene, table: Table, capsys: pytest.CaptureFixture[str]
):
    """Each with what to do about it."""
    plain = scene.frame(1)
    pictures = {
        "far": [_shown(scene, distance=120.0)],
        "cut": [np.ascontiguousarray(plain[:, 330:])],
        "bulging": [_bulging(plain, 0.15)],
        "shaken": [plain, np.roll(plain, 20, axis=1)],
    }
    if what == "hand":
        scene.hand = (1.0, 112, (120, 70, 40))
        pictures["hand"] = [scene.frame(1)]
        scene.hand = None
    table.shows(*pictures[what])
    assert table.calibrate() == 1
    assert reason in capsys.readouterr().err
    assert not table.profile.exists()


@pytest.mark.further
def test_the_corner_error_is_what_it_claims(scene: TableScene):
    """One corner put wrong by a known part of a square is estimated so; a good grid at nearly 0."""
    picture = scene.frame(1)
    pose = Pose(scene.frame_with_truth(1)[1].homography)
    assert estimated_corner_errors(_lab(picture), pose).max() < 0.05
    for corner in range(4):
        field = np.array([[0.0, 0.0], [15.0, 0.0], [15.0, 15.0], [0.0, 15.0]])
        field[corner] += (0.08, -0.06)
        wrong = Pose.from_corners(pose.project(field))
        errors = estimated_corner_errors(_lab(picture), wrong)
        assert errors.argmax() == corner
        assert 0.06 < errors[corner] < 0.22


@pytest.mark.further
def test_given_corners_that_are_wrong_are_refused(
    scene: TableScene, table: Table, capsys: pytest.CaptureFixture[str]
):
    """Right ones are taken, and the eyes then look only there."""
    table.shows(scene.frame(1))
    corners = scene.frame_with_truth(1)[1].corners
    right = [f"{x:.1f},{y:.1f}" for x, y in corners]
    wrong = [f"{x + 12:.1f},{y:.1f}" if n == 1 else right[n] for n, (x, y) in enumerate(corners)]
    assert table.calibrate("--corners", *wrong) == 1
    assert "the top right corner may be wrong" in capsys.readouterr().err
    assert table.calibrate("--corners", *right) == 0
    assert BOARD_FILE.load(table.profile).fixed


@pytest.mark.further
def test_a_lens_that_bends_lines_is_measured(scene: TableScene):
    """A straight lens stays below the bound, a bulging one goes beyond it."""
    eyes, plain = Eyes("english"), scene.frame(1)
    straight = measure_board(plain, eyes.read(plain))
    assert straight.bend < MOST_BEND / 2
    assert straight.residual < MOST_CORNER_ERROR / 2
    bent = _bulging(plain, 0.15)
    pose = eyes.read(bent).pose
    assert pose is not None
    shifts = zone_shifts(_lab(bent), pose)
    assert np.hypot(*shifts.reshape(-1, 2).T).max() > MOST_BEND


@pytest.mark.further
def test_a_camera_that_moved_says_by_how_much(
    scene: TableScene, table: Table, capsys: pytest.CaptureFixture[str]
):
    """With tiles on the board too; a turntable's half turn is no move."""
    table.shows(scene.frame(1))
    assert table.calibrate() == 0
    table.shows(_shown(scene, FOX))
    assert table.calibrate("--check") == 0
    scene.turn_deg = 180.0
    table.shows(scene.frame(1))
    scene.turn_deg = 0.0
    assert table.calibrate("--check") == 0
    scene.shift = (1.3, 0.0)
    moved, truth = scene.frame_with_truth(1)
    table.shows(moved)
    before = Pose.from_corners(BOARD_FILE.load(table.profile).corners)
    by = corner_errors_any_side_up(Pose(truth.homography), before).max()
    scene.shift = (0.0, 0.0)
    capsys.readouterr()
    assert table.calibrate("--check") == 1
    assert f"the camera has moved by {by:.1f} squares" in capsys.readouterr().err
    assert by == pytest.approx(1.3, abs=0.1)


@pytest.mark.further
def test_fixed_eyes_read_with_the_side_that_was_said(scene: TableScene, table: Table):
    """Its top is at the picture's bottom: an empty board does not show that, a person says it."""
    scene.turn_deg = 180.0
    table.shows(scene.frame(1))
    assert table.calibrate("--fixed", "--up", "bottom") == 0
    scene.board = FOX
    look = open_eyes("english", str(table.profile)).read(scene.frame(2))
    scene.board, scene.turn_deg = EMPTY, 0.0
    assert look.rows == FOX


@pytest.mark.further
def test_an_empty_board_that_was_learnt_is_used(scene: TableScene, table: Table):
    """The eyes of the agent start with its colours, and still find a board that was turned."""
    table.shows(scene.frame(1))
    assert table.calibrate() == 0
    scene.board, scene.turn_deg = FOX, 90.0
    look = open_eyes("english", str(table.profile)).read(scene.frame(2))
    scene.board, scene.turn_deg = EMPTY, 0.0
    assert look.rows == FOX


def test_the_table_file_must_have_such_a_camera(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """And several ask for a name."""
    file = tmp_path / "table.toml"
    file.write_text('[[device]]\nkind = "serial-clock"\nname = "c"\nport = "/dev/null"\n')
    assert tilecast.main(["calibrate", "camera", str(file), "--yes"]) == 1
    assert "no board-camera" in capsys.readouterr().err
    with pytest.raises(NotationError, match="tilecast calibrate camera"):
        open_eyes("english", str(tmp_path / "none.json"))

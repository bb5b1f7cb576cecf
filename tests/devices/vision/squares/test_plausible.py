"""Pictures that cannot be right: what is read of them is doubtful, and a note says why."""

import cv2
import numpy as np
import pytest

from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Pose
from devices.vision.single_photo import read_photograph
from recorder.domain.board import name_across
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ROWS = [
    *["..............."] * 4,
    "....M..........",
    "....A...B......",
    "....R...R......",
    "..CLIMATES.....",
    "....N...A......",
    "....E.GULF.....",
    *["..............."] * 5,
]


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    """One pair of eyes for the file."""
    return Eyes("english")


def _picture(rows: list[str] = ROWS) -> tuple[np.ndarray, Pose]:
    image, truth = render(Scene(style=demo_style(), rows=rows, camera=SceneCamera(distance=36)))
    return image, Pose(truth.homography)


def _silent(eyes: Eyes, image: np.ndarray, rows: list[str] = ROWS) -> int:
    """Wrong squares that nobody is pointed at; none where the picture is refused."""
    look, _ = read_photograph(eyes, image)
    if not look.found:
        return 0
    doubtful = set(look.doubtful)
    return sum(
        read != true and square not in doubtful
        for square, (read, true) in enumerate(zip("".join(look.rows), "".join(rows), strict=True))
    )


@pytest.mark.parametrize(
    ("way", "part"),
    first_of(1, [("across", 0.35), ("down", 0.35), ("across", 0.5), ("down", 0.5)]),
)
def test_motion_of_a_third_of_a_square_gives_no_sure_letter(eyes: Eyes, way: str, part: float):
    """A camera that moved: refused, or every tile in doubt; never a wrong letter without a word."""
    image, pose = _picture()
    length = round(part * pose.square_px())
    kernel = np.ones((1, length) if way == "across" else (length, 1)) / length
    blurred = cv2.filter2D(image, -1, kernel)
    assert _silent(eyes, blurred) == 0
    look, notes = read_photograph(eyes, blurred)
    if look.found:
        tiles = [square for square in range(225) if "".join(look.rows)[square] not in ".#"]
        assert set(tiles) <= set(look.doubtful)
        assert "motion" in " ".join(notes)
    else:
        assert "mirrored" not in look.reason


def test_a_picture_out_of_focus_says_so(eyes: Eyes):
    """Edges as wide as a quarter of a square: in doubt, with what to look at."""
    image, pose = _picture()
    blurred = cv2.GaussianBlur(image, (0, 0), 0.11 * pose.square_px())
    look, notes = read_photograph(eyes, blurred)
    assert "out of focus" in look.reason + " ".join(notes)
    assert _silent(eyes, blurred) == 0


def test_a_sharp_picture_needs_no_note(eyes: Eyes):
    """What is right has neither note nor doubt about its letters."""
    image, _ = _picture()
    look, notes = read_photograph(eyes, image)
    assert list(look.rows) == ROWS
    assert notes == ()


def test_more_blanks_than_the_set_has_are_named_and_doubtful(eyes: Eyes):
    """Three blanks on a board of an English set: one is a smudge, or a tile face down."""
    rows = [row.replace("GULF", "?U?F") for row in ROWS]
    rows[7] = "..CLIM?TES....."
    look, notes = read_photograph(eyes, _picture(rows)[0])
    blanks = [name_across(s) for s in range(225) if "".join(look.rows)[s] == "?"]
    assert len(blanks) == 3
    assert "3 blanks of 2" in " ".join(notes)
    assert set(blanks) <= set(look.doubtful_names())


def test_a_grid_in_the_wrong_place_is_moved_onto_the_tiles(eyes: Eyes):
    """A search that ended with a corner most of a square off: letters stay on their squares."""
    rows = ["QUIRK..........", "...A...........", "...T...........", *ROWS[3:]]
    image, pose = _picture(rows)
    corners = np.array(pose.corners())
    corners[0] += 0.6 * pose.square_px()
    start = Pose.from_corners(corners)
    upright, reading, _ = eyes._upright(image, start, None, firm=True)
    assert reading.best() == tuple(rows)
    off = np.abs(np.array(upright.corners()) - np.array(pose.corners())).max()
    assert off < 0.45 * pose.square_px()

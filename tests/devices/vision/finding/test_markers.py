"""Printed markers on the frame: which side is up, and finding the board at once."""

from collections.abc import Mapping, Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.printables.marker_sheet import SIDE_MM, marker_sheet
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.lettering import Face
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.lab.scenes.variety import random_light, random_sensor, random_style
from devices.pictures import Image
from devices.vision.eyes import Eyes
from devices.vision.finding.locate import locate
from devices.vision.finding.markers import Marker, find_markers, side_up, starts
from devices.vision.geometry.pose import Pose, corner_errors
from devices.vision.look import BoardReading
from recorder.domain.board import EMPTY_BOARD
from recorder.printing.pixels import raster
from tests.cases import first_of

pytestmark = pytest.mark.pixels

EMPTY = EMPTY_BOARD.rows()
FEW = (*EMPTY[:7], "......IT.......", *EMPTY[8:])
FACES = (Face("sans", 700), Face("sans", 500))
_SIDE = 1.1
_CORNERS = ((-1.0, -1.0), (16.0, -1.0), (16.0, 16.0), (-1.0, 16.0))
ALL = dict(enumerate(_CORNERS))


@cache
def _printed(number: int) -> Image:
    page, dpi = marker_sheet(), 200
    sheet = np.asarray(raster(page, dpi))
    middle = find_markers(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR))
    x, y = next(marker.middle for marker in middle if marker.number == number)
    reach = round(0.64 * SIDE_MM * dpi / 25.4)
    cut = sheet[round(y) - reach : round(y) + reach, round(x) - reach : round(x) + reach]
    return np.ascontiguousarray(cut)


def glue(
    image: Image, truth: Pose, places: Mapping[int, Sequence[float]], seed: int | None = None
) -> Image:
    """The picture with markers at these middles (board units); with a seed, glued carelessly."""
    chances = {n: np.random.default_rng([seed or 0, n]) for n in places}
    out = image.copy()
    for number, place in places.items():
        paper, rng = _printed(number), chances[number]
        side = 1.28 * _SIDE
        shift, angle = np.array(place, dtype=float), 0.0
        if seed is not None:
            shift, angle = shift + rng.uniform(-0.15, 0.15, 2), float(rng.uniform(-0.15, 0.15))
        cos, sin, scale = np.cos(angle), np.sin(angle), side / paper.shape[0]
        turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
        to_middle = np.array([[scale, 0, -side / 2], [0, scale, -side / 2], [0, 0, 1.0]])
        there = np.array([[1.0, 0, shift[0]], [0, 1.0, shift[1]], [0, 0, 1.0]])
        matrix = truth.homography @ there @ turn @ to_middle
        size = (image.shape[1], image.shape[0])
        soft = cv2.GaussianBlur(paper, (0, 0), 2.0)
        grey = cv2.warpPerspective(soft, matrix, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full_like(paper, 255), matrix, size) > 127
        out[mask] = (0.85 * grey[mask] + 12)[:, None].astype(np.uint8)
    return out


@cache
def _scene(turn: float, rows: tuple[str, ...] = EMPTY, shift: float = 0.0) -> tuple[Image, Pose]:
    """The picture, read only, for it is rendered once for all tests, and where the board lies."""
    camera = SceneCamera(
        distance=45, tilt_deg=9, board_turn_deg=turn, board_shift=(shift, shift / 2)
    )
    image, truth = render(Scene(style=demo_style(), rows=rows, camera=camera, seed=4))
    image.flags.writeable = False
    return image, Pose(truth.homography)


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    """Eyes for the English set."""
    return Eyes("english")


def _error(look: BoardReading, truth: Pose) -> float:
    assert look.found, look.reason
    assert look.pose is not None
    return float(corner_errors(look.pose, truth).max())


@pytest.mark.further
@pytest.mark.parametrize("turn", first_of(1, [37, 0, 90, 180, 270]))
def test_markers_tell_the_side_of_an_empty_board(eyes: Eyes, turn: int):
    """No tile, no earlier look: the corners are those that the markers name."""
    image, truth = _scene(turn)
    look = eyes.read(glue(image, truth, ALL, seed=turn))
    assert _error(look, truth) < 0.15
    assert look.turn_margin == 100
    assert sorted(look.markers) == [0, 1, 2, 3]


def test_markers_of_another_table_change_nothing(eyes: Eyes):
    """A whole set in the corner of the picture, as on a neighbour's board or a phone."""
    image, truth = _scene(0, FEW)
    heap = {0: (-5.0, 2.0), 1: (-3.2, 2.0), 2: (-3.2, 4.0), 3: (-5.0, 4.0)}
    strange = eyes.read(glue(image, truth, heap))
    assert len(find_markers(glue(image, truth, heap))) == 4
    assert _error(strange, truth) < 0.15
    assert strange.rows == eyes.read(image).rows == FEW
    assert not strange.markers


def test_the_same_markers_on_two_tables_are_told_apart(eyes: Eyes):
    """Only those beside the field's corners count."""
    image, truth = _scene(90)
    both = glue(image, truth, {0: (-4.5, 2.0), 1: (-4.5, 5.0)})
    look = eyes.read(glue(both, truth, ALL, seed=1))
    assert _error(look, truth) < 0.15


@pytest.mark.further
def test_the_grid_is_begun_at_the_markers_wherever_they_are_glued():
    """Close to the field or further out, with a careless hand."""
    image, truth = _scene(25)
    for outside in (0.8, 1.2, 1.6):
        places = {n: 7.5 + np.sign(np.array(at) - 7.5) * (7.5 + outside) for n, at in ALL.items()}
        marked = glue(image, truth, places, seed=8)
        guesses = starts(find_markers(marked))
        assert min(corner_errors(guess, truth).max() for guess in guesses) < 0.4
        pose = locate(marked, starts=guesses)
        assert pose is not None
        assert corner_errors(pose, truth).max() < 0.15, "upright too, which no search gives"


@pytest.fixture(scope="module")
def first(eyes: Eyes) -> BoardReading:
    """The board before it was turned, with its markers."""
    return eyes.read(glue(*_scene(0), ALL, seed=6))


@pytest.mark.further
@pytest.mark.parametrize("turn", first_of(1, [203, 90, 180, 340]))
def test_a_turned_board_is_found_by_what_was_learned_of_its_markers(
    eyes: Eyes, first: BoardReading, turn: int
):
    """One marker in sight is a start; two say which side is up."""
    turned, now = _scene(turn, shift=0.4)
    seen = find_markers(glue(turned, now, {1: ALL[1]}, seed=6))
    (start,) = starts(seen, first.pose, first.markers)
    assert corner_errors(start, now).max() < 0.5
    look = eyes.read(glue(turned, now, ALL, seed=6), prior=first)
    assert _error(look, now) < 0.15
    assert look.turn_margin == 100


def test_markers_that_contradict_each_other_are_not_heard():
    """Two pairs for two sides: glued to the wrong corners, and nobody knows which."""
    pose = Pose.from_corners([[200, 200], [500, 200], [500, 500], [200, 500]])
    quad = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    at = [pose.project(quad + middle) for middle in _CORNERS]
    agreed = [Marker(number, at[number]) for number in (0, 1)]
    torn = [*agreed, Marker(1, at[2]), Marker(2, at[3])]
    assert side_up(agreed, pose) == 0
    assert side_up(torn, pose) is None
    assert side_up([*agreed, Marker(3, at[2])], pose) is None
    turned = [Marker((number + 1) % 4, at[number]) for number in range(4)]
    assert side_up(turned, pose) == 3


@pytest.mark.further
@pytest.mark.parametrize("boards", first_of(1, [2, 12]))
def test_boards_of_all_looks_with_markers_glued_carelessly(eyes: Eyes, boards: int):
    """Boards by lot, any side up, empty: all upright but for one in six at most, and none wrong."""
    upright, wrong = 0, 0
    for seed in range(boards):
        rng = np.random.default_rng(seed)
        camera = SceneCamera(distance=45, tilt_deg=float(rng.uniform(0, 20)),
                             turn_deg=float(rng.uniform(0, 360)))  # fmt: skip
        sensor, light = random_sensor(rng, 33), random_light(rng, camera.width)
        style = random_style(rng, FACES)
        scene = Scene(style=style, camera=camera, sensor=sensor, light=light, seed=seed)
        image, truth = render(scene)
        pose = Pose(truth.homography)
        look = eyes.read(glue(image, pose, ALL, seed=seed))
        if look.found:
            assert look.pose is not None
            good = corner_errors(look.pose, pose).max() < 0.25
            upright += bool(good)
            wrong += not good
    assert upright >= boards - max(1, boards // 6)
    assert wrong == 0


WORDS = (*EMPTY[:7], ".....FABLE.....", ".....R.........", *EMPTY[9:])


@pytest.mark.parametrize("quarters", first_of(1, [1, 2, 0, 3]))
def test_letters_that_lie_against_the_markers_are_read_and_the_turn_is_told(
    eyes: Eyes, quarters: int
):
    """As they read, on the squares that correspond; so is the look after it."""
    scene = TableScene(demo_style(), seed=4)
    scene.turn_tiles(quarters)
    scene.board = WORDS
    first, truth = scene.frame_with_truth(1)
    places = Pose(truth.homography)
    look = eyes.read(glue(first, places, ALL, seed=2))
    assert (look.rows, look.turned) == (WORDS, quarters)
    scene.board = (*WORDS[:9], ".....E.........", *WORDS[10:])
    again = eyes.read(glue(scene.frame(2), places, ALL, seed=2), prior=look)
    assert (again.rows, again.turned) == (tuple(scene.board), quarters)
    assert sorted(again.markers) == [0, 1, 2, 3]


@pytest.mark.further
def test_without_markers_nobody_knows_how_letters_lie_against_the_board(eyes: Eyes):
    scene = TableScene(demo_style(), seed=4)
    image, truth = scene.frame_with_truth(1)
    assert eyes.read(glue(image, Pose(truth.homography), ALL, seed=2)).turned is None
    scene.turn_tiles(1)
    scene.board = WORDS
    look = eyes.read(scene.frame(2))
    assert (look.rows, look.turned) == (WORDS, None)

"""A board on a turntable below a camera: pushed, knocked, turned, dark and bright, with history."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import devices.lab
from devices.lab.game_script import faces
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.lettering import Face
from devices.lab.scenes.scene import Truth
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.lab.scenes.variety import random_style
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Pose, corner_errors, quarter_turns_between
from devices.vision.look import BoardReading
from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.game import Played
from recorder.gcg import read_gcg
from tests.cases import first_of

pytestmark = pytest.mark.pixels

FACES = (Face("sans", 700), Face("sans", 500))


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    """Eyes for the English set."""
    return Eyes("english")


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    record = Path(devices.lab.__path__[0]) / "games" / "english.gcg"
    found = [EMPTY_BOARD]
    for event in read_gcg(record.read_bytes()).events:
        if isinstance(event, Played):
            found.append(found[-1].place(event.placement.new_tiles()))
    return found


def table(board: Board) -> TableScene:
    """The simulated table with this board, small enough to be turned in the picture."""
    scene = TableScene(demo_style(), 1, SceneCamera(tilt_deg=8, focal_px=1560, distance=44))
    scene.board = faces(board)
    return scene


Seen = Callable[[Board], tuple[TableScene, BoardReading]]


@pytest.fixture(scope="module")
def seen(eyes: Eyes) -> Seen:
    """Gives the table with a board, and an upright look at it, which is taken once for each."""
    look = cache(lambda board: first_look(eyes, table(board)))
    return lambda board: (table(board), look(board))


def upright(look: BoardReading, truth: Truth, within: float = 0.2) -> bool:
    """Whether the grid lies where it should, with the right corner first."""
    assert look.found, look.reason
    assert look.pose is not None
    return bool(corner_errors(look.pose, Pose(truth.homography)).max() < within)


def first_look(eyes: Eyes, scene: TableScene) -> BoardReading:
    image, truth = scene.frame_with_truth(1)
    # Nothing on an empty board tells its top: somebody has to say it once.
    empty = not set("".join(truth.rows)) - {"."}
    told = tuple((float(x), float(y)) for x, y in truth.corners) if empty else None
    look = eyes.read(image, corners=told)
    assert upright(look, truth)
    return look


@pytest.mark.further
@pytest.mark.parametrize(
    ("tiles", "turn"),
    first_of(
        1,
        [(2, 187), (40, 41), (0, 4), (10, 90), (2, 180), (10, 180), (40, 180), (2, 4), (40, 6)],
    ),
)
def test_a_turned_board_keeps_its_top(
    eyes: Eyes, seen: Seen, boards: list[Board], tiles: int, turn: int
):
    """Half a turn, a quarter, an odd angle, and so little that the old grid nearly fits."""
    board = next(board for board in boards if len(board.occupied()) >= tiles)
    scene, before = seen(board.remove(board.occupied()[tiles:]))
    scene.turn_deg = turn
    image, truth = scene.frame_with_truth(2)
    look = eyes.read(image, prior=before)
    assert upright(look, truth)
    assert look.rows == truth.rows


@pytest.mark.further
@pytest.mark.parametrize("shift", first_of(1, [((-0.28, 0.28),), ((0.4, 0.0),), ((0.0, -0.4),)]))
def test_a_small_push_is_followed_without_a_search(
    eyes: Eyes,
    seen: Seen,
    boards: list[Board],
    shift: tuple[float, float],
    monkeypatch: pytest.MonkeyPatch,
):
    """Up to 0.4 of a square the grid goes with the board."""
    scene, before = seen(boards[8])
    monkeypatch.setattr("devices.vision.finding.locate._search", lambda _: pytest.fail("searched"))
    scene.shift = shift
    image, truth = scene.frame_with_truth(2)
    assert upright(eyes.read(image, prior=before), truth)


@pytest.mark.parametrize(
    ("shift", "turn"), first_of(1, [((0.7, 0.5), 2), ((1.6, 0), 9), ((-1.0, 1.0), -4)])
)
def test_a_knock_is_recovered_from(
    eyes: Eyes, seen: Seen, boards: list[Board], shift: tuple[float, float], turn: float
):
    """By half a square to nearly two, and askew; never a grid that is off by a square."""
    scene, before = seen(boards[6])
    scene.shift, scene.turn_deg = shift, turn
    image, truth = scene.frame_with_truth(2)
    look = eyes.read(image, prior=before)
    assert upright(look, truth)
    assert look.rows == truth.rows


@pytest.mark.parametrize("gain", first_of(1, [0.35, 1.5, 0.6]))
def test_a_lamp_that_goes_on_or_off_changes_nothing(
    eyes: Eyes, seen: Seen, boards: list[Board], gain: float
):
    """The same board, darker or brighter from one look to the next."""
    scene, before = seen(boards[9])
    scene.sensor = Sensor(blur_px=0.7, gain=gain)
    image, truth = scene.frame_with_truth(2)
    look = eyes.read(image, prior=before)
    assert upright(look, truth)
    assert look.rows == truth.rows


@pytest.mark.further
def test_after_the_dark_the_board_is_where_it_was(eyes: Eyes, seen: Seen, boards: list[Board]):
    """Light off: said. Light on: the history from before still holds, turned or not."""
    scene, before = seen(boards[3])
    scene.sensor = Sensor(gain=0.0)
    scene.turn_deg = 180
    dark = eyes.read((scene.frame(2) * 0.1).astype(np.uint8), prior=before)
    assert not dark.found
    assert "black" in dark.reason
    scene.sensor = Sensor(blur_px=0.7)
    image, truth = scene.frame_with_truth(3)
    assert upright(eyes.read(image, prior=before), truth)


@pytest.mark.further
def test_an_empty_board_that_is_knocked_keeps_its_top(eyes: Eyes):
    """Nothing shows the side; after a search it is the one nearest to before."""
    scene = table(EMPTY_BOARD)
    scene.turn_deg = 200
    before = eyes.read(scene.frame(1))
    assert before.pose is not None
    scene.turn_deg, scene.shift = 215, (0.6, 0.6)
    after = eyes.read(scene.frame(2), prior=before)
    assert after.pose is not None
    turned = Pose(scene.frame_with_truth(2)[1].homography)
    scene.turn_deg, scene.shift = 200, (0.0, 0.0)
    at_first = Pose(scene.frame_with_truth(1)[1].homography)
    assert quarter_turns_between(after.pose, turned) == quarter_turns_between(before.pose, at_first)


@pytest.mark.parametrize("seed", first_of(1, range(5)))
def test_boards_of_any_look_come_out_upright_after_the_second_play(
    eyes: Eyes, boards: list[Board], seed: int
):
    """Design, camera, play and angle by lot; the next play is on the board after the turn."""
    rng = np.random.default_rng(100 + seed)
    camera = SceneCamera(tilt_deg=float(rng.uniform(0, 22)), azimuth_deg=float(rng.uniform(0, 360)),
                         focal_px=1560, distance=44)  # fmt: skip
    scene = TableScene(random_style(rng, FACES), seed, camera)
    play = int(rng.integers(2, len(boards) - 1))
    scene.board = faces(boards[play])
    before = first_look(eyes, scene)
    scene.board = faces(boards[play + 1])
    for turn in (180.0, float(rng.uniform(20, 340))):
        scene.turn_deg = turn
        image, truth = scene.frame_with_truth(2)
        assert upright(eyes.read(image, prior=before), truth, within=0.25)

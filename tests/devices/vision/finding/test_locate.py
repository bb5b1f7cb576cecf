"""Finding the board on rendered tables, for which the truth is exact."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from devices.lab.scenes.hands import Arm
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import Style, demo_style
from devices.pictures import Image
from devices.vision.finding.locate import locate
from devices.vision.geometry.pose import (
    TRUSTED_SCORE,
    Pose,
    corner_errors,
    corner_errors_any_side_up,
    quarter_turns_between,
)
from recorder.domain.board import Premium
from tests.cases import first_of

pytestmark = pytest.mark.pixels

EMPTY = ("...............",) * 15
OPENING = (
    *["..............."] * 6,
    "....?..........",
    "...FIRNS.......",
    "....V..........",
    *["..............."] * 6,
)
ENDGAME = (
    "QUARTZ.....JAM.",
    "U.....B....O...",
    "A.OVERLAID.I...",
    "K.X...A....STOP",
    "E.E.FINCH....I.",
    "S.N.....O.GLOVE",
    ".......WEIR...D",
    "..BEHAVE...YEAR",
    "..O....E..N....",
    "TRUSTY.D..A.FEZ",
    "..G....?LIMIT..",
    ".PHONE....E....",
    "..T.AGO...DUSK.",
    "WINTER...I.....",
    "......CLUTTERED",
)
FAR = SceneCamera(distance=34, tilt_deg=12)


def _picture(
    camera: SceneCamera,
    rows: Sequence[str] = OPENING,
    *,
    style: Style | None = None,
    arms: tuple[Arm, ...] = (),
) -> tuple[Image, Pose]:
    scene = Scene(
        style=style or demo_style(),
        rows=rows,
        camera=camera,
        sensor=Sensor(noise=4.0, blur_px=0.8),
        arms=arms,
        seed=7,
    )
    image, truth = render(scene)
    return image, Pose(truth.homography)


def _assert_found(image: Image, truth: Pose, within: float = 0.12) -> Pose:
    pose = locate(image)
    assert pose.score >= TRUSTED_SCORE
    assert corner_errors_any_side_up(pose, truth).max() < within
    return pose


@pytest.mark.parametrize("turn", first_of(1, [77, 205, 0, 31, 120, 180, 261, 315]))
def test_the_board_is_found_however_the_turntable_stopped(turn: int):
    """The table turns; the field is found to a tenth of a square at any angle."""
    _assert_found(*_picture(SceneCamera(distance=38, tilt_deg=10, turn_deg=turn)))


@pytest.mark.parametrize(
    ("tilt", "azimuth"), first_of(1, [(45, 200), (40, 320), (30, 90), (45, 90)])
)
def test_a_camera_beside_the_table_will_do(tilt: int, azimuth: int):
    """Up to 45 degrees off the vertical, from any side."""
    _assert_found(*_picture(SceneCamera(distance=40, tilt_deg=tilt, azimuth_deg=azimuth)))


@pytest.mark.parametrize("rows", [EMPTY, ENDGAME], ids=["empty", "endgame"])
def test_a_board_is_found_from_the_first_tile_to_the_last(rows: Sequence[str]):
    """Neither an empty board nor one full of tiles loses its grid."""
    _assert_found(*_picture(FAR, rows))


@pytest.mark.parametrize("seed", first_of(1, range(6)))
def test_no_colour_is_expected(seed: int):
    """Boards in colours drawn by lot are found like the printed green one."""
    rng = np.random.default_rng(seed)
    hues = (rng.permutation(6)[:5] * 30 + rng.integers(0, 12, 5)) % 180
    colours = [
        tuple(int(v) for v in cv2.cvtColor(np.uint8([[[hue, 150, 190]]]), cv2.COLOR_HSV2BGR)[0, 0])
        for hue in hues
    ]
    style = demo_style()
    premiums = dict(zip(list(Premium)[1:], colours[1:], strict=True))
    board = replace(style.board, ground=colours[0], premiums=premiums)
    _assert_found(*_picture(FAR, style=replace(style, board=board)))


@pytest.mark.further
@pytest.mark.parametrize("crop", first_of(1, ["top", "left"]))
def test_half_a_board_is_not_taken_for_a_whole_one(crop: str):
    """A picture that cuts the field in two gives no pose that is to be trusted."""
    image, truth = _picture(FAR)
    middle = truth.project([7.5, 7.5]).astype(int)
    half = image[:, : middle[0]] if crop == "left" else image[: middle[1]]
    pose = locate(np.ascontiguousarray(half))
    assert pose is None or pose.score < TRUSTED_SCORE


@pytest.mark.further
def test_what_is_no_board_is_not_trusted():
    """A chessboard, noise, a bare table: either nothing or a score that says so."""
    rng = np.random.default_rng(3)
    chess = np.kron(np.indices((8, 8)).sum(0) % 2, np.ones((80, 80))).astype(np.uint8) * 200 + 20
    noise = cv2.resize(rng.integers(0, 255, (60, 80, 3), dtype=np.uint8), (1280, 960))
    table = np.full((720, 1280, 3), (60, 90, 140), np.uint8)
    for image in (np.dstack([chess] * 3), noise, table, np.zeros_like(table)):
        pose = locate(image)
        assert pose is None or pose.score < TRUSTED_SCORE


def test_hands_over_a_board_at_rest_do_not_lose_it():
    """Two arms across the field: the earlier pose still holds, to a tenth of a square."""
    before, truth = _picture(FAR)
    hint = locate(before)
    arms = (
        Arm(elbow=(1279.0, 900.0), tip=(620.0, 420.0), width=130),
        Arm(elbow=(0.0, 100.0), tip=(560.0, 400.0), width=120),
    )
    during, _ = _picture(FAR, arms=arms)
    held = locate(during, hint)
    assert held.score >= TRUSTED_SCORE
    assert corner_errors(held.rotated(quarter_turns_between(held, truth)), truth).max() < 0.12


def test_a_board_that_was_carried_away_is_searched_anew():
    """A stale hint must not hold the grid beside the board."""
    before, _ = _picture(FAR)
    hint = locate(before)
    after, truth = _picture(replace(FAR, target=(9.0, 6.0), turn_deg=23))
    found = locate(after, hint)
    assert found is not None
    assert corner_errors_any_side_up(found, truth).max() < 0.12

"""Boards that print little: lines, premium squares, frame and letters near the ground's colour."""

from dataclasses import replace

import numpy as np
import pytest

from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.styles import Colour, Style, demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.vision.eyes import Eyes
from devices.vision.finding.locate import locate
from devices.vision.geometry.pose import Pose, corner_errors_any_side_up
from devices.vision.second_board import TWO_BOARDS
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.plays import parse_placement
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ABOVE = SceneCamera(tilt_deg=8.0, focal_px=1560.0, distance=36.0)
ASIDE = SceneCamera(tilt_deg=22.0, azimuth_deg=40.0, turn_deg=5.0, focal_px=1560.0, distance=38.0)
PLAYS = ("8D QUALM", "9F BOY", "10D ZAIL", "H1 MAGICAL.", "1H .ANNERS")
ROWS = EMPTY_BOARD
for play in PLAYS:
    ROWS = ROWS.place(parse_placement(play).new_tiles())


def faint(share: float, wall: float = 0.0) -> Style:
    """The demo's table with a board that has this share of its contrast."""
    style = demo_style("english")
    board = style.board

    def near(colour: Colour) -> Colour:
        ground = np.array(board.ground)
        blue, green, red = np.rint(ground + share * (np.array(colour) - ground)).astype(int)
        return int(blue), int(green), int(red)

    weak = replace(
        board,
        premiums={premium: near(colour) for premium, colour in board.premiums.items()},
        line=near(board.line),
        frame=near(board.frame),
        star_ink=near(board.star_ink),
        coordinate_ink=near(board.coordinate_ink),
        wall=wall,
    )
    return replace(style, board=weak)


@pytest.mark.parametrize("wall", first_of(1, [0.0, 0.08]), ids=["flat", "raised"])
@pytest.mark.parametrize("camera", first_of(1, [ASIDE, ABOVE]), ids=["aside", "above"])
@pytest.mark.parametrize("share", first_of(1, [0.05, 0.08]))
def test_a_board_of_a_twentieth_of_the_contrast_is_found_and_read(
    share: float, camera: SceneCamera, wall: float
) -> None:
    """A tone-on-tone board: every square is read, and every corner is where it is."""
    table = TableScene(faint(share, wall), 5, camera)
    table.board = ROWS.rows()
    look = Eyes("english").read(table.frame(1))
    assert look.pose is not None, look.reason
    assert corner_errors_any_side_up(look.pose, Pose.from_corners(table.corners)).max() < 0.25
    assert tuple(look.rows) == ROWS.rows()


@pytest.mark.parametrize(
    "first", first_of(1, [1.0, 0.05]), ids=["beside a plain one", "beside its like"]
)
def test_a_faint_second_board_is_told(first: float) -> None:
    """Neither is read: the camera points at both."""
    tables = [TableScene(faint(share), 5, ABOVE) for share in (first, 0.05)]
    look = Eyes("english").read(np.hstack([table.frame(1) for table in tables]))
    assert look.reason == TWO_BOARDS


@pytest.mark.further
def test_a_faint_board_is_followed_when_it_is_pushed() -> None:
    """The grid of the look before is followed in the picture that was stretched."""
    table = TableScene(faint(0.06), 5, ABOVE)
    table.board = ROWS.rows()
    before = locate(table.frame(1))
    assert before is not None
    table.shift = (0.3, 0.2)
    after = locate(table.frame(2), before)
    assert after is not None
    assert corner_errors_any_side_up(after, Pose.from_corners(table.corners)).max() < 0.25

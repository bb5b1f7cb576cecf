"""Which side of the board is up: letters, an earlier look, and what happens without either."""

from collections.abc import Sequence

import numpy as np
import pytest

from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.vision.geometry.pose import Pose
from devices.vision.orient import orient, place_evidence, upright_in_picture
from devices.vision.squares.squares import SquareReading, read_squares
from recorder.domain.observations import SEEN

pytestmark = pytest.mark.pixels

WORDS = (
    *["..............."] * 5,
    "........B......",
    "........R......",
    "....GAMETE.....",
    "........A......",
    "........K......",
    *["..............."] * 5,
)


def _reading(rows: Sequence[str], turn_of_letters: int | None = 0) -> SquareReading:
    """A reading by hand: sure of tiles and empties; letters stand in one way or in none."""
    log_probs = np.full((15, 15, len(SEEN)), -9.0, np.float32)
    turns = np.full((15, 15, 4), -9.0, np.float32)
    for row, line in enumerate(rows):
        for col, symbol in enumerate(line):
            log_probs[row, col, SEEN.index(symbol)] = -0.01
            if symbol.isalpha():
                turns[row, col] = -1.4
                if turn_of_letters is not None:
                    turns[row, col] = -5.0
                    turns[row, col, turn_of_letters] = -0.02
    return SquareReading(log_probs, turns, np.ones((15, 15), bool), np.eye(3))


@pytest.mark.parametrize("turns", range(4))
def test_a_photograph_from_any_side_of_the_table_is_turned_upright(turns: int):
    """Ten letters suffice: the pose that is k quarter turns off is turned back by k."""
    scene = Scene(style=demo_style(), rows=WORDS, camera=SceneCamera(distance=34, tilt_deg=8))
    image, truth = render(Scene(style=scene.style, rows=WORDS, camera=scene.camera,
                                sensor=Sensor(noise=3.0)))  # fmt: skip
    upright = Pose(truth.homography)
    found = orient({0: read_squares(image, upright.rotated(turns))})
    assert (turns + found.quarter_turns) % 4 == 0
    assert found.margin > 5.0


def test_letters_that_look_the_same_both_ways_leave_it_to_the_earlier_look():
    """HIS in H, I, O, N, S alone: the earlier tiles' places decide."""
    earlier = ("...............",) * 3 + ("..HINOS........",) + ("...............",) * 11
    upside_down = tuple(row[::-1] for row in earlier[::-1])
    found = orient({0: _reading(upside_down, turn_of_letters=None)}, "".join(earlier))
    assert found.quarter_turns == 2
    assert found.margin > 3.0


def test_new_tiles_since_the_earlier_look_do_not_turn_the_board():
    """A long play across an open side is normal, tiles that moved to the other side are not."""
    earlier = ("...............",) * 3 + ("..HINOS........",) + ("...............",) * 11
    now = (*earlier[:4], "..O............", *earlier[5:11], "....OXIHOXI....", *earlier[12:])
    assert place_evidence(_reading(now), "".join(earlier)).argmax() == 0


def test_one_smudged_letter_does_not_outvote_three_good_ones():
    """Evidence of a single square is capped."""
    reading = _reading(WORDS)
    reading.turns[7, 4] = (-30.0, -30.0, -0.01, -30.0)
    assert orient({0: reading}).quarter_turns == 0


@pytest.mark.parametrize("turn", [0, 40, -40, 130, 180, 275])
def test_without_letters_the_top_of_the_picture_is_the_top_of_the_board(turn: int):
    """The side that is up is the one that lies nearest to the picture's top."""
    pose = Pose(SceneCamera(distance=34, turn_deg=turn).homography())
    turned = pose.rotated(upright_in_picture(pose.homography))
    top_left, top_right, bottom_right, _ = np.asarray(turned.corners())
    assert top_right[1] < bottom_right[1] or top_left[1] < bottom_right[1]
    rise = top_right - top_left
    assert abs(np.degrees(np.arctan2(rise[1], rise[0]))) <= 46

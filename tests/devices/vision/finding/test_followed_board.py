"""A board that is nearly of the colour of its tiles: found in any size, not followed askew."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.lab.scenes.scene import Scene, render
from devices.pictures import Image
from devices.vision.eyes import Eyes
from devices.vision.finding.locate import locate
from devices.vision.followed import FollowedBoard
from devices.vision.geometry.pose import TRUSTED_SCORE, Pose, corner_errors_any_side_up
from devices.vision.look import BoardReading
from tests.bench.eyes.filmed_games import film_plan

pytestmark = pytest.mark.pixels

ROWS = (
    "...W.....B.....",
    "...I.....I.....",
    "..REINVADED....",
    "...F..........I",
    "...T..........M",
    "...YUAN.?RIOCA.",
    "....HAZE......G",
    "GUILD.HARL...NO",
    "...I...PEON..I.",
    "..RETUNES.OE.F.",
    "...T.........T.",
    "...E.........I.",
    "..JEEP.......E.",
    "..............S",
    "WO.ROBALO......",
)


def _filmed(folder: Path, closer: float) -> tuple[Image, Pose]:
    record = folder / "game.gcg"
    record.write_text("#player1 anna Anna\n#player2 ben Ben\n", encoding="utf-8")
    plan = film_plan(233, record)
    scene = Scene(
        style=plan.style,
        rows=ROWS,
        camera=plan.camera,
        light=plan.light,
        sensor=plan.sensor,
        seed=233,
    )
    image, truth = render(scene)
    height, width = image.shape[:2]
    zoom = np.array([[closer, 0.0, 0.0], [0.0, closer, 0.0], [0.0, 0.0, 1.0]])
    zoom[:2, 2] = (1 - closer) * width / 2, (1 - closer) * height / 2
    zoomed = cv2.warpPerspective(image, zoom, (width, height))
    return np.asarray(zoomed, np.uint8), Pose(zoom @ truth.homography)


@pytest.mark.parametrize("closer", [1.0, 1.12, 1.3])
def test_a_board_nearly_of_the_colour_of_its_tiles_is_found_in_any_size(
    tmp_path: Path, closer: float
):
    """The grid through its squares and their corners, turned by 45 degrees, has more spots."""
    image, truth = _filmed(tmp_path, closer)
    found = locate(image)
    assert found.score >= TRUSTED_SCORE
    assert corner_errors_any_side_up(found, truth).max() < 0.12


class _AskewUntilSearched:
    """Eyes that follow a board where it does not lie, as weakly found ones have been followed."""

    def __init__(self, right: BoardReading) -> None:
        self._right, self.searches = right, 0

    def read(self, image: Image, *, prior: BoardReading | None = None) -> BoardReading:
        assert image.size
        self.searches += prior is None
        return self._right if prior is None else replace(prior, score=0.5)


def test_a_weakly_found_board_is_searched_for_anew_but_not_in_haste_nor_for_ever(tmp_path: Path):
    """One that scores better elsewhere is gone on with; one that does not is sought 12 times."""
    image, _ = _filmed(tmp_path, 1.0)
    right = Eyes("english").read(image)
    eyes = _AskewUntilSearched(right)
    board = FollowedBoard(eyes)
    board.last = replace(right, pose=None, score=0.5)
    assert board.read(image, in_haste=True) is not right
    assert board.read(image) is right
    assert board.last is right
    eyes = _AskewUntilSearched(replace(right, score=0.6))
    board = FollowedBoard(eyes)
    for _ in range(20):
        board.read(image)
    assert eyes.searches == 1 + 12

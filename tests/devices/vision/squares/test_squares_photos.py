"""Reading squares on real photographs with known corners. None of them was used for training."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.pictures import Image
from devices.vision.geometry.pose import Pose
from devices.vision.squares.colours import settle_blanks
from devices.vision.squares.squares import SquareReading, read_squares
from recorder.domain.observations import SEEN
from tests.cases import first_of

pytestmark = pytest.mark.photos


def _shared() -> Path:
    default = Path(__file__).resolve().parents[5] / "shared"
    return Path(os.environ.get("TILECAST_SHARED", default))


def _boards(every: int) -> Iterator[tuple[str, Image, Pose, str]]:
    folder = _shared() / "photos" / "boards"
    files = sorted(folder.glob("*.json"))
    if not files:
        pytest.skip(f"no photographs of boards in {folder} (set TILECAST_SHARED)")
    for file in files[::every]:
        known = json.loads(file.read_text(encoding="utf-8"))
        image = cv2.imread(str(file.with_suffix(".jpg")))
        assert image is not None, file
        truth = "".join("?" if tile.islower() else tile for tile in "".join(known["rows"]))
        pose = Pose.from_corners(known["corners_tl_tr_br_bl"])
        yield file.stem, np.asarray(image, dtype=np.uint8), pose, truth


def _english(reading: SquareReading) -> SquareReading:
    kept = reading.log_probs.copy()
    kept[..., [SEEN.index(letter) for letter in "ÄÖÜ"]] = -20.0
    kept -= np.logaddexp.reduce(kept, axis=-1, keepdims=True)
    return replace(reading, log_probs=kept)


@pytest.mark.parametrize("every", first_of(1, [8, 4, 1]))
def test_boards_of_many_colours_are_read_from_one_photograph_each(every: int):
    """Known corners, English letters, blanks settled by colour: few squares go wrong."""
    wrong: dict[str, int] = {}
    sides = 0
    for name, image, pose, truth in _boards(every):
        reading = _english(read_squares(image, pose))
        settled, _ = settle_blanks(image, pose, reading)
        pairs = zip(truth, "".join(settled.best()), strict=True)
        wrong[name] = sum(true != read for true, read in pairs)
        tiles = np.logaddexp.reduce(reading.turns, axis=2) > np.log(0.5)
        sides += int(np.exp(reading.turns[tiles]).sum(axis=0).argmax() == 0)
    total = 225 * len(wrong)
    worst = sorted(wrong.items(), key=lambda item: -item[1])[:5]
    print(f"{sum(wrong.values())} wrong of {total}; worst: {worst}")
    assert sum(wrong.values()) <= 0.004 * total, worst
    assert sides == len(wrong)

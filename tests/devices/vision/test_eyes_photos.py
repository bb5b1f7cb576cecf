"""The eyes on real photographs. None of them was used for training the network."""

import os
from pathlib import Path

import numpy as np
import pytest

from calibration.lab.eyes.disturbances import DISTURBANCES
from calibration.lab.eyes.eyes_disturb import shots_of, wrong_squares
from calibration.lab.report.samples import BoardSample, as_symbols, find_samples
from devices.pictures import decode_picture
from devices.vision.eyes import Eyes
from devices.vision.finding.locate import locate
from devices.vision.geometry.pose import (
    TRUSTED_SCORE,
    Pose,
    corner_errors,
    corner_errors_any_side_up,
)
from tests.cases import first_of

pytestmark = pytest.mark.photos


def _samples(*folders: str) -> list[BoardSample]:
    default = Path(__file__).resolve().parents[4] / "shared"
    shared = Path(os.environ.get("TILECAST_SHARED", default))
    folder = shared.joinpath("photos", *folders)
    if not folder.is_dir():
        pytest.skip(f"no photographs in {folder} (set TILECAST_SHARED)")
    return [sample for sample in find_samples(folder) if isinstance(sample, BoardSample)]


@pytest.mark.parametrize("game", first_of(1, ["game01", "game03", "game15"]))
def test_a_game_seen_from_above_is_read_photograph_by_photograph(game: str):
    """Every photograph is located where the others are, and next to no square is wrong."""
    samples = _samples("games", game)[::9]
    eyes = Eyes("german")
    poses, wrong = [], 0
    for sample in samples:
        look = eyes.read(decode_picture(sample.path.read_bytes()))
        assert look.found, f"{sample.path.name}: {look.reason}"
        assert look.pose is not None
        assert sample.rows is not None
        poses.append(look.pose)
        pairs = zip(look.symbols, as_symbols(sample.rows), strict=True)
        wrong += sum(read != true for read, true in pairs)
    middle = Pose.from_corners(np.median([pose.corners() for pose in poses], axis=0))
    assert max(corner_errors(pose, middle).max() for pose in poses) < 0.15
    assert wrong <= 0.002 * 225 * len(samples)


@pytest.mark.further
@pytest.mark.parametrize("every", first_of(1, [24, 12]))
def test_tiles_upside_down_are_read_or_doubtful(every: int) -> None:
    """An O that is turned over may pass for a blank: then it is not sure."""
    folder = _samples("games", "game05")[0].path.parent
    for shot, eyes in shots_of(folder, every, {}):
        spoilt = DISTURBANCES["each fifth tile turned 180"](shot)
        look = eyes.read(spoilt.image)
        assert set(wrong_squares(spoilt, look)) <= set(look.doubtful)


@pytest.mark.parametrize("turns", first_of(1, [1, 2, 3]))
def test_the_first_plays_of_a_game_come_out_upright_from_every_side(turns: int):
    """Photographs turned by quarter turns read like the upright ones, a few tiles or not."""
    eyes = Eyes("german")
    for sample in _samples("games", "game01")[:3]:
        assert sample.rows is not None
        image = decode_picture(sample.path.read_bytes())
        look = eyes.read(np.ascontiguousarray(np.rot90(image, turns)))
        assert look.found
        pairs = zip(look.symbols, as_symbols(sample.rows), strict=True)
        assert sum(read != true for read, true in pairs) <= 2, sample.path.name


@pytest.mark.parametrize("every", first_of(1, [12, 1]), ids=["every twelfth", "all"])
def test_boards_of_all_designs_are_located(every: int):
    """At least 95 of 100 within a quarter of a square, and those that are not say so mostly."""
    located, trusted_wrong, samples = 0, 0, _samples("boards")[::every]
    for sample in samples:
        assert sample.corners is not None
        pose = locate(decode_picture(sample.path.read_bytes()))
        if pose is None:
            continue
        error = corner_errors_any_side_up(pose, Pose.from_corners(sample.corners)).max()
        located += bool(error < 0.25)
        trusted_wrong += bool(error > 0.6 and pose.score >= TRUSTED_SCORE)
    assert located >= 0.95 * len(samples)
    assert trusted_wrong == 0


@pytest.mark.further
def test_pictures_of_racks_and_lone_tiles_are_no_boards():
    folder = _samples("racks")[0].path.parent
    for path in sorted(folder.glob("*.jpg")):
        pose = locate(decode_picture(path.read_bytes()))
        assert pose is None or pose.score < TRUSTED_SCORE, path.name

"""Racks on real photographs, where they are at hand."""

import os
from collections import Counter
from pathlib import Path

import pytest

from calibration.lab.report.report import make_report
from calibration.lab.report.samples import BoardSample, find_samples
from devices.pictures import decode_picture
from devices.vision.beside.tilecheck import check_tiles
from devices.vision.eyes import Eyes
from recorder.tilesets import load_tile_set
from tests.cases import first_of

PHOTOS = Path(os.environ.get("TILECAST_SHARED", Path(__file__).parents[4] / "shared")) / "photos"

pytestmark = [
    pytest.mark.photos,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"no photographs at {PHOTOS}"),
]


@pytest.mark.further
@pytest.mark.parametrize(("folder", "racks"), first_of(1, [("racks", 2), ("boards", 10)]))
def test_letters_on_racks_are_read(folder: str, racks: int):
    """At most 3 in 100 letters wrong, missing or too many."""
    samples = [
        sample
        for sample in find_samples(PHOTOS / folder)
        if isinstance(sample, BoardSample) and sample.racks
    ]
    total = make_report(samples, Eyes).total()
    letters = sum(len(rack) for sample in samples for rack in sample.racks or ())
    assert total.racks == racks
    assert total.rack_letters_wrong <= 0.03 * letters


SET_LAID_OUT = {
    "2024-04-11-114908": "G",
    "2024-04-11-115011": "ZRIEGH?",
    "2024-04-11-115050": "ZRIEGH?",
}
"""Sets laid out in a block, and by eye what is not in it: six tiles and a blank are on a rack."""


@pytest.mark.further
@pytest.mark.parametrize(("name", "elsewhere"), first_of(1, SET_LAID_OUT.items()))
def test_what_lacks_in_a_block_of_tiles_is_named(name: str, elsewhere: str):
    """Tiles side by side on a board: the ones that are missing lie on the rack beside it."""
    image = decode_picture((PHOTOS / "timelapse" / f"{name}.jpg").read_bytes())
    check = check_tiles(image, load_tile_set("english"))
    assert check.total == 100 - len(elsewhere)
    assert check.missing == Counter(elsewhere)
    assert check.extra == {}

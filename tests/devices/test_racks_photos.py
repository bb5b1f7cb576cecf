"""Racks on real photographs, where they are at hand."""

import os
from pathlib import Path

import pytest

from devices.vision.eyes import Eyes
from devices.vision.report import make_report
from devices.vision.samples import BoardSample, find_samples

PHOTOS = Path(os.environ.get("TILECAST_SHARED", Path(__file__).parents[3] / "shared")) / "photos"

pytestmark = [
    pytest.mark.photos,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"no photographs at {PHOTOS}"),
]


@pytest.mark.parametrize(("folder", "racks"), [("boards", 10), ("racks", 2)])
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

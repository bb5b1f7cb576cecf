"""``tilecast eyes report`` on rendered photographs: the table, the JSON and the contact sheet."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from calibration.lab.report.contact_sheet import contact_sheet
from calibration.lab.report.report import Mistake
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from recorder.domain.board import Square

pytestmark = pytest.mark.pixels

ROWS = ("...............",) * 7 + ("...FLUKE.......",) + ("...............",) * 7


def _folder(path: Path, rows: tuple[str, ...]) -> Path:
    """A photograph of FLUKE, and ``rows`` as its truth."""
    image, truth = render(Scene(style=demo_style(), rows=ROWS, camera=SceneCamera(tilt_deg=8)))
    cv2.imwrite(str(path / "one.jpg"), image)
    told = {
        "rows": list(rows),
        "corners_tl_tr_br_bl": truth.corners.tolist(),
        "group": "demo",
        "racks": [{"letters": "QUIZ"}],
    }
    (path / "one.json").write_text(json.dumps(told), encoding="utf-8")
    return path


@pytest.mark.further
def test_a_wrong_square_and_a_missing_rack_are_counted_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The truth says FLAKE and a rack; the sheet shows the square that differs."""
    folder = _folder(tmp_path, tuple(row.replace("FLUKE", "FLAKE") for row in ROWS))
    sheet, diagram = tmp_path / "wrong.png", tmp_path / "sure.svg"
    drawn_to = ["--reliability", str(diagram)]
    assert tilecast.main(["eyes", "report", str(folder), "--sheet", str(sheet), *drawn_to]) == 0
    printed = capsys.readouterr().out
    assert "one.jpg 8F: A read as U" in printed
    assert "1 racks, 4 of their 4 letters wrong" in printed
    assert "one.jpg: rack QUIZ read as nothing" in printed
    assert "225 squares by confidence" in diagram.read_text(encoding="utf-8")
    drawn = cv2.imread(str(sheet))
    assert drawn.shape[1] > 1000


def test_mistakes_that_were_not_flagged_are_framed():
    """Groups come one after the other; what was said for sure and is wrong stands out."""
    grey = np.full((80, 80, 3), 128, np.uint8)
    flagged = Mistake("a.jpg", Square(0), "A", "B", 0.5, grey, "one")
    silent = Mistake("b.jpg", Square(1), "Ö", "O", 0.99, grey, "two")
    hand = Mistake("b.jpg", Square(2), "O", "#", 0.99, grey, "two")

    def red(mistakes: list[Mistake]) -> int:
        blue, green, red_ = cv2.split(contact_sheet(mistakes).astype(int))
        return int(((red_ > 180) & (blue < 80) & (green < 80)).sum())

    assert red([flagged, hand]) == 0
    assert red([flagged, silent, hand]) > 1000
    both, one = contact_sheet([flagged, silent]), contact_sheet([silent])
    assert both.shape[0] > one.shape[0]
    assert contact_sheet([]).shape[0] < 100

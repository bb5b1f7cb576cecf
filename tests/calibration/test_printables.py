"""Sheets to print: the markers are what a camera looks for, and as large as they say."""

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from pypdf import PageObject, PdfReader

import tilecast
from calibration.printables.marker_sheet import SIDE_MM, marker_sheet
from devices.pictures import Image
from devices.vision.finding.markers import Marker, find_markers
from recorder.printing.page import HEIGHT_MM, WIDTH_MM, Box
from recorder.printing.pdf import pdf
from recorder.printing.pixels import PNG_DPI, png

pytestmark = pytest.mark.pixels

_PX_PER_MM = 8.0


def _paint(boxes: list[Box]) -> Image:
    """Boxes read from a file, as a picture."""
    size = (round(HEIGHT_MM * _PX_PER_MM), round(WIDTH_MM * _PX_PER_MM), 3)
    image = np.full(size, 255, np.uint8)
    for box in boxes:
        ends = [box.x, box.y, box.x + box.width, box.y + box.height]
        left, top, right, bottom = (round(end * _PX_PER_MM) for end in ends)
        image[top:bottom, left:right] = 0
    return image


def _check(markers: tuple[Marker, ...], px_per_mm: float) -> None:
    """Four markers of the right size, in the order of the corners as the letters read."""
    assert sorted(marker.number for marker in markers) == [0, 1, 2, 3]
    middles = {marker.number: marker.middle for marker in markers}
    assert middles[0][0] < middles[1][0]
    assert middles[1][1] < middles[2][1]
    assert middles[3][0] < middles[2][0]
    for marker in markers:
        sides = np.hypot(*(marker.corners - np.roll(marker.corners, 1, axis=0)).T)
        assert sides == pytest.approx(SIDE_MM * px_per_mm, abs=0.02 * SIDE_MM * px_per_mm)


def test_the_printed_picture_shows_four_markers_of_true_size():
    """The PNG carries its size on paper, and OpenCV finds the markers on it."""
    data = png(marker_sheet())
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[:2] == (round(HEIGHT_MM * PNG_DPI / 25.4), round(WIDTH_MM * PNG_DPI / 25.4))
    at = data.index(b"pHYs")
    assert int.from_bytes(data[at + 4 : at + 8], "big") == round(PNG_DPI / 0.0254)
    _check(find_markers(np.asarray(image, np.uint8)), PNG_DPI / 25.4)


def _rectangles(sheet: PageObject) -> list[tuple[float, ...]]:
    """Every rectangle that a page of a PDF draws: left, bottom, width and height in points."""
    content = sheet.get_contents()
    return [tuple(map(float, drawn)) for drawn, word in content.operations if word == b"re"]


def test_the_pdf_shows_the_same_markers_of_true_size():
    """Another's reader opens it: one A4 sheet, not to be scaled, and its boxes are the markers."""
    file = PdfReader(io.BytesIO(pdf(marker_sheet())), strict=True)
    (sheet,) = file.pages
    per_mm = 72 / 25.4
    size = (float(sheet.mediabox.width) / per_mm, float(sheet.mediabox.height) / per_mm)
    assert size == pytest.approx((WIDTH_MM, HEIGHT_MM), abs=0.001)
    assert file.viewer_preferences.print_scaling == "/None"
    boxes = [
        Box(left, HEIGHT_MM - low - high, wide, high)
        for left, low, wide, high in (
            (value / per_mm for value in drawn) for drawn in _rectangles(sheet)
        )
    ]
    wanted = marker_sheet().boxes
    assert len(boxes) == len(wanted)
    for box, meant in zip(boxes, wanted, strict=True):
        assert (box.x, box.y) == pytest.approx((meant.x, meant.y), abs=0.001)
        assert (box.width, box.height) == pytest.approx((meant.width, meant.height), abs=0.001)
    _check(find_markers(_paint(boxes)), _PX_PER_MM)


@pytest.mark.parametrize("ending", [".pdf", ".svg", ".png"])
def test_the_command_writes_the_kind_that_the_name_says(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / f"markers{ending}"
    assert tilecast.main(["printables", "--out", str(out)]) == 0
    assert capsys.readouterr() == (f"{out}: markers\n", "")
    assert out.read_bytes()[:4] in {b"%PDF", b"<svg", b"\x89PNG"}


@pytest.mark.parametrize("name", ["markers.doc", "no/such/folder/markers.pdf"])
def test_a_file_that_cannot_be_written_is_named(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
):
    """Another kind of file, a folder that is not there: said, with the name."""
    assert tilecast.main(["printables", "--out", str(tmp_path / name)]) == 1
    assert name in capsys.readouterr().err

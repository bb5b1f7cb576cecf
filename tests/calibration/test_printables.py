"""Sheets to print: the markers are what a camera looks for, and as large as they say."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.printables.marker_sheet import RULER_MM, SIDE_MM, marker_sheet
from calibration.printables.page import HEIGHT_MM, PNG_DPI, WIDTH_MM, Box, pdf, png, svg
from devices.pictures import Image
from devices.vision.finding.markers import Marker, find_markers

_NS = "{http://www.w3.org/2000/svg}"
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


def test_the_svg_shows_the_same_markers():
    """Read back from the file: rectangles in millimetres."""
    root = ET.fromstring(svg(marker_sheet()))
    assert root.get("width") == f"{WIDTH_MM:g}mm"
    boxes = [
        Box(*(float(part.attrib[name]) for name in ("x", "y", "width", "height")))
        for part in root.iter(f"{_NS}rect")
        if part.get("x")
    ]
    _check(find_markers(_paint(boxes)), _PX_PER_MM)


def test_the_pdf_shows_the_same_markers_and_its_table_is_right():
    """Every object lies where the table of the file says; the boxes drawn are the markers."""
    data = pdf(marker_sheet())
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF", data)[0])
    assert data[start:].startswith(b"xref\n0 7\n")
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", data[start:])]
    for number, place in enumerate(places, 1):
        assert data[place:].startswith(f"{number} 0 obj\n".encode())
    found = re.search(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", data, re.DOTALL)
    assert found is not None
    assert int(found[1]) == len(found[2])
    scale = float(found[2].split()[0])
    width, height = map(float, re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]", data)[0])
    assert (width / scale, height / scale) == pytest.approx((WIDTH_MM, HEIGHT_MM), abs=0.01)
    numbers = re.findall(rb"(\S+) (\S+) (\S+) (\S+) re f", found[2])
    boxes = [
        Box(x, HEIGHT_MM - y - high, wide, high)
        for x, y, wide, high in (map(float, box) for box in numbers)
    ]
    _check(find_markers(_paint(boxes)), _PX_PER_MM)


def test_the_bar_to_check_the_scale_is_as_long_as_it_says():
    """100 mm, and the words beside it say so."""
    page = marker_sheet()
    assert max(box.width for box in page.boxes) == RULER_MM
    assert "100 mm" in [words.text for words in page.words]


def test_nothing_reaches_over_the_edge_of_the_sheet():
    """Printers leave 5 mm blank at the edges."""
    page = marker_sheet()
    assert all(b.x >= 5 and b.x + b.width <= WIDTH_MM - 5 for b in page.boxes)
    # Helvetica is narrower than half its height on average.
    assert all(w.x + 0.5 * w.size * len(w.text) <= WIDTH_MM - 5 for w in page.words)


@pytest.mark.parametrize("ending", [".pdf", ".svg", ".png"])
def test_the_command_writes_the_kind_that_the_name_says(tmp_path: Path, ending: str):
    """One command line, one file."""
    out = tmp_path / f"markers{ending}"
    command = [sys.executable, "-m", "tilecast", "printables", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_bytes()[:4] in {b"%PDF", b"<svg", b"\x89PNG"}


@pytest.mark.parametrize("name", ["markers.doc", "no/such/folder/markers.pdf"])
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str):
    """Another kind of file, a folder that is not there: said, with the name."""
    command = [sys.executable, "-m", "tilecast", "printables", "--out", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert name in done.stderr

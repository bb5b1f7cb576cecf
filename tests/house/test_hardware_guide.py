"""The figures of docs/hardware.md are worked out, not remembered."""

import math
import re
from pathlib import Path

import pytest

from calibration.printables.day_sheet import day, day_sheet
from recorder.printing.page import HEIGHT_MM, WIDTH_MM
from recorder.printing.typeface import width_mm
from recorder.projections.health.device_health import FEW_PIXELS
from tests.browser.mounting_pictures import VIEWS, seen

pytestmark = pytest.mark.slow  # draws and measures pictures

GUIDE = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")
SQUARE_CM, BOARD_CM, WIDTH_PX = 1.88, 36.0, 1920


def pixels(view_degrees: float, height_cm: float) -> int | None:
    """For the side of a square straight below; None where the picture does not hold the board."""
    width_cm = 2 * height_cm * math.tan(math.radians(view_degrees / 2))
    if width_cm * 9 / 16 < BOARD_CM:
        return None
    return round(WIDTH_PX * SQUARE_CM / width_cm)


def test_pixels_by_lens_and_height() -> None:
    """Every cell of the table, for the lens of its row and the height of its column."""
    head = re.search(r"^\| lens: .*$", GUIDE, re.MULTILINE)
    heights = [int(number) for number in re.findall(r"(\d+) cm", head[0])]
    rows = re.findall(r"^\| (\d+) degrees \|(.*)\|$", GUIDE, re.MULTILINE)
    assert len(rows) == 5
    for view, cells in rows:
        wanted = [pixels(int(view), height) for height in heights]
        said = [None if cell.strip() == "-" else int(cell) for cell in cells.split("|")]
        assert said == wanted, f"{view} degrees: {wanted}"


def test_the_picture_of_mountings_shows_what_its_words_say() -> None:
    """Measured in the rendered views: those called good have the pixels that are wanted."""
    px = {view: seen(view)[1] for view in VIEWS}
    good = {view for view in VIEWS if view.endswith("good")}
    assert len(good) == 2
    assert all(px[view] >= FEW_PIXELS for view in good)
    assert px["60 degrees beside: too flat"] < FEW_PIXELS
    assert px["too far"] < FEW_PIXELS / 1.8


def test_the_page_for_the_day_is_the_guides_and_one_page() -> None:
    """The same lines in the same order; nothing runs off the paper."""
    table = GUIDE.partition("| when | look | with |")[2]
    rows = re.findall(r"^\| (.*?)\| (.*?) \| (.*?) \|$", table, re.MULTILINE)
    said = [(look, where.replace("`", "")) for _, look, where in rows]
    times, spare = day()
    assert said == [tuple(line) for _, looks in times for line in looks]
    assert [when.strip() for when, _, _ in rows if when.strip()] == [when for when, _ in times]
    assert "\n".join(spare) in GUIDE
    words = day_sheet().words
    assert max(word.y for word in words) < HEIGHT_MM - 10
    assert max(word.x + width_mm(word.text, word.size) for word in words) < WIDTH_MM - 10

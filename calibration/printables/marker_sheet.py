"""What is printed for a table: markers for the corners of the board's frame.

Says what stands on the sheet; how a sheet becomes a file is ``page``'s.
"""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from calibration.printables.page import svg
from devices.vision.finding.markers import CORNERS, DICTIONARY
from recorder.printing.page import Box, CutLine, Page, PageText
from recorder.printing.pdf import pdf
from recorder.printing.pixels import png

SIDE_MM = 21.0
"""The black side of a marker: 1.1 squares of a board for tournaments."""
RULER_MM = 100.0
_MODULES = 6
"""A marker is 6 x 6 small squares, the black edge included."""
_NAMES = ("top left", "top right", "bottom right", "bottom left")
_HOW = (
    "Print at 100 % (no fitting to the page), then measure the bar below: it must be 100 mm long.",
    "Use matt paper. Cut along the grey lines: the white rim belongs to the marker.",
    "Glue each to the frame of the board, beside the corner that its name says, when the",
    "letters on the board stand upright. It must not reach into a square of the field, and",
    "nothing may hide it. How exactly it lies does not matter: where it lies is learned.",
    "With two of the four in sight the recorder knows which side is up, even of an empty board.",
)
WRITERS: Mapping[str, Callable[[Page], bytes]] = {".pdf": pdf, ".svg": svg, ".png": png}


def marker_modules(number: int) -> npt.NDArray[np.bool_]:
    """The small squares of a marker, True where black, [6, 6]."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    image = cv2.aruco.generateImageMarker(dictionary, number, _MODULES)
    black: npt.NDArray[np.bool_] = np.asarray(image) < 128
    return black


def marker_sheet() -> Page:
    """The sheet with the four markers of one board."""
    page = Page("Markers for the corners of a board")
    page.words.append(PageText(20, 22, page.title, 6.5))
    page.words += [PageText(20, 32 + 6 * line, text) for line, text in enumerate(_HOW)]
    rim = SIDE_MM / _MODULES
    for number in range(CORNERS):
        across, down = number in (1, 2), number in (2, 3)
        left, top = 50.0 + 80 * across, 95.0 + 75 * down
        page.boxes += marker_boxes(number, left, top, SIDE_MM)
        _add_cut_lines(page, left - rim, top - rim, SIDE_MM + 2 * rim)
        page.words.append(PageText(left - rim, top - rim - 3, f"{number}  {_NAMES[number]}"))
    _add_ruler(page, 30.0, 240.0)
    return page


def marker_boxes(number: int, left: float, top: float, side: float) -> list[Box]:
    """A marker's black modules, those side by side as one box: no viewer shows seams in a row."""
    module = side / _MODULES
    boxes: list[Box] = []
    for row, cells in enumerate(marker_modules(number)):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], cells, [False]]).astype(int)))
        for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            x, width = left + first * module, (end - first) * module
            boxes.append(Box(x, top + row * module, width, module))
    return boxes


def _add_cut_lines(page: Page, left: float, top: float, side: float) -> None:
    right, bottom = left + side, top + side
    for x in (left, right):
        page.lines.append(CutLine(x, top, x, bottom))
    for y in (top, bottom):
        page.lines.append(CutLine(left, y, right, y))


def _add_ruler(page: Page, left: float, top: float) -> None:
    """A bar of known length, with a stroke every centimetre."""
    page.boxes.append(Box(left, top, RULER_MM, 2.0))
    for centimetre in range(int(RULER_MM / 10) + 1):
        x = left + 10.0 * centimetre
        page.lines.append(CutLine(x, top, x, top + 5, dashed=False))
    page.words.append(PageText(left, top - 3, f"{RULER_MM:g} mm"))

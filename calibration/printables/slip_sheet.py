"""The sheet of blank slips: four on an A4 page, to be cut apart.

Where everything stands is ``devices.vision.beside.slip_layout``'s, since a camera reads it there.
"""

from calibration.printables.marker_sheet import marker_boxes
from devices.vision.beside.slip_layout import (
    BLANKS,
    BOX_MM,
    CAP_MM,
    HEADING_MM,
    HEIGHT_MM,
    LETTER_MM,
    MARKER_CORNERS_MM,
    MARKER_MM,
    WIDTH_MM,
    Alphabet,
    alphabet_of,
    cells,
    smaller,
)
from recorder.domain.tiles import TileSet
from recorder.printing.page import CutLine, Page, PageText

_SAYS = {
    "english": (
        ("First blank: circle its letter", "Second blank: circle its letter"),
        "Challenged words:",
    ),
    "german": (
        ("Erster Blanko: Buchstaben einkreisen", "Zweiter Blanko: Buchstaben einkreisen"),
        "Angezweifelte Wörter:",
    ),
}


def slip_sheet(tile_set: TileSet) -> Page:
    """The sheet with four slips of a set. NotationError where its letters do not fit on one."""
    alphabet = alphabet_of(tile_set)
    page = Page(f"Slips for blanks, {tile_set.name}")
    for across in range(2):
        for down in range(2):
            _add_slip(page, alphabet, across * WIDTH_MM, down * HEIGHT_MM)
    page.lines.append(CutLine(WIDTH_MM, 0, WIDTH_MM, 2 * HEIGHT_MM))
    page.lines.append(CutLine(0, HEIGHT_MM, 2 * WIDTH_MM, HEIGHT_MM))
    return page


def _add_slip(page: Page, alphabet: Alphabet, left: float, top: float) -> None:
    for place, (x, y) in enumerate(MARKER_CORNERS_MM):
        number = alphabet.first_marker + place
        page.boxes += marker_boxes(number, left + x, top + y, MARKER_MM)
    headings, box_heading = _SAYS.get(alphabet.name, _SAYS["english"])
    for blank in range(BLANKS):
        page.words.append(PageText(left + 21, top + HEADING_MM[blank], headings[blank], 3.6))
    for cell in cells(alphabet.letters):
        share = smaller(cell.letter)
        x, y = left + cell.x, top + cell.y + share * CAP_MM / 2
        page.words.append(PageText(x, y, cell.letter, share * LETTER_MM, anchor="middle"))
    x, y, width, height = BOX_MM
    page.words.append(PageText(left + x, top + y - 1.2, box_heading, 3.2))
    for line in _outline(left + x, top + y, width, height):
        page.lines.append(line)


def _outline(x: float, y: float, width: float, height: float) -> tuple[CutLine, ...]:
    right, bottom = x + width, y + height
    ends = (
        (x, y, right, y),
        (right, y, right, bottom),
        (right, bottom, x, bottom),
        (x, bottom, x, y),
    )
    return tuple(CutLine(*four, dashed=False) for four in ends)

"""A list on paper: a heading, columns, as many sheets as its rows take. Knows nothing of events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from recorder.printing.page import HEIGHT_MM, WIDTH_MM, CutLine, Page, PageText, TextAnchor
from recorder.printing.typeface import fitted, width_mm

LEFT_MM, RIGHT_MM = 15.0, WIDTH_MM - 15.0
_TOP, _BOTTOM = 44.0, HEIGHT_MM - 20.0
_GAP, _WIDE_GAP = 2.5, 5.0
_SIZE, _LARGEST = 4.0, 9.0
_LEADING = 1.4
"""A row's height by that of its type."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list: its title, where it begins, or ends for figures, in mm from the left."""

    title: str
    at: float
    anchor: TextAnchor = "start"


def figures(title: str, ends: float) -> Column:
    """A column of figures, set to the right."""
    return Column(title, ends, "end")


def list_sheets(
    title: str,
    under: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
) -> list[Page]:
    """The rows on as many sheets as they take, one at least.

    A list that is short is written as large as the sheet and the columns let it be, to be read on
    a wall from two metres.
    """
    widths = [
        max(width_mm(text, 1.0) for text in (column.title[:5], *(row[place] for row in rows)))
        for place, column in enumerate(columns)
    ]
    room = RIGHT_MM - LEFT_MM - _WIDE_GAP * (len(columns) - 1)
    size = min(_LARGEST, room / sum(widths))
    pitch = max(_SIZE * _LEADING, min((_BOTTOM - _TOP) / max(len(rows), 1), size * _LEADING))
    size = min(size, pitch / _LEADING)
    if size > _SIZE:
        columns = _spread(columns, [width * size for width in widths])
    else:
        size = _SIZE
    many = int((_BOTTOM - _TOP) / pitch + 1e-6)
    parts = [rows[first : first + many] for first in range(0, max(1, len(rows)), many)]
    pages = []
    for number, part in enumerate(parts, start=1):
        page = headed(title, under)
        if len(parts) > 1:
            foot = f"{number} of {len(parts)}"
            page.words.append(PageText(RIGHT_MM, HEIGHT_MM - 12, foot, 3.4, "end"))
        _add_rows(page, columns, part, pitch, size)
        pages.append(page)
    return pages


def _spread(columns: Sequence[Column], widths: Sequence[float]) -> list[Column]:
    """The columns side by side, each as wide as it has to be; what is left goes behind texts."""
    texts = sum(column.anchor == "start" for column in columns)
    spare = RIGHT_MM - LEFT_MM - sum(widths) - _WIDE_GAP * (len(columns) - 1)
    at, found = LEFT_MM, []
    for column, width in zip(columns, widths, strict=True):
        is_text = column.anchor == "start"
        ends = at + width + (spare / texts if is_text else 0.0)
        found.append(replace(column, at=at if is_text else ends))
        at = ends + _WIDE_GAP
    return found


def headed(title: str, under: str) -> Page:
    """An empty sheet with a title and a line under it."""
    page = Page(title)
    page.words.append(PageText(LEFT_MM, 22, fitted(title, 8, RIGHT_MM - LEFT_MM), 8))
    page.words.append(PageText(LEFT_MM, 30, fitted(under, 4.4, RIGHT_MM - LEFT_MM), 4.4))
    return page


def _add_rows(
    page: Page,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    pitch: float,
    size: float,
) -> None:
    # What is larger than usual was made to fit.
    widths = _widths(columns) if size == _SIZE else [WIDTH_MM] * len(columns)
    for column in columns:
        page.words.append(PageText(column.at, _TOP - 3, column.title, 3.2, column.anchor))
    page.lines.append(CutLine(LEFT_MM, _TOP - 1.5, RIGHT_MM, _TOP - 1.5, dashed=False))
    for place, row in enumerate(rows):
        y = _TOP + pitch * (place + 0.75)
        for column, text, width in zip(columns, row, widths, strict=True):
            page.words.append(
                PageText(column.at, y, fitted(text, size, width), size, column.anchor)
            )
        if place % 5 == 4:
            page.lines.append(
                CutLine(LEFT_MM, y + 0.35 * size, RIGHT_MM, y + 0.35 * size, dashed=False)
            )


def _widths(columns: Sequence[Column]) -> list[float]:
    """The room of each column: text up to the next one, figures back to the one before."""
    starts = [LEFT_MM, *(column.at for column in columns), RIGHT_MM]
    widths = []
    for place, column in enumerate(columns, start=1):
        if column.anchor == "end":
            widths.append(max(column.at - starts[place - 1] - _GAP, 8.0))
        else:
            after = columns[place] if place < len(columns) else None
            ends = starts[place + 1] if after is None or after.anchor == "start" else after.at - 12
            widths.append(ends - column.at - _GAP)
    assert all(a <= b for a, b in pairwise(starts[1:-1]))
    return widths

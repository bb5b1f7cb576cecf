"""The page for the day: what to look at when, and which command shows. The hardware guide has it.

``hall`` stands for the venue's folder, as ``tilecast init hall`` makes it.
"""

import tomllib
from importlib.resources import files
from itertools import pairwise

from recorder.printing.page import CutLine, Page, PageText

_LEFT, _TICK, _LINE = 20.0, 4.2, 5.2


def day() -> tuple[list[tuple[str, list[list[str]]]], list[str]]:
    """By time of the day what is looked at and where it is reported; and what to have spare."""
    text = files(__package__).joinpath("day_sheet.toml").read_text(encoding="utf-8")
    said = tomllib.loads(text)
    return [(at["when"], at["looks"]) for at in said["day"]], said["spare"]


def day_sheet() -> Page:
    """The sheet, with a box to tick for each line."""
    page = Page("On the day")
    page.words.append(PageText(_LEFT, 24, page.title, 8))
    y = 36.0
    times, spare = day()
    for when, looks in times:
        page.words.append(PageText(_LEFT, y, when, 5))
        page.lines.append(CutLine(_LEFT, y + 1.6, 190, y + 1.6, dashed=False))
        y += 8.4
        for look, where in looks:
            _add_box(page, _LEFT, y - _TICK + 0.6)
            page.words.append(PageText(_LEFT + 8, y, look, 4))
            page.words.append(PageText(_LEFT + 8, y + _LINE, where, 3.6))
            y += 2 * _LINE + 2
        y += 3
    page.words += [PageText(_LEFT, y + 2 + _LINE * n, text) for n, text in enumerate(spare)]
    return page


def _add_box(page: Page, x: float, y: float) -> None:
    corners = [(x, y), (x + _TICK, y), (x + _TICK, y + _TICK), (x, y + _TICK), (x, y)]
    for (x0, y0), (x1, y1) in pairwise(corners):
        page.lines.append(CutLine(x0, y0, x1, y1, dashed=False))

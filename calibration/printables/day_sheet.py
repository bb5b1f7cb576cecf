"""The page for the day: what to look at when, and which command shows. The hardware guide has it.

``hall`` stands for the venue's folder, as ``tilecast init hall`` makes it.
"""

from itertools import pairwise

from recorder.printing.page import CutLine, Page, PageText

DAY = (
    (
        "evening before",
        (
            (
                "everything charged; times of rules and names right",
                "tilecast record --check hall/venue.toml",
            ),
            ("nothing is missing", "tilecast venue hall --check"),
        ),
    ),
    (
        "setting up",
        (
            (
                "each camera's picture: whole board, sharp, no lamp in it",
                "tilecast init has saved one; the director's page shows it live",
            ),
            ("board found, pixels, bending", "tilecast calibrate camera hall/table-1.toml"),
            ("both halves of the clock, delay", "tilecast calibrate clock hall/table-1.toml"),
            (
                "a networked clock loses nothing",
                "tilecast doctor clock clock-1 --venue bench",
            ),
            ("files, broker, rights, cameras, ports", "tilecast doctor venue hall"),
        ),
    ),
    (
        "half an hour before",
        (
            (
                "three plays, an exchange, a pass, a challenge: all recorded? Then the real game",
                "the director's page",
            ),
            ("the overlay in OBS, the delay", "http://127.0.0.1:8015/o/featured/full"),
        ),
    ),
    ("before each round", (("every device is well", "tilecast status hall"),)),
    (
        "a camera was touched",
        (("has it moved?", "tilecast calibrate camera hall/table-1.toml --check"),),
    ),
    (
        "evening",
        (
            ("the log is whole", "tilecast log verify hall/record/tilecast.db"),
            (
                "a copy of it elsewhere",
                "tilecast log backup hall/record/tilecast.db /media/stick/tilecast.db",
            ),
        ),
    ),
)
"""By time of the day: what is looked at, and where it is reported."""
SPARE = (
    "Spare: a USB cable of each kind, a phone with the links (it can be clock, pad or camera),",
    "tape for cables. 28 pixels a square or more; each camera's focus and exposure fixed.",
)
_LEFT, _TICK, _LINE = 20.0, 4.2, 5.2


def day_sheet() -> Page:
    """The sheet, with a box to tick for each line."""
    page = Page("On the day")
    page.words.append(PageText(_LEFT, 24, page.title, 8))
    y = 36.0
    for when, looks in DAY:
        page.words.append(PageText(_LEFT, y, when, 5))
        page.lines.append(CutLine(_LEFT, y + 1.6, 190, y + 1.6, dashed=False))
        y += 8.4
        for look, where in looks:
            _add_box(page, _LEFT, y - _TICK + 0.6)
            page.words.append(PageText(_LEFT + 8, y, look, 4))
            page.words.append(PageText(_LEFT + 8, y + _LINE, where, 3.6))
            y += 2 * _LINE + 2
        y += 3
    page.words += [PageText(_LEFT, y + 2 + _LINE * n, text) for n, text in enumerate(SPARE)]
    return page


def _add_box(page: Page, x: float, y: float) -> None:
    corners = [(x, y), (x + _TICK, y), (x + _TICK, y + _TICK), (x, y + _TICK), (x, y)]
    for (x0, y0), (x1, y1) in pairwise(corners):
        page.lines.append(CutLine(x0, y0, x1, y1, dashed=False))

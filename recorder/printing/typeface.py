"""The typeface of everything that is printed, and how wide a text in it is.

Noto Sans has the letters of every language that is written in Latin, Greek or Cyrillic letters,
with all their marks, and figures of one width. What it does not have is drawn as an empty box.
"""

import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

TYPEFACE = Path(__file__).parent / "fonts" / "NotoSans-Regular.ttf"
_MEASURED_PX = 1000


def composed(text: str) -> str:
    """The text with letter and mark as one character wherever Unicode has one (NFC).

    Without what has no shape of its own, such as the marks that keep a name's direction apart.
    """
    shown = (letter for letter in text if unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFC", "".join(shown))


def sized(px: float) -> "FreeTypeFont":
    """The typeface with lines ``px`` pixels high."""
    from PIL import ImageFont  # only who prints waits for it

    return ImageFont.truetype(TYPEFACE, px)


def width_mm(text: str, size: float) -> float:
    """How wide a text is when its lines are ``size`` millimetres high."""
    return _measured().getlength(composed(text)) * size / _MEASURED_PX


def fitted(text: str, size: float, most_mm: float) -> str:
    """The text, or as much of it as fits into ``most_mm``, an ellipsis included.

    >>> fitted("Sven", 4.0, 40.0), fitted("Wolfeschlegelsteinhausen", 4.0, 20.0)
    ('Sven', 'Wolfesc…')
    """
    if width_mm(text, size) <= most_mm:
        return text
    short = composed(text)
    while short and width_mm(f"{short}…", size) > most_mm:
        short = _without_last_letter(short)
    return f"{short}…"


def _without_last_letter(text: str) -> str:
    while text and unicodedata.combining(text[-1]):
        text = text[:-1]  # a mark goes with its letter: without it the letter is another one
    return text[:-1].rstrip()


@cache
def _measured() -> "FreeTypeFont":
    return sized(_MEASURED_PX)

"""The typeface of everything that is printed, and how wide a text in it is.

Noto Sans has the letters of every language that is written in Latin, Greek or Cyrillic letters,
with all their marks, and figures of one width. A letter that it does not have is drawn as an empty
box; what is no letter, such as emoji, is left out where there are letters.
"""

import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

TYPEFACE = Path(__file__).parent / "fonts" / "NotoSans-Regular.ttf"
_MEASURED_PX = 1000
_MOST_MARKS = 2


def composed(text: str) -> str:
    """The text as it is drawn: letter and mark as one character wherever Unicode has one (NFC).

    Without signs that the typeface does not have, such as emoji, where it has letters of it; with
    two marks to a letter at most, for more would be drawn into the next line.
    """
    if text.isascii():
        return text
    return legible(text) or _whole(text)


def legible(text: str) -> str:
    """The text without signs that the typeface does not have; empty where nothing readable is left.

    A letter that it does not have stays among others: nobody is printed with less of a name.
    """
    whole, known = _whole(text), _characters()
    if all(ord(letter) in known for letter in whole):
        return whole
    if not any(letter.isalnum() and ord(letter) in known for letter in whole):
        return ""
    shown = (letter for letter in whole if letter.isalnum() or ord(letter) in known)
    return " ".join("".join(shown).split())


def _whole(text: str) -> str:
    """The text composed, without what has no shape and without marks that pile up."""
    letters, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= _MOST_MARKS and unicodedata.category(letter) != "Cf":
            letters.append(letter)
    return "".join(letters)


@cache
def _characters() -> frozenset[int]:
    from reportlab.pdfbase.ttfonts import TTFontFile  # only who prints waits for it

    return frozenset(TTFontFile(str(TYPEFACE)).charToGlyph)


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

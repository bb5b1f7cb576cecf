"""Where everything stands on the printed slip, in millimetres: for the printer and for the reader.

One slip is a quarter of A4. Four markers at its corners say where it lies and which alphabet it
has; two rows of letters, one for each blank in the order played, to circle one letter in each; a
box for challenged words. Nothing is printed close around a letter, so ink there is a pen's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.errors import NotationError
from recorder.domain.tiles import TileSet

WIDTH_MM, HEIGHT_MM = 105.0, 148.5
MARKER_MM = 12.0
MARKER_CORNERS_MM = ((6.0, 6.0), (87.0, 6.0), (87.0, 130.5), (6.0, 130.5))
"""Top left of each marker, in the order of their numbers: clockwise from the slip's top left."""
BLANKS = 2
LETTER_MM = 4.6
"""The line height of a letter; its capital is about 0.72 of it high."""
CAP_MM = 0.718 * LETTER_MM
BOX_MM = (21.0, 117.0, 63.0, 26.0)
"""The box for challenged words: left, top, width, height."""
_COLUMNS = 8
_LEFT_MM, _PITCH_X_MM, _PITCH_Y_MM = 14.0, 11.0, 10.0
_FIRST_MM = (30.0, 77.0)
"""The middle of the first line of letters of each blank."""
HEADING_MM = (22.0, 69.0)

_MOST_LETTERS = 4 * _COLUMNS
"""What there is room for, in four lines a blank."""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The letters of a slip, and by what a camera knows them.

    ``first_marker`` is the number of the marker at the top left; the others follow. A board's are
    0 to 3.
    """

    name: str
    letters: tuple[str, ...]
    first_marker: int


ENGLISH = Alphabet("english", tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 10)
GERMAN = Alphabet("german", tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"), 20)
KNOWN_BY_MARKERS = (ENGLISH, GERMAN)
OTHER_MARKER = 30
"""Slips of all other sets begin with it: their camera has to know the set."""


def alphabet_of(tile_set: TileSet) -> Alphabet:
    """The letters on the slips of a set. NotationError where they do not fit on one."""
    letters = tuple(tile.label for tile in tile_set.letters)
    for known in KNOWN_BY_MARKERS:
        if set(known.letters) == set(letters):
            return known
    if len(letters) > _MOST_LETTERS:
        raise NotationError(
            f"the tile set {tile_set.name} has {len(letters)} letters, and a slip has room for"
            f" {_MOST_LETTERS}; have blanks named on a pad or by the scorer"
        )
    return Alphabet(tile_set.name, letters, OTHER_MARKER)


def smaller(letter: str) -> float:
    """By what share a label of several characters is smaller, so that it keeps its place."""
    return (1.0, 0.7, 0.55)[len(letter) - 1]


@dataclass(frozen=True, slots=True)
class Cell:
    """A letter of one blank; its middle from the slip's top left."""

    blank: int
    letter: str
    x: float
    y: float


def cells(letters: Sequence[str]) -> tuple[Cell, ...]:
    """All letters of a slip with these letters."""
    return tuple(
        Cell(
            blank,
            letter,
            _LEFT_MM + _PITCH_X_MM * (place % _COLUMNS),
            _FIRST_MM[blank] + _PITCH_Y_MM * (place // _COLUMNS),
        )
        for blank in range(BLANKS)
        for place, letter in enumerate(letters)
    )

"""A printed slip in a picture: which letter is circled for each blank. Arrays only.

The four markers give the place; three are enough. Ink is what is darker than the paper around it.
A letter counts when pen ink goes round it and nothing is drawn over it; where two letters are
circled, one is crossed out with nothing else marked, or print is not to be seen, the blank is
unreadable: a person must look. Knows nothing of the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import cv2
import numpy as np

from devices.pictures import Image
from devices.vision.beside.slip_layout import (
    BOX_MM,
    ENGLISH,
    HEIGHT_MM,
    KNOWN_BY_MARKERS,
    MARKER_CORNERS_MM,
    MARKER_MM,
    OTHER_MARKER,
    WIDTH_MM,
    Alphabet,
    cells,
    smaller,
)
from devices.vision.finding.markers import DICTIONARY
from devices.vision.geometry.pose import Floats
from recorder.domain.instruments import SlipEntry, SlipMark
from recorder.domain.tile_text import read_tile

_PX_PER_MM = 8.0
_FEWEST_PX_PER_MM = 3.0
_SECTORS = 36
_INNER_MM, _OUTER_MM = 2.9, 6.4
"""Between these distances from a letter's middle a circle is looked for: beyond its own print, and
short of the next letter's."""
_OVER_MM = 2.4
_ROUND, _PARTLY, _TOUCHED = 0.62, 0.45, 0.3
"""Shares of the way round a letter: a circle, perhaps one, more than a neighbour's circle."""
_STRUCK, _BLACK = 0.10, 0.62
"""Share of a letter's place with more ink than the same letter for the other blank; or at all, if
that is far more than letters have in this picture."""
_BEYOND = 0.05
_NO_INK = 0.12
_FAINT = 0.30
"""Print this pale is out of focus or covered."""
_WORDS_MM2 = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class SlipLook:
    """A slip in a picture; ``box`` is its region for challenged words, upright, if written on.

    ``alphabet`` names the letters that it is read with.
    """

    alphabet: str
    entries: tuple[SlipEntry, ...]
    upright: Image
    box: Image | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class _Inked:
    """What was drawn at one letter: shares of the way round and of its place, and its print."""

    blank: int
    letter: str
    around: float
    over: float
    print_seen: float


def read_slip(image: Image, alphabet: Alphabet = ENGLISH) -> SlipLook | None:
    """The slip in a BGR picture; None when fewer than three of its markers are in sight.

    English and German slips are known by their markers, others are read with ``alphabet``.
    """
    found = _place(image)
    if found is None:
        return None
    first_marker, homography, px_per_mm = found
    fits = (known for known in (alphabet, *KNOWN_BY_MARKERS) if known.first_marker == first_marker)
    letters = next(fits, None)
    size = (round(WIDTH_MM * _PX_PER_MM), round(HEIGHT_MM * _PX_PER_MM))
    upright = np.asarray(
        cv2.warpPerspective(image, homography, size, flags=cv2.INTER_AREA), np.uint8
    )
    darkness = _darkness(upright)
    inked = _look_at_letters(darkness, letters or alphabet)
    seen = float(np.median([cell.print_seen for cell in inked]))
    fault = ""
    if letters is None:
        fault = "a slip of another tile set: name the set in the tiles of this camera"
    elif px_per_mm < _FEWEST_PX_PER_MM:
        fault = f"the slip is too small in the picture: {px_per_mm:.1f} pixels a millimetre"
    elif seen < _FAINT:
        fault = "the print cannot be seen: out of focus or too dark"
    entries = tuple(
        SlipEntry(mark=SlipMark.UNREADABLE, confidence=0.0) if fault else _entry(list(row))
        for _, row in groupby(inked, key=lambda cell: cell.blank)
    )
    return SlipLook((letters or alphabet).name, entries, upright, _box(upright, darkness), fault)


def _place(image: Image) -> tuple[int, Floats, float] | None:
    """The first marker, homography from the picture to the slip, pixels a millimetre."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, numbers, _ = detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    if numbers is None:
        return None
    quads = dict(zip(np.ravel(numbers).tolist(), corners, strict=True))
    for first in (*(known.first_marker for known in KNOWN_BY_MARKERS), OTHER_MARKER):
        seen = [place for place in range(4) if first + place in quads]
        if len(seen) >= 3:
            there = np.concatenate([quads[first + place].reshape(4, 2) for place in seen])
            here = np.concatenate([_marker_corners(place) for place in seen])
            homography, _ = cv2.findHomography(there, here * _PX_PER_MM)
            sides = [_side(quads[first + place].reshape(4, 2)) for place in seen]
            if homography is not None:
                return first, np.asarray(homography, np.float64), min(sides) / MARKER_MM
    return None


def _marker_corners(place: int) -> Floats:
    x, y = MARKER_CORNERS_MM[place]
    return np.array(
        [[x, y], [x + MARKER_MM, y], [x + MARKER_MM, y + MARKER_MM], [x, y + MARKER_MM]]
    )


def _side(quad: Floats) -> float:
    return float(np.hypot(*(quad - np.roll(quad, 1, axis=0)).T).mean())


def _darkness(upright: Image) -> Floats:
    """How much darker than the paper around it each pixel is, 0..1; blue ink counts as dark."""
    darkest = upright.min(axis=2)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_px(6.5), _px(6.5)))
    # Closing keeps the edge of a shadow where it is; smoothing it would draw ink along the edge.
    darkest = cv2.medianBlur(np.ascontiguousarray(darkest), 3)
    paper = cv2.morphologyEx(darkest, cv2.MORPH_CLOSE, kernel)
    result: Floats = 1.0 - darkest.astype(np.float64) / np.maximum(paper.astype(np.float64), 1.0)
    return np.clip(result, 0.0, 1.0)


def _look_at_letters(darkness: Floats, alphabet: Alphabet) -> list[_Inked]:
    noise = float(np.median(np.abs(darkness - np.median(darkness))))
    ink = darkness > max(0.14, 6 * noise)
    reach = _px(_OUTER_MM)
    offsets = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    radius = np.hypot(*offsets) / _PX_PER_MM
    sector = ((np.arctan2(*offsets) / (2 * np.pi) + 0.5) * _SECTORS).astype(int) % _SECTORS
    ring = (radius >= _INNER_MM) & (radius <= _OUTER_MM)
    over = radius <= _OVER_MM
    all_cells = cells(alphabet.letters)
    shares: dict[tuple[int, str], float] = {}
    usual: dict[str, float] = {}
    arounds: list[float] = []
    prints: list[float] = []
    for cell in all_cells:
        x, y = round(cell.x * _PX_PER_MM), round(cell.y * _PX_PER_MM)
        window = np.s_[y - reach : y + reach + 1, x - reach : x + reach + 1]
        arounds.append(len(np.unique(sector[ring & ink[window]])) / _SECTORS)
        share = shares[cell.blank, cell.letter] = float(ink[window][over].mean())
        # Small print has less ink, and blurs sooner.
        dark = float(np.percentile(darkness[window][over], 92))
        prints.append(dark / smaller(cell.letter))
        if prints[-1] >= _FAINT:  # below a hand a letter tells nothing about its twin
            usual[cell.letter] = min(share, usual.get(cell.letter, share))
    # Both the same letter and crossed out both times: only its blackness tells.
    black = max(_BLACK, 1.8 * float(np.median(list(shares.values()))))
    found: list[_Inked] = []
    for cell, around, print_seen in zip(all_cells, arounds, prints, strict=True):
        share = shares[cell.blank, cell.letter]
        excess = max(share - usual.get(cell.letter, share), 1.0 if share > black else 0.0)
        # A stroke over a letter goes beyond it; else its twin is half hidden.
        excess = excess if around >= _BEYOND else 0.0
        found.append(_Inked(cell.blank, cell.letter, around, excess, print_seen))
    return found


def _entry(row: Sequence[_Inked]) -> SlipEntry:
    """What the marks of one blank say."""
    marked = sorted(row, key=lambda cell: -(cell.around + cell.over))
    letters = tuple(
        read_tile(cell.letter) for cell in marked if cell.around >= _TOUCHED or cell.over >= _STRUCK
    )
    circled = [cell for cell in row if cell.around >= _ROUND and cell.over < _STRUCK]
    struck = [cell for cell in row if cell.over >= _STRUCK]
    perhaps = [cell for cell in row if _PARTLY <= cell.around < _ROUND and cell.over < _STRUCK]
    hidden = [cell for cell in row if cell.print_seen < _FAINT]
    if len(circled) == 1 and not perhaps and not hidden:
        # Crossed out and another circled is a player's own correction: read, but not for sure.
        spare = circled[0].around - max(o.around for o in row if o is not circled[0])
        confidence = 0.6 if struck else min(0.99, 0.75 + 0.5 * max(0.0, spare))
        return SlipEntry(
            mark=SlipMark.LETTER,
            letter=read_tile(circled[0].letter),
            confidence=round(confidence, 2),
            marked=letters,
        )
    is_clean = max(cell.around for cell in row) < _TOUCHED and not struck and not hidden
    if is_clean:
        faintest = max(cell.around for cell in row)
        sure = 0.99 if faintest < _NO_INK else 0.7
        return SlipEntry(mark=SlipMark.EMPTY, confidence=sure, marked=letters)
    return SlipEntry(mark=SlipMark.UNREADABLE, confidence=0.0, marked=letters)


def _box(upright: Image, darkness: Floats) -> Image | None:
    """The box for challenged words, when there is more ink in it than dust."""
    left, top, width, height = (_px(mm) for mm in BOX_MM)
    rim = _px(1.5)
    inside = darkness[top + rim : top + height - rim, left + rim : left + width - rim]
    if float((inside > 0.2).sum()) / _PX_PER_MM**2 < _WORDS_MM2:
        return None
    return np.ascontiguousarray(upright[top : top + height, left : left + width])


def _px(mm: float) -> int:
    return round(mm * _PX_PER_MM)

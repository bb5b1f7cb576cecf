"""What was read wrongly, as one picture to look through: crops by group, with truth and reading."""

from collections.abc import Sequence
from itertools import groupby

import cv2
import numpy as np

from calibration.lab.report.report import Mistake
from devices.pictures import Image

_COLUMNS = 8
_CROP, _GAP = 132, 14
_CAPTION, _HEAD = 46, 44
_WIDE = _COLUMNS * (_CROP + _GAP) + _GAP
_PAPER, _INK, _SOFT, _SILENT = (250, 250, 248), (40, 36, 32), (120, 114, 108), (40, 40, 200)
_FACE = "sans"


def contact_sheet(mistakes: Sequence[Mistake]) -> Image:
    """All wrong squares (BGR), group by group; a red frame is a mistake that was not flagged."""
    rows = [_title(len(mistakes), sum(not m.is_flagged for m in mistakes))]
    ordered = sorted(mistakes, key=lambda mistake: (mistake.group, mistake.place))
    for group, of_group in groupby(ordered, key=lambda mistake: mistake.group):
        shown = list(of_group)
        rows.append(_line(f"{group or 'tiles'}: {len(shown)} wrong", 20, _INK, _HEAD))
        starts = range(0, len(shown), _COLUMNS)
        rows += [_row(shown[start : start + _COLUMNS]) for start in starts]
    return np.vstack(rows)


def _title(wrong: int, silent: int) -> Image:
    said = f"{wrong} squares read wrongly, {silent} of them not flagged as doubtful (red)"
    return _line(said if wrong else "no square was read wrongly", 24, _INK, _HEAD + 16)


def _line(text: str, size: int, colour: tuple[int, int, int], height: int) -> Image:
    paper = _paper(height)
    _write(paper, text, (_GAP, height - 14), size, colour)
    return paper


def _row(mistakes: Sequence[Mistake]) -> Image:
    paper = _paper(_CROP + _CAPTION + _GAP)
    for number, mistake in enumerate(mistakes):
        left = _GAP + number * (_CROP + _GAP)
        crop = cv2.resize(mistake.crop, (_CROP, _CROP), interpolation=cv2.INTER_CUBIC)
        paper[:_CROP, left : left + _CROP] = crop
        if not mistake.is_flagged:
            corner = (left + _CROP - 2, _CROP - 2)
            cv2.rectangle(paper, (left + 1, 1), corner, _SILENT, 3)
        said = f"{_named(mistake.truth)} > {_named(mistake.read)}  {mistake.confidence:.2f}"
        _write(paper, said, (left, _CROP + 17), 13, _INK)
        _write(paper, _short(mistake.place), (left, _CROP + 34), 11, _SOFT)
    return paper


def _named(symbol: str) -> str:
    return {".": "empty", "?": "blank", "#": "hand"}.get(symbol, symbol)


def _short(place: str, most: int = 23) -> str:
    return place if len(place) <= most else f"...{place[3 - most :]}"


def _paper(height: int) -> Image:
    return np.full((height, _WIDE, 3), _PAPER, np.uint8)


def _write(
    paper: Image, text: str, at: tuple[int, int], size: int, colour: tuple[int, int, int]
) -> None:
    cv2.putText(paper, text, at, colour, cv2.FontFace(_FACE), size, 500)

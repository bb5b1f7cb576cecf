"""Type for boards and tiles: glyph masks at a wanted capital height.

The built-in faces of OpenCV 5 need no files; training adds font files by path. A face without
a glyph is refused, so that no placeholder box is ever learned as a letter.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from recorder.domain.observations import ACCENTED, JOINED

Mask = npt.NDArray[np.uint8]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"
FOREIGN = "БДЖЛФЦЧЪЫЬЮЯΔΞΨΩ"
"""Letters that no supported set has, Cyrillic and Greek; none like a letter that lies turned."""
_DRAWN_PX = 96
_NO_GLYPH = "\U000e0fff"
_DOTTED = "ÄÖÜÑÅĆŃÓŚŹŻ"
"""Letters with something above the height of a capital."""


@dataclass(frozen=True, slots=True)
class QTail:
    """The tail of a Q that is drawn on an O: a bent line, in cap heights from the O's middle."""

    points: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    thickness: float


@dataclass(frozen=True, slots=True)
class Cut:
    """How a typeface is changed for one tile set.

    ``stretch`` is the width against the typeface's own, ``heft`` how much thicker (below 0
    thinner) strokes are and ``i_serifs`` how far the bars of an I reach to each side, both in cap
    heights; a ``q_tail`` replaces the typeface's own Q.
    """

    stretch: float = 1.0
    heft: float = 0.0
    i_serifs: float = 0.0
    q_tail: QTail | None = None


AS_DRAWN = Cut()


class Face:
    """A typeface with a weight (0: as the file has it; the built-in ones take 100..900)."""

    def __init__(self, source: str = "sans", weight: int = 0) -> None:
        """``source`` is a built-in name (``sans``, ``italic``, ``uni``) or the path of a file."""
        self.name = Path(source).stem
        self._source = source
        self._face = cv2.FontFace(source)
        self._weight = weight
        self._masks: dict[str, Mask] = {}
        self._cap_px = float(self._drawn("H").shape[0])

    def __reduce__(self) -> tuple[type["Face"], tuple[str, int]]:
        """Sent to another process as what it was made from."""
        return Face, (self._source, self._weight)

    def __eq__(self, other: object) -> bool:
        """Whether the same is drawn by it."""
        return isinstance(other, Face) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        """The same for faces that draw the same."""
        return hash(self.__reduce__())

    def _drawn(self, text: str) -> Mask:
        mask = self._masks.get(text)
        if mask is None:
            canvas = np.zeros((_DRAWN_PX * 2, _DRAWN_PX * (len(text) + 2), 3), np.uint8)
            origin = (_DRAWN_PX // 2, _DRAWN_PX + _DRAWN_PX // 2)
            white = (255, 255, 255)
            cv2.putText(canvas, text, origin, white, self._face, _DRAWN_PX, self._weight)
            x, y, width, height = cv2.boundingRect(canvas[..., 0])
            mask = np.ascontiguousarray(canvas[y : y + height, x : x + width, 0])
            self._masks[text] = mask
        return mask

    def is_complete(self) -> bool:
        """Whether every letter and digit has a glyph of its own, and capitals are capitals."""
        box = self._drawn(_NO_GLYPH)
        glyphs = [self._drawn(character) for character in LETTERS + "0123456789"]
        distinct = {mask.tobytes() for mask in glyphs}
        whole = all(mask.size > 40 and mask.tobytes() != box.tobytes() for mask in glyphs)
        # Symbol fonts answer with shapes of wild sizes where capitals share a height.
        heights = np.array([mask.shape[0] for mask in glyphs[:26]], dtype=float)
        even = bool(np.abs(heights - self._cap_px).max() < 0.45 * self._cap_px)
        return len(distinct) == len(glyphs) and whole and even

    @cached_property
    def extras(self) -> tuple[str, ...]:
        """The accented, joined and other letters that this face draws, in their notation."""
        box = self._drawn(_NO_GLYPH).tobytes()
        plain = {self._drawn(letter).tobytes() for letter in LETTERS}

        def has(text: str) -> bool:
            masks = [self._drawn(part) for part in text]
            return all(mask.size > 40 and mask.tobytes() != box for mask in masks)

        known = {*plain}
        distinct = []
        for sign in filter(has, ACCENTED + FOREIGN):
            drawn = self._drawn(sign).tobytes()
            if drawn not in known:
                known.add(drawn)
                distinct.append(sign)
        return (*distinct, *(text for text in JOINED if has(_label(text))))

    def mask(
        self, text: str, cap_px: float, umlaut_squeeze: float = 0.0, cut: Cut = AS_DRAWN
    ) -> Mask:
        """The inked shape (0..255), cropped, so that a capital H is ``cap_px`` high.

        ``text`` is a letter in the notation of tiles, or any text. ``umlaut_squeeze`` 0..1 presses
        letters with dots towards the height of a capital.
        """
        drawn = self._cut(_label(text), cut)
        scale = cap_px / self._cap_px
        width, height = drawn.shape[1] * scale * cut.stretch, drawn.shape[0] * scale
        if text in _DOTTED:
            height += umlaut_squeeze * (cap_px - height)
        size = (max(1, round(width)), max(1, round(height)))
        return np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def _cut(self, text: str, cut: Cut) -> Mask:
        drawn = self._drawn(text)
        if text == "Q" and cut.q_tail is not None:
            drawn = _with_tail(self._drawn("O"), cut.q_tail, self._cap_px)
        if text == "I" and cut.i_serifs > 0:
            drawn = _with_bars(drawn, round(cut.i_serifs * self._cap_px), self._cap_px)
        grown = round(abs(cut.heft) * self._cap_px)
        if grown == 0:
            return drawn
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (grown + 1, grown + 1))
        if cut.heft > 0:
            padded = cv2.copyMakeBorder(drawn, grown, grown, grown, grown, cv2.BORDER_CONSTANT)
            return np.asarray(cv2.dilate(padded, kernel), np.uint8)
        thinner = np.asarray(cv2.erode(drawn, kernel), np.uint8)
        # A thin stroke that would vanish stays as the face has it.
        return thinner if thinner.sum() > 0.5 * drawn.sum() else drawn


def _label(text: str) -> str:
    """What is printed: CH for ``[CH]``."""
    return text.strip("[]")


def is_dotted(letter: str) -> bool:
    """Whether something of a letter stands above the height of a capital."""
    return letter in _DOTTED


def _with_tail(ring: Mask, tail: QTail, cap_px: float) -> Mask:
    """An O with a tail: a Q as tile makers draw it."""
    pad = round(0.35 * cap_px)
    canvas = cv2.copyMakeBorder(ring, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    middle = np.array([canvas.shape[1] / 2, canvas.shape[0] / 2])
    start, bend, end = (middle + cap_px * np.array(point) for point in tail.points)
    t = np.linspace(0.0, 1.0, 12)[:, None]
    line = (1 - t) ** 2 * start + 2 * t * (1 - t) * bend + t**2 * end
    thick = max(2, round(tail.thickness * cap_px))
    points = np.rint(line).astype(np.int32)
    cv2.polylines(
        canvas, [points], isClosed=False, color=255, thickness=thick, lineType=cv2.LINE_AA
    )
    x, y, width, height = cv2.boundingRect(np.asarray(canvas, np.uint8))
    return np.ascontiguousarray(canvas[y : y + height, x : x + width])


def _with_bars(stem: Mask, reach: int, cap_px: float) -> Mask:
    """An I with bars at its head and foot."""
    if stem.shape[1] > 0.45 * cap_px:
        return stem
    canvas = cv2.copyMakeBorder(stem, 0, 0, reach, reach, cv2.BORDER_CONSTANT)
    thick = max(2, round(0.6 * min(stem.shape[1], 0.16 * cap_px)))
    canvas[:thick] = canvas[-thick:] = 255
    return np.asarray(canvas, np.uint8)


def stamp(canvas: Mask, mask: Mask, centre: tuple[float, float]) -> None:
    """Lay a mask on a larger one with its middle at ``centre`` (x, y), cut at the edges."""
    height, width = mask.shape
    left, top = round(centre[0] - width / 2), round(centre[1] - height / 2)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, canvas.shape[1]), min(top + height, canvas.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = canvas[y0:y1, x0:x1]
    np.maximum(part, mask[y0 - top : y1 - top, x0 - left : x1 - left], out=part)

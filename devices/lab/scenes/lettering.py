"""Type for boards and tiles: glyph masks at a wanted capital height.

The built-in faces of OpenCV 5 need no files; training adds font files by path. A face that lacks
a glyph is refused, so that no placeholder box is ever learned as a letter.
"""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.uint8]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"
_DRAWN_PX = 96
_NO_GLYPH = "\U000e0fff"
_UMLAUT_BASE = {"Ä": "A", "Ö": "O", "Ü": "U"}


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
        even = bool(np.abs(heights / self._cap_px - 1.0).max() < 0.45)
        return len(distinct) == len(glyphs) and whole and even

    def mask(self, text: str, cap_px: float, umlaut_squeeze: float = 0.0) -> Mask:
        """The inked shape (0..255), cropped, so that a capital H is ``cap_px`` high.

        ``umlaut_squeeze`` 0..1 presses letters with dots towards the height of a capital.
        """
        drawn = self._drawn(text)
        scale = cap_px / self._cap_px
        width, height = drawn.shape[1] * scale, drawn.shape[0] * scale
        if text in _UMLAUT_BASE:
            height += umlaut_squeeze * (cap_px - height)
        size = (max(1, round(width)), max(1, round(height)))
        return np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


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

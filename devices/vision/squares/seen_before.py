"""Which squares look as they did when they were read: they need no other reading. Pure arrays.

Every look at a board that nobody touched shows the same; what differs since is a new tile, a hand
or the light. Where most squares are as they were, lines of the print and all, the board lies where
it lay.
"""

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from recorder.domain.board import SIZE

_SAME = 10
"""Grey levels by which any part of a square differs at most, noise averaged out."""
_MOST_CHANGED = 0.4
"""Where more of the squares differ, the board, the camera or the light has changed."""
_SOFT = 3
"""Pixels of a view that are averaged."""


def changed_squares(before: Image, now: Image, square_px: int) -> npt.NDArray[np.intp] | None:
    """The squares that differ between two views of a field; None when most of it does.

    Views are [n, n, 3]: the field with the same rim on all sides, so many pixels for a square.
    A square differs where its neighbours' rims do, as far as the crop of it shows them.
    """
    soft = [cv2.blur(view, (_SOFT, _SOFT)) for view in (before, now)]
    differs = (cv2.absdiff(*soft).max(axis=2) > _SAME).astype(np.uint8)
    rim = (len(now) - SIZE * square_px) // 2
    span = square_px + 2 * rim
    whole = cv2.dilate(differs, np.ones((span, span), np.uint8), anchor=(0, 0))
    parts = whole[: SIZE * square_px : square_px, : SIZE * square_px : square_px]
    changed = np.flatnonzero(parts)
    return None if len(changed) > _MOST_CHANGED * SIZE * SIZE else changed


def with_squares(before: Image, now: Image, squares: npt.NDArray[np.intp], square_px: int) -> Image:
    """The earlier view with these squares as they look now."""
    rim = (len(now) - SIZE * square_px) // 2
    result = before.copy()
    for square in squares:
        row, col = divmod(int(square), SIZE)
        down = slice(row * square_px, (row + 1) * square_px + 2 * rim)
        across = slice(col * square_px, (col + 1) * square_px + 2 * rim)
        result[down, across] = now[down, across]
    return result

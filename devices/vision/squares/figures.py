"""Letters without the figures beside them: a 3 tucked under the bowl of a P makes no B.

Seen closely, a figure is a patch of ink by itself. Painted over with the tile's own colour it
leaves the letter alone, which is then judged once more.
"""

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image

_TILE = 0.42
"""Ink counts in so much of a square to each side of the tile's middle: beyond are rims."""
_LEAST_CONTRAST = 18.0
_LEAST_INK = 0.004
"""Square squares of ink that are no speck."""
_RIM = 0.03
"""How far around the ink of a figure its blurred rim reaches."""
_TRIES = 5
"""Levels of ink that are tried until a figure that touches its letter stands by itself."""
_LEAST_HIGH, _MOST_HIGH = 0.2, 0.75
"""Heights of figures, in those of their letters."""
_LOWER = 0.1
"""How far below the middle of the letter that of its figure lies at least, in its heights."""


def without_figure(crop: Image, square_px: float) -> Image | None:
    """The crop [side, side, 3], a tile in its middle, with the figure painted over.

    None where no patch of ink at the letter's lower right stands by itself.
    """
    side, reach = crop.shape[0], round(_TILE * square_px)
    inside = slice(side // 2 - reach, side // 2 + reach)
    levels = _inked(crop[inside, inside])
    if levels is None:
        return None
    lowest, _ = cv2.threshold(levels, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    for level in np.linspace(lowest, 0.85 * 255, _TRIES):
        figure = _figure(levels > level, square_px)
        if figure is not None:
            painted = np.zeros((side, side), np.uint8)
            painted[inside, inside] = figure
            wide = max(1, round(_RIM * square_px))
            return np.asarray(cv2.inpaint(crop, painted, wide, cv2.INPAINT_TELEA), np.uint8)
    return None


def _figure(ink: npt.NDArray[np.bool_], square_px: float) -> npt.NDArray[np.uint8] | None:
    """Where figures are, rims included (0 or 1), [side, side]."""
    count, patches, facts, middles = cv2.connectedComponentsWithStats(
        ink.astype(np.uint8), connectivity=8
    )
    least = _LEAST_INK * square_px**2
    some = [k for k in range(1, count) if facts[k, cv2.CC_STAT_AREA] >= least]
    if len(some) < 2:
        return None
    letter = max(some, key=lambda k: facts[k, cv2.CC_STAT_HEIGHT] * facts[k, cv2.CC_STAT_AREA])
    high = facts[letter, cv2.CC_STAT_HEIGHT]
    figures = [
        k
        for k in some
        if _LEAST_HIGH <= facts[k, cv2.CC_STAT_HEIGHT] / high <= _MOST_HIGH
        and middles[k][0] > middles[letter][0]
        and middles[k][1] > facts[letter, cv2.CC_STAT_TOP] + (0.5 + _LOWER) * high
    ]
    if not figures:
        return None
    wide = max(1, round(_RIM * square_px))
    painted = cv2.dilate(np.isin(patches, figures).astype(np.uint8), _square(2 * wide + 1))
    painted[cv2.dilate((patches == letter).astype(np.uint8), _square(3)) > 0] = 0
    return np.asarray(painted, np.uint8)


def _square(side: int) -> npt.NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


def _inked(tile: Image) -> npt.NDArray[np.uint8] | None:
    """How much differs from the tile's own colour, [side, side]; None where too little does."""
    lab = cv2.cvtColor(tile, cv2.COLOR_BGR2LAB).astype(np.float32)
    face = np.median(lab.reshape(-1, 3), axis=0)
    far = np.linalg.norm(lab - face, axis=2)
    most = float(np.percentile(far, 97))
    if most < _LEAST_CONTRAST:
        return None
    return np.asarray(np.clip(far * (255.0 / most), 0, 255), np.uint8)

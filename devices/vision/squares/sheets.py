"""What lies flat over the board and hides its print: a banner in the picture, a score sheet.

Neither hand nor tile: squares side by side have one colour that no bare square and no tile of this
board has, and no line between them.
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.geometry.from_above import by_square, from_above
from devices.vision.geometry.pose import Floats
from devices.vision.squares.net import LETTER_CLASSES
from devices.vision.squares.occlusion import tell
from devices.vision.squares.squares import SquareReading
from recorder.domain.board import SIZE, SQUARES
from recorder.domain.observations import SEEN

_PX = 12
_SURE = float(np.log(0.95))
_CLOSE = 14.0
"""Grey levels of Lab within which pixels are of one colour."""
_STRANGE = 26.0
"""And from which a colour is none of the board's and none of its tiles'."""
_MOSTLY = 0.5
"""The part of a square, and of the seam between two, that must show the colour."""
_FEWEST = 4
_COVERED_CHANCE = float(np.log(0.9))
_EMPTY, _COVERED = SEEN.index("."), SEEN.index("#")

Bools = npt.NDArray[np.bool_]


def under_a_sheet(image: Image, reading: SquareReading) -> SquareReading:
    """The reading with the squares covered that something flat hides; else as it is."""
    log_probs = reading.log_probs.reshape(SQUARES, -1)
    sure = (log_probs.max(axis=1) > _SURE) & reading.read.ravel()
    unsure = ~sure & (log_probs[:, LETTER_CLASSES].max(axis=1) < _SURE)
    if unsure.sum() < _FEWEST or sure.sum() < _FEWEST:
        return reading
    flat = _flat(image, reading.tops)
    middles = np.median(by_square(flat, _PX).reshape(SQUARES, -1, 3), axis=1)
    hidden = np.zeros(SQUARES, bool)
    for square in np.flatnonzero(unsure):
        if hidden[square]:
            continue
        group = _of_one_colour(flat, middles[square], int(square))
        known = sure & ~group
        if group.sum() < _FEWEST or not known.any() or 2 * (unsure & group).sum() < group.sum():
            continue
        gaps = np.linalg.norm(middles[known] - middles[square], axis=1)
        if gaps.min() > _STRANGE:
            hidden |= group
    if not hidden.any():
        return reading
    changed = log_probs.copy()
    tell(changed, hidden, _COVERED, _COVERED_CHANCE)
    return replace(reading, log_probs=changed.reshape(reading.log_probs.shape))


def _of_one_colour(flat: Floats, colour: Floats, start: int) -> Bools:
    """The squares around this one that show the colour, without a line between them, [225]."""
    shows = np.linalg.norm(flat - colour, axis=2) < _CLOSE
    parts = shows.reshape(SIZE, _PX, SIZE, _PX).mean(axis=(1, 3)) > _MOSTLY
    seam = shows.astype(np.float32)
    down = seam[_PX - 2 :: _PX][: SIZE - 1] + seam[_PX - 1 :: _PX][: SIZE - 1]
    down = (down + seam[_PX::_PX] + seam[_PX + 1 :: _PX]) / 4
    across = seam[:, _PX - 2 :: _PX][:, : SIZE - 1] + seam[:, _PX - 1 :: _PX][:, : SIZE - 1]
    across = (across + seam[:, _PX::_PX] + seam[:, _PX + 1 :: _PX]) / 4
    opens_down = down.reshape(SIZE - 1, SIZE, _PX).mean(axis=2) > _MOSTLY
    opens_across = across.reshape(SIZE, _PX, SIZE - 1).mean(axis=1) > _MOSTLY
    grid = np.zeros((2 * SIZE - 1, 2 * SIZE - 1), np.uint8)
    grid[::2, ::2] = parts
    grid[1::2, ::2] = opens_down & parts[1:] & parts[:-1]
    grid[::2, 1::2] = opens_across & parts[:, 1:] & parts[:, :-1]
    _, groups = cv2.connectedComponents(grid, connectivity=4)
    here = groups[::2, ::2].ravel()
    own: Bools = (here == here[start]) & (here > 0)
    return own


def _flat(image: Image, homography: Floats) -> Floats:
    """The field from above in Lab, [15 * 12, 15 * 12, 3]."""
    flat = from_above(image, homography, _PX)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), np.float32)

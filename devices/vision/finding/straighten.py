"""A lens that bends straight lines: how much it does, measured on the board's own grid.

One number, the first radial term: a point at ``r`` half diagonals from the middle of the straight
picture lies at ``r * (1 + bend * r * r)`` of the taken one. Webcams and wide phone lenses have -0.3
(barrel) to 0.1 (pincushion). Knows nothing of letters.
"""

import cv2
import numpy as np

from devices.pictures import Image, shrunk
from devices.vision.finding.locate import locate
from devices.vision.finding.refine import FINE, misfit, refine
from devices.vision.geometry.pose import Floats, Pose

_WORKING_SIDE = 800
_STEP = 0.06
_STARTS = (-0.15, -0.3)
"""A grid found in a picture that is much bent is itself bent out of place: it is found again.

Where a little pincushion fits better than a little barrel, no great barrel is tried.
"""
_ROUNDS_OF_STEPS = 2
_CLEAR = 0.93
"""The bent grid must leave less than this part of the straight one's misfit."""
_WORTH_MORE = 0.93
"""One step either way leaves less than this part where the lens bends much, seldom elsewhere."""
_SLIGHT = 0.08
"""On photographs bends of up to 0.07 are measured that make the corners no better."""
_ROUNDS = 30
_FOLD = 2 / 3
"""How much smaller things get at most, where a barrel begins to turn in on itself."""


def measure_bend(image: Image, pose: Pose, *, thorough: bool = False) -> float:
    """How much the lens bends lines, 0.0 where the grid does not clearly speak for a bend.

    ``pose`` is where the board was found in the BGR picture as it is, up to a square off. Where
    neither a little barrel nor a little pincushion fits better, nothing more is tried, unless it
    shall be ``thorough``: a grid that a great bend has torn out of place may not show it.
    """
    small, factor = shrunk(image, _WORKING_SIDE)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    as_it_is = pose.scaled(factor)
    barrel, unbent, pincushion = (_misfit(lab, as_it_is, bend) for bend in (-_STEP, 0.0, _STEP))
    straight = unbent[0]
    if not thorough and min(barrel, pincushion, key=_first)[0] >= _WORTH_MORE * straight:
        return 0.0
    further = (_misfit(lab, as_it_is, bend) for bend in (-2 * _STEP, 2 * _STEP))
    best = min([(straight, 0.0, as_it_is), barrel, unbent, pincushion, *further], key=_first)
    for start in _STARTS if thorough or barrel[0] <= pincushion[0] else ():
        found = _found_straight(small, start)
        if found is not None:
            tried = [start + _STEP * step for step in (-2, -1, 0, 1, 2)]
            best = min([best, *(_misfit(lab, found, bend) for bend in tried)], key=_first)
    if best[0] >= _CLEAR * straight:
        return 0.0
    for finer in range(1, _ROUNDS_OF_STEPS + 1):
        step = _STEP / 3**finer
        tried = [best[1] - step, best[1] + step]
        best = min([best, *(_misfit(lab, best[2], bend) for bend in tried)], key=_first)
    return float(best[1]) if abs(best[1]) > _SLIGHT else 0.0


_Try = tuple[float, float, Pose]
"""The misfit, the bend, and the pose in the picture as it was taken."""


def _first(tried: _Try) -> float:
    return tried[0]


def _found_straight(small: Image, bend: float) -> Pose | None:
    """The board searched in the picture made straight, given in the picture as it was taken."""
    found = locate(straightened(small, bend))
    return None if found is None else _as_taken(found, bend, small)


def _as_taken(pose: Pose, bend: float, image: Image) -> Pose:
    corners = to_taken(np.asarray(pose.corners()), bend, image.shape[1], image.shape[0])
    return Pose.from_corners(corners, pose.score)


def _misfit(lab: Image, pose: Pose, bend: float) -> _Try:
    straight = straightened(lab, bend) if bend else lab
    corners = to_straight(np.asarray(pose.corners()), bend, lab.shape[1], lab.shape[0])
    fitted = refine(straight, Pose.from_corners(corners, pose.score), FINE)
    return misfit(straight, fitted), bend, _as_taken(fitted, bend, lab)


def straightened(image: Image, bend: float) -> Image:
    """The picture as a lens that bends nothing takes it, of the same size."""
    height, width = image.shape[:2]
    middle, unit = _middle(width, height), _unit(width, height)
    # As ``to_taken``, but on rows and columns apart: this is done for a whole picture at a time.
    across = ((np.arange(width) - middle[0]) / unit)[None, :].astype(np.float32)
    down = ((np.arange(height) - middle[1]) / unit)[:, None].astype(np.float32)
    factor = np.float32(unit) * (1 + np.float32(bend) * (across**2 + down**2))
    found: Image = cv2.remap(
        image,
        across * factor + np.float32(middle[0]),
        down * factor + np.float32(middle[1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return found


def to_taken(points: Floats, bend: float, width: int, height: int) -> Floats:
    """Where points [..., 2] of the straight picture (px) lie in the taken one."""
    off, unit = _from_middle(points, width, height)
    found: Floats = off * (1.0 + bend * (off**2).sum(axis=-1, keepdims=True))
    return found * unit + _middle(width, height)


def to_straight(points: Floats, bend: float, width: int, height: int) -> Floats:
    """Where points [..., 2] of the taken picture (px) lie in the straight one."""
    off, unit = _from_middle(points, width, height)
    found = off
    for _ in range(_ROUNDS):
        # Much bent, the corners of the taken picture come from nowhere: the limit is kept to.
        square = (found**2).sum(axis=-1, keepdims=True)
        found = off / np.maximum(1.0 + bend * square, _FOLD)
    result: Floats = found * unit + _middle(width, height)
    return result


def _from_middle(points: Floats, width: int, height: int) -> tuple[Floats, float]:
    """Points in half diagonals from the picture's middle, and how many px these are."""
    unit = _unit(width, height)
    found: Floats = (np.asarray(points, dtype=np.float64) - _middle(width, height)) / unit
    return found, unit


def _unit(width: int, height: int) -> float:
    return float(np.hypot(width, height)) / 2


def _middle(width: int, height: int) -> Floats:
    return np.array([(width - 1) / 2, (height - 1) / 2])

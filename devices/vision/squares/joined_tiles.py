"""Tiles on a board hang together: a gap that would part them, and may hide a blank, is one.

A blank of bare wood on a square of its own colour shows little more than a rim. Where the tiles
that are read fall into groups which one such square would join, that says more than its picture.
Only for a look that knows no earlier one: while a play is being laid, groups are nothing odd.
"""

import cv2
import numpy as np
import numpy.typing as npt

from devices.vision.geometry.pose import Floats
from recorder.domain.board import SIZE
from recorder.domain.observations import BLANK_SYMBOL, COVERED_SYMBOL, EMPTY_SYMBOL, SEEN

LIKELY_ENOUGH = 0.002
"""On 133 photographs no bare square that would join groups is a blank by more than 0.0005."""
SURE_ENOUGH = 0.98
"""A blank from this probability stays where it is."""
AFTERWARDS = 0.8
"""How probable the blank is then: the square stays doubtful."""

_EMPTY, _BLANK, _COVERED = (
    SEEN.index(symbol) for symbol in (EMPTY_SYMBOL, BLANK_SYMBOL, COVERED_SYMBOL)
)


def joined_by_blanks(log_probs: Floats, blanks: int) -> Floats:
    """``log_probs`` [15, 15, 32] with bare squares reported as blanks that join groups of tiles.

    At most as many as are left of ``blanks``, those that the set has; a blank that is less than
    sure and joins nothing gives way. The argument is not changed.
    """
    flat = log_probs.reshape(-1, len(SEEN)).copy()
    while (found := _missing(flat, blanks)) is not None:
        square, instead_of = found
        _read_as(flat, square, _BLANK)
        if instead_of is not None:
            _read_as(flat, instead_of, _EMPTY)
    return flat.reshape(log_probs.shape)


def _read_as(flat: Floats, square: int, symbol: int) -> None:
    flat[square] += np.log1p(-AFTERWARDS) - np.log1p(-np.exp(flat[square, symbol]))
    flat[square, symbol] = np.log(AFTERWARDS)


def _missing(flat: Floats, blanks: int) -> tuple[int, int | None] | None:
    """The square that most likely joins groups as a blank, and the blank that gives way to it.

    None where no square would.
    """
    best = flat.argmax(axis=1)
    if (best == _COVERED).any():
        return None
    tiles = best != _EMPTY
    instead_of = None
    if np.count_nonzero(best == _BLANK) >= blanks:
        instead_of = _idle_blank(flat, tiles)
        if instead_of is None:
            return None
        tiles[instead_of] = False
    now = _groups(tiles)
    if now < 2:
        return None
    likely = np.flatnonzero((best == _EMPTY) & (flat[:, _BLANK] >= np.log(LIKELY_ENOUGH)))
    for square in likely[np.argsort(-flat[likely, _BLANK])]:
        filled = tiles.copy()
        filled[square] = True
        if _groups(filled) < now:
            return int(square), instead_of
    return None


def _idle_blank(flat: Floats, tiles: npt.NDArray[np.bool_]) -> int | None:
    """The least sure blank that joins nothing, or None."""
    now = _groups(tiles)
    unsure = np.flatnonzero(
        (flat.argmax(axis=1) == _BLANK) & (flat[:, _BLANK] < np.log(SURE_ENOUGH))
    )
    for square in unsure[np.argsort(flat[unsure, _BLANK])]:
        without = tiles.copy()
        without[square] = False
        if _groups(without) <= now:
            return int(square)
    return None


def _groups(tiles: npt.NDArray[np.bool_]) -> int:
    """In how many groups the tiles lie that touch each other at their sides."""
    field = tiles.reshape(SIZE, SIZE).astype(np.uint8)
    count, _ = cv2.connectedComponents(field, connectivity=4)
    return int(count) - 1

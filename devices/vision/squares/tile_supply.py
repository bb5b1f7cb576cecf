"""No set has more tiles of a letter than its distribution says: the whole board judges a square.

On a full board an unsure B that would be the third of two is an E. Only what is unsure gives way:
a board that surely shows more tiles than the set has is left as it is, for people to look at.
"""

import numpy as np
import numpy.typing as npt

from devices.vision.geometry.pose import Floats
from devices.vision.set_symbols import count_of, symbols_of
from recorder.domain.observations import BLANK_SYMBOL, EMPTY_SYMBOL, SEEN
from recorder.domain.tiles import TileSet

MOST_GIVEN_UP = 4.0
"""Nats by which a symbol may have been likelier than the one that takes its place."""
STEP_BACK = 0.7
"""Nats by which it is less likely afterwards; the square stays doubtful."""


def within_supply(log_probs: Floats, tile_set: TileSet) -> Floats:
    """``log_probs`` [15, 15, 32] with the least certain of too many tiles read otherwise.

    Changes one square at a time, the cheapest first, to a symbol that the set still has tiles of
    (or to empty). The result is normalised; the argument is not changed.
    """
    flat = log_probs.reshape(-1, len(SEEN)).astype(np.float32)
    faces = [SEEN.index(face) for face in (BLANK_SYMBOL, *symbols_of(tile_set))]
    limit = np.full(len(SEEN), len(flat))
    limit[faces] = [count_of(tile_set, SEEN[face]) for face in faces]
    targets = np.array([SEEN.index(EMPTY_SYMBOL), *faces])
    while (change := _cheapest(flat, limit, targets)) is not None:
        square, symbol = change
        above = flat[square] >= flat[square, symbol]
        above[symbol] = False
        flat[square, above] = flat[square, symbol] - STEP_BACK
        flat[square] -= np.logaddexp.reduce(flat[square])
    return flat.reshape(log_probs.shape)


def _cheapest(
    flat: Floats, limit: npt.NDArray[np.int_], targets: npt.NDArray[np.int_]
) -> tuple[int, int] | None:
    """The square and its new symbol that give up least, or ``None`` when none should change."""
    best = flat.argmax(axis=1)
    counts = np.bincount(best, minlength=len(SEEN))
    squares = np.flatnonzero(counts[best] > limit[best])
    free = targets[counts[targets] < limit[targets]]
    if len(squares) == 0 or len(free) == 0:
        return None
    given_up = flat[squares, best[squares]][:, None] - flat[squares][:, free]
    at = int(given_up.argmin())
    if given_up.flat[at] > MOST_GIVEN_UP:
        return None
    row, column = divmod(at, len(free))
    return int(squares[row]), int(free[column])

"""What is new on a board since an earlier look, what is gone, and how sure that is.

A square under a hand is neither: what was known of it stays known. Pure arrays; which looks are
compared is up to the camera.
"""

import numpy as np
import numpy.typing as npt

from recorder.domain.board import SQUARES
from recorder.domain.observations import (
    COVERED_SYMBOL,
    EMPTY_SYMBOL,
    SEEN,
    SquareChange,
    read_symbol,
)

LogProbs = npt.NDArray[np.float32]
"""[225, n] natural logarithms over ``SEEN``, or [15, 15, 32]."""

_EMPTY, _COVERED = SEEN.index(EMPTY_SYMBOL), SEEN.index(COVERED_SYMBOL)


def covered_squares(log_probs: LogProbs) -> tuple[int, ...]:
    """The squares (0 is A1, 1 is B1) that are more likely covered than anything else."""
    best = log_probs.reshape(SQUARES, -1).argmax(axis=1)
    return tuple(int(square) for square in np.flatnonzero(best == _COVERED))


def changes_since(before: LogProbs, now: LogProbs) -> tuple[SquareChange, ...]:
    """The squares that show another symbol than before, neither look being covered there.

    The confidence of a tile that is new or gone is the probability that there was none and is one
    now, or the other way round, whatever its letter; of a letter that reads otherwise, that it
    is the new one and was not before. Two looks count as independent, which flatters what one
    bad light does to both.
    """
    old, new = (np.exp(part.reshape(SQUARES, -1).astype(np.float64)) for part in (before, now))
    was, is_ = old.argmax(axis=1), new.argmax(axis=1)
    seen = (was != _COVERED) & (is_ != _COVERED)
    changes = []
    for square in np.flatnonzero(seen & (was != is_)).tolist():
        had, has = (1.0 - part[square, [_EMPTY, _COVERED]].sum() for part in (old, new))
        if was[square] == _EMPTY:
            sure = old[square, _EMPTY] * has
        elif is_[square] == _EMPTY:
            sure = had * new[square, _EMPTY]
        else:
            sure = new[square, is_[square]] * (1.0 - old[square, is_[square]])
        change = SquareChange(
            square=square,
            was=read_symbol(SEEN[was[square]]),
            now=read_symbol(SEEN[is_[square]]),
            confidence=round(float(np.clip(sure, 0.0, 1.0)), 3),
        )
        changes.append(change)
    return tuple(changes)


def remembered(before: LogProbs | None, now: LogProbs) -> LogProbs:
    """What is known of the board after this look: where a hand is, what was known before."""
    flat = now.reshape(SQUARES, -1).copy()
    if before is not None:
        hidden = list(covered_squares(now))
        flat[hidden] = before.reshape(SQUARES, -1)[hidden]
    return flat

"""A board that lies in two lights: part of it in a hard shadow. Pure arrays.

A shadow multiplies every colour, so a square in it is compared as it would look outside. Light
that falls off gently is not two lights; ``colours`` evens it out in its own way.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from recorder.domain.board import SQUARES, STANDARD_PREMIUMS, Premium

Pixels = npt.NDArray[np.float32]
SquareMask = npt.NDArray[np.bool_]

PLAIN = np.array([premium is Premium.NONE for premium in STANDARD_PREMIUMS])
_ENOUGH_PLAIN = 30
_DARKER = 0.75
_BETWEEN = 0.15
"""Light that falls off gently leaves more squares than that between light and dark."""
_APART = 0.84
"""Levels spread evenly over a range reach 0.75."""
_ROWS, _COLS = np.divmod(np.arange(SQUARES), 15)
_AWAY = np.hypot(_ROWS[:, None] - _ROWS[None], _COLS[:, None] - _COLS[None])
_BESIDE = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class TwoLights:
    """How bright every square is lit, [225]: 1, or less in the shadow.

    ``other`` is the light beside it, the same where only one is near: the rim may cross a square.
    """

    own: Pixels
    other: Pixels


def shade_ratio(plain: Pixels) -> float | None:
    """How much darker the shaded ones of plain squares [N, 3] are (0..1); None in one light."""
    if len(plain) < _ENOUGH_PLAIN:
        return None
    level = np.sort(plain.sum(axis=1))
    low, high = level[len(level) // 10], level[-1 - len(level) // 10]
    dark, bright = level[level < (low + high) / 2], level[level >= (low + high) / 2]
    if min(len(dark), len(bright)) <= _ENOUGH_PLAIN // 4:
        return None
    ratio = float(np.median(dark) / max(float(np.median(bright)), 1.0))
    between = (level > np.median(dark) * 1.25) & (level < np.median(bright) * 0.8)
    is_two = between.mean() < _BETWEEN and _apart(dark, bright) > _APART
    return ratio if ratio < _DARKER and is_two else None


def _apart(dark: Pixels, bright: Pixels) -> float:
    """The part (0..1) of how levels differ that is the gap between the two groups."""
    groups = [np.log(np.maximum(group, 1.0)) for group in (dark, bright)]
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    both = np.concatenate(groups)
    return 1.0 - within / max(float(((both - both.mean()) ** 2).sum()), 1e-9)


def two_lights(colours: Pixels, bare: SquareMask) -> TwoLights | None:
    """The lights of all squares from their colours [225, 3] (RGB), or None when there is one.

    ``bare`` are the squares that show no tile and no hand; the plain ones of them are measured,
    the light of the others is that of the measured ones around them.
    """
    known = np.flatnonzero(bare & PLAIN)
    ratio = shade_ratio(colours[known])
    if ratio is None:
        return None
    level = colours[known].sum(axis=1)
    low, high = np.quantile(level, 0.1), np.quantile(level, 0.9)
    border = float(np.sqrt(low * high))
    dark = level < border
    weight = 1.0 / (0.3 + _AWAY[:, known] ** 2)
    shaded = (weight * dark).sum(axis=1) / weight.sum(axis=1) > 0.5
    shaded[known] = dark
    beside = (_AWAY[:, known] < _BESIDE) & (_AWAY[:, known] > 0)
    both = (beside & dark).any(axis=1) & (beside & ~dark).any(axis=1)
    # A square whose every neighbour is lit otherwise is no shadow, but something that lies there.
    alone = (beside & (dark == shaded[:, None])).sum(axis=1) == 0
    alone &= beside.sum(axis=1) >= 2
    shaded = np.where(alone, ~shaded, shaded)
    own = np.where(shaded, ratio, 1.0).astype(np.float32)
    other = np.where(both, np.where(shaded, 1.0, ratio), own).astype(np.float32)
    return TwoLights(own, other)

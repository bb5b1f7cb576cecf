"""How well a lattice of colours fits the premium layout, when no colour is known before.

The colours of the five classes of squares (plain, double and triple letter, double and triple
word) are estimated from the very squares that are tested, so any colour scheme will do. The
layout looks the same from all four sides: which side is up is not decided here.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from devices.vision.pose import Floats
from recorder.domain.board import SIZE, STANDARD_PREMIUMS, Premium

Classes = npt.NDArray[np.int64]

_ORDER = (
    Premium.NONE,
    Premium.DOUBLE_LETTER,
    Premium.TRIPLE_LETTER,
    Premium.DOUBLE_WORD,
    Premium.TRIPLE_WORD,
)
CLASSES = len(_ORDER)


def class_grid() -> Classes:
    """The class 0..4 of every square as [15, 15]: plain, DL, TL, DW, TW."""
    index = [_ORDER.index(premium) for premium in STANDARD_PREMIUMS]
    return np.array(index, dtype=np.int64).reshape(SIZE, SIZE)


def square_centres() -> Floats:
    """The centres of the squares in board units as [15, 15, 2]."""
    half = np.arange(SIZE) + 0.5
    return np.stack(np.meshgrid(half, half), axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class LayoutFit:
    """How a window of 15 x 15 colours agrees with the layout.

    ``score`` is 0..1; ``colours`` [5, 3] are the classes' own; ``belongs`` [15, 15] tells the
    squares that show the colour of their class, so are probably empty.
    """

    score: float
    colours: Floats
    belongs: npt.NDArray[np.bool_]


def fit_layout(colours: Floats, classes: Classes) -> LayoutFit:
    """Fit the layout to colours [15, 15, 3] (Lab, any scale that is even to the eye)."""
    own, scatter = class_colours(colours[None], classes)
    distances = _distances(colours[None], own)[0]
    spread = max(float(scatter[0]), 3.0)
    to_own = np.take_along_axis(distances, classes[..., None], axis=-1)[..., 0]
    belongs = to_own < 2.5 * spread + 4.0
    return LayoutFit(float(window_scores(colours[None], classes)[0]), own[0], belongs)


def class_colours(windows: Floats, classes: Classes) -> tuple[Floats, Floats]:
    """Median colour of each class [n, 5, 3] and the usual distance from it [n]."""
    own = np.stack(
        [np.median(windows[:, classes == index], axis=1) for index in range(CLASSES)], axis=1
    )
    gap = np.linalg.norm(windows - own[:, classes], axis=-1).reshape(len(windows), -1)
    return own, np.quantile(gap, 0.4, axis=1)


def window_scores(windows: Floats, classes: Classes) -> Floats:
    """The fit of each window [n, 15, 15, 3] to the layout, 0..1 as [n].

    For each premium class: the share of its squares that are nearer to their own colour than
    to the plain one, less the share of plain squares that look like premium ones, weighted by
    how far the two colours stand apart.
    """
    own, scatter = class_colours(windows, classes)
    spread = np.maximum(scatter, 3.0)
    distances = _distances(windows, own)
    plain = classes == 0
    total = np.zeros(len(windows))
    for index in range(1, CLASSES):
        apart = np.linalg.norm(own[:, index] - own[:, 0], axis=-1)
        strength = np.clip((apart / spread - 1.5) / 3.0, 0.0, 1.0)
        here = distances[:, classes == index]
        reach = np.minimum(0.5 * apart, 4.0 * spread)[:, None]
        hits = ((here[..., index] < reach) & (here[..., index] < here[..., 0])).mean(axis=1)
        away = (distances[:, plain][..., index] < reach).mean(axis=1)
        total += strength * np.clip(hits - 3.0 * away, 0.0, 1.0)
    return total / (CLASSES - 1)


def _distances(windows: Floats, own: Floats) -> Floats:
    """Distance of every square's colour to every class colour, [n, 15, 15, 5]."""
    gap = windows[:, :, :, None, :] - own[:, None, None, :, :]
    result: Floats = np.sqrt((gap * gap).sum(axis=-1))
    return result

"""A line of tile places in a picture, and what the network says of each.

The line may bend a little (perspective); a place is a parallelogram, for tiles on a rack lean back
and are seen from the side. Knows nothing of boards and racks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from devices.pictures import Image
from devices.vision.finding.glyphs import GlyphRow, Glyphs
from devices.vision.geometry.pose import Floats, apply_homography
from devices.vision.squares.net import (
    LETTER_CLASSES,
    TURNED_CLASS,
    Crops,
    Float32s,
    Opinion,
    SquareNet,
)
from devices.vision.squares.squares import cut_crops

_CAP_HEIGHTS = (0.62, 0.52, 0.44, 0.36)
"""Heights of capitals per tile that sets have."""
_SLANTS = (-0.3, -0.15, 0.15, 0.3)
_NARROWEST, _WIDEST = 0.4, 1.2
_BENDING = 5
"""So many letters tell how a line bends."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Places along a line: ``curve`` [3, 2] are the terms 1, x, x * x of a place's middle in px.

    ``down`` [2] leads from the top edge of a tile to its lower edge. Place 0 is where the first
    letter was found; places between whole numbers exist too.
    """

    curve: Floats
    down: Floats

    def middle(self, place: float) -> Floats:
        """The middle of a place in px."""
        found: Floats = np.array([1.0, place, place * place]) @ self.curve
        return found

    def step(self, place: float) -> Floats:
        """From this place to the next one in px."""
        found: Floats = np.array([0.0, 1.0, 2.0 * place]) @ self.curve
        return found

    def cell(self, place: float, scale: float = 1.0) -> Floats:
        """The homography of one place: (0, 0) is its top-left corner, (1, 1) the other."""
        across, down = scale * self.step(place), scale * self.down
        corner = self.middle(place) - 0.5 * across - 0.5 * down
        matrix: Floats = np.array([[*pair] for pair in zip(across, down, corner, strict=True)])
        return np.vstack([matrix, [0.0, 0.0, 1.0]])

    def corners(self, first: float, last: float) -> Floats:
        """The outline of the tiles from one place to another, [4, 2] px, as letters read."""
        left = apply_homography(self.cell(first), np.array([[0.0, 0.0], [0.0, 1.0]]))
        right = apply_homography(self.cell(last), np.array([[1.0, 0.0], [1.0, 1.0]]))
        return np.array([left[0], right[0], right[1], left[1]])

    def moved(self, across: float, down: float) -> Self:
        """The line shifted by parts of a tile."""
        curve = self.curve.copy()
        curve[0] += across * self.step(0.0) + down * self.down
        return replace(self, curve=curve)

    def slanted(self, slant: float, height: float = 1.0) -> Self:
        """The line with tiles leaning to the side, and higher."""
        return replace(self, down=height * self.down + slant * self.step(0.0))

    def turned(self) -> Self:
        """The same line read from its other end; place p becomes -p."""
        curve = self.curve * np.array([[1.0], [-1.0], [1.0]])
        return replace(self, curve=curve, down=-self.down)

    def scaled(self, factor: float) -> Self:
        """The same line in the picture resized by this factor (pixel centres kept aligned)."""
        curve = self.curve * factor
        curve[0] += (factor - 1.0) / 2.0
        return replace(self, curve=curve, down=self.down * factor)


def line_of(glyphs: Glyphs, run: GlyphRow) -> tuple[Line, float]:
    """The line through a run's letters, tiles square; and the letters' height in px."""
    slots = np.array(run.slots, dtype=np.float64)
    centres = glyphs.centres[list(run.members)]
    along = centres[-1] - centres[0]
    along /= np.hypot(*along)
    aside = np.array([-along[1], along[0]])
    middles, heights = [], []
    for member in run.members:
        outline = glyphs.outlines[member]
        across, below = outline @ along, outline @ aside
        middles.append((across.max() + across.min()) / 2 * along)
        middles[-1] = middles[-1] + (below.max() + below.min()) / 2 * aside
        heights.append(below.max() - below.min() + 1.0)
    terms = np.stack([np.ones(len(slots)), slots, slots**2], axis=1)
    used = 3 if len(slots) >= _BENDING else 2
    curve = np.zeros((3, 2))
    curve[:used] = np.linalg.lstsq(terms[:, :used], np.array(middles), rcond=None)[0]
    return Line(curve, aside * float(np.hypot(*curve[1]))), float(np.median(heights))


def judge_places(
    image: Image, line: Line, places: Sequence[float], net: SquareNet, scale: float = 1.0
) -> Opinion:
    """What the network says of these places."""
    return net.judge(crops_of(image, line, places, scale))


def crops_of(image: Image, line: Line, places: Sequence[float], scale: float = 1.0) -> Crops:
    """The crops of these places."""
    cut = [cut_crops(image, line.cell(place, scale), [0]) for place in places]
    return np.concatenate(cut) if cut else np.zeros((0, 40, 40, 3), np.uint8)


def sides(log_chances: Float32s) -> Float32s:
    """[N, 4]: log chance of a letter that stands upright, or turned by 90, 180, 270 degrees."""
    upright = np.logaddexp.reduce(log_chances[:, LETTER_CLASSES], axis=1, keepdims=True)
    return np.concatenate([upright, log_chances[:, TURNED_CLASS:]], axis=1)


def fitted(
    image: Image, line: Line, places: Sequence[float], cap_px: float, net: SquareNet
) -> tuple[Line, int, float]:
    """The line with the tile height and slant at which its places look most like letters.

    Also the side on which the letters stand (quarter turns clockwise), and how like letters they
    look, 0..1. Turned about when the letters stand on their heads: then places change their sign.
    """
    pitch = float(np.hypot(*line.step(0.0)))
    heights = [cap_px / part / pitch for part in _CAP_HEIGHTS]
    options = [line.slanted(0.0, h) for h in heights if _NARROWEST < h < _WIDEST]
    if not options:
        return line, 0, 0.0
    best, side, score = _best(image, options, places, net)
    if side == 2:
        best, places, side = best.turned(), [-place for place in places], 2
    if side % 2 or score < 0.15:
        return best, side, score
    for options in (
        [best.slanted(slant) for slant in _SLANTS],
        [best.slanted(0.0, part) for part in (0.9, 1.1)],
    ):
        other, _, better = _best(image, [best, *options], places, net, 0)
        best, score = other, better
    shifts = judge_places(image, best, places, net).shifts
    middle = np.median(shifts, axis=0)
    best = best.moved(float(middle[0]), float(middle[1]))
    return best, side, score


def _best(
    image: Image,
    options: Sequence[Line],
    places: Sequence[float],
    net: SquareNet,
    only: int | None = None,
) -> tuple[Line, int, float]:
    """The option that makes letters of the places best: it, the side up, the mean chance."""
    crops = np.concatenate([crops_of(image, option, places) for option in options])
    chances = sides(net.judge(crops).log_chances).reshape(len(options), len(places), 4)
    # Chances, not their logarithms: one tile that nobody can read must not outvote the others.
    mean = np.exp(chances).mean(axis=1) + 0.02 * np.maximum(chances, -8.0).mean(axis=1)
    if only is not None:
        mean = mean[:, only : only + 1]
    at, column = divmod(int(mean.argmax()), mean.shape[1])
    side = column if only is None else only
    return options[at], side, float(np.exp(chances[at, :, side]).mean())

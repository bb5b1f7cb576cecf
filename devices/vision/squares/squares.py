"""Reading squares: crops on the plane of the tile tops, and the network's opinion on each.

Pure arrays. The network was trained on rendered scenes only
(``calibration.lab.eyes.eyes_training``); its outputs are the 32 ``SEEN`` and a letter turned by
90, 180 and 270 degrees clockwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from devices.pictures import Image
from devices.vision.geometry.pose import Floats, Pose
from devices.vision.geometry.tile_plane import tops_of
from devices.vision.squares.askew import turns_of
from devices.vision.squares.figures import without_figure
from devices.vision.squares.grid_fit import GridFit, fit_grid
from devices.vision.squares.net import (
    CLASSES,
    CROP_PX,
    LETTER_CLASSES,
    TURNED_CLASS,
    Crops,
    Float32s,
    Opinion,
    SquareNet,
    log_softmax,
    shipped_net,
)
from devices.vision.squares.seen_before import changed_squares, with_squares
from devices.vision.squares.sharpness import Sharpness, edge_widths, sharpness_of
from recorder.domain.board import SQUARES
from recorder.domain.observations import SEEN
from recorder.domain.tiles import shows_its_way

SQUARE_PX = 28
"""Pixels of a crop per square."""
CROP_SPAN = CROP_PX / SQUARE_PX
"""Squares along one side of a crop: the tile and the rims of its neighbours."""


_FIGURE_SPAN, _FIGURE_OFF = 0.8, 0.17
"""Squares along a side of a crop of a tile's value, and how far its middle is right of and below
the tile's: values stand anywhere beside or below a letter, and are small."""
_FEW = 40
VIEW_PX = SQUARE_PX // 2
"""Pixels for a square of what later looks are compared with."""
_EMPTY, _BLANK, _COVERED = (SEEN.index(symbol) for symbol in ".?#")
_CLOSE = 0.85
_TILE_LIKELY = 0.3
_OFF = 0.05
_TILE_SEEN = 0.6
"""Chance from which a tile's middle and its letter's edges are taken for those of a tile."""
_HALF = float(np.log(0.5))
_SURE = float(np.log(0.98))
_DOUBTFUL = float(np.log(0.7))
_MAY_BE_TURNED = 0.05
"""Chance of a turned tile from which it is looked at from its own side too."""
_SURE_TURNED = np.float32(0.6)
"""Chance from which a letter seen from its own side counts in full."""
_SURELY_TURNED = np.float32(0.98)
"""What both must be at least for a tile to be reported as turned: that it is, and its letter
then."""
_TAILED = np.array([SEEN.index(letter) for letter in "QĄĘÇ"])
_MAY_HAVE_TAIL = 0.05
_ENOUGH = 24
"""Letters that tell how sharp a picture is."""
_FIGURE_SPANS, _FINE = (0.85, 0.95), 3
"""Widths of looks without figures, and how many pixels to one of a crop they are painted in."""
_ALIKE = 0.85
"""Looks at one tile agree more than independent ones would: n of them count as n / (n * .85)."""
_HALFWAY = 0.7
_AROUND = ((0.06, 0.06, 0.94), (-0.06, -0.06, 1.06), (0.06, -0.06, 1.06), (-0.06, 0.06, 0.94))
"""Four more looks at a doubtful tile: moved (x, y) in squares, and how much wider."""
_ASKEW_DEG = 7.0
"""Training saw tiles up to 25 degrees askew, but few; from here on a look straightens them."""
_ASKEW_CLEAR = 0.15
_NARROWER = (1.0, 0.9, 0.8)
_STRAIGHT = float(np.log(0.6))
"""What a straightened look must be sure of; of what seemed covered, surer."""
_UNCOVERED = float(np.log(0.85))


def cut_crops(
    image: Image, homography: Floats, squares: Sequence[int] | npt.NDArray[np.intp]
) -> Crops:
    """The crops [N, 40, 40, 3] of these squares, through a homography of their plane.

    Where a square has more pixels in the picture than a crop keeps, the crop is averaged from
    finer samples, so that nothing aliases.
    """
    if len(squares) > _FEW:
        return _sliced(_flattened(image, homography), squares)
    return _crops(image, homography, _places(squares))


def cut_figures(image: Image, homography: Floats, middles: Floats) -> Crops:
    """The corners [N, 40, 40, 3] where the values of upright tiles are printed, enlarged.

    ``middles`` [N, 2] are those of the tiles (x, y), in squares on the plane of the homography.
    """
    finer = _oversampling(homography, CROP_PX / _FIGURE_SPAN)
    places = middles - 0.5 + _FIGURE_OFF
    return _crops(image, homography, places, _FIGURE_SPAN / CROP_SPAN, finer=finer)


def _places(squares: Sequence[int] | npt.NDArray[np.intp]) -> Floats:
    """Where the crops of these squares begin, [N, 2] (x, y) in squares."""
    rows, cols = np.divmod(squares, 15)
    return np.stack([cols, rows], axis=1).astype(np.float64)


def _crops(
    image: Image,
    homography: Floats,
    places: Floats,
    span: float = 1.0,
    degrees: Sequence[float] | npt.NDArray[np.float64] | None = None,
    finer: int | None = None,
) -> Crops:
    """The crops at these places [N, 2]: so much wider, each turned clockwise by its degrees."""
    finer = finer or _oversampling(homography)
    turns = np.zeros(len(places)) if degrees is None else degrees
    crops = np.empty((len(places), CROP_PX, CROP_PX, 3), np.uint8)
    for index, (place, turn) in enumerate(zip(places, turns, strict=True)):
        crops[index] = _patch(image, homography, place, CROP_PX, finer, (span, turn))
    return crops


def _oversampling(homography: Floats, square_px: float = SQUARE_PX) -> int:
    """How many samples per crop pixel and direction the picture has to offer, 1..6.

    ``square_px`` are the pixels of the crop per square.
    """
    ratio = Pose(homography).square_px() / square_px
    return int(np.clip(np.ceil(0.75 * ratio), 1, 6))


def _patch(
    image: Image,
    homography: Floats,
    place: Sequence[float] | Floats,
    side: int,
    finer: int,
    span_turn: tuple[float, float] = (1.0, 0.0),
) -> Image:
    """``side`` pixels of the plane from the crop corner of the square at this place (x, y) on.

    ``span_turn``: how much wider than usual the crop sees, and by how many degrees it is turned
    clockwise about the middle of the square.
    """
    return _coarser(_fine_patch(image, homography, place, side, finer, span_turn), side)


def _coarser(fine: Image, side: int) -> Image:
    if fine.shape[0] > side:
        fine = np.asarray(cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    return fine


def _fine_patch(
    image: Image,
    homography: Floats,
    place: Sequence[float] | Floats,
    side: int,
    finer: int,
    span_turn: tuple[float, float],
) -> Image:
    """As ``_patch``, with ``finer`` times as many pixels along each side."""
    (x, y), (span, turn_deg) = place, span_turn
    step = span / (SQUARE_PX * finer)
    start = 0.5 - span * CROP_SPAN / 2 + 0.5 * step
    local = np.array([[step, 0, x + start], [0, step, y + start], [0, 0, 1.0]])
    if turn_deg:
        local = _turned_about((x + 0.5, y + 0.5), turn_deg) @ local
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (side * finer, side * finer)
    fine = cv2.warpPerspective(
        image, homography @ local, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(fine, dtype=np.uint8)


def cut_straightened(
    image: Image,
    homography: Floats,
    squares: Sequence[int] | npt.NDArray[np.intp],
    degrees: Sequence[float] | npt.NDArray[np.float64],
) -> Crops:
    """Crops of these squares, each turned clockwise by its own degrees about its middle."""
    return _crops(image, homography, _places(squares), degrees=degrees)


def _turned_about(middle: tuple[float, float], degrees: float) -> Floats:
    """The motion of the plane that turns it clockwise (as seen in a picture) about a point."""
    turn = np.eye(3)
    turn[:2] = cv2.getRotationMatrix2D(middle, -degrees, 1.0)
    return turn


def _flattened(image: Image, homography: Floats) -> Image:
    """The whole field, and of its neighbours what crops show, [432, 432, 3]."""
    finer = _oversampling(homography)
    return _patch(image, homography, (0, 0), 14 * SQUARE_PX + CROP_PX, finer)


def _sliced(flat: Image, squares: Sequence[int] | npt.NDArray[np.intp]) -> Crops:
    """The crops of these squares in the flattened field."""
    rows, cols = np.divmod(np.asarray(squares, dtype=np.intp), 15)
    windows = sliding_window_view(flat, (CROP_PX, CROP_PX), axis=(0, 1))
    picked = windows[rows * SQUARE_PX, cols * SQUARE_PX]
    return np.ascontiguousarray(picked.transpose(0, 2, 3, 1))


@dataclass(frozen=True, slots=True, eq=False)
class SquareReading:
    """What the network says of the squares, as natural logarithms of probabilities.

    ``log_probs`` [15, 15, 32] in the order of ``SEEN``, given that letters stand upright in
    the pose. ``turns`` [15, 15, 4]: that a letter stands upright, or lies turned by 90, 180,
    270 degrees clockwise (``pose.rotated(k)`` makes the k-th upright). ``read`` [15, 15] shows
    which squares were asked; the others hold a uniform answer. ``tops`` is the homography of
    the plane that was read. ``lying`` [15, 15] are the quarters by which single tiles surely lie
    turned clockwise among upright ones, 0 for all others. ``foreign`` [15, 15] is how probable a
    letter is that the tile set does not have. ``shifts`` [225, 2] is where tiles' middles lie,
    ``tiles`` [225] how much each counts as one, ``edges`` [225, 4] how wide the edges of letters
    are, NaN where not measured. ``view`` is what the squares looked like when they were read.
    """

    log_probs: Float32s
    turns: Float32s
    read: npt.NDArray[np.bool_]
    tops: Floats
    lying: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((15, 15), np.uint8))
    foreign: Float32s = field(default_factory=lambda: np.zeros((15, 15), np.float32))
    shifts: Float32s = field(default_factory=lambda: np.zeros((SQUARES, 2), np.float32))
    tiles: Float32s = field(default_factory=lambda: np.zeros(SQUARES, np.float32))
    edges: Floats = field(default_factory=lambda: np.full((SQUARES, 4), np.nan))
    view: Image | None = None

    @property
    def fit(self) -> GridFit | None:
        """Where the tiles' middles would have the grid; None where too few tiles say so."""
        return fit_grid(np.arange(SQUARES), self.shifts, self.tiles)

    @property
    def sharpness(self) -> Sharpness | None:
        """How blurred the letters are; None where too few say so."""
        return sharpness_of(self.edges, SQUARE_PX)

    def best(self) -> tuple[str, ...]:
        """The likeliest symbol of every square, as 15 rows of text."""
        best = self.log_probs.argmax(axis=2)
        return tuple("".join(SEEN[index] for index in row) for row in best)


def read_squares(
    image: Image,
    pose: Pose,
    *,
    squares: Sequence[int] | npt.NDArray[np.intp] | None = None,
    known: SquareReading | None = None,
    net: SquareNet | None = None,
) -> SquareReading:
    """Read the squares of a located board (all of them, or only ``squares``).

    ``image`` is BGR. ``known`` is what is known of the other squares under the same pose.
    Tiles that seem to lie off the middle, or are not sure, are looked at again where
    they lie. The pose is taken as it is: a wrong grid or a wrong side up gives confident nonsense,
    which its score and ``turns`` reveal.
    """
    net = shipped_net() if net is None else net
    tops = tops_of(image, pose)
    if squares is None:
        asked, view = np.arange(SQUARES), _flattened(image, tops)
        crops = _sliced(view, asked)
    else:
        asked, view = np.asarray(squares, dtype=np.intp), None
        crops = cut_crops(image, tops, asked)
    first = net.judge(crops)
    chances = _looked_again(image, tops, asked, first, net)
    chances = _without_figures(image, tops, chances, asked, first.shifts, net)
    chances = _straightened(image, tops, chances, asked, crops, net)
    chances = _valued(image, tops, chances, asked, first.shifts, net)
    reading = reading_of(chances, asked, tops)
    tiles = 1.0 - np.exp(first.log_chances[:, _EMPTY]) - np.exp(first.log_chances[:, _COVERED])
    lettered = np.flatnonzero((tiles > _TILE_SEEN) & (chances[:, _BLANK] < _HALF))
    lettered = lettered[:: len(lettered) // _ENOUGH + 1]
    reading.foreign.reshape(SQUARES)[asked] = first.foreign
    reading.shifts[asked] = first.shifts
    reading.tiles[asked] = np.where(tiles > _TILE_SEEN, tiles, 0.0)
    reading.edges[asked[lettered]] = edge_widths(crops[lettered])
    if known is not None:
        reading = _together(reading, known)
    reading = _some_turned(reading, chances, asked, crops, net)
    return reading if view is None else replace(reading, view=view_of(view))


def view_of(flat: Image) -> Image:
    """What a later look at the same squares is compared with, ``VIEW_PX`` to a square."""
    side = len(flat) * VIEW_PX // SQUARE_PX
    return np.asarray(cv2.resize(flat, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def seen_again(
    image: Image, pose: Pose, known: SquareReading
) -> tuple[npt.NDArray[np.intp], SquareReading] | None:
    """The squares that have changed since they were read, and what is known with their new looks.

    None when so many have that the board need not lie where it lay.
    """
    if known.view is None:
        return None
    now = view_of(_flattened(image, tops_of(image, pose)))
    changed = changed_squares(known.view, now, VIEW_PX)
    if changed is None:
        return None
    return changed, replace(known, view=with_squares(known.view, now, changed, VIEW_PX))


def _together(reading: SquareReading, known: SquareReading) -> SquareReading:
    """The reading, with what is known of the squares that were not read."""
    mine, flat = reading.read, reading.read.ravel()[:, None]
    return SquareReading(
        log_probs=np.where(mine[..., None], reading.log_probs, known.log_probs),
        turns=np.where(mine[..., None], reading.turns, known.turns),
        read=mine | known.read,
        tops=reading.tops,
        lying=np.where(mine, reading.lying, known.lying),
        foreign=np.where(mine, reading.foreign, known.foreign),
        shifts=np.where(flat, reading.shifts, known.shifts),
        tiles=np.where(flat[:, 0], reading.tiles, known.tiles),
        edges=np.where(flat, reading.edges, known.edges),
        view=known.view,
    )


def _looked_again(
    image: Image, tops: Floats, asked: npt.NDArray[np.intp], first: Opinion, net: SquareNet
) -> Float32s:
    """Log chances after more looks at tiles that lie off, or are not sure."""
    chances = first.log_chances.copy()
    likely = 1.0 - np.exp(chances[:, _EMPTY]) - np.exp(chances[:, _COVERED]) > _TILE_LIKELY
    off = np.linalg.norm(first.shifts, axis=1) > _OFF
    places = _places(asked)
    again = np.flatnonzero(likely & (off | (chances.max(axis=1) < _SURE)))
    where = places[again] + first.shifts[again]
    second = _glances(image, tops, where, ((0.0, 0.0, _CLOSE),), net)
    second = bare_as_before(second, chances[again])
    chances[again] = log_softmax((chances[again] + second) / np.float32(2 * _ALIKE))
    doubtful = np.flatnonzero(likely & (chances.max(axis=1) < _DOUBTFUL))
    where = places[doubtful] + _HALFWAY * first.shifts[doubtful]
    third = bare_as_before(_glances(image, tops, where, _AROUND, net), chances[doubtful])
    together = (2 * _ALIKE * chances[doubtful] + third) / np.float32(6 * _ALIKE)
    chances[doubtful] = log_softmax(together)
    return chances


def _without_figures(
    image: Image,
    tops: Floats,
    chances: Float32s,
    asked: npt.NDArray[np.intp],
    shifts: Float32s,
    net: SquareNet,
) -> Float32s:
    """Log chances after looks at unsure letters with their figures painted over.

    Not where a letter may have a tail, which would be painted over too.
    """
    upright = np.exp(chances[:, LETTER_CLASSES]).sum(axis=1)
    has_tail = np.exp(chances[:, _TAILED]).sum(axis=1) > _MAY_HAVE_TAIL
    unsure = (upright > _TILE_SEEN) & (chances.max(axis=1) < _SURE) & ~has_tail
    owners: list[int] = []
    crops: list[Image] = []
    places = _places(asked) + shifts
    for at in np.flatnonzero(unsure):
        for span in _FIGURE_SPANS:
            fine = _fine_patch(image, tops, places[at], CROP_PX, _FINE, (span, 0.0))
            bare = without_figure(fine, SQUARE_PX * _FINE / span)
            if bare is not None:
                owners.append(int(at))
                crops.append(_coarser(bare, CROP_PX))
    if not crops:
        return chances
    looks = net.judge(np.stack(crops)).log_chances
    # Where no letter is left it was the letter itself that was painted over.
    left = np.exp(looks[:, LETTER_CLASSES]).sum(axis=1) > _TILE_SEEN
    of = np.array(owners, np.intp)[left]
    looks = bare_as_before(looks[left], chances[of])
    total, count = chances.copy(), np.ones((len(chances), 1), np.float32)
    np.add.at(total, of, looks)
    np.add.at(count, of, 1.0)
    result, seen = chances.copy(), np.unique(of)
    result[seen] = log_softmax(total[seen] / (count[seen] * np.float32(_ALIKE)))
    return result


def _valued(
    image: Image,
    tops: Floats,
    chances: Float32s,
    asked: npt.NDArray[np.intp],
    shifts: Float32s,
    net: SquareNet,
) -> Float32s:
    """Log chances weighed by the values that are printed on tiles whose letters stand upright."""
    upright = np.exp(chances[:, LETTER_CLASSES]).sum(axis=1)
    tiles = np.flatnonzero(upright > _TILE_LIKELY)
    middles = _places(asked[tiles]) + 0.5 + shifts[tiles]
    result = chances.copy()
    result[tiles] = net.with_values(chances[tiles], cut_figures(image, tops, middles))
    return result


def bare_as_before(close: Float32s, before: Float32s) -> Float32s:
    """Log chances of a close look, empty against blank as the wider look before had them."""
    pair = [_EMPTY, _BLANK]
    result = close.copy()
    together = np.logaddexp.reduce(close[:, pair], axis=1, keepdims=True)
    known = before[:, pair] - np.logaddexp.reduce(before[:, pair], axis=1, keepdims=True)
    result[:, pair] = together + known
    return result


def _straightened(
    image: Image,
    tops: Floats,
    chances: Float32s,
    asked: npt.NDArray[np.intp],
    crops: Crops,
    net: SquareNet,
) -> Float32s:
    """Log chances after a straightened look at tiles that lie askew.

    Askew tiles reach over their squares' rims, so what seems covered is looked at too.
    """
    something = np.flatnonzero(np.exp(chances[:, _EMPTY]) < 1.0 - _TILE_LIKELY)
    turns, clear = turns_of(crops[something])
    askew = (np.abs(turns) > _ASKEW_DEG) & (clear > _ASKEW_CLEAR)
    some = something[askew]
    looks = _straight_looks(image, tops, asked[some], turns[askew], net)
    covered = chances[some, _COVERED] > np.log(0.5)
    sure = looks[:, LETTER_CLASSES].max(axis=1) > np.where(covered, _UNCOVERED, _STRAIGHT)
    result = chances.copy()
    result[some[sure]] = looks[sure]
    return result


def _straight_looks(
    image: Image,
    tops: Floats,
    squares: npt.NDArray[np.intp],
    degrees: npt.NDArray[np.float64],
    net: SquareNet,
) -> Float32s:
    """Log chances of tiles seen turned upright, then again where they lie, ever more narrowly.

    Turned back, the rims of neighbours lie where none do otherwise, and their digits look like
    dots on an O: a narrow look leaves them out.
    """
    first = net.judge(cut_straightened(image, tops, squares, degrees))
    total = first.log_chances
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    across, down = first.shifts.T
    cols, rows = _places(squares).T
    at = np.stack([cols + across * cos - down * sin, rows + across * sin + down * cos], axis=1)
    for span in _NARROWER:
        total = total + net.judge(_crops(image, tops, at, span, degrees)).log_chances
    return log_softmax(total / np.float32((1 + len(_NARROWER)) * _ALIKE))


def _some_turned(
    reading: SquareReading,
    chances: Float32s,
    asked: npt.NDArray[np.intp],
    crops: Crops,
    net: SquareNet,
) -> SquareReading:
    """The reading with what single tiles show that lie turned among upright ones.

    When most tiles lie turned it is the board that is seen from another side: nothing changes.
    """
    turned = np.exp(chances[:, TURNED_CLASS:])
    some = np.flatnonzero(turned.sum(axis=1) > _MAY_BE_TURNED)
    board = np.exp(reading.turns[reading.read])
    if len(some) == 0 or board[:, 1:].sum() > board[:, 0].sum():
        return reading
    mixed = np.exp(chances[some, : len(SEEN)])
    lying = reading.lying.ravel().copy()
    for quarters in (1, 2, 3):
        straight = np.ascontiguousarray(np.rot90(crops[some], quarters, axes=(1, 2)))
        looks = np.exp(log_softmax(net.judge(straight).log_chances[:, : len(SEEN)]))
        # A letter seen from its own side is sure: what is not is print on a bare square.
        best = looks[:, LETTER_CLASSES].max(axis=1, keepdims=True)
        sure = np.minimum(turned[some, quarters - 1], best[:, 0]) >= _SURELY_TURNED
        letters = LETTER_CLASSES[looks[:, LETTER_CLASSES].argmax(axis=1)]
        shown = [shows_its_way(SEEN[letter], 90 * quarters) for letter in letters]
        lying[asked[some[sure & shown]]] = quarters
        looks[:, LETTER_CLASSES] *= np.minimum(np.float32(1.0), best / _SURE_TURNED)
        looks[:, _EMPTY] += np.maximum(np.float32(0.0), 1.0 - looks.sum(axis=1))
        mixed += turned[some, quarters - 1, None] * looks
    log_probs = reading.log_probs.reshape(SQUARES, -1).copy()
    log_probs[asked[some]] = log_softmax(np.log(mixed + np.float32(1e-9)))
    return replace(reading, log_probs=log_probs.reshape(15, 15, -1), lying=lying.reshape(15, 15))


def _glances(
    image: Image,
    tops: Floats,
    places: Floats,
    glances: Sequence[tuple[float, float, float]],
    net: SquareNet,
) -> Float32s:
    """Summed log chances of crops at ``places`` [N, 2], moved by (x, y) and widened each time."""
    total = np.zeros((len(places), CLASSES), np.float32)
    for across, down, span in glances:
        total += net.judge(_crops(image, tops, places + np.array([across, down]), span)).log_chances
    return total


def reading_of(chances: Float32s, asked: npt.NDArray[np.intp], tops: Floats) -> SquareReading:
    """Arrange log probabilities [N, 35] of the asked squares as a reading."""
    log_probs = np.full((SQUARES, len(SEEN)), -np.log(len(SEEN)), np.float32)
    turns = np.full((SQUARES, 4), -np.log(4.0), np.float32)
    read = np.zeros(SQUARES, bool)
    read[asked] = True
    log_probs[asked] = log_softmax(chances[:, : len(SEEN)])
    upright = np.logaddexp.reduce(chances[:, LETTER_CLASSES], axis=1, keepdims=True)
    turns[asked] = np.concatenate([upright, chances[:, TURNED_CLASS:]], axis=1)
    shape = (15, 15)
    return SquareReading(
        log_probs.reshape(*shape, -1), turns.reshape(*shape, 4), read.reshape(shape), tops
    )

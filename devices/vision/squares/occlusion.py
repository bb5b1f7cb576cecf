"""What lies over the board: a hand's rim hides more than the network says, a shadow's rim less.

The pixels of squares that are surely covered tell what a hand looks like; those of squares that
are surely not tell what the board looks like, in light and in shadow.
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.geometry.from_above import by_square, from_above
from devices.vision.geometry.pose import Floats
from devices.vision.squares.net import LETTER_CLASSES
from devices.vision.squares.shadow_lights import PLAIN, Pixels, shade_ratio
from devices.vision.squares.squares import SquareReading
from recorder.domain.board import SQUARES, STANDARD_PREMIUMS
from recorder.domain.observations import SEEN

_PX = 12
"""Pixels per square."""
_SURE = float(np.log(0.8))
_LEAST_COVERED = 3
_HIDDEN_PART, _HIDDEN_LETTER, _HIDDEN_THOUGH_SURE = 0.3, 0.24, 0.28
"""Where so much of a square looks like the hand beside it, the hand lies on it: of any square, of
a letter, of one that reads surely. Half an O is a C, and half a W a V, as sure as can be."""
_TOUCHED = 0.1
"""A letter of which so much looks like the hand is looked at by people; less is not the hand."""
_VERY_SURE, _UNSURE = float(np.log(0.95)), float(np.log(0.75))
_DOUBTED = float(np.log(0.8))
"""What is reported of a square that a hand may touch: no more than that, so that it is looked
at."""
_BARE_IF_SEEN, _HARDLY = float(np.log(0.8)), float(np.log(0.05))
"""A square is bare or covered when, not covered, it would be bare; unless it surely is covered."""
_CLOSER = 12.0
"""Grey levels of Lab by which a pixel must look more like the hand than like anything else."""
_HAND_COLOURS, _BOARD_COLOURS, _TILE_COLOURS = 6, 10, 4
_SHADES = (1.0, 0.8, 0.6)
_LEAST_TILES = 3
_NOW_COVERED = float(np.log(0.9))
_MOST_AT_A_RIM = 45
_STRANGE_PART = 0.12
_MOSTLY = 0.7
_BARELY = float(np.log(0.05))
_EMPTY, _COVERED = SEEN.index("."), SEEN.index("#")


def under_the_hand(image: Image, reading: SquareReading) -> SquareReading:
    """The reading with the squares at a hand's rim covered where pixels say so.

    Squares that show little of the hand, and boards without one, are left as they are.
    """
    log_probs = reading.log_probs.reshape(SQUARES, -1)
    covered = (log_probs[:, _COVERED] > _SURE) & reading.read.ravel()
    if covered.sum() < _LEAST_COVERED:
        return reading
    pixels = _cells(image, reading.tops)
    letters = np.logaddexp.reduce(log_probs[:, LETTER_CLASSES], axis=1)
    away = ~_near(covered)
    sure = letters > _SURE
    bare, tiles = away & (log_probs[:, _EMPTY] > _SURE), away & sure
    tiles = tiles if tiles.sum() >= _LEAST_TILES else sure
    if not (bare | tiles).any():
        return reading
    other = [_palette(pixels[bare], _BOARD_COLOURS)] if bare.any() else []
    if tiles.any():
        # A hand throws a shadow: an ivory tile in it is nearer to skin than to an ivory tile.
        other += [_palette(pixels[tiles], _TILE_COLOURS) * shade for shade in _SHADES]
    others = _lab(np.concatenate(other))
    hand = _palette(pixels[covered], _HAND_COLOURS)
    hand = _lab(np.concatenate([hand * shade for shade in _SHADES]))
    plain = hand[_gap(hand[None], others)[0] > _CLOSER]
    if len(plain) == 0:
        return reading
    cells = _lab(pixels)
    least = (_gap(cells, plain) + _CLOSER < _gap(cells, others)).mean(axis=1)
    most = _not_bare(cells, hand, _lab(other[0])) if bare.any() else np.ones(SQUARES, np.float32)
    judged = _judged(log_probs, covered, least, most)
    return replace(reading, log_probs=judged.reshape(reading.log_probs.shape))


def _not_bare(cells: Pixels, hand: Pixels, board: Pixels) -> Pixels:
    """Which part of every square looks like the hand, or a tile of its colour, not like board."""
    strange = hand[_gap(hand[None], board)[0] > _CLOSER]
    if len(strange) == 0:
        return np.ones(SQUARES, np.float32)
    part: Pixels = (_gap(cells, strange) + _CLOSER < _gap(cells, board)).mean(axis=1)
    return part


def _judged(
    log_probs: Pixels, covered: npt.NDArray[np.bool_], least: Pixels, most: Pixels
) -> Pixels:
    """The squares beside ``covered`` ones reported by the part of each that looks like the hand.

    ``least`` looks like nothing else, ``most`` only not like bare board: ivory is like skin. A
    square that is surely bare is so; one that is bare or covered is bare where little of it could
    be the hand; a letter that the hand touches is never more than likely.
    """
    best = log_probs.max(axis=1)
    letter = np.logaddexp.reduce(log_probs[:, LETTER_CLASSES], axis=1) > np.log(0.5)
    bare = log_probs[:, _EMPTY]
    enough = np.where(best > _VERY_SURE, _HIDDEN_THOUGH_SURE, _HIDDEN_LETTER)
    hidden = (least > np.where(letter, enough, _HIDDEN_PART)) & (bare < _VERY_SURE)
    seen = np.log1p(-np.exp(np.minimum(log_probs[:, _COVERED], -1e-6)))
    ground = (bare - seen > _BARE_IF_SEEN) & (seen > _HARDLY) & (most < _HIDDEN_PART)
    unread = (best < _UNSURE) & (most > _TOUCHED) & ~ground
    grown = covered & ~ground
    for _ in range(2):
        # What touches a hand and cannot be read is half under it.
        grown = grown | (_near(grown) & (hidden | unread))
    beside = _near(grown) & ~grown
    judged = log_probs.copy()
    tell(judged, grown & (log_probs[:, _COVERED] < _NOW_COVERED), _COVERED, _NOW_COVERED)
    tell(judged, beside & ground & (bare < _DOUBTED), _EMPTY, _DOUBTED)
    for square in np.flatnonzero(beside & letter & (least > _TOUCHED) & (best > _DOUBTED)):
        tell(judged, np.arange(SQUARES) == square, int(log_probs[square].argmax()), _DOUBTED)
    return judged


def tell(log_probs: Pixels, squares: npt.NDArray[np.bool_], symbol: int, chance: float) -> None:
    """Give these squares a symbol with this log probability; the others share the rest."""
    log_probs[squares, symbol] = -np.inf
    rest = np.logaddexp.reduce(log_probs[squares], axis=1, keepdims=True)
    log_probs[squares] += np.log1p(-np.exp(chance)) - rest
    log_probs[squares, symbol] = chance


def out_of_the_shadow(image: Image, ground: Floats, reading: SquareReading) -> SquareReading:
    """The reading with bare squares under a shadow's rim taken for what they are.

    The rim itself looks like the rim of a sleeve. Only where the board's plain squares show two
    lights, and every pixel of a square has the colour of its kind in one of them. ``ground`` is
    the homography of the board itself.
    """
    log_probs = reading.log_probs.reshape(SQUARES, -1)
    empty = (log_probs[:, _EMPTY] > _SURE) & reading.read.ravel()
    unsure = np.flatnonzero((log_probs[:, _COVERED] > np.log(0.3)) & reading.read.ravel())
    if len(unsure) == 0 or len(unsure) > _MOST_AT_A_RIM:
        return reading
    cells = _cells(image, ground)
    ratio = shade_ratio(np.median(cells, axis=1)[empty & PLAIN])
    if ratio is None:
        return reading
    changed = log_probs.copy()
    for square in unsure:
        kind = np.array([p is STANDARD_PREMIUMS[square] for p in STANDARD_PREMIUMS])
        if not (kind & empty).any():
            continue
        own = _palette(cells[kind & empty], _BOARD_COLOURS)
        if _strange(cells[square], own, ratio).mean() < _STRANGE_PART and _mostly_as(
            cells[square], cells[kind & empty], ratio
        ):
            changed[square, _EMPTY] = np.logaddexp(
                changed[square, _EMPTY], changed[square, _COVERED]
            )
            changed[square, _COVERED] = _BARELY
            changed[square] -= np.logaddexp.reduce(changed[square])
    return replace(reading, log_probs=changed.reshape(reading.log_probs.shape))


def _strange(pixels: Pixels, colours: Pixels, ratio: float) -> npt.NDArray[np.bool_]:
    """Which of the pixels [n, 3] have none of these colours, in none of two lights."""
    lit = np.concatenate([colours, colours * ratio, colours / ratio])
    gap = np.linalg.norm(pixels[:, None] - lit[None], axis=2)
    strange: npt.NDArray[np.bool_] = (gap > 14.0 + 0.1 * lit.mean(axis=1)).all(axis=1)
    return strange


def _mostly_as(pixels: Pixels, bare: Pixels, ratio: float) -> bool:
    """Whether the pixels show the main colour of bare squares [k, n, 3] about as much as those.

    In the shadow the light lines between squares look like skin; a hand is not mostly lines.
    """
    main = np.median(np.median(bare, axis=1), axis=0)[None]
    usual = np.median([1.0 - _strange(cell, main, ratio).mean() for cell in bare])
    return bool(1.0 - _strange(pixels, main, ratio).mean() > _MOSTLY * usual)


def _cells(image: Image, homography: Floats) -> Pixels:
    """The pixels of every square (RGB), [225, n, 3]."""
    flat = cv2.cvtColor(from_above(image, homography, _PX), cv2.COLOR_BGR2RGB)
    cells = by_square(np.asarray(flat, np.float32), _PX)
    return np.ascontiguousarray(cells).reshape(SQUARES, _PX * _PX, 3)


def _lab(pixels: Pixels) -> Pixels:
    """RGB (0..255) as Lab on the scale of 8-bit pictures: all three parts 0..255."""
    flat = np.ascontiguousarray(pixels.reshape(1, -1, 3) / 255, dtype=np.float32)
    lab = cv2.cvtColor(flat, cv2.COLOR_RGB2LAB) * (255 / 100, 1, 1)
    return np.asarray(lab, dtype=np.float32).reshape(pixels.shape)


def _near(squares: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """These squares and all that touch them."""
    spread = cv2.dilate(squares.reshape(15, 15).astype(np.uint8), np.ones((3, 3), np.uint8))
    near: npt.NDArray[np.bool_] = spread.ravel() > 0
    return near


def _palette(cells: Pixels, count: int) -> Pixels:
    """The main colours of these squares, [count, 3]; the same for the same pixels."""
    pixels = np.ascontiguousarray(cells.reshape(-1, 3)[:: max(1, cells.size // 9000)])
    count = min(count, len(pixels))
    start = np.argsort(pixels[:, 0])[np.linspace(0, len(pixels) - 1, count).astype(int)]
    middles: Pixels = pixels[start].copy()
    for _ in range(8):
        nearest = np.linalg.norm(pixels[:, None] - middles[None], axis=2).argmin(axis=1)
        for index in range(count):
            if (nearest == index).any():
                middles[index] = pixels[nearest == index].mean(axis=0)
    return middles


def _gap(cells: Pixels, palette: Pixels) -> Pixels:
    """How far every pixel is from the nearest colour, [225, n]."""
    gaps = np.stack([np.linalg.norm(cells - colour, axis=2) for colour in palette])
    nearest: Pixels = gaps.min(axis=0)
    return nearest

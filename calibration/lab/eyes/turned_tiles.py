"""Tiles of a photograph turned in place: cut out on the plane of their tops, turned, laid back.

What a tile uncovers gets the colour of the empty squares of its kind.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from devices.pictures import Image
from devices.vision.geometry.pose import Floats, Pose
from devices.vision.geometry.tile_plane import tops_of
from recorder.domain.board import SQUARES, STANDARD_PREMIUMS
from recorder.domain.observations import EMPTY_SYMBOL

_PX = 64
"""Pixels per square of the flattened board: more than any camera here has."""
_TILE = 0.95
"""Side of a tile in squares."""


def turn_tiles(
    image: Image, pose: Pose, symbols: str, squares: Sequence[int], degrees: float
) -> Image:
    """The picture with the tiles on these squares turned clockwise.

    ``symbols`` are the 225 of the board. The sides of the tiles do not turn: from above they
    are not seen.
    """
    scale = np.diag([1 / _PX, 1 / _PX, 1.0])
    plane = tops_of(image, pose) @ scale
    side = 15 * _PX
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(image, plane, (side, side), flags=flags)
    before = np.asarray(flat, np.uint8)
    after, touched = before.copy(), np.zeros((side, side), np.uint8)
    for square in squares:
        row, col = divmod(square, 15)
        area = slice(row * _PX, (row + 1) * _PX), slice(col * _PX, (col + 1) * _PX)
        after[area] = _colour_below(before, symbols, square)
        touched[area] = 255
    for square in squares:
        _lay_turned(before, after, touched, square, degrees)
    size = (image.shape[1], image.shape[0])
    laid = cv2.warpPerspective(after, plane, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(touched, plane, size, flags=cv2.INTER_LINEAR)
    part = mask.astype(np.float32)[..., None] / 255
    return np.rint(laid * part + image * (1.0 - part)).astype(np.uint8)


def _colour_below(flat: Image, symbols: str, square: int) -> Floats:
    """The median colour of empty squares of the same kind, or of all when there are none."""
    empty = [number for number in range(SQUARES) if symbols[number] == EMPTY_SYMBOL]
    alike = [number for number in empty if STANDARD_PREMIUMS[number] is STANDARD_PREMIUMS[square]]
    middles = np.array(alike or empty or [square])
    rows, cols = np.divmod(middles, 15)
    colours = flat[rows * _PX + _PX // 5, cols * _PX + _PX // 5]
    middle: Floats = np.median(colours, axis=0)
    return middle


def _lay_turned(before: Image, after: Image, touched: Image, square: int, degrees: float) -> None:
    row, col = divmod(square, 15)
    middle = ((col + 0.5) * _PX - 0.5, (row + 0.5) * _PX - 0.5)
    reach = _PX
    top, left = max(row * _PX - reach // 2, 0), max(col * _PX - reach // 2, 0)
    area = slice(top, (row + 1) * _PX + reach // 2), slice(left, (col + 1) * _PX + reach // 2)
    centre = (middle[0] - left, middle[1] - top)
    part = before[area]
    size = (part.shape[1], part.shape[0])
    turn = cv2.getRotationMatrix2D(centre, -degrees, 1.0)
    tile = cv2.warpAffine(part, turn, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    box = cv2.boxPoints((centre, (_TILE * _PX, _TILE * _PX), degrees))
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(box * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = mask.astype(np.float32)[..., None] / 255
    after[area] = np.rint(tile * share + after[area] * (1.0 - share)).astype(np.uint8)
    touched[area] = np.maximum(touched[area], mask)

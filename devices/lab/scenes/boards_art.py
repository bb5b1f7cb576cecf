"""Drawing an empty board, flat, with its frame, and the table that it stands on.

The picture spans ``MARGIN`` squares on every side of the 15 x 15 field. No camera, no tiles.
"""

import cv2
import numpy as np

from devices.lab.scenes.lettering import Mask, stamp
from devices.lab.scenes.styles import BoardStyle, Colour
from devices.pictures import Image
from devices.vision.geometry.pose import Floats
from recorder.domain.board import SQUARES, STANDARD_PREMIUMS

MARGIN = 2.0
TABLE_MARGIN = 12.0
_CENTRE = 112


def canvas_matrix(px: float, margin: float = MARGIN) -> Floats:
    """Canvas pixels to board units, 3 x 3, for a canvas of ``px`` pixels per square."""
    shift = 0.5 / px - margin
    return np.array([[1 / px, 0.0, shift], [0.0, 1 / px, shift], [0.0, 0.0, 1.0]])


def canvas_side(px: int, margin: float = MARGIN) -> int:
    """Pixels along one side of the canvas."""
    return round((15 + 2 * margin) * px)


def _premium_mask(style: BoardStyle, side: int) -> Mask:
    mask = np.zeros((side, side), np.uint8)
    middle, half = side / 2, style.shape_size * side / 2
    low, high = round(middle - half), round(middle + half) - 1
    if style.shape == "circle":
        cv2.circle(mask, (side // 2, side // 2), round(half), 255, -1, cv2.LINE_AA)
    elif style.shape == "diamond":
        reach = round(min(half * 1.1, side / 2))
        mid = side // 2
        points = [[mid, mid - reach], [mid + reach, mid], [mid, mid + reach], [mid - reach, mid]]
        cv2.fillPoly(mask, [np.array(points, np.int32)], 255, cv2.LINE_AA)
    else:
        cv2.rectangle(mask, (low, low), (high, high), 255, -1)
    return mask


def _spikes(canvas: Image, style: BoardStyle, corner: tuple[int, int], px: int) -> None:
    """Small teeth that reach from a premium square into its neighbours."""
    row, col = corner
    colour = style.premiums[STANDARD_PREMIUMS[row * 15 + col]]
    left, top = (col + MARGIN) * px, (row + MARGIN) * px
    width, reach = px / (2.4 * style.spikes + 1), 0.12 * px
    for tooth in range(style.spikes):
        along = px * (tooth + 1) / (style.spikes + 1) - width / 2
        for x0, y0, x1, y1 in (
            (left + along, top - reach, left + along + width, top),
            (left + along, top + px, left + along + width, top + px + reach),
            (left - reach, top + along, left, top + along + width),
            (left + px, top + along, left + px + reach, top + along + width),
        ):
            cv2.rectangle(canvas, (round(x0), round(y0)), (round(x1), round(y1)), colour, -1)


def _word_mask(style: BoardStyle, lines: tuple[str, ...], side: int) -> Mask:
    mask = np.zeros((side, side), np.uint8)
    cap = style.word_size * side
    top = side / 2 - (len(lines) - 1) * cap * 0.75
    for number, line in enumerate(lines):
        glyphs = style.face.mask(line, cap)
        if glyphs.shape[1] > 0.88 * side:
            size = (int(0.88 * side), glyphs.shape[0])
            glyphs = np.asarray(cv2.resize(glyphs, size, interpolation=cv2.INTER_AREA), np.uint8)
        stamp(mask, glyphs, (side / 2, top + number * cap * 1.5))
    return np.ascontiguousarray(np.rot90(mask, -style.word_turns))


def _star_mask(style: BoardStyle, side: int) -> Mask:
    mask = np.zeros((side, side), np.uint8)
    middle = (side // 2, side // 2)
    if style.star == "disc":
        cv2.circle(mask, middle, round(side * 0.22), 255, -1, cv2.LINE_AA)
    elif style.star == "flower":
        for petal in range(6):
            turn = np.array([np.cos(petal * np.pi / 3), np.sin(petal * np.pi / 3)]) * side * 0.2
            at = (round(side / 2 + turn[0]), round(side / 2 + turn[1]))
            cv2.circle(mask, at, round(side * 0.13), 255, -1, cv2.LINE_AA)
    elif style.star:
        angles = np.arange(10) * np.pi / 5 - np.pi / 2
        reach = np.where(np.arange(10) % 2 == 0, 0.4, 0.16) * side
        points = np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1) + side / 2
        cv2.fillPoly(mask, [np.rint(points).astype(np.int32)], 255, cv2.LINE_AA)
    return np.ascontiguousarray(np.rot90(mask, -style.word_turns))


def _ink(part: Image, mask: Mask, colour: Colour) -> None:
    alpha = mask.astype(np.float32)[..., None] / 255
    part[:] = np.rint(part + alpha * (np.array(colour, np.float32) - part)).astype(np.uint8)


def _draw_squares(canvas: Image, style: BoardStyle, px: int) -> None:
    shape = _premium_mask(style, px)
    words = {premium: _word_mask(style, lines, px) for premium, lines in style.words.items()}
    premium_squares = [s for s in range(SQUARES) if STANDARD_PREMIUMS[s] in style.premiums]
    if style.shape == "spiked":
        for square in premium_squares:
            _spikes(canvas, style, divmod(square, 15), px)
    for square in premium_squares:
        row, col = divmod(square, 15)
        premium = STANDARD_PREMIUMS[square]
        top, left = round((row + MARGIN) * px), round((col + MARGIN) * px)
        part = canvas[top : top + px, left : left + px]
        _ink(part, shape, style.premiums[premium])
        if square == _CENTRE and style.star:
            _ink(part, _star_mask(style, px), style.star_ink)
        elif premium in words:
            _ink(part, words[premium], style.word_ink)


def draw_lines(style: BoardStyle, px: int, colour: Colour = (255, 255, 255)) -> Image:
    """The lines (or the tops of the walls) between the squares, on black."""
    canvas = np.zeros((canvas_side(px), canvas_side(px), 3), np.uint8)
    low, high = MARGIN * px, (MARGIN + 15) * px
    half = max(style.line_width * px / 2, 0.5)
    for index in range(16):
        at = low + index * px
        for x0, y0, x1, y1 in (
            (at - half, low, at + half, high),
            (low, at - half, high, at + half),
        ):
            corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
            points = np.rint((corners - 0.5) * 16).astype(np.int32)
            cv2.fillConvexPoly(canvas, points, colour, cv2.LINE_AA, 4)
    return canvas


def _draw_coordinates(canvas: Image, style: BoardStyle, px: int) -> None:
    """Letters over the columns, numbers beside the rows, on all four sides."""
    ink = np.zeros(canvas.shape[:2], np.uint8)
    cap = min(0.3, style.frame_width * 0.5) * px
    near, far = (MARGIN - style.frame_width / 2) * px, (MARGIN + 15 + style.frame_width / 2) * px
    for index in range(15):
        at = (index + MARGIN + 0.5) * px
        letter = style.face.mask("ABCDEFGHIJKLMNO"[index], cap)
        number = style.face.mask(str(index + 1), cap)
        for edge in (near, far):
            stamp(ink, letter, (at, edge))
            stamp(ink, number, (edge, at))
    _ink(canvas, ink, style.coordinate_ink)


def draw_board(style: BoardStyle, px: int, rng: np.random.Generator) -> tuple[Image, Mask]:
    """The empty board and the mask of what belongs to it, ``px`` pixels per square."""
    side = canvas_side(px)
    canvas = np.empty((side, side, 3), np.uint8)
    canvas[:] = style.frame
    low, high = round(MARGIN * px), round((MARGIN + 15) * px)
    canvas[low:high, low:high] = style.ground
    _draw_squares(canvas, style, px)
    if style.line_width > 0:
        lines = draw_lines(style, px)
        _ink(canvas, np.ascontiguousarray(lines[..., 0]), style.line)
    if style.coordinates and style.frame_width > 0.3:
        _draw_coordinates(canvas, style, px)
    if style.grain > 0:
        canvas = _grained(canvas, style.grain, rng)
    mask = np.zeros((side, side), np.uint8)
    edge = round((MARGIN - style.frame_width) * px)
    mask[edge : side - edge, edge : side - edge] = 255
    return np.asarray(cv2.bitwise_and(canvas, canvas, mask=mask), dtype=np.uint8), mask


def _grained(canvas: Image, strength: float, rng: np.random.Generator) -> Image:
    coarse = rng.normal(0.0, 6.0, (12, 40, 1)).astype(np.float32)
    side = canvas.shape[0]
    waves = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    fine = rng.normal(0.0, 5.0, (side, side)).astype(np.float32)
    shade = cv2.merge([(waves + fine) * strength] * 3)
    return np.asarray(cv2.add(canvas, shade, dtype=cv2.CV_8U), dtype=np.uint8)


def draw_table(style: BoardStyle, rng: np.random.Generator, px: int = 10) -> Image:
    """The table around the board with a few things on it, ``px`` pixels per square."""
    side = canvas_side(px, TABLE_MARGIN)
    canvas = np.empty((side, side, 3), np.uint8)
    canvas[:] = style.table
    streaks = rng.normal(0.0, 25.0, (60, 6, 1)).astype(np.float32) * style.table_grain
    waves = cv2.resize(streaks, (side, side), interpolation=cv2.INTER_CUBIC)
    canvas = np.asarray(cv2.add(canvas, cv2.merge([waves] * 3), dtype=cv2.CV_8U), np.uint8)
    for _ in range(style.clutter):
        at = rng.uniform(0, side, 2)
        size = rng.uniform(1.0, 9.0, 2) * px
        box = cv2.boxPoints((at.tolist(), size.tolist(), float(rng.uniform(0, 180))))
        colour = rng.integers(0, 256, 3).tolist()
        cv2.fillConvexPoly(canvas, np.rint(box).astype(np.int32), colour, cv2.LINE_AA)
    return canvas

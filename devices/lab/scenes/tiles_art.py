"""Drawing tiles: one picture per face, then a layer of all tile tops on the board.

Everything here is flat; the camera comes later. Pure given a numpy Generator.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from devices.lab.scenes.lettering import is_dotted, stamp
from devices.lab.scenes.styles import TileStyle
from devices.pictures import Image
from devices.vision.geometry.pose import Floats
from recorder.domain.observations import JOINED

_OVERSAMPLE = 2


@dataclass(frozen=True, slots=True)
class Lying:
    """How a tile lies: offset from the middle of its square, turn, and its own shade."""

    dx: float = 0.0
    dy: float = 0.0
    turn_deg: float = 0.0
    shade: float = 0.0


def rounded_square(side: int, size: float, corner: float) -> Image:
    """A filled square with round corners, ``size`` of the canvas wide (mask 0..255)."""
    mask = np.zeros((side, side), np.uint8)
    radius = max(1, round(corner * side))
    low, high = side * (1 - size) / 2 + radius, side * (1 + size) / 2 - radius
    shift = 16  # sub-pixel coordinates in sixteenths
    corners = np.array([[low, low], [high, low], [high, high], [low, high]])
    points = np.rint((corners - 0.5) * shift).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
    edge = np.rint(corners - 0.5).astype(np.int32)
    cv2.polylines(mask, [edge], isClosed=True, color=255, thickness=2 * radius)
    return mask


def wood(side: int, strength: float, rng: np.random.Generator) -> Floats:
    """Streaky grain as factors around 1, [side, side]."""
    long = rng.normal(0.0, 1.0, (side, 4)).astype(np.float32)
    streaks = cv2.resize(long, (side, side), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        streaks = streaks.T
    fine = rng.normal(0.0, 0.3, (side, side)).astype(np.float32)
    return np.asarray(1.0 + strength * (0.12 * streaks + 0.1 * fine), dtype=np.float32)


def _bevel(mask: Image, strength: float, width: float, rng: np.random.Generator) -> Floats:
    """Light along the edges from a random side, as factors around 1."""
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), mask.shape[0] * width)
    angle = rng.uniform(0, 2 * np.pi)
    slope = np.cos(angle) * cv2.Sobel(soft, cv2.CV_32F, 1, 0) / 4
    slope += np.sin(angle) * cv2.Sobel(soft, cv2.CV_32F, 0, 1) / 4
    # A wide slope is as bright as a narrow one.
    return np.asarray(1.0 + strength * 4.0 * slope * (width / 0.03), dtype=np.float32)


_JOINED_SIZE = 0.72
"""Faces of several letters are printed smaller."""


def _inked(style: TileStyle, letter: str, side: int) -> Image:
    ink = np.zeros((side, side), np.uint8)
    cap = style.letter_size * side * (_JOINED_SIZE if letter in JOINED else 1.0)
    glyph = style.face.mask(letter, cap, style.umlaut_squeeze, style.cut)
    limit = int(style.size * (0.8 if letter in JOINED else 0.96) * side)
    if glyph.shape[1] > limit:
        glyph = np.asarray(cv2.resize(glyph, (limit, glyph.shape[0])), dtype=np.uint8)
    x, y = style.letter_at[0] * side, style.letter_at[1] * side
    # Dots and tails stick out of the capital's height: the letter's body keeps its place.
    extra = (glyph.shape[0] - cap) / 2
    stamp(ink, glyph, (x, y - extra if is_dotted(letter) else y + max(extra, 0.0)))
    if style.digit_size > 0 and letter in style.values:
        value = style.face.mask(str(style.values[letter]), style.digit_size * side)
        reach = style.size * 0.5 * side + side / 2 - 0.03 * side
        wanted = style.digit_at[0] * side
        if style.digit_gap is not None:
            end = x + glyph.shape[1] / 2
            if style.is_tucked:
                end = _ink_beside(ink, style.digit_at[1] * side, value.shape[0], end)
            wanted = end + style.digit_gap * side + value.shape[1] / 2
        right = min(wanted, reach - value.shape[1] / 2)
        stamp(ink, value, (right, style.digit_at[1] * side))
    return ink


def _ink_beside(ink: Image, middle: float, height: int, end: float) -> float:
    """How far right ink reaches in the rows of a digit; where there is none, half its width."""
    low = max(round(middle - height / 2) - 2, 0)
    columns = np.flatnonzero(ink[low : low + height + 4].max(axis=0, initial=0) > 0)
    inked = np.flatnonzero(ink.max(axis=0) > 0)
    least = float(inked.mean()) if len(inked) else end
    return max(float(columns[-1]) + 1.0, least) if len(columns) else least


def _star_points(side: int, radius: float, middle: tuple[float, float]) -> npt.NDArray[np.int32]:
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2 == 0, 1.0, 0.42) * radius * side
    points = np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1)
    points += np.array(middle) * side
    return np.rint(points).astype(np.int32)


def _marked(style: TileStyle, side: int, rng: np.random.Generator) -> Image:
    """What is printed or stuck on a blank."""
    mark = np.zeros((side, side), np.uint8)
    middle, radius = side // 2, int(side * rng.uniform(0.14, 0.32))
    if style.mark == "star":
        cv2.fillPoly(mark, [_star_points(side, radius / side, (0.5, 0.5))], 255, cv2.LINE_AA)
    elif style.mark == "ring":
        cv2.circle(mark, (middle, middle), radius, 255, max(2, side // 20), cv2.LINE_AA)
    elif style.mark == "disc":
        cv2.circle(mark, (middle, middle), radius, 255, -1, cv2.LINE_AA)
    elif style.mark == "sticker":
        low, high = middle - radius, middle + radius
        cv2.rectangle(mark, (low, low), (high, high), 255, -1)
    elif style.mark == "logo":
        _draw_logo(mark, style, rng)
    elif style.mark == "words":
        _write_words(mark, style, rng)
    return mark


def _write_words(mark: Image, style: TileStyle, rng: np.random.Generator) -> None:
    """A club's or maker's name in small letters: in lines, in a column, or round a corner."""
    side = mark.shape[0]
    cap = side * rng.uniform(0.09, 0.2)
    step = cap * rng.uniform(1.15, 1.6)
    letters = rng.choice(list("ABCDEFGILMNOPRSTUW"), int(rng.integers(3, 8)))
    start = np.array([rng.uniform(0.2, 0.4), rng.uniform(0.25, 0.5)]) * side
    turn = int(rng.integers(1, len(letters) + 1))
    lines = rng.random() < 0.4
    at = start.copy()
    for number, letter in enumerate(letters):
        stamp(mark, style.face.mask(str(letter), cap), (float(at[0]), float(at[1])))
        at = at + (np.array([step, 0.0]) if number + 1 < turn or lines else np.array([0.0, step]))
        if lines and number + 1 == turn:
            at = np.array([start[0], at[1] + step])


def _draw_logo(mark: Image, style: TileStyle, rng: np.random.Generator) -> None:
    side = mark.shape[0]
    middle = side // 2
    axes = (int(side * rng.uniform(0.22, 0.36)), int(side * rng.uniform(0.12, 0.3)))
    cv2.ellipse(mark, (middle, middle), axes, rng.uniform(-25, 25), 0, 360, 255, -1, cv2.LINE_AA)
    words = np.zeros_like(mark)
    text = "".join(rng.choice(list("ABCDEGLMRS"), 6))
    glyphs = style.face.mask(text, side * 0.09)
    if glyphs.shape[1] > side * 0.6:
        glyphs = np.asarray(cv2.resize(glyphs, (int(side * 0.6), glyphs.shape[0])), dtype=np.uint8)
    stamp(words, glyphs, (middle, middle))
    np.subtract(mark, np.minimum(mark, words), out=mark)


def draw_tile(style: TileStyle, letter: str, side: int, rng: np.random.Generator) -> Image:
    """One tile as premultiplied BGRA, ``side`` px for one square; ``"?"`` is a blank."""
    big = side * _OVERSAMPLE
    mask = rounded_square(big, style.size, style.corner)
    colour = np.empty((big, big, 3), np.float32)
    colour[:] = style.face_colour
    if style.grain > 0:
        colour *= wood(big, style.grain, rng)[..., None]
    colour *= _bevel(mask, style.bevel, style.bevel_width, rng)[..., None]
    blank = letter == "?"
    ink = _marked(style, big, rng) if blank else _inked(style, letter, big)
    alpha = ink.astype(np.float32)[..., None] / 255
    if style.wear > 0:
        worn = cv2.resize(rng.random((9, 9)).astype(np.float32), (big, big))
        alpha *= np.clip(1.0 - style.wear * worn, 0.0, 1.0)[..., None]
    inked = np.array(style.mark_colour if blank else style.ink, dtype=np.float32)
    colour += alpha * (inked - colour)
    cover = mask.astype(np.float32)[..., None]
    premultiplied = np.clip(colour, 0, 255) * (cover / 255)
    full = np.concatenate([premultiplied, cover], axis=2)
    small = cv2.resize(full, (side, side), interpolation=cv2.INTER_AREA)
    return np.rint(small).astype(np.uint8)


def lay(layer: Image, tile: Image, centre: tuple[float, float], lying: Lying) -> None:
    """Lay a tile on a premultiplied BGRA layer, its middle at ``centre`` (x, y in px)."""
    side = tile.shape[0]
    x, y = centre[0] + lying.dx * side, centre[1] + lying.dy * side
    pad = side // 4
    left, top = int(x - side / 2) - pad, int(y - side / 2) - pad
    span = side + 2 * pad + 1
    if left < 0 or top < 0 or left + span > layer.shape[1] or top + span > layer.shape[0]:
        return
    middle = side / 2 - 0.5
    matrix = cv2.getRotationMatrix2D((middle, middle), -lying.turn_deg, 1.0)
    matrix[0, 2] += x - 0.5 - left - middle
    matrix[1, 2] += y - 0.5 - top - middle
    turned = cv2.warpAffine(tile, matrix, (span, span), flags=cv2.INTER_LINEAR)
    cover = turned[..., 3:]
    if lying.shade:
        shaded = turned[..., :3].astype(np.float32) * (1.0 + lying.shade)
        turned[..., :3] = np.minimum(shaded, cover)
    below = layer[top : top + span, left : left + span]
    rest = cv2.multiply(below, cv2.merge([255 - cover] * 4), scale=1 / 255)
    below[:] = cv2.add(turned, rest)


def draw_tiles(
    style: TileStyle, letters: Iterable[str], side: int, seed: int
) -> Mapping[str, Image]:
    """The pictures of these faces, each the same whenever the seed is the same."""
    faces = sorted(set(letters))
    return {
        face: draw_tile(style, face, side, np.random.default_rng([seed, *map(ord, face)]))
        for face in faces
    }

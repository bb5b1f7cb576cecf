"""Hands and sleeves over the board, and light that falls unevenly. In pixels; pure.

Knows nothing of squares: the scene asks afterwards what the mask covers.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from devices.lab.scenes.styles import Colour
from devices.pictures import Image

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """An arm from ``elbow`` to the finger tips at ``tip`` (pixels), ``width`` px at the wrist."""

    elbow: Point
    tip: Point
    width: float
    skin: Colour = (130, 160, 205)
    sleeve: Colour = (90, 60, 40)
    bare: float = 0.45
    spread_deg: float = 14.0
    fingers: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Something flat over the board: a score sheet, or a graphic laid over a broadcast.

    ``corners`` are four points in pixels in order, ``lines`` how many lines of writing it has.
    """

    corners: tuple[Point, Point, Point, Point]
    colour: Colour
    ink: Colour = (30, 30, 30)
    lines: int = 0


def draw_sheet(image: Image, sheet: Sheet) -> Image:
    """Paint the sheet on the picture in place; returns the mask (0..255) of what it covers."""
    mask = np.zeros(image.shape[:2], np.uint8)
    corners = np.array(sheet.corners)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255, cv2.LINE_AA)
    image[mask > 127] = sheet.colour
    for number in range(sheet.lines):
        part = (number + 0.5) / sheet.lines
        start = corners[0] + part * (corners[3] - corners[0])
        end = corners[1] + part * (corners[2] - corners[1])
        inner = [start + share * (end - start) for share in (0.08, 0.3 + 0.6 * (number % 3) / 2)]
        first, last = ((round(float(x)), round(float(y))) for x, y in inner)
        thick = max(1, round(float(np.hypot(*(corners[3] - corners[0]))) / sheet.lines * 0.25))
        cv2.line(image, first, last, sheet.ink, thick, cv2.LINE_AA)
    return mask


def _limb(mask: Image, start: Point, end: Point, width: float) -> None:
    first = (round(start[0]), round(start[1]))
    last = (round(end[0]), round(end[1]))
    cv2.line(mask, first, last, 255, max(2, round(width)), cv2.LINE_AA)


def _along(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def draw_arm(image: Image, arm: Arm, rng: np.random.Generator) -> Image:
    """Paint the arm on the picture in place; returns the mask (0..255) of what it covers."""
    skin = np.zeros(image.shape[:2], np.uint8)
    cloth = np.zeros_like(skin)
    direction = np.array(arm.tip) - np.array(arm.elbow)
    length = max(float(np.hypot(*direction)), 1.0)
    direction = direction / length
    knuckle = np.array(arm.tip) - direction * arm.width * 1.1
    wrist = knuckle - direction * arm.width * 1.2
    for finger in range(arm.fingers):
        angle = np.radians((finger - (arm.fingers - 1) / 2) * arm.spread_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        reach = turn @ direction * arm.width * rng.uniform(0.9, 1.25)
        side = np.array([-direction[1], direction[0]]) * arm.width
        root = knuckle + side * (finger - (arm.fingers - 1) / 2) * 0.26
        tip = root + reach
        _limb(skin, (root[0], root[1]), (tip[0], tip[1]), arm.width * 0.27)
    palm_end, wrist_at = (knuckle[0], knuckle[1]), (wrist[0], wrist[1])
    _limb(skin, wrist_at, palm_end, arm.width)
    cuff = _along(arm.elbow, wrist_at, 1.0 - arm.bare)
    _limb(skin, cuff, wrist_at, arm.width * 0.8)
    _limb(cloth, arm.elbow, cuff, arm.width * 1.35)
    both = np.asarray(cv2.max(skin, cloth), dtype=np.uint8)
    _shadow(image, both, arm.width)
    _paint(image, skin, arm.skin, rng)
    _paint(image, cloth, arm.sleeve, rng)
    return both


def _softened(mask: Image, sigma: float) -> Image:
    """A wide blur, made on a small copy: nobody sees the difference, and it is ten times faster."""
    factor = max(1, int(sigma / 3))
    height, width = mask.shape
    small = cv2.resize(mask, (width // factor + 1, height // factor + 1))
    soft = cv2.GaussianBlur(small, (0, 0), max(0.5, sigma / factor))
    return np.asarray(cv2.resize(soft, (width, height)), dtype=np.uint8)


def _shadow(image: Image, mask: Image, width: float) -> None:
    step, reach = max(1, round(width * 0.15)), round(width * 0.6)
    x, y, wide, high = cv2.boundingRect(mask)
    area = (
        slice(max(y - reach, 0), y + high + reach),
        slice(max(x - reach, 0), x + wide + reach),
    )
    below = image[area]
    moved = np.zeros(below.shape[:2], np.uint8)
    moved[step:, step:] = mask[area][:-step, :-step]
    soft = _softened(moved, max(1.0, width * 0.12))
    below[:] = cv2.multiply(below, cv2.cvtColor(255 - soft // 2, cv2.COLOR_GRAY2BGR), scale=1 / 255)


def _paint(image: Image, mask: Image, colour: Colour, rng: np.random.Generator) -> None:
    x, y, width, height = cv2.boundingRect(mask)
    if width == 0 or height == 0:
        return
    area = slice(y, y + height), slice(x, x + width)
    depth = _softened(mask[area], max(2.0, min(width, height) * 0.05))
    folds = rng.normal(1.0, 0.08, (8, 8)).astype(np.float32)
    light = cv2.resize(folds, (width, height), interpolation=cv2.INTER_CUBIC)
    shaded = light * (0.55 + 0.45 * depth.astype(np.float32) / 255)
    paint = cv2.merge([np.minimum(shaded * part, 255.0).astype(np.uint8) for part in colour])
    cover = cv2.cvtColor(mask[area], cv2.COLOR_GRAY2BGR)
    below = image[area]
    lit = cv2.multiply(paint, cover, scale=1 / 255)
    below[:] = cv2.add(lit, cv2.multiply(below, 255 - cover, scale=1 / 255))


@dataclass(frozen=True, slots=True, kw_only=True)
class Glare:
    """A lamp or window mirrored in the picture: middle and axes in pixels, added grey levels."""

    at: Point
    axes: tuple[float, float]
    turn_deg: float
    strength: float
    window: bool = False


def add_glare(image: Image, glare: Glare) -> None:
    """Add the reflection in place; it saturates as on a real sensor."""
    height, width = image.shape[:2]
    mask = np.zeros((height // 4 + 1, width // 4 + 1), np.uint8)
    middle = (round(glare.at[0] / 4), round(glare.at[1] / 4))
    axes = (max(1, round(glare.axes[0] / 4)), max(1, round(glare.axes[1] / 4)))
    if glare.window:
        box = cv2.boxPoints((middle, (2.0 * axes[0], 2.0 * axes[1]), glare.turn_deg))
        cv2.fillConvexPoly(mask, np.rint(box).astype(np.int32), 255)
    else:
        cv2.ellipse(mask, middle, axes, glare.turn_deg, 0, 360, 255, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, min(axes) * (0.08 if glare.window else 0.5)))
    full = cv2.resize(soft, (width, height)).astype(np.float32) * (glare.strength / 255)
    image[:] = cv2.add(image, cv2.merge([full] * 3), dtype=cv2.CV_8U)


def shade_polygon(image: Image, points: npt.NDArray[np.int32], depth: float, soft: float) -> None:
    """Darken a polygon in place by ``depth`` (0..1) with an edge ``soft`` px wide."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [points], 255)
    if soft > 0.3:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), dtype=np.uint8)
    factor = 255 - cv2.convertScaleAbs(mask, alpha=depth)
    image[:] = cv2.multiply(image, cv2.merge([factor] * 3), scale=1 / 255)


def light_gradient(image: Image, low: float, high: float, angle: float) -> None:
    """Multiply in place by light that falls off linearly from ``high`` to ``low``."""
    image[:] = cv2.multiply(image, _fall_off(image.shape[:2], low, high, angle), dtype=cv2.CV_8U)


@lru_cache(maxsize=2)
def _fall_off(
    size: tuple[int, int], low: float, high: float, angle: float
) -> npt.NDArray[np.float32]:
    """The factor at every point of a picture; read only, for every frame has the same."""
    height, width = size
    across = np.linspace(-0.5, 0.5, width, dtype=np.float32) * np.cos(angle)
    down = np.linspace(-0.5, 0.5, height, dtype=np.float32) * np.sin(angle)
    place = across[None, :] + down[:, None]
    factor = (low + high) / 2 + place * (high - low)
    return np.asarray(cv2.merge([factor] * 3), np.float32)

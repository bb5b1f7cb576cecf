"""Pictures of racks and of all tiles laid out, with exact truth. Pure given the seed."""

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from devices.lab.scenes.styles import TileStyle
from devices.lab.scenes.tiles_art import Lying, draw_tiles, lay
from devices.pictures import Image

Turns = Mapping[tuple[int, int], float]
"""Which tiles, by row and column from 0, lie turned clockwise, and by how many degrees."""

_STRAIGHT: Turns = {}


def lay_rows(
    style: TileStyle,
    rows: tuple[str, ...],
    px: int,
    seed: int,
    table: int,
    turns: Turns = _STRAIGHT,
) -> Image:
    """Tiles in rows on a plain table (a grey level); ``px`` for a tile.

    "." where none lies, "?" a blank, "#" a tile face down, which has no mark.
    """
    rng = np.random.default_rng(seed)
    height, width = (len(rows) + 2) * px, (max(len(row) for row in rows) + 2) * px
    layer = np.zeros((height, width, 4), np.uint8)
    faces = "".join(rows).replace(".", "").replace("#", "")
    sprites = dict(draw_tiles(style, faces, px, seed))
    sprites["#"] = draw_tiles(replace(style, mark=""), "?", px, seed)["?"]
    for down, row in enumerate(rows):
        for across, letter in enumerate(row):
            if letter != ".":
                dx, dy = rng.normal(0.0, 0.015, 2)
                centre = ((across + 1.5) * px, (down + 1.5) * px)
                turn_deg = turns.get((down, across), 0.0)
                lay(layer, sprites[letter], centre, Lying(float(dx), float(dy), turn_deg, 0.0))
    ground = np.full((height, width, 3), table, np.float32)
    ground += rng.normal(0.0, 3.0, (height, width, 1)).astype(np.float32)
    cover = layer[..., 3:].astype(np.float32) / 255
    return np.clip(ground * (1 - cover) + layer[..., :3], 0, 255).astype(np.uint8)


def _taken(flat: Image, turn_deg: float, lean: float, seed: int) -> Image:
    """The flat picture leaning back (``lean`` is its height kept) and turned, on a wider table."""
    height, width = flat.shape[:2]
    side = int(1.25 * np.hypot(width, height)) + 80
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -turn_deg, 1.0)
    matrix[:, 2] += (side - width) / 2, (side - height) / 2
    matrix = (np.vstack([matrix, [0, 0, 1]]) @ np.diag([1.0, lean, 1.0]))[:2]
    matrix[:, 2] += matrix[:, 1] * height * (1 - lean) / (2 * lean)
    edge = tuple(int(part) for part in np.median(flat[:4].reshape(-1, 3), axis=0))
    taken = cv2.warpAffine(flat, matrix, (side, side), borderValue=edge)
    taken = cv2.GaussianBlur(taken, (0, 0), 0.7)
    noise = np.random.default_rng([seed, 1]).normal(0.0, 2.0, taken.shape)
    return np.asarray(np.clip(taken + noise, 0, 255), dtype=np.uint8)


def render_rack(  # noqa: PLR0913 a picture has these many properties
    style: TileStyle,
    slots: str,
    *,
    px: int = 60,
    turn_deg: float = 0.0,
    lean: float = 0.8,
    seed: int = 0,
    turns: Turns = _STRAIGHT,
) -> Image:
    """A rack with these tiles, "." for gaps, turned clockwise, on a dark table."""
    flat = lay_rows(style, (slots,), px, seed, table=60, turns=turns)
    return _taken(flat, turn_deg, lean, seed)


def render_tile_grid(  # noqa: PLR0913 a picture has these many properties
    style: TileStyle,
    rows: tuple[str, ...],
    *,
    px: int = 48,
    turn_deg: float = 0.0,
    seed: int = 0,
    table: int = 70,
    turns: Turns = _STRAIGHT,
) -> Image:
    """Tiles laid out in rows after the game, seen from above, on a table of this grey level."""
    return _taken(lay_rows(style, rows, px, seed, table, turns), turn_deg, 1.0, seed)

"""Pictures of a table with a board, tiles and hands, with exact truth. Pure given the seed.

A scene is flat layers (table, board, walls, tile sides, tile tops) that the camera projects at
their own heights, so that tiles stand above the board as real ones do. Then hands and light are
painted over in the picture, and the sensor takes it. Knows nothing of how pictures are read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from devices.lab.scenes.boards_art import (
    MARGIN,
    TABLE_MARGIN,
    canvas_matrix,
    canvas_side,
    draw_board,
    draw_lines,
    draw_table,
)
from devices.lab.scenes.hands import (
    Arm,
    Glare,
    Sheet,
    add_glare,
    draw_arm,
    draw_sheet,
    light_gradient,
    shade_polygon,
)
from devices.lab.scenes.lens import SceneCamera, Sensor, expose
from devices.lab.scenes.styles import BoardStyle, Style
from devices.lab.scenes.tiles_art import Lying, draw_tiles, lay
from devices.pictures import Image
from devices.vision.geometry.pose import Floats
from recorder.domain.board import EMPTY_BOARD, Board, Square
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import BLANK, face

_FIELD = np.array([[0.0, 0.0], [15.0, 0.0], [15.0, 15.0], [0.0, 15.0]])
_SIDE_LAYERS = 4
_MOST_TURNED_DEG = 42.0
"""A tile that is turned further reads as turned by a quarter."""
COVERED_PART = 0.45
"""From this part on, a square under a hand counts as covered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """Light over the picture: fall-off, hard shadows (polygons in px with depth), reflections."""

    low: float = 1.0
    high: float = 1.0
    angle: float = 0.0
    shadows: tuple[tuple[npt.NDArray[np.int32], float, float], ...] = ()
    glares: tuple[Glare, ...] = ()
    tile_shadow: float = 0.35
    shadow_shift: tuple[float, float] = (0.08, 0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything that is in one picture. ``rows`` are 15 strings as ``Board.rows`` gives them."""

    style: Style
    rows: Sequence[str] = EMPTY_BOARD.rows()
    camera: SceneCamera = field(default_factory=SceneCamera)
    sensor: Sensor = field(default_factory=Sensor)
    light: Light = field(default_factory=Light)
    arms: tuple[Arm, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Truth:
    """What the picture shows. ``corners`` [4, 2] px, clockwise from the board's top-left.

    ``cover`` [15, 15] is the part of every square that a hand hides; ``homography`` maps board
    units to pixels on the board, ``top_homography`` on the tile tops.
    """

    corners: Floats
    rows: tuple[str, ...]
    cover: npt.NDArray[np.float32]
    homography: Floats
    top_homography: Floats
    lying: Mapping[Square, Lying]

    @property
    def covered(self) -> frozenset[int]:
        """Squares (row * 15 + col) of which a hand hides so much that nobody could tell."""
        return frozenset(np.flatnonzero(self.cover.ravel() >= COVERED_PART).tolist())


@dataclass(frozen=True, slots=True)
class Layers:
    """The flat pictures of a scene, ``px`` pixels per square."""

    px: int
    table: Image
    board: Image
    board_mask: Image
    tops: Image


def lying_of(style: Style, square: int, tile: str, seed: int) -> Lying:
    """How this tile lies on this square: the same for the same seed, whatever else changes."""
    rng = np.random.default_rng([seed, square, *map(ord, tile)])
    dx, dy = np.clip(rng.normal(0.0, style.jitter, 2), -0.36, 0.36)
    turn = style.turn_deg + float(rng.normal(0.0, style.turn_jitter_deg))
    turn = float(np.clip(turn, -_MOST_TURNED_DEG, _MOST_TURNED_DEG))
    return Lying(float(dx), float(dy), turn, float(rng.normal(0.0, style.tiles.variety / 100)))


@dataclass(frozen=True, slots=True)
class Oddly:
    """Tiles that do not lie as the others do, by square.

    ``turned`` by so many degrees clockwise; ``backs`` are face down, with nothing on them.
    """

    turned: Mapping[int, float] = field(default_factory=dict)
    backs: frozenset[int] = frozenset()


_AS_USUAL = Oddly()


def lay_tiles(
    style: Style, rows: Sequence[str], px: int, seed: int, oddly: Oddly = _AS_USUAL
) -> Image:
    """The layer of tile tops (premultiplied BGRA)."""
    board = Board.from_rows(rows)
    side = canvas_side(px)
    layer = np.zeros((side, side, 4), np.uint8)
    faces = {str(face(board[s])) for s in board.occupied()}
    sprites = draw_tiles(style.tiles, faces, px, seed)
    back = draw_tiles(replace(style.tiles, mark=""), [BLANK.text], px, seed)[BLANK.text]
    for square in board.occupied():
        tile = str(face(board[square]))
        row, col = divmod(square, 15)
        centre = ((col + MARGIN + 0.5) * px, (row + MARGIN + 0.5) * px)
        lying = lying_of(style, square, tile, seed)
        lying = replace(lying, turn_deg=lying.turn_deg + oddly.turned.get(square, 0.0))
        lay(layer, back if square in oddly.backs else sprites[tile], centre, lying)
    return layer


def draw_layers(style: Style, rows: Sequence[str], px: int, seed: int) -> Layers:
    """All flat layers of a style with these tiles."""
    return Layers(px, *_bare(style.board, px, seed), lay_tiles(style, rows, px, seed))


@lru_cache(maxsize=4)
def _bare(style: BoardStyle, px: int, seed: int) -> tuple[Image, Image, Image]:
    """Table, board and the board's mask without tiles; read only, for scenes share them."""
    rng = np.random.default_rng([seed, 1])
    board, mask = draw_board(style, px, rng)
    layers = draw_table(style, rng), board, mask
    for layer in layers:
        layer.flags.writeable = False
    return layers


def _to_picture(camera: SceneCamera, height: float, px: float, margin: float = MARGIN) -> Floats:
    matrix: Floats = camera.homography(height) @ canvas_matrix(px, margin)
    return matrix


def _over(image: Image, layer: Image) -> Image:
    """A premultiplied BGRA layer over a BGR picture."""
    colour = cv2.cvtColor(layer, cv2.COLOR_BGRA2BGR)
    rest = cv2.cvtColor(255 - layer[..., 3], cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.add(colour, cv2.multiply(image, rest, scale=1 / 255)), dtype=np.uint8)


def _flat_layer(mask: Image, tone: Image, colour: npt.NDArray[np.float64]) -> Image:
    """One colour, premultiplied by ``tone``, where the mask is."""
    planes = [cv2.convertScaleAbs(tone, alpha=float(part) / 255) for part in colour]
    return np.asarray(cv2.merge([*planes, mask]), dtype=np.uint8)


def _stacked(
    flat: Image, matrices: Sequence[Floats], tones: Sequence[float], size: tuple[int, int]
) -> tuple[Image, Image]:
    """A mask seen at several heights from low to high: what it covers, and how bright."""
    cover = np.zeros(size[::-1], np.uint8)
    tone = np.zeros(size[::-1], np.uint8)
    for matrix, part in zip(matrices, tones, strict=True):
        mask = np.asarray(cv2.warpPerspective(flat, matrix, size), np.uint8)
        lit = cv2.convertScaleAbs(mask, alpha=part)
        tone = np.asarray(cv2.add(lit, cv2.multiply(tone, 255 - mask, scale=1 / 255)), np.uint8)
        cover = np.asarray(cv2.max(cover, mask), np.uint8)
    return cover, tone


def _standing_as_seen(style: Style, layers: Layers, camera: SceneCamera, light: Light) -> Image:
    """Table, board with the shadows of the tiles, and walls. The table does not turn."""
    size = (camera.width, camera.height)
    table_px = layers.table.shape[0] / (15 + 2 * TABLE_MARGIN)
    still = replace(camera, turn_deg=0.0, board_turn_deg=0.0, board_shift=(0.0, 0.0))
    matrix = _to_picture(still, 0.0, table_px, TABLE_MARGIN)
    table = cv2.warpPerspective(layers.table, matrix, size, borderMode=cv2.BORDER_REFLECT)
    shadow = cv2.convertScaleAbs(layers.tops[..., 3], alpha=light.tile_shadow)
    shift = np.array([[1.0, 0, light.shadow_shift[0]], [0, 1.0, light.shadow_shift[1]]])
    shift[:, 2] *= layers.px
    shadow = cv2.warpAffine(shadow, shift, shadow.shape[::-1])
    shadow = cv2.GaussianBlur(shadow, (0, 0), max(0.6, 0.06 * layers.px))
    shaded = cv2.multiply(layers.board, cv2.merge([255 - shadow] * 3), scale=1 / 255)
    full = cv2.merge([*cv2.split(shaded), layers.board_mask])
    flags = cv2.INTER_LINEAR
    board = cv2.warpPerspective(full, _to_picture(camera, 0.0, layers.px), size, flags=flags)
    ground = _over(np.asarray(table, np.uint8), np.asarray(board, np.uint8))
    if style.board.wall > 0:
        ground = _raise_walls(ground, style, layers.px, camera)
    return ground


def _raise_walls(image: Image, style: Style, px: int, camera: SceneCamera) -> Image:
    lines = np.ascontiguousarray(draw_lines(style.board, px)[..., 0])
    matrices = [_to_picture(camera, part * style.board.wall, px) for part in (0.5, 1.0)]
    cover, tone = _stacked(lines, matrices, (0.7, 1.0), (camera.width, camera.height))
    return _over(image, _flat_layer(cover, tone, np.array(style.board.line, dtype=float)))


def project_layers(style: Style, layers: Layers, camera: SceneCamera, light: Light) -> Image:
    """The picture of the flat layers from the camera, without hands, light and sensor."""
    image = _standing_as_seen(style, layers, camera, light)
    size = (camera.width, camera.height)
    height = style.tiles.height
    flat = np.ascontiguousarray(layers.tops[..., 3])
    parts = [level / _SIDE_LAYERS for level in range(_SIDE_LAYERS)]
    matrices = [_to_picture(camera, part * height, layers.px) for part in parts]
    cover, tone = _stacked(flat, matrices, [0.62 + 0.38 * part for part in parts], size)
    image = _over(image, _flat_layer(cover, tone, np.array(style.tiles.side, dtype=float)))
    matrix = _to_picture(camera, height, layers.px)
    return _over(image, np.asarray(cv2.warpPerspective(layers.tops, matrix, size), np.uint8))


def light_up(image: Image, light: Light) -> None:
    """Put fall-off, shadows and reflections on the picture in place."""
    if (light.low, light.high) != (1.0, 1.0):
        light_gradient(image, light.low, light.high, light.angle)
    for points, depth, soft in light.shadows:
        shade_polygon(image, points, depth, soft)
    for glare in light.glares:
        add_glare(image, glare)


def cover_of(mask: Image, top_homography: Floats) -> npt.NDArray[np.float32]:
    """The part of every square (at tile height) that the mask hides, [15, 15]."""
    cells = 8
    scale = np.diag([1 / cells, 1 / cells, 1.0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(mask, top_homography @ scale, (15 * cells, 15 * cells), flags=flags)
    part = cv2.resize(flat.astype(np.float32) / 255, (15, 15), interpolation=cv2.INTER_AREA)
    return np.asarray(part, dtype=np.float32)


def truth_of(camera: SceneCamera, style: Style, rows: Sequence[str], seed: int) -> Truth:
    """The truth of a picture without hands."""
    board = Board.from_rows(rows)
    lying = {s: lying_of(style, s, str(face(board[s])), seed) for s in board.occupied()}
    return Truth(
        camera.project(_FIELD),
        tuple(write_tiles(map(face, row)) for row in board.lines()),
        np.zeros((15, 15), np.float32),
        camera.homography(),
        camera.homography(style.tiles.height),
        lying,
    )


def render(scene: Scene) -> tuple[Image, Truth]:
    """The picture of a scene and what is true about it."""
    camera, style = scene.camera, scene.style
    truth = truth_of(camera, style, scene.rows, scene.seed)
    edge = truth.corners - np.roll(truth.corners, 1, axis=0)
    px = int(np.clip(round(float(np.hypot(*edge.T).mean()) / 15), 14, 64))
    layers = draw_layers(style, scene.rows, px, scene.seed)
    image = project_layers(style, layers, camera, scene.light)
    rng = np.random.default_rng([scene.seed, 2])
    hidden = np.zeros(image.shape[:2], np.uint8)
    for arm in scene.arms:
        hidden = np.asarray(cv2.max(hidden, draw_arm(image, arm, rng)), dtype=np.uint8)
    for sheet in scene.sheets:
        hidden = np.asarray(cv2.max(hidden, draw_sheet(image, sheet)), dtype=np.uint8)
    light_up(image, scene.light)
    picture = expose(image, scene.sensor, rng)
    if not scene.arms and not scene.sheets:
        return picture, truth
    cover = cover_of(hidden, truth.top_homography)
    return picture, Truth(
        truth.corners, truth.rows, cover, truth.homography, truth.top_homography, truth.lying
    )

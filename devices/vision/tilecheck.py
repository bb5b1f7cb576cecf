"""All tiles laid out after the game (rulebook EQUIP-8): are any missing or too many?

Finds the letters that lie in a square lattice, 10 x 10 or in blocks of 5 x 5, reads the tiles on
it, and compares them with the set. What is not sure is named as such. Tiles that lie face down
have no letters to find: then nothing is found, and that is said.
"""

from collections import Counter
from dataclasses import dataclass, field

import cv2
import numpy as np

from devices.vision.blobs import Blobs
from devices.vision.faces import face_colours
from devices.vision.glyphs import UNIT_PX, Glyphs, find_glyphs
from devices.vision.lattice import Lattice, find_lattices
from devices.vision.pose import Floats, Image, Pose
from devices.vision.slots import sides
from devices.vision.squares import LETTER_CLASSES, Float32s, SquareNet, cut_crops, shipped_net
from recorder.domain.observations import BLANK_SYMBOL, EMPTY_SYMBOL, SYMBOLS
from recorder.domain.tiles import TileSet

_WORKING_SIDES = (1000, 700, 1400)
_SHARES = (1.6, 1.9, 2.3)
"""Pitches of the lattice per letter's length."""
_LEAST_LETTERS = 20
_MOST_LATTICES = 4
_GLANCES = ((0.0, 0.0), (0.06, 0.04), (-0.06, -0.04), (0.05, -0.05), (-0.05, 0.05))
"""Looks at every tile, moved by (x, y) in tiles: O and Q differ by little."""
_SURE = 0.8
_LIKE_A_TILE = 22.0
_SIDE = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class TileCheck:
    """What lies there. ``rows`` are the tiles as they read, "." where none lies.

    ``missing`` and ``extra`` count against the set by letter; ``doubtful`` are (row, column,
    letter, probability) of tiles that should be looked at. Not ``found``: ``reason`` says why.
    """

    found: bool
    reason: str = ""
    rows: tuple[str, ...] = ()
    total: int = 0
    letters: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    extra: dict[str, int] = field(default_factory=dict)
    doubtful: tuple[tuple[int, int, str, float], ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the set is there as it should be, every tile surely read."""
        return self.found and not (self.missing or self.extra or self.doubtful)


def check_tiles(image: Image, tile_set: TileSet, *, net: SquareNet | None = None) -> TileCheck:
    """Count and read the tiles in a BGR picture of all tiles laid out face up."""
    net = shipped_net() if net is None else net
    best: tuple[int, Floats, Float32s] | None = None
    for side in _WORKING_SIDES:
        lattices, factor = _lattices(image, side)
        for lattice in lattices:
            read = _upright(image, _window(lattice).scaled(1 / factor).homography, net)
            if best is None or read[0] > best[0]:
                best = read
            if best[0] >= 0.9 * tile_set.total:
                return _compared(image, best[1], best[2], tile_set)
    if best is None or best[0] < _LEAST_LETTERS:
        return TileCheck(found=False, reason="no tiles that lie face up in rows are found")
    return _compared(image, best[1], best[2], tile_set)


def _lattices(image: Image, side: int) -> tuple[list[Lattice], float]:
    """The lattices with the most letters, in the picture scaled by the factor.

    The digits of the values, or letters and digits together, may make larger ones.
    """
    factor = side / max(image.shape[:2])
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    glyphs = find_glyphs(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way))
    found: list[Lattice] = []
    for share in _SHARES:
        found += find_lattices(_as_spots(glyphs, share), limit=2)
    return sorted(found, key=len, reverse=True)[:_MOST_LATTICES], factor


def _as_spots(glyphs: Glyphs, share: float) -> Blobs:
    """Letters as spots of the size of their tiles; how they are turned is tried by twelfths."""
    kept = np.flatnonzero(glyphs.lengths > 0.25 * UNIT_PX)[:600]
    centres, lengths = glyphs.centres[kept], glyphs.lengths[kept]
    frames = np.zeros((len(kept), 2, 2))
    for number in range(len(kept)):
        away = centres - centres[number]
        near = np.hypot(*away.T)
        near[number] = np.inf
        near[(near < 1.2 * lengths[number]) | (near > 3.2 * lengths[number])] = np.inf
        if np.isfinite(near).any():
            across = away[int(near.argmin())]
        else:
            across = np.array([share * lengths[number], 0.0])
        frames[number] = np.stack([across, [-across[1], across[0]]], axis=1)
    return Blobs(centres, frames, np.ones(len(kept)) - 1e-4 * np.arange(len(kept)))


def _window(lattice: Lattice) -> Pose:
    """15 x 15 places with the middle of the letters in their middle."""
    middle = np.rint((np.percentile(lattice.nodes, 2, 0) + np.percentile(lattice.nodes, 98, 0)) / 2)
    start = middle - (_SIDE - 1) / 2
    move = np.array([[1.0, 0, start[0] - 0.5], [0, 1.0, start[1] - 0.5], [0, 0, 1.0]])
    return Pose(lattice.homography @ move)


def _upright(image: Image, grid: Floats, net: SquareNet) -> tuple[int, Floats, Float32s]:
    """How many letters, the grid turned so that they stand upright, and their log chances."""
    everywhere = np.arange(_SIDE * _SIDE)
    first = sides(net.judge(cut_crops(image, grid, everywhere)).log_chances)
    votes = np.exp(first).sum(axis=0)
    turned = Pose(grid).rotated(int(votes.argmax())).homography
    opinion = net.judge(cut_crops(image, turned, everywhere))
    lying = np.exp(opinion.log_chances[:, LETTER_CLASSES].max(axis=1)) > _SURE
    if lying.any():
        across, down = np.median(opinion.shifts[lying], axis=0)
        move = np.array([[1.0, 0, across], [0, 1.0, down], [0, 0, 1.0]])
        turned = turned @ move
    total = np.zeros((_SIDE * _SIDE, len(SYMBOLS)), np.float32)
    for across, down in _GLANCES:
        move = np.array([[1.0, 0, across], [0, 1.0, down], [0, 0, 1.0]])
        seen = net.judge(cut_crops(image, turned @ move, everywhere)).log_chances
        total += seen[:, : len(SYMBOLS)]
    chances = total / np.float32(0.6 * len(_GLANCES))
    chances -= np.logaddexp.reduce(chances, axis=1, keepdims=True)
    letters = np.exp(chances[:, LETTER_CLASSES].max(axis=1)) > _SURE
    return int(letters.sum()), turned, chances


def _compared(image: Image, grid: Floats, chances: Float32s, tile_set: TileSet) -> TileCheck:
    strange = [k for k in LETTER_CLASSES if SYMBOLS[k] not in tile_set.letters]
    chances = chances.copy()
    chances[:, strange] = -60.0
    chances -= np.logaddexp.reduce(chances, axis=1, keepdims=True)
    best, sure = chances.argmax(axis=1), np.exp(chances.max(axis=1))
    is_letter = np.isin(best, LETTER_CLASSES) & (sure > 0.4)
    seen = is_letter & (sure > _SURE)
    colours = face_colours(cut_crops(image, grid, np.arange(_SIDE * _SIDE)))
    typical = np.median(colours[seen], axis=0)
    like = np.linalg.norm(colours - typical, axis=1) < _LIKE_A_TILE
    bounds = _bounds(seen)
    blank = ~is_letter & like & bounds & (best != SYMBOLS.index("#"))
    tile = is_letter & bounds & (like | (sure > _SURE))
    symbols = [
        SYMBOLS[best[k]] if tile[k] else BLANK_SYMBOL if blank[k] else EMPTY_SYMBOL
        for k in range(_SIDE * _SIDE)
    ]
    rows = ["".join(symbols[r * _SIDE : (r + 1) * _SIDE]) for r in range(_SIDE)]
    counts = Counter(symbol for symbol in symbols if symbol != EMPTY_SYMBOL)
    faces = BLANK_SYMBOL + tile_set.letters
    missing = {f: tile_set.count(f) - counts[f] for f in faces if counts[f] < tile_set.count(f)}
    extra = {f: counts[f] - tile_set.count(f) for f in faces if counts[f] > tile_set.count(f)}
    doubtful = tuple(
        (k // _SIDE + 1, k % _SIDE + 1, symbols[k], round(float(sure[k]), 3))
        for k in range(_SIDE * _SIDE)
        if tile[k] and sure[k] < _SURE
    )
    return TileCheck(
        found=True,
        rows=tuple(rows),
        total=sum(counts.values()),
        letters=dict(sorted(counts.items())),
        missing=missing,
        extra=extra,
        doubtful=doubtful,
    )


def _bounds(seen: np.ndarray) -> np.ndarray:
    """Places within the blocks: with letters on at least three of the eight places around."""
    field_ = seen.reshape(_SIDE, _SIDE).astype(np.float32)
    around = cv2.filter2D(field_, -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    result: np.ndarray = (around - field_ >= 2).ravel() | (seen & (around.ravel() > 1))
    return result

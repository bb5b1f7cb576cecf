"""Square grids of tiles that lie side by side on a table, wherever and however turned.

Letters tell where tiles are that lie face up, the seams between tiles where those that lie face
down. Knows nothing of tile sets, and does not read.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from devices.pictures import Image, resized
from devices.vision.finding.blobs import Blobs, each_once, find_shapes
from devices.vision.finding.glyphs import UNIT_PX, Glyphs, find_glyphs
from devices.vision.finding.lattice import Lattice, find_lattices
from devices.vision.geometry.pose import Floats, Pose, apply_homography, moved_by

SIDE = 15
"""Places along a side of a grid: ten tiles in a row with room around them."""
_SHARES = (1.6, 1.9, 2.3)
"""Pitches of the lattice per letter's length."""
_SEAMS = (5, 9, 17)
"""Widths in px that seams stay below, at the working sizes."""
_SEAM_LEVELS = (6, 12, 24)
_MOST_SHARE = 1 / 6


@dataclass(frozen=True, slots=True, eq=False)
class TileGrid:
    """``homography`` [3, 3] maps places 0..15 to pixels, ``taken`` are those with evidence."""

    homography: Floats
    taken: Floats

    def __len__(self) -> int:
        return len(self.taken)

    def middles(self) -> Floats:
        """The middles of all places in px, row by row, [225, 2]."""
        half = np.arange(SIDE) + 0.5
        return apply_homography(
            self.homography, np.stack(np.meshgrid(half, half), axis=-1).reshape(-1, 2)
        )

    def pitch(self) -> float:
        """From one place to the next in px, about."""
        return Pose(self.homography).square_px()


def grids_of_letters(image: Image, side: int, limit: int) -> list[TileGrid]:
    """The grids with the most letters in the picture, looked at with this longest side.

    The digits of the values, or letters and digits together, may make larger ones.
    """
    small, factor = _resized(image, side)
    glyphs = find_glyphs(small)
    found: list[Lattice] = []
    before: tuple[Blobs, list[Lattice]] | None = None
    for share in _SHARES:
        spots = _as_spots(glyphs, share)
        # Where every letter has a neighbour that tells its tile's size, the share says nothing.
        if before is None or not np.array_equal(spots.frames, before[0].frames):
            before = (spots, find_lattices(spots, limit=limit))
        found += before[1]
    return _grids(found, 2 * limit, factor)


def grids_of_seams(image: Image, side: int, limit: int) -> list[TileGrid]:
    """The grids of the most patches that seams part from each other."""
    small, factor = _resized(image, side)
    planes = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))
    found: list[Lattice] = []
    for width in _SEAMS:
        kernel = np.ones((width, width), np.uint8)
        shapes = []
        for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
            seams = np.max([cv2.morphologyEx(plane, kind, kernel) for plane in planes], axis=0)
            for level in _SEAM_LEVELS:
                patches = (seams < level).astype(np.uint8)
                shapes += find_shapes(patches, _MOST_SHARE * side, nested=True)
        found += find_lattices(each_once(shapes), limit=limit)
    return _grids(found, 2 * limit, factor)


def _resized(image: Image, side: int) -> tuple[Image, float]:
    factor = side / max(image.shape[:2])
    return resized(image, factor), factor


def _as_spots(glyphs: Glyphs, share: float) -> Blobs:
    """Letters as spots of the size of their tiles; how they are turned is tried by neighbours."""
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


def _grids(found: list[Lattice], most: int, factor: float) -> list[TileGrid]:
    """The lattices with the most spots as grids, each once."""
    kept: list[Lattice] = []
    for lattice in sorted(found, key=len, reverse=True)[:most]:
        if not any(np.array_equal(lattice.homography, other.homography) for other in kept):
            kept.append(lattice)
    return [_grid(lattice, factor) for lattice in kept]


def _grid(lattice: Lattice, factor: float) -> TileGrid:
    """15 x 15 places with the middle of the lattice's spots in their middle."""
    nodes = lattice.nodes
    middle = np.rint((np.percentile(nodes, 2, 0) + np.percentile(nodes, 98, 0)) / 2)
    start = middle - (SIDE - 1) / 2
    grid = Pose(lattice.homography @ moved_by(*(start - 0.5))).scaled(1 / factor).homography
    at = (nodes - start).astype(int)
    at = at[((at >= 0) & (at < SIDE)).all(axis=1)]
    return TileGrid(grid, at[:, 1] * SIDE + at[:, 0])

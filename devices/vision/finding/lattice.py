"""Integer lattices through the centres of spots: which spots sit on one common square grid.

Starts at a spot whose own shape shows the direction and size of a square, and grows outwards:
an affine grid first, a homography as soon as enough spots carry it.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from devices.vision.finding.blobs import Blobs
from devices.vision.geometry.pose import Floats, apply_homography

_PITCHES = (1.0, 1.12, 1.3)
_REACHES = (2.4, 3.2, 4.3, 5.5, 7.0, 9.0, 11.5, 15.0, 15.0)
_TOLERANCE = 0.24
_MAX_SEEDS = 60
_LEAST_SPOTS = 8
_FULL, _FULL_SEEDS = 0.4, 6
"""The part of all spots that a lattice takes in when it is tried before any other is looked for,
and from how many spots such a one is begun."""
_FAR = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """``homography`` maps lattice units to pixels: whole numbers are centres of squares.

    ``nodes`` [n, 2] are the whole numbers on which a spot was found, spot ``members`` [n].
    """

    homography: Floats
    nodes: npt.NDArray[np.int64]
    members: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.nodes)


def turned_by_half(lattice: Lattice) -> list[Lattice]:
    """The lattices that have every other node of this one, their rows along its diagonals.

    Centres of squares and the crossings between them, taken together, lie on a lattice that is
    turned by 45 degrees: one of the two has the squares alone. Those with few spots are left out.
    """
    across, down = lattice.nodes.T
    odd = (across + down) % 2
    parts = [_every_other(lattice, odd == rest, rest) for rest in (0, 1)]
    return [part for part in parts if len(part) >= _LEAST_SPOTS]


def _every_other(lattice: Lattice, kept: npt.NDArray[np.bool_], rest: int) -> Lattice:
    across, down = (lattice.nodes[kept] - (rest, 0)).T
    nodes = np.stack([(across + down) // 2, (down - across) // 2], axis=1)
    step = np.array([[1.0, -1.0, float(rest)], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    return Lattice(lattice.homography @ step, nodes, lattice.members[kept])


def full_lattice(blobs: Blobs) -> Lattice | None:
    """The first lattice that takes in so many of all spots that hardly another takes in more."""
    for seed in np.argsort(-blobs.quality)[:_FULL_SEEDS]:
        best = max((_grow(blobs, int(seed), pitch) for pitch in _PITCHES), key=len)
        if len(best) >= max(_FULL * len(blobs), 2 * _LEAST_SPOTS):
            return best
    return None


def find_lattices(blobs: Blobs, limit: int = 4, seeds: int = _MAX_SEEDS) -> list[Lattice]:
    """The best lattices through the spots, most spots first; a spot starts at most one.

    At most so many ``seeds`` are tried.
    """
    found: list[Lattice] = []
    used = np.zeros(len(blobs), dtype=bool)
    tried = 0
    for seed in np.argsort(-blobs.quality):
        if used[seed]:
            continue
        tried += 1
        if tried > seeds:
            break
        best = max((_grow(blobs, int(seed), pitch) for pitch in _PITCHES), key=len)
        if len(best) >= _LEAST_SPOTS:
            found.append(best)
            used[best.members] = True
    found.sort(key=len, reverse=True)
    return found[:limit]


def _grow(blobs: Blobs, seed: int, pitch: float) -> Lattice:
    """Let the lattice of one spot take in the spots around it, ring by ring."""
    affine = np.column_stack([blobs.frames[seed] * pitch, blobs.centres[seed]])
    homography = np.vstack([affine, [0.0, 0.0, 1.0]])
    lattice = Lattice(homography, np.zeros((0, 2), np.int64), np.zeros(0, np.int64))
    for step, reach in enumerate(_REACHES):
        grown = _take_in(blobs, homography, seed, reach)
        if len(grown) < min(3 + step, 6):
            return lattice
        refitted = _refit(grown, blobs, homography)
        if refitted is None:
            return lattice
        homography = refitted
        lattice = Lattice(homography, grown.nodes, grown.members)
    return lattice


def _take_in(blobs: Blobs, homography: Floats, seed: int, reach: float) -> Lattice:
    """The spots within reach of the seed that lie on whole numbers, one for each number."""
    at = apply_homography(np.linalg.inv(homography), blobs.centres)
    at = np.where(np.isfinite(at), at, 1e6)
    whole = np.rint(at)
    off = np.hypot(*(at - whole).T)
    near = np.abs(at - at[seed]).max(axis=1) <= reach
    chosen = np.flatnonzero(near & (off < _TOLERANCE))
    chosen = chosen[np.argsort(off[chosen])]
    nodes = whole[chosen].astype(np.int64)
    # As one number each, by rows: to sort pairs takes several times as long.
    _, first = np.unique(nodes[:, 0] * _FAR + nodes[:, 1], return_index=True)
    return Lattice(homography, nodes[first], chosen[first])


def _refit(lattice: Lattice, blobs: Blobs, homography: Floats) -> Floats | None:
    """The grid that fits the members best; None when it folds or changes its size too much."""
    nodes = lattice.nodes.astype(np.float64)
    pixels = blobs.centres[lattice.members]
    if len(nodes) >= 10 and _is_wide(nodes - nodes.mean(axis=0), 1.5):
        fitted: Any = cv2.findHomography(nodes, pixels, 0)[0]  # None when degenerate
    else:
        design = np.column_stack([nodes, np.ones(len(nodes))])
        if not _is_wide(design, 0.5):
            return None
        solution = np.linalg.lstsq(design, pixels, rcond=None)[0]
        fitted = np.vstack([solution.T, [0.0, 0.0, 1.0]])
    if fitted is None or not np.isfinite(fitted).all():
        return None
    centre = nodes.mean(axis=0)
    before, after = (_cell_area(grid, centre) for grid in (homography, fitted))
    if after <= 0 or not 0.5 < after / before < 2.0:
        return None
    result: Floats = np.asarray(fitted, dtype=np.float64)
    return result


def _is_wide(points: Floats, least: float) -> bool:
    """Whether no singular value is below ``least``: points [n, 2 or 3] that lie in no line."""
    return bool(np.linalg.eigvalsh(points.T @ points)[0] > least * least)


def _cell_area(homography: Floats, node: Floats) -> float:
    """Signed area in pixels of one cell of the lattice."""
    corners = node + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    origin, across, down = apply_homography(homography, corners)
    right, below = across - origin, down - origin
    return float(right[0] * below[1] - right[1] * below[0])

"""Letters in a picture, and runs of letters that stand in a line at even steps.

Letters are outlines of about the right size that stand out from their surroundings, lighter or
darker. Knows nothing of tiles, racks or what a letter says.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.geometry.pose import Floats

UNIT_PX = 48.0
"""Pictures are handed in at a scale where a tile is about this wide."""
_SMALLEST, _LARGEST = 9.0, 44.0
_THINNEST = 2
_STROKE = 15
"""Strokes of letters are narrower than that; whole tiles and racks are not."""
_LEVELS = (14, 28)
_STEPS = (0.55 * UNIT_PX, 1.45 * UNIT_PX)
_CLEARANCE = 1.12
"""Steps of a run per letter's length: print on boxes and boards stands closer."""
_ALIKE = 1.9
_AS_STRONG = 2.2
_AHEAD = (1, 2, 3)
_OFF_STEP, _OFF_LINE = 0.24, 0.2
_NEIGHBOURS = 10
_SAME_LINE = 0.2
"""Capitals share their height: tops and feet of a run's letters differ by less of it."""
_MOST = 900
"""Glyphs of a picture that are followed up: letters stand out more than the weave of a cloth."""
LONGEST = 8
"""A rack holds seven; the player who overdraws has eight (rulebook OVERDRAW-1)."""


_Shape = tuple[Floats, float, Floats, float]


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """Letters: middles of their boxes [n, 2] px, lengths [n] px, outlines, strengths [n].

    The strength is the contrast with the surroundings in grey levels, negative where darker.
    """

    centres: Floats
    lengths: Floats
    outlines: tuple[Floats, ...]
    strengths: Floats

    def __len__(self) -> int:
        return len(self.centres)


@dataclass(frozen=True, slots=True)
class GlyphRow:
    """Letters in a line: ``members`` by number, ``slots`` counted from 0 with gaps left out."""

    members: tuple[int, ...]
    slots: tuple[int, ...]


def find_glyphs(image: Image) -> Glyphs:
    """Everything that may be a letter in a BGR picture at the right scale, each once."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_STROKE, _STROKE))
    found: list[_Shape] = []
    for plane in cv2.split(cv2.GaussianBlur(lab, (0, 0), 0.8)):
        for sign, kind in ((-1.0, cv2.MORPH_BLACKHAT), (1.0, cv2.MORPH_TOPHAT)):
            strokes = np.asarray(cv2.morphologyEx(plane, kind, kernel), dtype=np.uint8)
            for level in _LEVELS:
                found += _shapes(strokes, level, sign)
    return _each_once(found)


def _shapes(strokes: Image, level: int, sign: float) -> list[_Shape]:
    mask = (strokes > level).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    shapes = []
    for contour in contours:
        x, y, width, height = cv2.boundingRect(contour)
        length = float(max(width, height))
        if not _SMALLEST <= length <= _LARGEST or min(width, height) < _THINNEST:
            continue
        inside = mask[y : y + height, x : x + width] > 0
        strength = sign * float(strokes[y : y + height, x : x + width][inside].mean())
        centre = np.array([x + (width - 1) / 2, y + (height - 1) / 2])
        shapes.append((centre, length, contour.reshape(-1, 2).astype(np.float64), strength))
    return shapes


def _each_once(found: list[_Shape]) -> Glyphs:
    """Of outlines of one size on one spot, the strongest."""
    if not found:
        return Glyphs(np.zeros((0, 2)), np.zeros(0), (), np.zeros(0))
    kept: dict[tuple[int, int, int, bool], _Shape] = {}
    for shape in sorted(found, key=lambda shape: -abs(shape[3])):
        if len(kept) == _MOST:
            break
        size = round(np.log(shape[1]) * 5)
        kept.setdefault((round(shape[0][0] / 5), round(shape[0][1] / 5), size, shape[3] > 0), shape)
    centres, lengths, outlines, strengths = zip(*kept.values(), strict=True)
    return Glyphs(np.array(centres), np.array(lengths), tuple(outlines), np.array(strengths))


def find_runs(glyphs: Glyphs, *, least: int) -> list[GlyphRow]:
    """Runs of ``least`` letters and more, longest and evenest first; none within another one.

    Runs that take up more steps than the longest rack are left out whole: they are print.
    """
    runs: dict[tuple[int, ...], tuple[float, GlyphRow]] = {}
    walked: set[tuple[int, int]] = set()
    for start in range(len(glyphs)):
        for end in _neighbours(glyphs, start):
            if (start, int(end)) in walked:
                continue
            run = _extended(glyphs, start, int(end))
            walked.update(pairwise(run.members))
            if len(run.members) < least or run.members in runs or run.slots[-1] >= LONGEST:
                continue
            run, uneven = _of_one_height(glyphs, run)
            if len(run.members) >= least:
                runs.setdefault(run.members, (uneven, run))
    ordered = sorted(runs.values(), key=lambda found: 4 * found[0] - len(found[1].members))
    kept: list[GlyphRow] = []
    for _, run in ordered:
        here = set(run.members)
        if not any(len(here & set(other.members)) >= len(here) - 1 for other in kept):
            kept.append(run)
    return kept


def _of_one_height(glyphs: Glyphs, run: GlyphRow) -> tuple[GlyphRow, float]:
    """The run without letters of another height, and how unevenly the others stand."""
    centres = glyphs.centres[list(run.members)]
    slots = np.array(run.slots, dtype=np.float64)
    line = np.stack([np.ones(len(slots)), slots], axis=1)
    fit = np.linalg.lstsq(line, centres, rcond=None)[0]
    pitch = float(np.hypot(*fit[1]))
    aside = np.array([-fit[1][1], fit[1][0]]) / pitch
    spans = []
    for member, slot in zip(run.members, run.slots, strict=True):
        across = (glyphs.outlines[member] - fit[0] - slot * fit[1]) @ aside
        spans.append((across.min(), across.max()))
    low, high = np.array(spans).T
    height = float(np.median(high - low)) + 1.0
    off = np.maximum(np.abs(low - np.median(low)), np.abs(high - np.median(high))) / height
    kept = np.flatnonzero((off < _SAME_LINE) | (off * height < 1.6))
    uneven = float(off[kept].mean()) if len(kept) else 1.0
    jumps = np.hypot(*(centres - line @ fit)[kept].T) / pitch
    uneven += float(jumps.mean()) if len(kept) else 1.0
    slot_list = [run.slots[k] for k in kept]
    shifted = tuple(slot - slot_list[0] for slot in slot_list)
    return GlyphRow(tuple(run.members[k] for k in kept), shifted), uneven


def _as_strong(glyphs: Glyphs, glyph: int) -> npt.NDArray[np.bool_]:
    """Letters on the same ground, lighter or darker by about as much."""
    ratio = glyphs.strengths / glyphs.strengths[glyph]
    alike: npt.NDArray[np.bool_] = (ratio > 1 / _AS_STRONG) & (ratio < _AS_STRONG)
    return alike


def _neighbours(glyphs: Glyphs, start: int) -> npt.NDArray[np.intp]:
    """Letters that may come next on the right (or below, in an upright line)."""
    away = glyphs.centres - glyphs.centres[start]
    distance = np.hypot(*away.T)
    ahead = (away[:, 0] > 0) | ((away[:, 0] == 0) & (away[:, 1] > 0))
    near = ahead & (distance > _STEPS[0]) & (distance < _STEPS[1])
    longer = np.maximum(glyphs.lengths, glyphs.lengths[start])
    shorter = np.minimum(glyphs.lengths, glyphs.lengths[start])
    near &= (longer < _ALIKE * shorter) & (distance > _CLEARANCE * longer)
    near &= _as_strong(glyphs, start)
    chosen = np.flatnonzero(near)
    return chosen[np.argsort(distance[chosen])][:_NEIGHBOURS]


def _extended(glyphs: Glyphs, start: int, end: int) -> GlyphRow:
    step = glyphs.centres[end] - glyphs.centres[start]
    after = _walk(glyphs, end, step)
    before = _walk(glyphs, start, -step)
    members = [*(m for m, _ in reversed(before)), start, end, *(m for m, _ in after)]
    places = [*(-slot for _, slot in reversed(before)), 0, 1, *(1 + slot for _, slot in after)]
    return GlyphRow(tuple(members), tuple(place - places[0] for place in places))


def _walk(glyphs: Glyphs, at: int, step: Floats) -> list[tuple[int, int]]:
    """Members ahead with their slots: 1 is the first step from ``at``. Steps adapt slowly."""
    walked: list[tuple[int, int]] = []
    slot = 0
    size = glyphs.lengths[at]
    usable = _as_strong(glyphs, at) & (glyphs.lengths < _ALIKE * size)
    usable &= glyphs.lengths > size / _ALIKE
    while slot <= LONGEST:
        pitch = float(np.hypot(*step))
        along = step / pitch
        away = (glyphs.centres - glyphs.centres[at]) / pitch
        forward = away @ along
        aside = np.abs(away @ np.array([-along[1], along[0]]))
        for ahead in _AHEAD:
            off = np.abs(forward - ahead)
            fits = usable & (off < _OFF_STEP) & (aside < _OFF_LINE)
            if fits.any():
                break
        else:
            break
        best = int(np.argmin(np.where(fits, off + aside, np.inf)))
        moved = (glyphs.centres[best] - glyphs.centres[at]) / ahead
        step = 0.7 * step + 0.3 * moved
        at, slot = best, slot + ahead
        walked.append((best, slot))
    return walked

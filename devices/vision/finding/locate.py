"""Find the board in a picture: no markers, no known colours, any side up.

Spots that stand out -> a square lattice through them -> the shift of the lattice at which the
colours agree with the premium layout -> a refit on the premium squares -> refinement against
the picture. The layout is the same from all four sides, so the pose is right modulo quarter
turns; ``orient`` decides which side is up.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image, shrunk
from devices.vision.finding.blobs import Blobs, find_blobs
from devices.vision.finding.faint_print import stretched
from devices.vision.finding.lattice import Lattice, find_lattices, full_lattice, turned_by_half
from devices.vision.finding.premium_layout import class_grid, square_centres, window_scores
from devices.vision.finding.refine import FINE, judge, refine
from devices.vision.geometry.pose import (
    FIELD,
    TRUSTED_SCORE,
    Floats,
    Pose,
    apply_homography,
    corner_errors,
    moved_by,
)
from recorder.domain.board import SIZE

_WORKING_SIDE = 800
_MIN_SIDE = 120
_SURE_SCORE = 0.6
_FAINTLY_SURE = 0.9
"""Print that was stretched has strong lines everywhere: half a square off still scores 0.8."""
_CLEAR_AGREEMENT = 0.45
"""A wrong grid never agrees that well; the first lattice that does is taken."""
_SOME_AGREEMENT = 0.3
"""Beside a board a grid that agrees less is not refined: without one it reaches 0.25, else 0.38."""
_SPOTS_BESIDE, _SEEDS_BESIDE = 16, 20
"""Spots on the lattice of a board beside another at least, a quarter of its premium squares, and
how many are tried to begin it: most of what stands out on a board lies on its lattice."""
_REFINED = 3
_AT_REST = 0.1
_MOVED_SHARE = 0.95
"""A board that was pushed too far to be followed may still score 0.9 of what it did, stretched."""


def locate(image: Image, hint: Pose | None = None, *, starts: Sequence[Pose] = ()) -> Pose | None:
    """The pose of the board in a BGR picture, or None when there is nothing like a board.

    ``hint`` is the pose in an earlier picture: it is followed first, which is cheap, and the
    whole picture is searched only when the board is no longer there. ``starts`` are guesses of
    where it may be then, tried before the search; one that leads nowhere does no harm. Poses that
    score below ``TRUSTED_SCORE`` may be wrong. Which side is up is kept from the hint or the start
    that was followed, else arbitrary.
    """
    if image.ndim != 3 or min(image.shape[:2]) < _MIN_SIDE:
        return None
    lab, factor = reduced(image)
    found = None
    if hint is not None:
        found = _follow(lab, hint.scaled(factor))
    # Where it scores little but has not moved, no search finds it better, look after look.
    is_there = found is not None
    if found is None and starts:
        least = max(_SURE_SCORE, 0.85 * hint.score if hint is not None else 0.0)
        found = _from_starts(lab, [start.scaled(factor) for start in starts], least)
    if found is None:
        found = _search(lab)
    if not is_there and (found is None or found.score < _SURE_SCORE):
        found = _in_faint_print(lab, None if hint is None else hint.scaled(factor)) or found
    return None if found is None else found.scaled(1.0 / factor)


def reduced(image: Image, side: int = _WORKING_SIDE) -> tuple[Image, float]:
    """A BGR picture in Lab, at most as large as boards are looked for in or ``side``; its scale."""
    small, factor = shrunk(image, min(side, _WORKING_SIDE))
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.uint8), factor


def locate_another(lab: Image) -> Pose | None:
    """The board in a part of a ``reduced`` picture in which a board was found already.

    As a rule there is none, so only a grid that agrees well at once is followed up.
    """
    found = _search_among(lab, find_blobs(lab), _SOME_AGREEMENT)
    if found is None or found.score < _SURE_SCORE:
        print_only = stretched(lab)
        faint = _search_among(print_only, find_blobs(print_only), _SOME_AGREEMENT)
        return faint if faint is not None and faint.score >= _FAINTLY_SURE else found
    return found


def _in_faint_print(lab: Image, hint: Pose | None) -> Pose | None:
    """The board where nothing but stretching brings it out, when that leaves no doubt."""
    print_only = stretched(lab)
    found = None if hint is None else _follow(print_only, hint)
    found = found or _search(print_only)
    return found if found is not None and found.score >= _FAINTLY_SURE else None


def _follow(lab: Image, hint: Pose) -> Pose | None:
    """The board near its last place; None when it is not there or fits worse than it did.

    Where nothing has moved, a hand over the board may cost it most of its score.
    """
    moved = refine(lab, hint, FINE)
    least = max(TRUSTED_SCORE, _MOVED_SHARE * hint.score)
    if corner_errors(moved, hint).max() < _AT_REST and moved.score >= TRUSTED_SCORE:
        # A refinement that ran away gives its start back: is that a hand, or did the board turn?
        ran_away = np.array_equal(moved.homography, hint.homography)
        return _better(lab, moved, _search(lab)) if ran_away and moved.score < least else moved
    if moved.score < least or _has_better_corner(lab, moved):
        return None
    return moved


def _from_starts(lab: Image, starts: Sequence[Pose], least: float) -> Pose | None:
    """The pose near one of these guesses, when there is one that scores as much."""
    sane = [start for start in starts if start.is_sane(lab.shape[1], lab.shape[0])]
    sane.sort(key=lambda start: judge(lab, start).agreement, reverse=True)
    for start in sane[:1]:
        pose = refine(lab, start, FINE)
        good = pose.score >= least and pose.is_sane(lab.shape[1], lab.shape[0])
        if good and not _has_better_corner(lab, pose):
            return pose
    return None


def _has_better_corner(lab: Image, pose: Pose) -> bool:
    """Whether the grid would agree better with one corner moved by a square.

    From a start with a bad corner the way may end on a stretched grid, which scores well.
    """
    now = judge(lab, pose).agreement
    steps = (-1.0, 0.0, 1.0)
    for corner in range(4):
        for step in ((x, y) for x in steps for y in steps if x or y):
            field = FIELD.copy()
            field[corner] += step
            if judge(lab, Pose.from_corners(pose.project(field))).agreement > now + 0.02:
                return True
    return False


def _search(lab: Image) -> Pose | None:
    """The best pose in the whole picture; what stands out little is looked at only in need."""
    best = _search_among(lab, find_blobs(lab))
    if best is None or best.score < _SURE_SCORE:
        second = _search_among(lab, find_blobs(lab, faint=True))
        best = second if best is None else _better(lab, best, second)
    if best is not None and best.score < _SURE_SCORE:
        best = _try_neighbours(lab, best)
    return best


def _try_neighbours(lab: Image, pose: Pose) -> Pose:
    """The pose, or the better one that has sides or the whole field moved by one square."""
    steps = (-1, 0, 1)
    boxes = [(col, row, col, row) for col in steps for row in steps if (col, row) != (0, 0)]
    for step in (-1, 1):
        boxes += [(step, 0, 0, 0), (0, step, 0, 0), (0, 0, step, 0), (0, 0, 0, step)]
    now = judge(lab, pose).agreement
    judged = []
    for left, top, right, bottom in boxes:
        low, high = (left, top), (SIZE + right, SIZE + bottom)
        field = [low, (high[0], low[1]), high, (low[0], high[1])]
        other = Pose.from_corners(pose.project(field), pose.score)
        judged.append((judge(lab, other).agreement, other))
    judged.sort(key=lambda pair: pair[0], reverse=True)
    best = pose
    for agreement, other in judged[:2]:
        if agreement > 0.7 * now and other.is_sane(lab.shape[1], lab.shape[0]):
            best = _better(lab, best, refine(lab, other), by=0.02)
    return best


def _better(lab: Image, pose: Pose, other: Pose | None, by: float = 0.0) -> Pose:
    """The one that agrees better with the picture; the other must win by this much."""
    if other is None:
        return pose
    wins = judge(lab, other).agreement > judge(lab, pose).agreement + by
    return other if wins else pose


def _search_among(lab: Image, blobs: Blobs, least: float = -np.inf) -> Pose | None:
    """The best pose whose squares are among these spots.

    A grid that agrees less than ``least`` is not refined.
    """
    guesses: list[tuple[float, Pose]] = []
    best: Pose | None = None
    for lattice in _lattices(blobs, is_first=bool(np.isneginf(least))):
        for pose in _placements(lab, lattice):
            start = _refit_on_premiums(lab, pose, blobs)
            if start.is_sane(lab.shape[1], lab.shape[0]):
                guesses.append((judge(lab, start).agreement, start))
        if guesses and max(guess[0] for guess in guesses) > _CLEAR_AGREEMENT:
            break
    guesses.sort(key=lambda guess: guess[0], reverse=True)
    for agreement, start in guesses[:_REFINED]:
        if agreement < least:
            break
        refined = refine(lab, start)
        best = refined if best is None else _better(lab, best, refined)
        if best.score > _SURE_SCORE:
            break
    return best


def _lattices(blobs: Blobs, *, is_first: bool) -> Iterator[Lattice]:
    """The lattices to try, the fullest first; more are looked for only when more are asked for.

    Beside a board (not ``is_first``) those with few spots are none, as a rule.
    """
    full = full_lattice(blobs)
    if full is not None:
        yield full
    lattices = find_lattices(blobs) if is_first else find_lattices(blobs, seeds=_SEEDS_BESIDE)
    for lattice in lattices:
        if is_first or len(lattice) >= _SPOTS_BESIDE:
            yield lattice
    # Only of the fullest, and not beside a board: for each there is as much to do as for another.
    if is_first and lattices:
        yield from turned_by_half(lattices[0])


def _placements(lab: Image, lattice: Lattice, limit: int = 4) -> list[Pose]:
    """The shifts of the lattice that agree best with the premium layout, best first."""
    low, high = lattice.nodes.min(axis=0), lattice.nodes.max(axis=0)
    first = np.maximum(low, high - 24) - (SIZE - 1) // 2
    counts = np.minimum(high, low + 24) + (SIZE - 1) // 2 - first + 1
    origins, colours = _windows(lab, lattice, first, np.maximum(counts, SIZE))
    inside = _inside(lattice, origins)
    keep = np.flatnonzero(inside >= 0.8 * inside.max())
    scores = window_scores(colours[keep]) + 0.3 * inside[keep] / inside.max()
    firsts = origins[keep[np.argsort(-scores)[:limit]]] - 0.5
    return [Pose(lattice.homography @ moved_by(*first), 0.0) for first in firsts]


def _inside(lattice: Lattice, origins: Floats) -> npt.NDArray[np.int64]:
    """How many spots lie in each window of 15 x 15 squares that starts at these nodes [n, 2]."""
    beyond = lattice.nodes[None] - origins[:, None]
    result: npt.NDArray[np.int64] = ((beyond >= 0) & (beyond < SIZE)).all(axis=2).sum(axis=1)
    return result


def _windows(lab: Image, lattice: Lattice, first: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Every window of 15 x 15 nodes: first node (col, row) [n, 2] and colours [n, 15, 15, 3]."""
    cols, rows = (np.arange(count) + start for start, count in zip(first, counts, strict=True))
    nodes = np.stack(np.meshgrid(cols, rows), axis=-1)
    at = apply_homography(lattice.homography, nodes).astype(np.float32)
    around = apply_homography(lattice.homography, lattice.nodes + np.array([0.5, 0.0]))
    before = apply_homography(lattice.homography, lattice.nodes - np.array([0.5, 0.0]))
    reach = max(3, round(0.5 * float(np.median(np.hypot(*(around - before).T))))) | 1
    soft = cv2.blur(lab, (reach, reach))
    colours = cv2.remap(
        soft,
        np.ascontiguousarray(at[..., 0]),
        np.ascontiguousarray(at[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    views = np.lib.stride_tricks.sliding_window_view(colours, (SIZE, SIZE), axis=(0, 1))
    windows = views.transpose(0, 1, 3, 4, 2).reshape(-1, SIZE, SIZE, 3)
    starts = nodes[: views.shape[0], : views.shape[1]].reshape(-1, 2)
    return starts, windows


def _refit_on_premiums(lab: Image, pose: Pose, blobs: Blobs) -> Pose:
    """The pose fitted to the spots on premium squares that look uncovered."""
    at = apply_homography(np.linalg.inv(pose.homography), blobs.centres)
    centres = square_centres()
    premium = (class_grid() > 0) & judge(lab, pose).belongs
    wanted = centres[premium]
    if len(wanted) < 8:
        return pose
    gap = np.linalg.norm(at[:, None] - wanted[None], axis=-1)
    nearest = gap.argmin(axis=0)
    close = gap.min(axis=0) < 0.3
    if close.sum() < 10 or min(np.ptp(wanted[close], axis=0)) < 6:
        return pose
    matrix, _ = cv2.findHomography(
        wanted[close], blobs.centres[nearest[close]], cv2.RANSAC, 0.12 * pose.square_px()
    )
    if matrix is None:
        return pose
    fitted = Pose(np.asarray(matrix, dtype=np.float64), pose.score)
    moved = np.hypot(*(np.asarray(fitted.corners()) - np.asarray(pose.corners())).T)
    return fitted if moved.max() < 1.0 * pose.square_px() else pose

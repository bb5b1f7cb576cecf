"""How well a grid lies on a picture of an empty board, and whether that is good enough.

Arrays in, a finding out: corner errors, bending, tiles and hands in the way, lamps. Knows nothing
of files, cameras or persons. What is refused is refused with a reason and what to do about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.guide.words import words
from devices.cameras.profile import CalibrationProfile
from devices.pictures import Image, shrunk
from devices.vision.finding.premium_layout import class_grid
from devices.vision.finding.refine import flatten, misfit, symmetric
from devices.vision.geometry.from_above import by_square
from devices.vision.geometry.pose import FIELD, Floats, Pose, corner_errors_any_side_up
from devices.vision.look import BoardReading
from devices.vision.orient import upright_in_picture
from recorder.domain.board import SIZE, SQUARES, Square, name_across
from recorder.domain.observations import COVERED_SYMBOL, SEEN

LEAST_SCORE = 0.6
"""Wrong grids hardly ever score that much; the eyes themselves take 0.45 in a game."""
MOST_CORNER_ERROR = 0.15
"""Of a square. Letters are read well up to a quarter; half of that is for the day."""
MOST_BEND = 0.1
"""Of a square, in the mean of a zone; the outermost square then lies off by twice as much."""
LEAST_SQUARE_PX = 14.0
"""Fewer pixels for a square than the network was trained on are guesses."""
MOST_COVERED = 0.01
MOST_GLARE = 0.02
MOST_SHAKE = 0.1
MOVED = 0.25
"""From so many squares on, a camera counts as moved."""

_WORKING_SIDE = 1200
_STEPS = np.array([-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3])
_DIAGONALS = np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2.0)
_WORST = 1.0
_ZONE = 3
_BURNT = 250
_NAMES = ("top_left", "top_right", "bottom_right", "bottom_left")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardFinding:
    """One picture, measured. Errors and ``bend`` are in squares, ``corner_errors`` [4].

    ``pose`` begins at the corner at the picture's top left: an empty board does not show which side
    is up. It is None when no board was found; then only ``faults`` means anything. ``faults`` are
    reasons to refuse, the gravest first, each with its remedy.
    """

    pose: Pose | None
    look: BoardReading | None = None
    corner_errors: tuple[float, ...] = ()
    bend: float = 0.0
    glare: float = 0.0
    faults: tuple[str, ...] = ()

    @property
    def residual(self) -> float:
        """The worst corner's error, in squares."""
        return max(self.corner_errors, default=_WORST)

    @property
    def residual_px(self) -> float:
        """The same in pixels."""
        return self.residual * self.pose.square_px() if self.pose is not None else 0.0

    def lines(self) -> tuple[str, ...]:
        """The figures, as a person reads them."""
        if self.pose is None or self.look is None:
            return ()
        by, pixels = f"{self.residual:.3f}", f"{self.residual_px:.1f}"
        square_px = f"{self.pose.square_px():.0f}"
        return (
            words("score", score=f"{self.look.score:.2f}", least=f"{LEAST_SCORE:.2f}"),
            words("corner_error", by=by, most=f"{MOST_CORNER_ERROR:.2f}", pixels=pixels),
            words("distortion", by=f"{self.bend:.3f}", most=f"{MOST_BEND:.2f}"),
            words("square_pixels", pixels=square_px, least=f"{LEAST_SQUARE_PX:.0f}"),
        )


def measure_board(image: Image, look: BoardReading) -> BoardFinding:
    """The finding of a BGR picture and of what the eyes made of it."""
    if not look.found or look.pose is None:
        return BoardFinding(pose=None, look=look, faults=(_unseen(look.reason),))
    small, factor = shrunk(image, _WORKING_SIDE)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    upright = look.pose.rotated(upright_in_picture(look.pose.homography))
    pose = upright.scaled(factor)
    errors = estimated_corner_errors(lab, pose)
    bend = float(np.hypot(*zone_shifts(lab, pose).reshape(-1, 2).T).max())
    glare = _glare(small, pose)
    found = BoardFinding(
        pose=upright,
        look=look,
        corner_errors=tuple(round(float(error), 4) for error in errors),
        bend=round(bend, 4),
        glare=glare,
    )
    size = (image.shape[1], image.shape[0])
    return replace(found, faults=tuple(_faults(found, look, size)))


def estimated_corner_errors(lab: Image, pose: Pose) -> Floats:
    """By how much each corner should be moved for the squares to look most alike, [4] squares.

    Each corner is moved alone, along both diagonals: the picture resists one far more than the
    other, so moves across and down would hide each other's gain. A parabola through the lowest
    misfits has its lowest point there; where it has none the error is a whole square. On a rendered
    board with one corner put wrong by 0.1, any way, it gives 0.08 to 0.2; by 0.2, 0.15 or more.
    """
    errors = []
    for corner in range(4):
        first, second = (_lowest(lab, pose, corner, way) for way in _DIAGONALS)
        errors.append(min(_WORST, float(np.hypot(first, second))))
    return np.array(errors)


def _lowest(lab: Image, pose: Pose, corner: int, way: Floats) -> float:
    unlike = []
    for step in _STEPS:
        field = FIELD.copy()
        field[corner] += step * way
        unlike.append(misfit(lab, Pose.from_corners(pose.project(field))))
    if not np.isfinite(unlike).all():
        return _WORST
    lowest = int(np.clip(np.argmin(unlike), 1, len(_STEPS) - 2))
    around = slice(lowest - 1, lowest + 2)
    square, slope, _ = np.polyfit(_STEPS[around], unlike[around], 2)
    return float(np.clip(-slope / (2 * square), -_WORST, _WORST)) if square > 1e-6 else _WORST


def zone_shifts(lab: Image, pose: Pose) -> Floats:
    """How far zones of 3 x 3 squares lie off the grid, [5, 5, 2] squares, across and down.

    A grid that fits has its zones in place; a lens that bends lines, or a warped board, has them
    out of place in a pattern that no place of the camera can fix. For boards without tiles.
    Rendered boards measure 0.03 where nothing is bent, 0.074 and 0.108 where it is 0.080 and 0.113.
    """
    flat = flatten(lab, pose)
    side = flat.shape[0] // SIZE
    cells = by_square(flat, side)
    wanted = np.empty_like(cells)
    classes = class_grid()
    for index in np.unique(classes):
        wanted[classes == index] = symmetric(np.median(cells[classes == index], axis=0))
    error: Floats = cells - wanted
    error -= np.median(error, axis=(2, 3), keepdims=True)
    mean: Floats = (cells + wanted) / 2
    pull_y, pull_x = (np.gradient(mean, axis=axis) for axis in (2, 3))
    zones = SIZE // _ZONE
    shifts = np.zeros((zones, zones, 2))
    for down, across in np.ndindex(zones, zones):
        rows = slice(down * _ZONE, (down + 1) * _ZONE)
        cols = slice(across * _ZONE, (across + 1) * _ZONE)
        pulls = [pull[rows, cols, 1:-1, 1:-1].ravel() for pull in (pull_x, pull_y)]
        off = error[rows, cols, 1:-1, 1:-1].ravel()
        solved = np.linalg.lstsq(np.stack(pulls, axis=1), off, rcond=None)
        shifts[down, across] = -np.asarray(solved[0]) / side
    return shifts


def _glare(image: Image, pose: Pose) -> float:
    """The part of the field where every channel is burnt out."""
    flat = flatten(image, pose)
    return float((flat.min(axis=-1) >= _BURNT).mean())


def _unseen(reason: str) -> str:
    return words("unseen", why=reason)


def _faults(found: BoardFinding, look: BoardReading, size: tuple[int, int]) -> list[str]:
    assert found.pose is not None
    faults = []
    corners = np.asarray(found.pose.corners())
    outside = [
        _NAMES[n] for n, corner in enumerate(corners) if (corner < 0).any() or (corner > size).any()
    ]
    if outside:
        faults.append(words("corner_outside", corners=" ".join(outside)))
    if found.pose.square_px() < LEAST_SQUARE_PX:
        pixels = f"{found.pose.square_px():.0f}"
        faults.append(words("small_squares", pixels=pixels, least=f"{LEAST_SQUARE_PX:.0f}"))
    if look.covered > MOST_COVERED:
        faults.append(words("covered", count=max(1, round(225 * look.covered))))
    faults += _occupied(look)
    if look.score < LEAST_SCORE:
        score, least = f"{look.score:.2f}", f"{LEAST_SCORE:.2f}"
        faults.append(words("grid_score", score=score, least=least))
    if found.residual > MOST_CORNER_ERROR:
        worst = int(np.argmax(found.corner_errors))
        by, most = f"{found.residual:.2f}", f"{MOST_CORNER_ERROR:.2f}"
        faults.append(words("corner_wrong", corners=_NAMES[worst], by=by, most=most))
    if found.bend > MOST_BEND:
        faults.append(words("bent", by=f"{found.bend:.2f}", most=f"{MOST_BEND:.2f}"))
    if found.glare > MOST_GLARE:
        faults.append(words("glare", share=f"{found.glare:.0%}"))
    return faults


def _occupied(look: BoardReading) -> list[str]:
    """A board that is to be remembered as empty must be so."""
    best = look.log_probs.reshape(SQUARES, -1).argmax(axis=1)
    covered = SEEN.index(COVERED_SYMBOL)
    squares = [int(n) for n in np.flatnonzero((best != 0) & (best != covered))]
    if not squares:
        return []
    names = ", ".join(name_across(Square(square)) for square in squares[:5])
    others = len(squares) - 5
    code = "not_empty_more" if others > 0 else "not_empty"
    return [words(code, squares=names, more=others)]


def shaken(findings: Sequence[BoardFinding]) -> float:
    """How far the corners of several pictures lie apart, in squares."""
    poses = [found.pose for found in findings if found.pose is not None]
    return max((float(corner_errors_any_side_up(p, poses[0]).max()) for p in poses), default=0.0)


def moved_by(profile: CalibrationProfile, pose: Pose, size: tuple[int, int]) -> float:
    """How far the board lies from where it was calibrated, at its worst corner, in squares.

    Quarter turns are no move: an empty board looks the same from all four sides. Pictures of
    another size are compared as if they were scaled.
    """
    scale = np.array([[profile.image_size[0] / size[0], profile.image_size[1] / size[1]]])
    now = Pose.from_corners(np.asarray(pose.corners()) * scale)
    then = Pose.from_corners(profile.corners)
    return float(corner_errors_any_side_up(now, then).max())


def draw_grid(image: Image, found: BoardFinding) -> Image:
    """The picture with the grid over it, bright blue when it can be kept, else red."""
    drawn = np.ascontiguousarray(image.copy(), dtype=np.uint8)
    if found.pose is None:
        return drawn
    colour = (255, 255, 90) if not found.faults else (90, 90, 255)
    thick = max(1, round(max(image.shape[:2]) / 900))
    for place in range(SIZE + 1):
        ends = np.array([[[place, 0], [place, SIZE]], [[0, place], [SIZE, place]]], dtype=float)
        for line in found.pose.project(ends):
            start, end = (tuple(round(float(part)) for part in point) for point in line)
            cv2.line(drawn, start, end, (0, 0, 0), 3 * thick, cv2.LINE_AA)
            cv2.line(drawn, start, end, colour, thick, cv2.LINE_AA)
    for corner, error in zip(found.pose.corners(), found.corner_errors, strict=False):
        radius = max(6 * thick, round(error * found.pose.square_px()))
        at = (round(corner[0]), round(corner[1]))
        cv2.circle(drawn, at, radius, (40, 200, 255), 2 * thick, cv2.LINE_AA)
    return drawn

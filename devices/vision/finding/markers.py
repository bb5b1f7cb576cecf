"""Printed markers glued to the frame of a board: which corner is which, and where to begin looking.

Nobody glues them exactly, so they place no grid: they give starts that ``locate`` refines, and the
side that is up, which the layout cannot give. Where they lie is learned from looks at the board.
Marker numbers say the corner: 0 top left, 1 top right, 2 bottom right, 3 bottom left as the
letters read. How a marker is turned does not matter. Without markers nothing here has a say.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from devices.pictures import Image, shrunk
from devices.vision.geometry.pose import Floats, Pose, apply_homography, field_corners
from recorder.domain.board import SIZE

DICTIONARY = cv2.aruco.DICT_4X4_50
CORNERS = 4
_WORKING_SIDE = 2000
"""Pixels: a marker is as large as a square, and of that a board's camera gives 20 and more."""
SURE_OF_SIDE = 100.0
"""The margin, in nats, of a side that two markers or more agree on."""
_REACH = 3.2
"""How far a marker's middle may lie from its corner of the field, in squares."""
_SIDES = (0.5, 2.2)
_INTO_FIELD = 0.3
"""A marker's middle lies outside the field, or this far inside at most, in squares."""
_OFFSETS = (0.6, 0.8, 1.0, 1.2, 1.4, 1.7, 2.0)
"""Guesses of how far outside the field the middles lie, across and down, in squares."""

MarkerPlaces = Mapping[int, Floats]
"""The four corners [4, 2] of each marker in board units, by number."""


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """A marker in a picture: its number and its corners in pixels, [4, 2]."""

    number: int
    corners: Floats

    @property
    def middle(self) -> Floats:
        """Where its middle lies, [2] in pixels; slant is neglected."""
        result: Floats = self.corners.mean(axis=0)
        return result


def find_markers(image: Image) -> tuple[Marker, ...]:
    """The markers 0..3 in a BGR picture. The same number may be there twice: on another table."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    grey, factor = shrunk(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), _WORKING_SIDE)
    corners, numbers, _ = detector.detectMarkers(grey)
    if numbers is None:
        return ()
    return tuple(
        Marker(int(number), (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / factor - 0.5)
        for number, quad in zip(np.ravel(numbers), corners, strict=True)
        if number < CORNERS
    )


def side_up(markers: Sequence[Marker], pose: Pose) -> int | None:
    """The quarter turns after which ``pose`` is upright; None when fewer than two markers say so.

    Only markers beside a corner of the field are heard, and a third that contradicts two makes
    them doubtful.
    """
    heard = [(_corner_beside(marker, pose), marker.number) for marker in markers]
    votes = {
        (corner, (corner - number) % CORNERS) for corner, number in heard if corner is not None
    }
    if not votes:
        return None
    (turns, agreed), *_ = Counter(turns for _, turns in votes).most_common(1)
    return turns if agreed >= 2 and agreed > 2 * (len(votes) - agreed) else None


def places_on_board(markers: Sequence[Marker], upright: Pose, turned: int = 0) -> dict[int, Floats]:
    """Where the markers of this board lie, given its pose with the letters upright.

    ``turned``: by so many quarters clockwise the letters lie against the side that markers name.
    """
    back = np.linalg.inv(upright.homography)
    return {
        marker.number: apply_homography(back, marker.corners)
        for marker in markers
        if _corner_beside(marker, upright) == (marker.number - turned) % CORNERS
    }


def starts(
    markers: Sequence[Marker], earlier: Pose | None = None, places: MarkerPlaces | None = None
) -> tuple[Pose, ...]:
    """Upright poses from which a search may begin, none of them exact.

    ``places`` are those learned under the pose ``earlier`` of the same camera: then the board was
    turned or pushed on its table, and one marker shows how.
    """
    by_number = {marker.number: marker for marker in markers}
    if len(by_number) < len(markers):
        return ()  # two tables in one picture: nobody knows which marker is whose
    if earlier is not None and places:
        shared = [number for number in places if number in by_number]
        if shared:
            seen = np.concatenate([by_number[number].corners for number in shared])
            learned = np.concatenate([places[number] for number in shared])
            return (_pushed(earlier, learned, seen),)
    if len(by_number) < CORNERS:
        return ()  # fewer leave a corner to guess, by a square or more
    return tuple(_laid_on(by_number, offset) for offset in _OFFSETS)


def _corner_beside(marker: Marker, pose: Pose) -> int | None:
    """The corner 0..3 of the field, clockwise from the pose's top-left, that it is glued to."""
    quad = apply_homography(np.linalg.inv(pose.homography), marker.corners)
    side = float(np.hypot(*(quad - np.roll(quad, 1, axis=0)).T).mean())
    middle = quad.mean(axis=0)
    if not (np.isfinite(quad).all() and _SIDES[0] < side < _SIDES[1]):
        return None
    if ((middle > _INTO_FIELD) & (middle < SIZE - _INTO_FIELD)).all():
        return None
    gaps = np.abs(field_corners(0.0) - middle).max(axis=1)
    nearest = int(gaps.argmin())
    return nearest if gaps[nearest] < _REACH else None


def _pushed(earlier: Pose, learned: Floats, seen: Floats) -> Pose:
    """The earlier pose after the turn and shift, in the board's plane, that the markers made."""
    now = apply_homography(np.linalg.inv(earlier.homography), seen)
    middle, middle_now = learned.mean(axis=0), now.mean(axis=0)
    spread = (learned - middle).T @ (now - middle_now)
    angle = np.arctan2(spread[0, 1] - spread[1, 0], spread[0, 0] + spread[1, 1])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    motion = np.eye(3)
    motion[:2, :2] = turn
    motion[:2, 2] = middle_now - turn @ middle
    return Pose(earlier.homography @ motion, 0.0)


def _laid_on(by_number: Mapping[int, Marker], outside: float) -> Pose:
    """The pose whose corners lie this far inside the four markers."""
    seen = np.array([by_number[number].middle for number in range(CORNERS)], np.float32)
    board = field_corners(outside).astype(np.float32)
    return Pose(np.asarray(cv2.getPerspectiveTransform(board, seen), np.float64), 0.0)

"""A photograph by itself, of which nobody knows how it was taken: mirrored, bent, two boards on it.

What a camera over a table is set up for once is found out here each time, and said: a photograph is
worth the time, and a frame of a game is not.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from devices.pictures import Image
from devices.vision.eyes import Eyes
from devices.vision.finding.straighten import measure_bend, straightened, to_straight, to_taken
from devices.vision.geometry.pose import Floats, Pose
from devices.vision.look import BoardReading
from devices.vision.mirror import MIRRORED
from devices.vision.second_board import which_was_read
from recorder.domain.observations import Corners

_MANY_DOUBTS = 12
"""So many doubtful squares have few pictures that no lens has bent."""


def read_photograph(
    eyes: Eyes, image: Image, corners: Corners | None = None, *, racks: bool = False
) -> tuple[BoardReading, tuple[str, ...]]:
    """The look, and what else people should know of the picture.

    ``racks`` asks for the racks beside the board too, which takes longer than all the rest.

    The look's grid and racks are reported in the pixels of the picture as it is. A mirrored picture
    is read as in a mirror, so that its corners run the other way round; one that a lens has bent is
    read straightened. With given ``corners`` nothing of that is tried.
    """
    look = eyes.read(image, corners=corners, racks=racks)
    if corners is not None:
        return look, look.notes
    notes: list[str] = []
    if look.reason == MIRRORED:
        turned = eyes.read(np.ascontiguousarray(image[:, ::-1]), racks=racks)
        if not turned.found:
            return look, ()
        return _moved(turned, lambda at: _in_mirror(at, image.shape[1])), (MIRRORED, *turned.notes)
    if look.found and look.pose is not None:
        notes += [note for note in (which_was_read(look.pose, look.beside),) if note]
        is_bad = len(look.doubtful) > _MANY_DOUBTS
        bend = measure_bend(image, look.pose, thorough=is_bad)
        height, width = image.shape[:2]
        straight = look
        if bend:
            there = to_straight(np.asarray(look.pose.corners()), bend, width, height)
            near = Pose.from_corners(there, look.score)
            straight = eyes.read(straightened(image, bend), near=near, racks=racks)
        if bend and straight.found and straight.score >= look.score:
            look = _moved(straight, lambda at: to_taken(at, bend, width, height))
            notes.append(f"the lens bends lines by {bend:+.2f}; the picture was straightened")
    return look, (*notes, *look.notes)


def _in_mirror(points: Floats, width: int) -> Floats:
    found: Floats = points * (-1.0, 1.0) + (width - 1.0, 0.0)
    return found


def _moved(look: BoardReading, where: Callable[[Floats], Floats]) -> BoardReading:
    """The look with its corners and those of its racks at other places."""
    assert look.pose is not None
    racks = tuple(
        replace(rack, corners=tuple((float(x), float(y)) for x, y in where(np.array(rack.corners))))
        for rack in look.racks
    )
    pose = Pose.from_corners(where(np.asarray(look.pose.corners())), look.score)
    return replace(look, pose=pose, racks=racks)

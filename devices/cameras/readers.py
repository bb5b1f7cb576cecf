"""The eyes of a board camera, also those given where the board is; the reader of a rack camera.

Loads the network, so it is imported only where a camera is opened.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from devices.cameras.profile import (
    BOARD_FILE,
    RACK_FILE,
    CalibrationProfile,
    KindColour,
    RackProfile,
)
from devices.cameras.rack_camera import RackReader
from devices.pictures import Image
from devices.vision.beside.racks import read_racks
from devices.vision.eyes import Eyes
from devices.vision.followed import BoardReader
from devices.vision.look import BoardReading, RackLook, unread
from devices.vision.squares.colours import Reference
from recorder.domain.board import Premium
from recorder.tilesets import load_tile_set


class TaughtEyes:
    """Eyes that know from a calibration what the empty board looks like.

    With a ``fixed`` profile they read where it says, and search nowhere: for a board that cannot
    be found by itself, and that neither turns nor moves.
    """

    def __init__(self, eyes: Eyes, profile: CalibrationProfile) -> None:
        self._eyes = eyes
        self._profile = profile
        self._reference = reference_of(profile)

    def read(self, image: Image, *, prior: BoardReading | None = None) -> BoardReading:
        """See ``BoardReader``. A fixed profile refuses a picture of another size than its own."""
        if not self._profile.fixed:
            return self._eyes.read(image, prior=prior, reference=self._reference)
        width, height = self._profile.image_size
        if (image.shape[1], image.shape[0]) != (width, height):
            return unread(
                f"the picture is {image.shape[1]} x {image.shape[0]} pixels, the profile is for"
                f" {width} x {height}: calibrate again"
            )
        return self._eyes.read(
            image, prior=prior, corners=self._profile.corners, reference=self._reference
        )


def reference_of(profile: CalibrationProfile) -> Reference:
    """What the empty board looks like, as the eyes have it."""
    return Reference(
        {
            Premium[name]: (np.array(kind.lab, np.float32), kind.spread)
            for name, kind in profile.empty.items()
        }
    )


def kind_colours(reference: Reference) -> dict[str, KindColour]:
    """The same as a profile has it."""
    result = {}
    for premium, (lab, spread) in reference.kinds.items():
        light, red, yellow = (round(float(part), 2) for part in lab)
        result[premium.name] = KindColour(lab=(light, red, yellow), spread=round(float(spread), 2))
    return result


def open_eyes(tile_set: str, profile: str = "") -> BoardReader:
    """Eyes for a tile set; with the path of a profile, eyes that know what it says."""
    eyes = Eyes(tile_set)
    return TaughtEyes(eyes, BOARD_FILE.load(Path(profile))) if profile else eyes


def open_rack_reader(tile_set: str, profile: str = "") -> RackReader:
    """A reader for a picture of one rack; two letters are enough where a rack is known to be.

    With the path of a profile it sees only the rack's own place: no neighbour's tiles.
    """
    tiles = load_tile_set(tile_set)
    place = RACK_FILE.load(Path(profile)) if profile else None

    def read(image: Image) -> tuple[RackLook, ...]:
        left, top, right, bottom = _place(place, image)
        seen = read_racks(image[top:bottom, left:right], tiles, least=2)
        return tuple(
            replace(rack, corners=tuple((x + left, y + top) for x, y in rack.corners))
            for rack in seen
        )

    return read


def _place(profile: RackProfile | None, image: Image) -> tuple[int, int, int, int]:
    """The rack's region, scaled where the camera gives another size now."""
    height, width = image.shape[:2]
    if profile is None:
        return 0, 0, width, height
    across, down = width / profile.image_size[0], height / profile.image_size[1]
    left, top, right, bottom = profile.region
    return (
        int(left * across),
        int(top * down),
        max(1, round(right * across)),
        max(1, round(bottom * down)),
    )

"""The eyes of a board camera, also those told where the board is; the reader of a rack camera.

Loads the network, so it is imported only where a camera is opened.
"""

from pathlib import Path

from devices.board_camera import BoardReader
from devices.pictures import Image
from devices.profile import CalibrationProfile, load_profile
from devices.rack_camera import RackReader
from devices.vision.eyes import Eyes
from devices.vision.look import Look, RackLook, unread
from devices.vision.racks import read_racks
from recorder.tilesets import load_tile_set


class FixedEyes:
    """Reads where the calibration profile says, and searches nowhere.

    For a board that cannot be found by itself, and that neither turns nor moves.
    """

    def __init__(self, eyes: Eyes, profile: CalibrationProfile) -> None:
        self._eyes = eyes
        self._profile = profile

    def read(self, image: Image, *, prior: Look | None = None) -> Look:
        """See ``BoardReader``. A picture of another size is refused: its corners are unknown."""
        width, height = self._profile.image_size
        if (image.shape[1], image.shape[0]) != (width, height):
            return unread(
                f"the picture is {image.shape[1]} x {image.shape[0]} pixels, the profile is for"
                f" {width} x {height}: calibrate again"
            )
        return self._eyes.read(image, prior=prior, corners=self._profile.corners)


def open_eyes(tile_set: str, profile: str = "") -> BoardReader:
    """Eyes for a tile set; with the path of a profile, eyes that look only there."""
    eyes = Eyes(tile_set)
    return FixedEyes(eyes, load_profile(Path(profile))) if profile else eyes


def open_rack_reader(tile_set: str) -> RackReader:
    """A reader for a picture of one rack; two letters are enough where a rack is known to be."""
    tiles = load_tile_set(tile_set)

    def read(image: Image) -> tuple[RackLook, ...]:
        return read_racks(image, tiles, least=2)

    return read

"""Picture files -> pixels: BGR uint8, upright by EXIF, whole, and of a sane size.

OpenCV fills what is missing of a truncated JPEG with grey and says nothing, so wholeness is
checked here on the bytes; sizes are read from the header before anything is decoded. Has the words
for cameras that give none. Must not know files or boards.
"""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from devices.words import camera_fault
from recorder.domain.errors import DeviceError
from recorder.picture_header import read_header

Image = npt.NDArray[Any]
"""A picture, uint8 [height, width, 3]: BGR unless the name says otherwise.

OpenCV's stubs say no more than "some array", so neither does the alias.
"""

MOST_PIXELS = 120_000_000


def decode_picture(data: bytes) -> Image:
    """The pixels of a whole picture. DeviceError says what is wrong with it.

    Grey, CMYK, palette, transparent and 16-bit pictures come out as BGR uint8 too. A file whose
    middle is damaged but whose end is there is not recognised as damaged.
    """
    header = read_header(data)
    if header.width * header.height > MOST_PIXELS:
        size, most = f"{header.width} x {header.height}", MOST_PIXELS // 1_000_000
        raise DeviceError(camera_fault("too_many_pixels", size=size, most=most))
    if not header.is_whole:
        raise DeviceError(camera_fault("cut_off", bytes=str(len(data))))
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as err:
        raise DeviceError(f"OpenCV refuses the picture: {err.err}") from err
    if image is None:
        raise DeviceError(camera_fault("damaged"))
    return np.ascontiguousarray(image, dtype=np.uint8)


def resized(image: Image, factor: float) -> Image:
    """The picture so many times as large."""
    way = cv2.INTER_AREA if factor < 1.0 else cv2.INTER_CUBIC
    return cv2.resize(image, None, fx=factor, fy=factor, interpolation=way)


def shrunk(image: Image, side: int) -> tuple[Image, float]:
    """The picture with no side longer than this, and by which factor it was resized."""
    factor = min(1.0, side / max(image.shape[:2]))
    return (resized(image, factor) if factor < 1.0 else image), factor


def encode_jpeg(image: Image, quality: int = 92) -> bytes:
    """A JPEG of an image."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "encoding an image in memory cannot fail"
    return bytes(data)

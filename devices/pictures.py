"""Picture files -> pixels: BGR uint8, upright by EXIF, whole, and of a sane size.

OpenCV fills what is missing of a truncated JPEG with grey and says nothing, so wholeness is
checked here on the bytes; sizes are read from the header before anything is decoded. Has the words
for cameras that give none. Must not know files or boards.
"""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from recorder.domain.errors import DeviceError
from recorder.domain.notices import PlainValue
from recorder.picture_header import read_header
from recorder.texts import load_catalogue

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
        raise DeviceError(
            f"{header.width} x {header.height} pixels are more than"
            f" {MOST_PIXELS // 1_000_000} megapixels"
        )
    if not header.is_whole:
        raise DeviceError(f"truncated: {len(data)} bytes are not the whole picture")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as err:
        raise DeviceError(f"OpenCV refuses the picture: {err.err}") from err
    if image is None:
        raise DeviceError("damaged: OpenCV cannot decode the picture")
    return np.ascontiguousarray(image, dtype=np.uint8)


def encode_jpeg(image: Image, quality: int = 92) -> bytes:
    """A JPEG of an image."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "encoding an image in memory cannot fail"
    return bytes(data)


def camera_fault(code: str, **values: PlainValue) -> str:
    """What is wrong with a camera and what helps, in the language of the program.

    By a code of the catalogue's ``camera_fault``.
    """
    return load_catalogue().text("camera_fault", code, **values)

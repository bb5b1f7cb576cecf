"""A sheet of paper as grey pixels and as PNG, for screens, chats and cameras.

The face is one that OpenCV brings along, with the letters of most European names.
"""

import zlib

import cv2
import numpy as np
import numpy.typing as npt

from recorder.printing.page import HEIGHT_MM, WIDTH_MM, Page

PNG_DPI = 300
_FACE, _WEIGHT = "sans", 400
_LIKE_HELVETICA = 0.88
"""This face is that much wider than the one of the PDF."""


def png(page: Page, dpi: int = PNG_DPI) -> bytes:
    """The page as a grey PNG that says how many dots per inch it has."""
    ok, data = cv2.imencode(".png", raster(page, dpi))
    if not ok:
        raise ValueError("OpenCV could not write a PNG")
    encoded = data.tobytes()
    # The size on paper belongs in the file, else it prints at any size: chunk pHYs after IHDR.
    per_metre = round(dpi / 0.0254).to_bytes(4, "big")
    chunk = b"pHYs" + per_metre + per_metre + b"\x01"
    end_of_header = 8 + 25
    size = (9).to_bytes(4, "big")
    return encoded[:end_of_header] + size + chunk + _crc(chunk) + encoded[end_of_header:]


def raster(page: Page, dpi: int = PNG_DPI) -> npt.NDArray[np.uint8]:
    """The page as grey pixels."""
    face = cv2.FontFace(_FACE)
    scale = dpi / 25.4
    image = np.full((round(HEIGHT_MM * scale), round(WIDTH_MM * scale)), 255, np.uint8)
    for box in page.boxes:
        left, right = round(box.x * scale), round((box.x + box.width) * scale)
        top, bottom = round(box.y * scale), round((box.y + box.height) * scale)
        image[top:bottom, left:right] = 0
    for line in page.lines:
        start = (round(line.x0 * scale), round(line.y0 * scale))
        cv2.line(
            image,
            start,
            (round(line.x1 * scale), round(line.y1 * scale)),
            150,
            max(1, round(dpi / 150)),
        )
    for words in page.words:
        size = max(1, round(words.size * scale * _LIKE_HELVETICA))
        (_, _, width, _) = cv2.getTextSize(
            image.shape[::-1], words.text, (0, 0), face, size, _WEIGHT
        )
        x = round(words.x * scale) - (width if words.ends else 0)
        cv2.putText(image, words.text, (x, round(words.y * scale)), 0, face, size, _WEIGHT)
    return image


def _crc(chunk: bytes) -> bytes:
    return zlib.crc32(chunk).to_bytes(4, "big")

"""A sheet of paper as SVG or PNG; its parts and the PDF are in ``recorder.page``.

Sizes are what matters, since a printed marker is measured by a camera.
"""

import zlib
from html import escape

import cv2
import numpy as np
import numpy.typing as npt

from recorder.page import HEIGHT_MM, WIDTH_MM, Box, Line, Page, Words, pdf

__all__ = ["HEIGHT_MM", "WIDTH_MM", "Box", "Line", "Page", "Words", "pdf", "png", "raster", "svg"]

PNG_DPI = 300


def svg(page: Page) -> bytes:
    """The page as SVG in millimetres."""
    size = f'width="{WIDTH_MM:g}mm" height="{HEIGHT_MM:g}mm"'
    view = f'viewBox="0 0 {WIDTH_MM:g} {HEIGHT_MM:g}" shape-rendering="crispEdges"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>',
        f"<title>{escape(page.title)}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    parts += [
        f'<rect x="{b.x:.3f}" y="{b.y:.3f}" width="{b.width:.3f}" height="{b.height:.3f}"/>'
        for b in page.boxes
    ]
    for line in page.lines:
        dashes = ' stroke-dasharray="2 1.5"' if line.dashed else ""
        parts.append(
            f'<line x1="{line.x0:.3f}" y1="{line.y0:.3f}" x2="{line.x1:.3f}" y2="{line.y1:.3f}"'
            f' stroke="#999" stroke-width="0.2"{dashes}/>'
        )
    parts += [
        f'<text x="{w.x:.3f}" y="{w.y:.3f}" font-family="Helvetica, Arial, sans-serif"'
        f' font-size="{w.size:g}">{escape(w.text)}</text>'
        for w in page.words
    ]
    return "\n".join([*parts, "</svg>\n"]).encode()


def png(page: Page) -> bytes:
    """The page as a grey PNG of 300 dots per inch that says so."""
    ok, data = cv2.imencode(".png", raster(page))
    if not ok:
        raise ValueError("OpenCV could not write a PNG")
    encoded = data.tobytes()
    # The size on paper belongs in the file, else it prints at any size: chunk pHYs after IHDR.
    per_metre = round(PNG_DPI / 0.0254).to_bytes(4, "big")
    chunk = b"pHYs" + per_metre + per_metre + b"\x01"
    end_of_header = 8 + 25
    size = (9).to_bytes(4, "big")
    return encoded[:end_of_header] + size + chunk + _crc(chunk) + encoded[end_of_header:]


def raster(page: Page, dpi: int = PNG_DPI) -> npt.NDArray[np.uint8]:
    """The page as grey pixels."""
    scale = dpi / 25.4
    image = np.full((round(HEIGHT_MM * scale), round(WIDTH_MM * scale)), 255, np.uint8)
    for box in page.boxes:
        left, right = round(box.x * scale), round((box.x + box.width) * scale)
        top, bottom = round(box.y * scale), round((box.y + box.height) * scale)
        image[top:bottom, left:right] = 0
    for line in page.lines:
        start = (round(line.x0 * scale), round(line.y0 * scale))
        cv2.line(image, start, (round(line.x1 * scale), round(line.y1 * scale)), 150, 2)
    for words in page.words:
        at = (round(words.x * scale), round(words.y * scale))
        height = words.size * scale * 0.7 / 21.0
        face = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(image, words.text, at, face, height, 0, max(1, round(dpi / 150)), cv2.LINE_AA)
    return image


def _crc(chunk: bytes) -> bytes:
    return zlib.crc32(chunk).to_bytes(4, "big")

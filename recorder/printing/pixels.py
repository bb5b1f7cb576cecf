"""A sheet of paper as grey pixels and as PNG, for screens, chats and cameras."""

import io

from PIL import Image, ImageDraw

from recorder.printing.page import HEIGHT_MM, WIDTH_MM, Page
from recorder.printing.typeface import composed, sized

PNG_DPI = 300
_MM_PER_INCH = 25.4
_WHITE, _GREY, _BLACK = 255, 150, 0
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
"""Pillow's words: left, middle or right, on the base line."""


def png(page: Page, dpi: int = PNG_DPI) -> bytes:
    """The page as a grey PNG that says how many dots per inch it has."""
    out = io.BytesIO()
    raster(page, dpi).save(out, "PNG", dpi=(dpi, dpi))
    return out.getvalue()


def raster(page: Page, dpi: int = PNG_DPI) -> Image.Image:
    """The page as grey pixels."""
    scale = dpi / _MM_PER_INCH
    image = Image.new("L", (round(WIDTH_MM * scale), round(HEIGHT_MM * scale)), _WHITE)
    draw = ImageDraw.Draw(image)
    for box in page.boxes:
        left, right = round(box.x * scale), round((box.x + box.width) * scale)
        top, bottom = round(box.y * scale), round((box.y + box.height) * scale)
        image.paste(_BLACK, (left, top, right, bottom))
    for line in page.lines:
        ends = [round(end * scale) for end in (line.x0, line.y0, line.x1, line.y1)]
        draw.line(ends, fill=_GREY, width=max(1, round(dpi / 150)))
    for text in page.words:
        place, face = (text.x * scale, text.y * scale), sized(text.size * scale)
        draw.text(place, composed(text.text), _BLACK, face, anchor=_ANCHORS[text.anchor])
    return image

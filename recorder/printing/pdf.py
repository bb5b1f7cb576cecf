"""Sheets of paper as PDF: true size, with the letters that they use embedded.

ReportLab is used here and for codes (``qr_code``). The same pages give the same bytes.
"""

import io
import re
import unicodedata
from functools import cache

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont, shapeStr
from reportlab.pdfgen.canvas import Canvas

from recorder.printing.page import HEIGHT_MM, WIDTH_MM, CutLine, Page, PageText
from recorder.printing.typeface import TYPEFACE, composed

_FACE = "NotoSans"
_GREY = 0.6
_LINE_MM = 0.2
_DASHES_MM = (2.0, 1.5)


def pdf(*pages: Page) -> bytes:
    """The pages as one PDF; its title is the first page's. One page at least."""
    face, out = _typeface(), io.BytesIO()
    canvas = Canvas(out, pagesize=(WIDTH_MM * mm, HEIGHT_MM * mm), invariant=True)
    canvas.setTitle(pages[0].title)
    canvas.setCreator("Tilecast")
    canvas.setAuthor("")
    canvas.setViewerPreference("PrintScaling", "None")  # else viewers fit the page to the printer
    for page in pages:
        for box in page.boxes:
            low = HEIGHT_MM - box.y - box.height
            canvas.rect(box.x * mm, low * mm, box.width * mm, box.height * mm, stroke=0, fill=1)
        _draw_lines(canvas, page.lines)
        for text in page.words:
            _draw_text(canvas, face, text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw_lines(canvas: Canvas, lines: list[CutLine]) -> None:
    canvas.setStrokeGray(_GREY)
    canvas.setLineWidth(_LINE_MM * mm)
    for line in lines:
        canvas.setDash([dash * mm for dash in _DASHES_MM] if line.dashed else [])
        high, low = HEIGHT_MM - line.y0, HEIGHT_MM - line.y1
        canvas.line(line.x0 * mm, high * mm, line.x1 * mm, low * mm)


def _draw_text(canvas: Canvas, face: TTFont, text: PageText) -> None:
    size, shown = text.size * mm, composed(text.text)
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    left = text.x * mm - share * canvas.stringWidth(shown, _FACE, size)
    drawn = canvas.beginText(left, (HEIGHT_MM - text.y) * mm)
    drawn.setFont(_FACE, size)
    for word in re.split("( +)", shown):
        drawn.textOut(shapeStr(word, _FACE, size) if _needs_shaping(face, word) else word)
    canvas.drawText(drawn)


def _needs_shaping(face: TTFont, word: str) -> bool:
    """Whether HarfBuzz must put a mark over its letter, or an empty box where a letter is missing.

    Other words are written plainly: in those every viewer can search, and copy letter by letter.
    """
    known = face.face.charToGlyph
    return any(unicodedata.combining(letter) or ord(letter) not in known for letter in word)


@cache
def _typeface() -> TTFont:
    """Read once: it takes longer than the pages."""
    face = TTFont(_FACE, TYPEFACE, shapable=True)
    pdfmetrics.registerFont(face)
    return face

"""A sheet of paper: rectangles, lines and words in millimetres, written as PDF.

No fonts are embedded: the PDF uses one that every viewer has. Knows nothing of what is printed.
"""

from dataclasses import dataclass, field

WIDTH_MM, HEIGHT_MM = 210.0, 297.0
"""A4, upright."""
_POINTS = 72 / 25.4
_BLACK, _GREY = 0.0, 0.6
_DIGIT = 0.556
"""Width of a digit of Helvetica in line heights; a minus and a plus are 0.584 wide."""


@dataclass(frozen=True, slots=True)
class Box:
    """A black rectangle; ``x``, ``y`` is its top-left corner from the top-left of the sheet."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class CutLine:
    """A thin grey line to cut along or to measure by."""

    x0: float
    y0: float
    x1: float
    y1: float
    dashed: bool = True


@dataclass(frozen=True, slots=True)
class PageText:
    """Text that starts at ``x`` with its base line at ``y``; ``size`` is the height of the line.

    ``ends``: it ends at ``x`` instead; exact for figures, near for words.
    """

    x: float
    y: float
    text: str
    size: float = 4.0
    ends: bool = False


@dataclass(slots=True)
class Page:
    """An A4 sheet. All numbers are millimetres from its top-left corner."""

    title: str
    boxes: list[Box] = field(default_factory=list)
    lines: list[CutLine] = field(default_factory=list)
    words: list[PageText] = field(default_factory=list)


def pdf(page: Page) -> bytes:
    """The page as PDF 1.4: one sheet, Helvetica, true size."""
    content = _pdf_content(page)
    media = f"{WIDTH_MM * _POINTS:.3f} {HEIGHT_MM * _POINTS:.3f}"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {media}] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>".encode(),
        f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title (" + _pdf_text(page.title) + b") >>",
    ]
    out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


def _pdf_content(page: Page) -> bytes:
    """The drawing commands, in millimetres; PDF counts upwards from the bottom."""
    parts = [f"{_POINTS:.6f} 0 0 {_POINTS:.6f} 0 0 cm", f"{_BLACK:g} g"]
    for b in page.boxes:
        low = HEIGHT_MM - b.y - b.height
        parts.append(f"{b.x:.3f} {low:.3f} {b.width:.3f} {b.height:.3f} re f")
    parts.append(f"{_GREY:g} G 0.2 w")
    for line in page.lines:
        parts.append("[2 1.5] 0 d" if line.dashed else "[] 0 d")
        start, end = HEIGHT_MM - line.y0, HEIGHT_MM - line.y1
        parts.append(f"{line.x0:.3f} {start:.3f} m {line.x1:.3f} {end:.3f} l S")
    content = "\n".join(parts).encode()
    for words in page.words:
        x = words.x - _DIGIT * words.size * len(words.text) if words.ends else words.x
        place = f"\nBT /F1 {words.size:g} Tf {x:.3f} {HEIGHT_MM - words.y:.3f} Td ("
        content += place.encode() + _pdf_text(words.text) + b") Tj ET"
    return content


def _pdf_text(text: str) -> bytes:
    """The text of a PDF string; characters that the font lacks become question marks."""
    plain = text.encode("cp1252", "replace")
    return plain.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")

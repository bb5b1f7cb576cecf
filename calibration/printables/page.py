"""A sheet of paper as SVG; its parts, the PDF and the pixels are in ``recorder``.

Sizes are what matters, since a printed marker is measured by a camera.
"""

from html import escape

from recorder.printing.page import HEIGHT_MM, WIDTH_MM, Page


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
    for w in page.words:
        parts.append(
            f'<text x="{w.x:.3f}" y="{w.y:.3f}" font-family="Noto Sans, Helvetica, sans-serif"'
            f' font-size="{w.size:g}" text-anchor="{w.anchor}">{escape(w.text)}</text>'
        )
    return "\n".join([*parts, "</svg>\n"]).encode()

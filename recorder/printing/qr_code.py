"""A QR code as squares on a sheet, for phones to read."""

from recorder.printing.page import Box


def qr_code(text: str, x: float, y: float, size: float) -> list[Box]:
    """The dark squares of a code ``size`` mm wide with its top-left corner at ``x``, ``y``.

    The white that it needs around it is the caller's: four of its squares.
    """
    rows = code_squares(text)
    side = size / len(rows)
    return [
        Box(x + column * side, y + row * side, side * 1.01, side * 1.01)
        for row, squares in enumerate(rows)
        for column, is_dark in enumerate(squares)
        if is_dark
    ]


def qr_svg(text: str) -> str:
    """A code as a picture, black on white, with the white that it needs around it."""
    rows, edge = code_squares(text), 4
    dark = "".join(
        f"M{column + edge} {row + edge}h1v1h-1z"
        for row, squares in enumerate(rows)
        for column, is_dark in enumerate(squares)
        if is_dark
    )
    side = len(rows) + 2 * edge
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}"'
        f' shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/>'
        f'<path d="{dark}"/></svg>'
    )


def code_squares(text: str) -> list[list[bool]]:
    """The squares of a code, True where dark, without the white around it."""
    # A tenth of a second: only who makes a code waits for it.
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    return [list(map(bool, row)) for row in code.modules]

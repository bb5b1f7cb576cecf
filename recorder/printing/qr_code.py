"""A QR code as squares on a sheet, for phones to read."""

from recorder.printing.page import Box


def qr_code(text: str, x: float, y: float, size: float) -> list[Box]:
    """The dark squares of a code ``size`` mm wide with its top-left corner at ``x``, ``y``.

    The white that it needs around it is the caller's: four of its squares.
    """
    # A tenth of a second: only who makes a code waits for it.
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    side = size / code.moduleCount
    return [
        Box(x + column * side, y + row * side, side * 1.01, side * 1.01)
        for row, squares in enumerate(code.modules)
        for column, is_dark in enumerate(squares)
        if is_dark
    ]

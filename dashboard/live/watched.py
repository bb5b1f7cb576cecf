"""What spectators see beyond the public frame: the score sheet, and a glimpse of every table.

Pure, and public: no rack, no doubt, nothing that the public's fold does not have yet.
"""

from collections.abc import Sequence

from recorder.domain.event.seating import Pairing
from recorder.frames.public import Frame, Glimpse, LaidLine, PublicLine
from recorder.projections.broadcast import Projection
from recorder.projections.framed import framed
from recorder.projections.sheet import SheetLine


class SheetCache:
    """The sheet by line from 0, so that a turn patches one key; made again only when it changes."""

    def __init__(self) -> None:
        self._lines: Sequence[SheetLine] = ()
        self._sheet: dict[str, PublicLine] = {}

    def of(self, lines: Sequence[SheetLine]) -> dict[str, PublicLine]:
        """The lines as JSON values by their number as text."""
        if lines != self._lines:
            self._lines = lines
            self._sheet = {str(at): line.as_public() for at, line in enumerate(lines)}
        return self._sheet


def pairing_of(table: Projection) -> Pairing | None:
    """Which game of the event a table plays; None where it is none of it."""
    return table.started.pairing if table.started is not None else None


def glimpse(frame: Frame) -> Glimpse:
    """A table among many: players, clocks, board and the last play of a public frame."""
    play = frame["last_play"]
    laid: LaidLine | None = None
    if play is not None:
        laid = framed(LaidLine, play, words=play["words"][:1])
    return framed(Glimpse, frame, last_play=laid, event=frame.get("event"))

"""What the public has of a table, folded from its rows at once."""

from collections.abc import Iterable

from recorder.frames import public
from recorder.frames.public import Frame
from recorder.log.port import Row
from recorder.projections.broadcast import Projection


def _folded(rows: Iterable[Row]) -> Projection | None:
    projection: Projection | None = None
    for row in rows:
        if projection is None:
            projection = Projection(row.table)
        projection.advance(row)
    return projection


def broadcast_frame(rows: Iterable[Row]) -> Frame | None:
    """The public frame after these rows of one table; None while no game has begun."""
    projection = _folded(rows)
    return None if projection is None else projection.frame()


def score_sheet(rows: Iterable[Row]) -> list[public.Line]:
    """The lines of the score sheet after these rows of one table, as corrected."""
    projection = _folded(rows)
    return [] if projection is None else [line.as_json() for line in projection.lines]

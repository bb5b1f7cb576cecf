"""The procedures that stand open in a table's log, compared with those that stand open now.

One that opens, or of which more is known, is a row (``table.procedure``); one that is over is
taken back by another. Writes no row itself and reads no clock.
"""

from collections.abc import Iterable

from recorder.domain.record import Draft, ProcedureOver, ProcedureStands, Statement
from recorder.domain.standing_procedures import StandingProcedure
from recorder.log.port import Row


class RecordedProcedures:
    """The procedures of one game that stand open in its log."""

    def __init__(self) -> None:
        self._open: dict[str, StandingProcedure] = {}

    def take(self, row: Row) -> None:
        """Account for a row of either type."""
        match row.says:
            case ProcedureStands(procedure=procedure):
                self._open[procedure.key] = procedure
            case ProcedureOver(key=key):
                self._open.pop(key, None)

    def to_say(self, now: Iterable[StandingProcedure]) -> list[Draft]:
        """What brings the log up to what stands open now."""
        standing = {procedure.key: procedure for procedure in now}
        new: list[tuple[Statement, int]] = [
            (ProcedureOver(key=key, director=procedure.director), procedure.group)
            for key, procedure in self._open.items()
            if key not in standing
        ]
        new += [
            (ProcedureStands(procedure=procedure), procedure.group)
            for key, procedure in standing.items()
            if self._open.get(key) != procedure
        ]
        return [(says, (group,) if group else ()) for says, group in new]

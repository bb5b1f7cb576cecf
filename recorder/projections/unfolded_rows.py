"""Rows of the log that do not fit the game: they stand aside until they are fixed."""

from collections.abc import Iterable
from dataclasses import dataclass

from recorder.domain.record import Corrected
from recorder.domain.recorded_turns import RecordedTurns
from recorder.frames.desk import FoldFault
from recorder.log.port import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfoldedRow:
    """A row that does not fit the game as far as it is folded, of whom, and when it came.

    ``supersedes`` is the row that it was to correct, 0 where it corrects none.
    """

    row: int
    table: int
    device: str
    at: int
    supersedes: int = 0

    @classmethod
    def of(cls, row: Row) -> "UnfoldedRow":
        """What is reported of a row."""
        supersedes = row.says.supersedes if isinstance(row.says, Corrected) else 0
        return cls(
            row=row.seq, table=row.table, device=row.device, at=row.at, supersedes=supersedes
        )

    def as_json(self) -> FoldFault:
        """For the director's page."""
        return {"row": self.row, "table": self.table, "device": self.device, "at": self.at}


def unmended(faults: Iterable[UnfoldedRow], recorded: RecordedTurns) -> list[UnfoldedRow]:
    """Those rows that still stand aside once all rows of a game are folded."""
    return [
        fault
        for fault in faults
        if recorded.turn_of(fault.row) is None
        and not recorded.is_superseded(fault.row)
        and not recorded.is_superseded(fault.supersedes)
    ]

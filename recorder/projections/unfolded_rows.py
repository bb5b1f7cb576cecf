"""Rows of the log that do not fit the game: they stand aside until they are fixed."""

from collections.abc import Iterable

from recorder.domain.record import Corrected
from recorder.domain.recorded_turns import RecordedTurns
from recorder.log.port import Row


def unmended(faults: Iterable[Row], recorded: RecordedTurns) -> list[Row]:
    """Those rows that still stand aside once all rows of a game are folded."""
    return [
        row
        for row in faults
        if recorded.turn_of(row.seq) is None
        and not recorded.is_superseded(row.seq)
        and not (isinstance(row.says, Corrected) and recorded.is_superseded(row.says.supersedes))
    ]

"""A folded table once more, so that two games go on from one position without weighing it twice."""

import copy

from recorder.table.folded import FoldedTable


def twin_of(folded: FoldedTable) -> FoldedTable:
    """The same, to go on from here on its own."""
    assert folded.state is not None
    twin = copy.copy(folded)
    twin._taken, twin._states = list(folded._taken), dict(folded._states)
    return twin

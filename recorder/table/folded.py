"""What the devices of a table said, in the order of its time, and the table as folded from it.

A device that was cut off sends late what it saw in time: a clock's presses belong before the looks
that were taken after them. What comes is folded when somebody asks, as far as they wait for it.
"""

from bisect import bisect
from collections.abc import Callable, Sequence

from recorder.domain.reading.table_fold import Stamped, take
from recorder.domain.reading.table_state import TableState


class FoldedTable:
    """The observations of a table, and its states after each as far as they are folded."""

    def __init__(self, opening: TableState) -> None:
        self.opening = opening
        self._taken: list[Stamped] = []
        self._states: list[TableState] = []
        self._under_way: Stamped | None = None

    def open_as(self, opening: TableState) -> None:
        """Begin from another opening: all that was taken is folded anew when somebody asks."""
        self.opening = opening
        self._states.clear()

    @property
    def taken(self) -> Sequence[Stamped]:
        """All observations, in the order of their time."""
        return tuple(self._taken)

    def put(self, observed: Stamped) -> None:
        """One more observation, at its time; what is later is folded again when asked for."""
        place = bisect(self._taken, _moment(observed), key=_moment)
        self._taken.insert(place, observed)
        del self._states[place:]

    @property
    def state(self) -> TableState:
        """The table after all observations; what is not folded yet is folded now, once."""
        self.fold_on(lambda: False)
        return self._states[-1] if self._states else self.opening

    def fold_on(self, is_enough: Callable[[], bool]) -> bool:
        """Fold what waits, one at least, until ``is_enough``; whether all is folded."""
        state = self._states[-1] if self._states else self.opening
        for observed in self._taken[len(self._states) :]:
            self._under_way = observed
            state = take(state, observed)
            self._under_way = None
            self._states.append(state)
            if is_enough():
                break
        return len(self._states) == len(self._taken)

    def drop_culprit(self) -> Stamped | None:
        """Leave out the observation that a fault left half folded; None when there is none."""
        culprit, self._under_way = self._under_way, None
        if culprit is not None:
            self._taken.remove(culprit)
        return culprit

    def twin(self) -> "FoldedTable":
        """The same, to go on from here on its own."""
        twin = FoldedTable(self.opening)
        twin._taken, twin._states = list(self._taken), list(self._states)
        return twin


def _moment(stamped: Stamped) -> tuple[int, int]:
    """The order of the fold: by time, then as they arrived."""
    return stamped.at_ms, stamped.seq

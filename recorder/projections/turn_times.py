"""How long each turn took, and what both clocks showed at its end: by the row that recorded it."""

from collections.abc import Iterable
from dataclasses import dataclass

from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed

_NEW_TIMES = frozenset({ClockAct.ADJUST, ClockAct.RESET})


@dataclass(frozen=True, slots=True)
class TurnTime:
    """Both clocks at the end of a turn (ms, player 0 first), and the time that it took.

    ``spent_ms`` is None where the clock was set to more in between; all is where nobody pressed.
    """

    clocks: tuple[int, int] | None = None
    spent_ms: int | None = None


NO_TIME = TurnTime()


class TimesUsed:
    """A fold over the words of a clock and the rows that record turns."""

    def __init__(self, starts_ms: tuple[int, int]) -> None:
        self._clocks = starts_ms
        self._presses: dict[int, tuple[int, TurnTime]] = {}
        self._of_row: dict[int, TurnTime] = {}

    def hear(
        self,
        said: ClockPressed | ClockChanged,
        clocks: tuple[int, int],
        presser: int | None,
        seq: int,
    ) -> None:
        """The clock shows ``clocks`` in row ``seq``; ``presser`` has pressed, None: nobody has."""
        if presser is not None:
            spent_ms = self._clocks[presser] - clocks[presser]
            time = TurnTime(clocks, spent_ms if spent_ms >= 0 else None)
            self._presses[seq] = (presser, time)
        if isinstance(said, ClockPressed) or said.act in _NEW_TIMES:
            self._clocks = clocks

    def record(self, row: int, player: int, named: Iterable[int]) -> None:
        """A turn of a player is recorded as ``row``; its press is among the rows it names."""
        presses = [self._presses[seq] for seq in named if seq in self._presses]
        if presses and presses[0][0] == player:
            self._of_row[row] = presses[0][1]

    def of(self, row: int) -> TurnTime:
        """The time of the turn that a row recorded first."""
        return self._of_row.get(row, NO_TIME)

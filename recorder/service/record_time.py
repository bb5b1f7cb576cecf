"""The time of the record: the wall clock's when a game began, counted on by one that nobody sets.

A wall clock is put right by 30 s in the middle of a game, or jumps by an hour. Presses and looks
keep their order and their distance all the same, and the director is informed. Between games the
record's time is the wall clock's again.
"""

from collections.abc import Callable, Iterable

from recorder.domain.observations import TimeSet
from recorder.domain.record import Observed
from recorder.log.port import Row

STEP_MS = 500
"""A wall clock that moves by more against the time that passes was set."""
_AT_ONCE_MS = 50
"""A comparison that takes longer is none."""


def time_set(row: Row) -> TimeSet | None:
    """What a recorder says of its machine's clock; None for every other row, sent by anyone."""
    if row.key is None and isinstance(row.says, Observed) and isinstance(row.says.what, TimeSet):
        return row.says.what
    return None


class RecordTime:
    """Milliseconds since 1970 as the record has them.

    ``ticks_ms`` never jumps; without it the wall clock is believed. ``base_ms`` is what an earlier
    start of the same recorder in the same run of the machine had.
    """

    def __init__(
        self,
        wall_ms: Callable[[], int],
        ticks_ms: Callable[[], int] | None = None,
        base_ms: int | None = None,
    ) -> None:
        self._wall_ms, self._ticks_ms = wall_ms, ticks_ms
        self.base_ms = 0
        self._told: dict[int, int] = {}
        self._last_ms: int | None = None
        self._as_the_wall()
        if ticks_ms is not None and base_ms is not None:
            self.base_ms = base_ms

    def now(self) -> int:
        """The record's time."""
        return self._wall_ms() if self._ticks_ms is None else self.base_ms + self._ticks_ms()

    def _as_the_wall(self) -> None:
        if self._ticks_ms is not None:
            self.base_ms = self._wall_ms() - self._ticks_ms()

    def take(self, row: Row) -> None:
        """A row of a game that is on: the time never runs back over it."""
        self._last_ms = max(self._last_ms or row.at, row.at)
        setting = time_set(row)
        if setting is not None:
            self._told[row.table] = setting.ahead_ms

    def begin(self) -> bool:
        """Go on after the rows taken; whether the time begins again instead.

        Without any row the wall clock is as good as ever.
        """
        before_ms = self.base_ms
        if self._last_ms is None:
            self._as_the_wall()
        elif self._ticks_ms is not None:
            self.base_ms += max(0, self._last_ms - self.now())
        return self._last_ms is None and self.base_ms != before_ms

    def news(self, tables: Iterable[int]) -> list[tuple[int, TimeSet]]:
        """By table, that the wall clock was set; each time once."""
        ahead_ms = self._ahead_ms()
        if ahead_ms is None:
            return []
        found = []
        for table in tables:
            by_ms = ahead_ms - self._told.get(table, 0)
            if abs(by_ms) >= STEP_MS:
                self._told[table] = ahead_ms
                found.append((table, TimeSet(by_ms=by_ms, ahead_ms=ahead_ms)))
        return found

    def _ahead_ms(self) -> int | None:
        """By how much the wall clock is ahead of the record; None where it cannot be said now."""
        if self._ticks_ms is None:
            return None
        before_ms = self._ticks_ms()
        wall_ms = self._wall_ms()
        if self._ticks_ms() - before_ms > _AT_ONCE_MS:
            return None
        return wall_ms - self.base_ms - before_ms

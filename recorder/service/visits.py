"""Which tables of a hall the recorder turns to: those with news, and those whose time has come."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from recorder.service.shares import WorkShares

SLICE_S = 0.05
"""For so long one table's fold may keep the others waiting."""
ROUND_SLICES = 4
"""For so many slices all tables together may keep waiting what has arrived."""


@dataclass(slots=True)
class Visits:
    """By table, when it is due (milliseconds since 1970; 0 at once), and whose look waits."""

    _due: dict[int, int] = field(default_factory=dict)
    _unweighed: set[int] = field(default_factory=set)
    _cut_short: set[int] = field(default_factory=set)
    _shares: WorkShares | None = None
    _until_s: float = math.inf

    def share(self, tables: int) -> None:
        """From now on each of so many tables has its share of the time, and no more."""
        self._shares = WorkShares(tables)

    def stirred(self, table: int) -> None:
        """Something was stored of a table."""
        self._due[table] = 0
        self._unweighed.add(table)

    def cut_short(self, table: int) -> None:
        """A table's slice of the time was not enough: it goes on after the others."""
        self.stirred(table)
        self._cut_short.add(table)

    def put_off(self, tables: Sequence[int]) -> None:
        """There was no time for these tables: they come first the next time."""
        self._due = dict.fromkeys(tables, 0) | self._due
        self._cut_short.update(tables)

    def is_behind(self, table: int) -> bool:
        """Whether rows of a table wait to be folded, since its time was up."""
        return table in self._cut_short

    @property
    def waits(self) -> bool:
        """Whether a table was cut short that may go on."""
        is_over = time.monotonic() > self._until_s
        return not is_over and any(self._may_go_on(table) for table in self._cut_short)

    def at_end(self, within_s: float) -> None:
        """The recorder ends: what waits is done now, whosever it is, for so long and no longer."""
        self._shares, self._until_s = None, time.monotonic() + within_s

    @contextmanager
    def working(self, table: int) -> Iterator[None]:
        """Work for a table, which counts against its share."""
        shares = self._shares
        if shares is None:
            yield
            return
        begun_s = time.thread_time()
        yield
        shares.worked(table, time.thread_time() - begun_s, time.monotonic())

    def _may_go_on(self, table: int) -> bool:
        return self._shares is None or self._shares.may_go_on(table, time.monotonic())

    @property
    def behind(self) -> int:
        """How many tables were."""
        return len(self._cut_short)

    def due(self, now_ms: int) -> list[int]:
        """The tables to turn to now; each is named once, until it stirs or was put off."""
        due = [table for table, due_ms in self._due.items() if due_ms <= now_ms]
        tables = [table for table in due if self._may_go_on(table)]
        for table in tables:
            del self._due[table]
            self._cut_short.discard(table)
        return tables

    def later(self, table: int, due_ms: int | None) -> None:
        """Time alone may bring news of a table, None where it cannot; what stirs comes first."""
        if due_ms is not None:
            self._due[table] = min(due_ms, self._due.get(table, due_ms))

    def unweighed(self) -> Iterator[int]:
        """The tables that have stirred since their newest look was weighed ahead, each once."""
        while ready := self._unweighed - self._cut_short:
            table = ready.pop()
            self._unweighed.discard(table)
            yield table

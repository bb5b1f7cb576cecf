"""Which tables of a hall the recorder turns to: those with news, and those whose time has come."""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Visits:
    """By table, when it is due (milliseconds since 1970; 0 at once), and whose look waits."""

    _due: dict[int, int] = field(default_factory=dict)
    _unweighed: set[int] = field(default_factory=set)
    _cut_short: set[int] = field(default_factory=set)

    def stirred(self, table: int) -> None:
        """Something was stored of a table."""
        self._due[table] = 0
        self._unweighed.add(table)

    def cut_short(self, table: int) -> None:
        """A table's slice of the time was not enough: it goes on after the others."""
        self.stirred(table)
        self._cut_short.add(table)

    @property
    def waits(self) -> bool:
        """Whether a table was cut short and is to go on."""
        return bool(self._cut_short)

    def due(self, now_ms: int) -> list[int]:
        """The tables to turn to now; each is named once, until it stirs or was put off."""
        tables = [table for table, due_ms in self._due.items() if due_ms <= now_ms]
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
        while self._unweighed:
            yield self._unweighed.pop()

"""What a record does in a file and in a database alike: its rows are asked for in SQL."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, ClassVar, LiteralString, Self

from recorder.contiguity import Contiguity, MessageKey
from recorder.domain.errors import RecorderError
from recorder.log.columns import COLUMNS, first_not_holding, row_from
from recorder.log.port import GENESIS, DamagedLogError, NewRow, Row, chained
from recorder.wire.row_heads import STARTED_TYPE

REMEDY = (
    "stop its recorder and start it again, which keeps every row that can be read, or run tilecast"
    " log repair; the damaged file is kept"
)
PAGE = 500
_ROWS: LiteralString = f"SELECT {COLUMNS} FROM event WHERE "  # noqa: S608
_OF_GAME: LiteralString = '"table" = ? AND game = ? AND seq >= ? ORDER BY seq LIMIT ?'


class SqlEventLog(ABC):
    """The record as a table of SQL. One writer; readers as many as you like.

    Statements are written as SQLite takes them; ``_ask`` writes them as another database does.
    """

    page_of_game: ClassVar[int] = PAGE

    def __init__(self, *, read_only: bool) -> None:
        self._read_only = read_only
        self._contiguity = Contiguity(self._numbers)
        self._seq, self._hash = 0, GENESIS

    @property
    @abstractmethod
    def name(self) -> str:
        """The log as messages name it, without a password."""

    @abstractmethod
    def _ask(self, sql: LiteralString, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """What the database answers; RecorderError where it does not."""

    @abstractmethod
    def unsound(self) -> str:
        """See EventLog."""

    @abstractmethod
    def close(self) -> None:
        """See EventLog."""

    def read_from(self, seq: int, limit: int | None = None) -> Iterator[Row]:
        """See EventLog. Reads page by page: rows appended meanwhile are met at the end."""
        left = -1 if limit is None else limit
        while left != 0:
            size = PAGE if left < 0 else min(PAGE, left)
            page = self._page(seq, size)
            for values in page:
                yield row_from(values)
            if len(page) < size:
                return
            seq = page[-1][0] + 1
            left = left if left < 0 else left - len(page)

    def of_game(self, table: int, game: str, seq: int = 1) -> Iterator[Row]:
        """See EventLog."""
        while True:
            page = self._rows(_OF_GAME, (table, game, seq, self.page_of_game), seq)
            if any((row.table, row.game) != (table, game) for row in page):
                raise self._misleads()
            yield from page
            if len(page) < self.page_of_game:
                return
            seq = page[-1].seq + 1

    def of_sender(self, dev: str, boot: str, type_name: str) -> Iterator[Row]:
        """See EventLog."""
        where: LiteralString = "dev = ? AND boot = ? AND instr(body, ?) > 0 ORDER BY seq"
        rows = self._rows(where, (dev, boot, type_name))
        if any((row.key or ())[:2] != (dev, boot) for row in rows):
            raise self._misleads()
        return (row for row in rows if row.type == type_name)

    def beginnings(self) -> Iterator[Row]:
        """See EventLog."""
        where: LiteralString = "kind = 'recorded' AND instr(body, ?) > 0 ORDER BY seq"
        return (row for row in self._rows(where, (STARTED_TYPE,)) if row.type == STARTED_TYPE)

    def stored(self, key: MessageKey) -> Row | None:
        """See EventLog."""
        rows = self._rows("dev = ? AND boot = ? AND number = ?", key)
        if any(row.key != key for row in rows):
            raise self._misleads()
        return rows[0] if rows else None

    def head(self) -> int:
        """See EventLog. A reader sees what the writer has committed."""
        return self._newest() if self._read_only else self._seq

    def verify(self, after: int = 0, many: int | None = None) -> int | None:
        """See EventLog. Reads every row's text as it is stored, of the whole log the store too."""
        before = self._page(after, 1) if after else []
        if after and (not before or before[0][0] != after):
            return after
        prev_hash = before[0][-1] if before else GENESIS
        rows = islice(self._stored(after and after + 1), many)
        broken = first_not_holding(rows, after, prev_hash)
        if broken is None and not after and many is None and (damage := self.unsound()):
            raise DamagedLogError(damage)
        return broken

    def pass_over(self, key: MessageKey) -> None:
        """See EventLog."""
        self._contiguity.add(key)

    def contiguous(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """See EventLog. For the writer; a reader raises RecorderError."""
        if self._read_only:
            raise RecorderError(f"{self.name}: opened read-only, so it stores no device numbers")
        return self._contiguity.upto(dev, boot, floor=floor)

    def missing(
        self, dev: str, boot: str, *, upto: int, after: int | None
    ) -> tuple[int, int, int] | None:
        """See EventLog. For the writer."""
        return self._contiguity.missing(dev, boot, upto=upto, after=after)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refuse_reader(self) -> None:
        if self._read_only:
            raise RecorderError(f"{self.name}: opened read-only")

    def _chained(self, rows: Sequence[NewRow]) -> list[Row | None]:
        return chained(rows, self._seq, self._hash, self._has)

    def _remember(self, stored: Sequence[Row | None]) -> None:
        for row in stored:
            if row is not None:
                self._seq, self._hash = row.seq, row.hash
                if row.key is not None:
                    self._contiguity.add(row.key)

    def _has(self, key: MessageKey) -> bool:
        sql: LiteralString = "SELECT 1 FROM event WHERE dev = ? AND boot = ? AND number = ?"
        return bool(self._ask(sql + " AND seq <= ?", (*key, self._seq)))

    def _newest(self) -> int:
        ((newest,),) = self._ask("SELECT coalesce(max(seq), 0) FROM event")
        return int(newest)

    def _tail(self) -> tuple[int, str]:
        found = self._ask("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1")
        return found[0] if found else (0, GENESIS)

    def _numbers(self, dev: str, boot: str) -> Iterator[int]:
        sql: LiteralString = "SELECT number FROM event WHERE dev = ? AND boot = ? ORDER BY number"
        return (number for (number,) in self._ask(sql, (dev, boot)))

    def _rows(self, where: LiteralString, values: Sequence[object], seq: int = 0) -> list[Row]:
        return [row_from(found) for found in self._in_order(where, values, seq)]

    def _page(self, seq: int, size: int) -> list[tuple[Any, ...]]:
        return self._in_order("seq >= ? ORDER BY seq LIMIT ?", (seq, size), seq)

    def _in_order(
        self, where: LiteralString, values: Sequence[object], seq: int
    ) -> list[tuple[Any, ...]]:
        """What is stored from number ``seq`` on. Numbers that go back would be read for ever."""
        found = self._ask(_ROWS + where, values)
        numbers = [seq - 1, *(row[0] for row in found)]
        if any(after <= before for before, after in pairwise(numbers)):
            raise self._misleads()
        return found

    def _stored(self, seq: int) -> Iterator[tuple[Any, ...]]:
        """Every row from that number on as the columns hold it, in order."""
        size = PAGE
        while True:
            try:
                page = self._page(seq, size)
            except RecorderError:
                if size == 1:
                    raise
                size = 1  # one by one up to the row that is damaged
                continue
            yield from page
            if not page:
                return
            seq = page[-1][0] + 1

    def _misleads(self) -> DamagedLogError:
        return DamagedLogError(f"{self.name} is damaged: an index leads to other rows; {REMEDY}")

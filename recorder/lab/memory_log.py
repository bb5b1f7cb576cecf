"""The record in memory: what scenarios and tests write in place of a file."""

from collections.abc import Iterator, Sequence

from recorder.contiguity import Contiguity, MessageKey
from recorder.log.port import GENESIS, NewRow, Row, chained, row_holds
from recorder.wire.row_heads import STARTED_TYPE


class MemoryEventLog:
    """The record in memory: for tests and for looking at a game that is not kept."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._keys: dict[MessageKey, Row] = {}
        self._contiguity = Contiguity(self._numbers)

    def append(self, rows: Sequence[NewRow]) -> list[Row | None]:
        """See EventLog."""
        prev_hash = self._rows[-1].hash if self._rows else GENESIS
        fresh = chained(rows, len(self._rows), prev_hash, self._keys.__contains__)
        keys = {row.key: row for row in fresh if row is not None and row.key is not None}
        self._rows.extend(row for row in fresh if row is not None)
        self._keys |= keys
        for key in keys:
            self._contiguity.add(key)
        return fresh

    def _numbers(self, dev: str, boot: str) -> Iterator[int]:
        return (number for *source, number in sorted(self._keys) if source == [dev, boot])

    def read_from(self, seq: int, limit: int | None = None) -> Iterator[Row]:
        """See EventLog."""
        first = max(seq, 1) - 1
        last = None if limit is None else first + limit
        yield from self._rows[first:last]

    def of_game(self, table: int, game: str, seq: int = 1) -> Iterator[Row]:
        """See EventLog."""
        rows = self.read_from(seq)
        return (row for row in rows if row.table == table and row.game == game)

    def of_sender(self, dev: str, boot: str, type_name: str) -> Iterator[Row]:
        """See EventLog."""
        of_boot = (row for row in self._rows if (row.key or ())[:2] == (dev, boot))
        return (row for row in of_boot if row.type == type_name)

    def beginnings(self) -> Iterator[Row]:
        """See EventLog."""
        return (row for row in self._rows if row.type == STARTED_TYPE)

    def head(self) -> int:
        """See EventLog."""
        return len(self._rows)

    def verify(self, after: int = 0, many: int | None = None) -> int | None:
        """See EventLog."""
        prev_hash = self._rows[after - 1].hash if after else GENESIS
        for seq, row in enumerate(self.read_from(after + 1, many), start=after + 1):
            if not row_holds(prev_hash, seq, row):
                return seq
            prev_hash = row.hash
        return None

    def unsound(self) -> str:
        """See EventLog. Memory is taken to be sound."""
        return ""

    def stored(self, key: MessageKey) -> Row | None:
        """See EventLog."""
        return self._keys.get(key)

    def pass_over(self, key: MessageKey) -> None:
        """See EventLog."""
        self._contiguity.add(key)

    def contiguous(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """See EventLog."""
        return self._contiguity.upto(dev, boot, floor=floor)

    def missing(
        self, dev: str, boot: str, *, upto: int, after: int | None
    ) -> tuple[int, int, int] | None:
        """See EventLog."""
        return self._contiguity.missing(dev, boot, upto=upto, after=after)

    def close(self) -> None:
        """Nothing to let go of."""

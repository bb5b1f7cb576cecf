"""The record in a PostgreSQL database: the same rows and the same chain as in a file.

Bodies are stored as the text that was hashed. The writer holds an advisory lock of the database for
as long as it is connected, and a row's number is the primary key: a second recorder is refused, and
one that has lost its connection without knowing cannot store beside its successor. Replication,
failing over and backups are PostgreSQL's own.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, LiteralString, Self

from recorder.domain.errors import RecorderError
from recorder.log.columns import COLUMNS, columns_of, first_not_holding, row_from
from recorder.log.port import (
    GENESIS,
    Contiguity,
    LogGoneError,
    MessageKey,
    NewRow,
    Row,
    chained,
)
from recorder.wire import STARTED_TYPE

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql://", "postgres://")
CHANNEL = "tilecast_log"
_LOCK = 0x7111CA57
_PAGE = 500
_INSERT: LiteralString = (
    f"INSERT INTO event ({COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"  # noqa: S608
)
_SELECT: LiteralString = f"SELECT {COLUMNS} FROM event"  # noqa: S608
_IN_ORDER: LiteralString = " WHERE seq >= %s ORDER BY seq LIMIT %s"
_SCHEMA: LiteralString = """
CREATE TABLE IF NOT EXISTS event (
    seq bigint PRIMARY KEY,
    "table" bigint NOT NULL,
    game text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('observed', 'recorded', 'ruled', 'corrected')),
    v integer NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL,
    refs text NOT NULL,
    dev text,
    boot text,
    number bigint,
    prev_hash text NOT NULL,
    hash text NOT NULL,
    UNIQUE (dev, boot, number),
    CHECK ((dev IS NULL) = (boot IS NULL) AND (dev IS NULL) = (number IS NULL))
);
CREATE INDEX IF NOT EXISTS event_of_game ON event ("table", game, seq);
CREATE OR REPLACE FUNCTION event_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the record is append-only: add a correction instead'; END $$;
CREATE OR REPLACE TRIGGER event_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_stays();
"""


def is_database(place: object) -> bool:
    """Whether a log is named by the address of a database, not by a file."""
    return str(place).startswith(SCHEMES)


class PostgresEventLog:
    """The record in a database. One writer; readers as many as you like (``open_reader``).

    RecorderError, without the password, where the database cannot be reached or has another writer.
    """

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._url, self._read_only = url, read_only
        self._contiguity = Contiguity()
        self._connection = self._connected()
        self._seq, self._hash = self._tail()
        if not read_only:
            self._load_keys()

    @classmethod
    def open_reader(cls, url: str) -> Self:
        """A connection that follows a log which somebody else writes."""
        return cls(url, read_only=True)

    @property
    def name(self) -> str:
        """The address without its password."""
        scheme, _, rest = self._url.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}"

    def append(self, rows: Sequence[NewRow]) -> list[Row | None]:
        """See EventLog. A connection that is lost raises RecorderError; a later append goes on."""
        import psycopg

        if self._read_only:
            raise RecorderError(f"{self.name}: opened for reading")
        if self._connection.closed or self._connection.broken:
            self._connection.close()
            self._connection = self._connected()
        try:
            planned = chained(rows, self._seq, self._hash, self._has)
            fresh = [row for row in planned if row is not None]
            if not self._was_stored(fresh):
                self._store(fresh)
        except psycopg.Error as fault:
            raise RecorderError(
                f"{self.name}: cannot store {len(rows)} rows ({str(fault).strip()})"
            ) from fault
        for row in fresh:
            self._seq, self._hash = row.seq, row.hash
            if row.key is not None:
                self._contiguity.add(row.key)
        return planned

    def _was_stored(self, fresh: Sequence[Row]) -> bool:
        """Whether these very rows are there: the connection was lost while they were committed."""
        if not fresh or self.head_stored() == self._seq:
            return False
        last = fresh[-1]
        found = self._connection.execute("SELECT hash FROM event WHERE seq = %s", (last.seq,))
        if found.fetchone() == (last.hash,) and self.head_stored() == last.seq:
            return True
        raise LogGoneError(f"{self.name}: another recorder has written this log; start again")

    def _store(self, fresh: Sequence[Row]) -> None:
        values = [columns_of(row) for row in fresh]
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany(_INSERT, values)
            cursor.execute("SELECT pg_notify(%s, %s)", (CHANNEL, str(self._seq + len(values))))

    def read_from(self, seq: int, limit: int | None = None) -> Iterator[Row]:
        """See EventLog."""
        left = limit
        while left is None or left > 0:
            size = _PAGE if left is None else min(_PAGE, left)
            page = self._rows(_SELECT + _IN_ORDER, (seq, size))
            yield from page
            if len(page) < size:
                return
            seq = page[-1].seq + 1
            left = None if left is None else left - size

    def of_game(self, table: int, game: str, seq: int = 1) -> Iterator[Row]:
        """See EventLog."""
        where: LiteralString = ' WHERE "table" = %s AND game = %s AND seq >= %s ORDER BY seq'
        yield from self._rows(_SELECT + where, (table, game, seq))

    def beginnings(self) -> Iterator[Row]:
        """See EventLog."""
        where: LiteralString = " WHERE kind = 'recorded' AND strpos(body, %s) > 0 ORDER BY seq"
        rows = self._rows(_SELECT + where, (STARTED_TYPE,))
        return (row for row in rows if row.type == STARTED_TYPE)

    def head(self) -> int:
        """See EventLog. A reader sees what the writer has committed."""
        return self.head_stored() if self._read_only else self._seq

    def head_stored(self) -> int:
        """The last row that the database has."""
        found = self._connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()
        return int(found[0]) if found else 0

    def verify(self) -> int | None:
        """See EventLog. Reads the whole table."""
        return first_not_holding(self._stored())

    def _stored(self) -> Iterator[tuple[Any, ...]]:
        """Every row as the columns hold it, in order."""
        seq = 0
        while page := self._fetch(_SELECT + _IN_ORDER, (seq + 1, _PAGE)):
            yield from page
            seq = page[-1][0]

    def stored(self, key: MessageKey) -> Row | None:
        """See EventLog."""
        where: LiteralString = " WHERE dev = %s AND boot = %s AND number = %s"
        return next(iter(self._rows(_SELECT + where, key)), None)

    def pass_over(self, key: MessageKey) -> None:
        """See EventLog."""
        self._contiguity.add(key)

    def contiguous(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """See EventLog."""
        if self._read_only:
            raise RecorderError(f"{self.name}: opened for reading, it keeps no device numbers")
        return self._contiguity.upto(dev, boot, floor=floor)

    def close(self) -> None:
        """See EventLog."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connected(self) -> "psycopg.Connection[tuple[Any, ...]]":
        try:
            import psycopg
        except ModuleNotFoundError as fault:
            raise RecorderError(
                "a log in PostgreSQL needs: pip install 'tilecast[postgres]'"
            ) from fault
        try:
            connection = psycopg.connect(self._url, autocommit=True, connect_timeout=5)
        except psycopg.Error as fault:
            raise RecorderError(f"{self.name}: {str(fault).strip()}") from fault
        with contextlib.ExitStack() as undo:
            undo.callback(connection.close)
            if not self._read_only:
                self._hold(connection)
            undo.pop_all()
        return connection

    def _hold(self, connection: "psycopg.Connection[tuple[Any, ...]]") -> None:
        """Be the only writer, and see that there is a table to write."""
        got = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone()
        if got != (True,):
            raise RecorderError(f"{self.name}: another process writes this log")
        connection.execute(_SCHEMA)

    def _has(self, key: MessageKey) -> bool:
        sql: LiteralString = "SELECT 1 FROM event WHERE dev = %s AND boot = %s AND number = %s"
        found = self._connection.execute(sql + " AND seq <= %s", (*key, self._seq))
        return found.fetchone() is not None

    def _tail(self) -> tuple[int, str]:
        import psycopg

        try:
            found = self._connection.execute(
                "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1"
            )
            seq, digest = found.fetchone() or (0, GENESIS)
        except psycopg.Error as fault:
            self._connection.close()
            raise RecorderError(f"{self.name}: not a Tilecast log: {fault}") from fault
        return seq, digest

    def _load_keys(self) -> None:
        sql: LiteralString = (
            "SELECT dev, boot, number FROM event WHERE dev IS NOT NULL ORDER BY 1, 2, 3"
        )
        for dev, boot, number in self._connection.execute(sql):
            self._contiguity.add((dev, boot, number))

    def _rows(self, sql: LiteralString, values: Sequence[object]) -> list[Row]:
        return [row_from(found) for found in self._fetch(sql, values)]

    def _fetch(self, sql: LiteralString, values: Sequence[object]) -> list[tuple[Any, ...]]:
        import psycopg

        try:
            return self._connection.execute(sql, values).fetchall()
        except psycopg.Error as fault:
            raise RecorderError(f"{self.name}: cannot be read: {str(fault).strip()}") from fault

"""The record in a PostgreSQL database: the same rows and the same chain as in a file.

Bodies are stored as the text that was hashed. The writer holds a lease (``recorder.log.lease``),
and every transaction that stores rows asks for its token: a second recorder is refused, and one
whose lease another has taken cannot store beside its successor. Replication, failing over and
backups are PostgreSQL's own.
"""

import socket
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, LiteralString, Self

from recorder.domain.errors import RecorderError
from recorder.log.columns import COLUMNS, columns_of
from recorder.log.database import connected, said_by, shown_address
from recorder.log.lease import LEASE_CHECK, LEASE_SCHEMA, Lease
from recorder.log.port import LogGoneError, NewRow, Row, UnfitRowError
from recorder.log.sql_log import SqlEventLog

if TYPE_CHECKING:
    from recorder.log.database import Connection

_CHANNEL = "tilecast_log"
_SCHEMA_LOCK = 0x7111CA57
_ASKED_S = 0.1
_INSERT: LiteralString = (
    f"INSERT INTO event ({COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"  # noqa: S608
)
_HASH_OF: LiteralString = "SELECT hash FROM event WHERE seq = ?"
_CHANGES: LiteralString = (
    "SELECT coalesce(sum(n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_user_tables"
    " WHERE relid = 'event'::regclass"
)
_COUNTED_S = 1.0
_NO_LONG_REST: LiteralString = "SET idle_in_transaction_session_timeout = '2s'"
"""Frozen within a transaction, a writer keeps its successor waiting no longer than this."""
_IS_MADE: LiteralString = (
    "SELECT to_regclass('event') IS NOT NULL AND to_regclass('writer') IS NOT NULL"
)
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


class PostgresEventLog(SqlEventLog):
    """The record in a database. One writer; readers as many as you like (``open_reader``).

    ``holder`` names the writer to others. RecorderError, without the password, where the database
    cannot be reached; WriterElsewhereError while it has another writer.
    """

    def __init__(self, url: str, *, read_only: bool = False, holder: str = "") -> None:
        super().__init__(read_only=read_only)
        self._url = url
        self._connection = connected(url) if read_only else self._opened()
        self._lease: Lease | None = None
        self._changes: int | None = None
        self._counted_s = 0.0
        self._follows = False
        self._seen_head, self._asked_s = -1, 0.0
        try:
            if not read_only:
                self._begin_writing(holder or socket.gethostname())
            self._seq, self._hash = self._begun()
        except BaseException:
            self.close()
            raise

    @classmethod
    def open_reader(cls, url: str) -> Self:
        """A connection that follows a log which somebody else writes."""
        return cls(url, read_only=True)

    @property
    def name(self) -> str:
        """The address without user and password."""
        return shown_address(self._url)

    def _opened(self) -> "Connection":
        """A connection to write over."""
        import psycopg

        connection = connected(self._url)
        try:
            connection.execute(_NO_LONG_REST)
        except psycopg.Error as fault:
            raise RecorderError(f"{self.name}: {said_by(self._url, fault)}") from None
        return connection

    def _begin_writing(self, holder: str) -> None:
        """Be the only writer."""
        self._lay_out()
        lease = Lease(self._url, holder)
        lease.take()
        self._lease = lease

    def _lay_out(self) -> None:
        """See that there is a table to write."""
        import psycopg

        try:
            with self._connection.transaction():
                self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                if self._ask(_IS_MADE) != [(True,)]:
                    self._connection.execute(_SCHEMA)
                    self._connection.execute(LEASE_SCHEMA)
        except psycopg.Error as fault:
            raise RecorderError(f"{self.name}: {said_by(self._url, fault)}") from None

    def append(self, rows: Sequence[NewRow]) -> list[Row | None]:
        """See EventLog. A connection that is lost raises RecorderError; a later append goes on.

        LogGoneError once another recorder has taken over.
        """
        import psycopg

        self._refuse_reader()
        try:
            if self._connection.closed:
                self._connection = self._opened()
            with self._connection.transaction():
                self._refuse_fenced_off()
                self._refuse_changed_rows()
                planned = self._chained(rows)
                fresh = [row for row in planned if row is not None]
                if fresh and not self._was_stored(fresh):
                    self._store(fresh)
        except psycopg.DataError as fault:
            raise UnfitRowError(f"{self.name}: {said_by(self._url, fault)}") from None
        except psycopg.Error as fault:
            if isinstance(fault, psycopg.OperationalError):
                self._connection.close()
            raise RecorderError(
                f"{self.name}: cannot store {len(rows)} rows ({said_by(self._url, fault)})"
            ) from None
        self._remember(fresh)
        return planned

    def _refuse_fenced_off(self) -> None:
        token = 0 if self._lease is None else self._lease.token
        if self._connection.execute(LEASE_CHECK, (token,)).fetchone() is None:
            raise LogGoneError(
                f"{self.name}: another recorder has taken over; nothing more is stored here"
            )

    def _refuse_changed_rows(self) -> None:
        """Where somebody has changed or removed rows, all that is there is verified first.

        The server counts what was done to the table, a moment later; it is asked once a second.
        """
        now_s = time.monotonic()
        if now_s - self._counted_s < _COUNTED_S:
            return
        self._counted_s = now_s
        ((changes,),) = self._ask(_CHANGES)
        before, self._changes = self._changes, changes
        if before in {None, changes}:
            return
        broken = self.verify()
        if broken is not None:
            raise LogGoneError(
                f"{self.name}: row {broken} was changed just now; nothing is acknowledged any more,"
                " and devices keep their events: see tilecast log verify"
            )

    def _was_stored(self, fresh: Sequence[Row]) -> bool:
        """Whether these very rows are there: the connection was lost while they were committed."""
        head = self._newest()
        if head == self._seq:
            return False
        last = fresh[-1]
        if head == last.seq and self._ask(_HASH_OF, (head,)) == [(last.hash,)]:
            return True
        if head < self._seq:
            raise LogGoneError(self._lost_rows(head))
        raise LogGoneError(f"{self.name}: another recorder has written this log; start again")

    def _lost_rows(self, head: int) -> str:
        return (
            f"{self.name}: the database has lost rows that were stored in it ({head} of"
            f" {self._seq}): was a standby promoted that had not everything?"
        )

    def _store(self, fresh: Sequence[Row]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_INSERT, [columns_of(row) for row in fresh])
            cursor.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, str(fresh[-1].seq)))

    def changed(self) -> bool:
        """Whether rows have been added since the last call (true at the first one).

        Cheap enough to ask many times a second: the writer notifies. A server that only replays
        another's changes does not show it, and is asked now and then.
        """
        import psycopg

        try:
            if not self._follows:
                self._follows = True
                replays = self._ask("SELECT pg_is_in_recovery()") == [(True,)]
                self._asked_s = time.monotonic() if replays else 0.0
                if not replays:
                    self._connection.execute(f"LISTEN {_CHANNEL}")
                return True
            if not self._asked_s:
                return bool(list(self._connection.notifies(timeout=0)))
        except psycopg.Error as fault:
            raise RecorderError(f"{self.name}: {said_by(self._url, fault)}") from None
        if time.monotonic() - self._asked_s < _ASKED_S:
            return False
        self._asked_s = time.monotonic()
        before, self._seen_head = self._seen_head, self._newest()
        return self._seen_head != before

    def unsound(self) -> str:
        """See EventLog. A server checks its own pages (data_checksums, pg_amcheck)."""
        return ""

    def close(self) -> None:
        """See EventLog."""
        if self._lease is not None:
            self._lease.close()
        self._connection.close()

    def _begun(self) -> tuple[int, str]:
        try:
            return self._tail()
        except RecorderError as fault:
            raise RecorderError(f"not a Tilecast log: {fault}") from None

    def _ask(self, sql: LiteralString, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        import psycopg

        ours = sql.replace("?", "%s").replace("instr(", "strpos(")
        try:
            return self._connection.execute(ours, values).fetchall()
        except psycopg.Error as fault:
            text = said_by(self._url, fault)
            raise RecorderError(f"{self.name}: cannot be read: {text}") from None

"""Which recorders share a hall's tables, and who holds which: leases and tokens in the database.

A recorder is a member while it renews its lease, and each table is held by one member. One that
dies, hangs or loses its network is removed by the others, who take its tables; whatever it stores
later is refused, for its token is gone. A member gives tables away by itself, never while it
records them. Times are the database's own: nobody's clock is trusted.
"""

import logging
import threading
import time
from collections.abc import Collection
from typing import TYPE_CHECKING, LiteralString

from recorder.domain.errors import RecorderError
from recorder.log.database import connected, said_by, shown_address
from recorder.log.lease import LEASE_S, LEASE_SCHEMA, RENEWED_S, WriterElsewhereError
from recorder.log.shared.dealing import HALL_TABLE, to_take, too_many

if TYPE_CHECKING:
    from recorder.log.database import Connection

APPEND_LOCK = 0x7111CA58
"""Held by who stores rows until they are committed, and by who says which recorders there are."""
_LEFT_OVER_S = 1.5
"""A table that nobody has taken for so long is taken by whoever sees it."""
_HOLDER = "recorders that share the tables"
_IS_MADE: LiteralString = "SELECT to_regclass('hall_table') IS NOT NULL"
_SCHEMA: LiteralString = """
CREATE TABLE IF NOT EXISTS hall_member (
    token bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hall bigint NOT NULL,
    name text NOT NULL,
    until timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS hall_table (
    "table" bigint PRIMARY KEY,
    token bigint NOT NULL REFERENCES hall_member ON DELETE CASCADE
);
"""
_LOCK: LiteralString = "SELECT pg_advisory_xact_lock(%s)"
_NO_LONG_REST: LiteralString = "SET idle_in_transaction_session_timeout = '2s'"
_NO_LONG_WAIT: LiteralString = "SET lock_timeout = '800ms'"
"""One that stands still with a lock must not keep the others from renewing their leases."""
_UNTIL: LiteralString = "until = clock_timestamp() + make_interval(secs => %s)"
_PURGE: LiteralString = (
    "DELETE FROM hall_member WHERE until < clock_timestamp() OR hall <> (SELECT token FROM writer)"
)
_MEMBERS: LiteralString = "SELECT token, until < clock_timestamp() FROM hall_member"
_HELD: LiteralString = 'SELECT "table", token FROM hall_table'
_WRITER: LiteralString = "SELECT token, until > clock_timestamp(), holder FROM writer FOR UPDATE"
_BEGIN: LiteralString = f"UPDATE writer SET token = %s, holder = %s, {_UNTIL}"  # noqa: S608
_JOIN: LiteralString = (
    "INSERT INTO hall_member (hall, name, until)"
    " VALUES (%s, %s, clock_timestamp() + make_interval(secs => %s)) RETURNING token"
)
_RENEW: LiteralString = f"UPDATE hall_member SET {_UNTIL} WHERE token = %s RETURNING 1"  # noqa: S608
_RENEW_HALL: LiteralString = f"UPDATE writer SET {_UNTIL} WHERE token = %s RETURNING 1"  # noqa: S608
_TAKE: LiteralString = (
    "INSERT INTO hall_table SELECT wanted, %s FROM unnest(%s::bigint[]) AS wanted"
    " ON CONFLICT DO NOTHING"
)
_GIVE: LiteralString = 'DELETE FROM hall_table WHERE token = %s AND "table" = ANY(%s)'
_LEAVE: LiteralString = "DELETE FROM hall_member WHERE token = %s"
_LAST_OUT: LiteralString = (
    "UPDATE writer SET until = '-infinity'"
    " WHERE token = %s AND NOT EXISTS (SELECT 1 FROM hall_member)"
)

log = logging.getLogger("tilecast.recorder")


class HallMembership:
    """One recorder among those that share ``tables``; ``join``, then ``close``.

    ``name`` tells it from the others. It renews itself, takes what is free, and removes who is
    gone; ``changed`` is set whenever ``tables`` is other than it was, or the membership is lost.
    """

    def __init__(self, url: str, name: str, tables: Collection[int]) -> None:
        self._url, self._name = url, name
        self._wanted = frozenset({HALL_TABLE, *tables})
        self.token = self.hall = 0
        self.tables: frozenset[int] = frozenset()
        self.surplus = 0
        """So many tables more than its share it holds: to be given away in a pause."""
        self.is_lost = False
        self.changed = threading.Event()
        self._dealing = threading.Lock()
        self._back_s = float("-inf")
        self._free_since: dict[int, float] = {}
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def join(self) -> None:
        """Become a member, and take what is free.

        WriterElsewhereError while one recorder alone writes the log, or one of this name shares it.
        """
        import psycopg

        connection = connected(self._url)
        try:
            connection.execute(_NO_LONG_REST)
            with connection.transaction():
                connection.execute(_LOCK, (APPEND_LOCK,))
                if connection.execute(_IS_MADE).fetchone() != (True,):
                    connection.execute(LEASE_SCHEMA)
                    connection.execute(_SCHEMA)
                self._enter(connection)
            connection.execute(_NO_LONG_WAIT)
            self._balance(connection)
        except psycopg.Error as fault:
            connection.close()
            shown, said = shown_address(self._url), said_by(self._url, fault)
            raise RecorderError(f"{shown}: {said}") from None
        except BaseException:
            connection.close()
            raise
        self._thread = threading.Thread(
            target=self._keep, args=(connection,), name="membership", daemon=True
        )
        self._thread.start()

    def _enter(self, connection: "Connection") -> None:
        connection.execute(_PURGE)
        names = {name for (name,) in connection.execute("SELECT name FROM hall_member")}
        found = connection.execute(_WRITER).fetchone()
        if found is None:
            raise RecorderError(f"{shown_address(self._url)}: its table writer is empty")
        hall, is_held, holder = found
        if self._name in names or (is_held and not names):
            who = self._name if self._name in names else holder
            raise WriterElsewhereError(
                f"{shown_address(self._url)}: another process writes this log ({who})"
            )
        self.hall = hall if names else hall + 1
        connection.execute(_BEGIN, (self.hall, _HOLDER, LEASE_S))
        joined = connection.execute(_JOIN, (self.hall, self._name, LEASE_S)).fetchone()
        assert joined is not None
        (self.token,) = joined

    def _keep(self, connection: "Connection") -> None:
        import psycopg

        while not self._stopping.wait(RENEWED_S):
            try:
                if connection.closed:
                    connection = connected(self._url)
                    self._back_s = time.monotonic()
                    connection.execute(_NO_LONG_REST)
                    connection.execute(_NO_LONG_WAIT)
                if connection.execute(_RENEW, (LEASE_S, self.token)).fetchone() is None:
                    log.error("the other recorders have taken over; this one stores nothing")
                    self.is_lost = True
                    self.changed.set()
                    break
                connection.execute(_RENEW_HALL, (LEASE_S, self.hall))
                with self._dealing:
                    self._balance(connection)
            except psycopg.errors.LockNotAvailable:
                continue  # somebody stands still with it; the server ends that soon
            except (psycopg.Error, RecorderError):
                connection.close()  # the log says what is wrong with the database
        connection.close()

    def _balance(self, connection: "Connection") -> None:
        """Remove who is gone, take what is free, and see whether this is more than a share.

        Where the database was away nobody could be heard: the others have time to come back.
        """
        if time.monotonic() - self._back_s < LEASE_S:
            return
        members: dict[int, bool] = dict(connection.execute(_MEMBERS).fetchall())
        held: dict[int, int] = dict(connection.execute(_HELD).fetchall())
        alive = sum(not is_over for is_over in members.values())
        if any(members.values()) or self._wants(held, alive):
            with connection.transaction():
                connection.execute(_LOCK, (APPEND_LOCK,))
                connection.execute(_PURGE)
                members = dict(connection.execute(_MEMBERS).fetchall())
                held = dict(connection.execute(_HELD).fetchall())
                alive = len(members)
                wanted = self._wants(held, alive) if self.token in members else []
                connection.execute(_TAKE, (self.token, wanted))
                held |= dict.fromkeys(wanted, self.token)
        self.surplus = too_many(self._wanted, held, alive, self.token)
        mine = frozenset(table for table, who in held.items() if who == self.token)
        if mine != self.tables:
            self.tables = mine
            self.changed.set()

    def _wants(self, held: dict[int, int], alive: int) -> list[int]:
        now_s = time.monotonic()
        free = self._wanted - held.keys()
        self._free_since = {table: self._free_since.get(table, now_s) for table in free}
        old = [t for t, since_s in self._free_since.items() if now_s - since_s > _LEFT_OVER_S]
        return to_take(self._wanted, held, alive, self.token, old)

    def give_away(self, tables: Collection[int]) -> None:
        """Let others take tables that this recorder records no more."""
        if not tables:
            return
        with self._dealing:
            if self._say(_GIVE, (self.token, list(tables))):
                self.tables -= set(tables)

    def wait_for_tables(self, stopping: threading.Event) -> bool:
        """Wait until it holds any; whether it does. RecorderError where it is no member."""
        while not self.tables and not stopping.is_set():
            self.changed.wait(RENEWED_S)
            self.refuse_lost()
        return bool(self.tables)

    def refuse_lost(self) -> None:
        """RecorderError where the others have removed this recorder."""
        if self.is_lost:
            raise RecorderError(
                "the other recorders have taken over the tables of this one, which was not heard"
                " in time; nothing stored is lost: start again"
            )

    def close(self) -> None:
        """Leave, so that the others take the tables at once. Closing twice is harmless."""
        self._stopping.set()
        if self._thread is None:
            return
        self._thread.join()
        self._thread = None
        if not self.is_lost:
            self._say(_LEAVE, (self.token,))
            self._say(_LAST_OUT, (self.hall,))

    def _say(self, sql: LiteralString, values: tuple[object, ...]) -> bool:
        import psycopg

        try:
            with connected(self._url) as connection:
                connection.execute(sql, values)
                return True
        except (psycopg.Error, RecorderError) as fault:
            log.warning("the tables are free in a moment: %s", said_by(self._url, fault))
        return False

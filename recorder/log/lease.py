"""Who writes a log that is a database: a lease that its holder renews, and a token that fences.

A recorder that dies, hangs or loses its network stops renewing; a moment later another takes the
lease, with the next token. Every transaction that stores rows asks for its token first, so one that
wakes up late stores nothing. Times are the database's own: nobody's clock is trusted.
"""

import logging
import threading
from typing import TYPE_CHECKING, LiteralString

from recorder.domain.errors import RecorderError
from recorder.log.database import connected, said_by, shown_address

if TYPE_CHECKING:
    from recorder.log.database import Connection

LEASE_S = 2.5
"""So long a holder may be silent before another may take over."""
RENEWED_S = 0.5
ASKED_S = 0.2
LEASE_SCHEMA: LiteralString = """
CREATE TABLE IF NOT EXISTS writer (
    row boolean PRIMARY KEY DEFAULT true CHECK (row),
    token bigint NOT NULL,
    holder text NOT NULL,
    until timestamptz NOT NULL
);
INSERT INTO writer VALUES (true, 0, '', '-infinity') ON CONFLICT DO NOTHING;
"""
_UNTIL: LiteralString = "until = clock_timestamp() + make_interval(secs => %s)"
_TAKE: LiteralString = (
    f"UPDATE writer SET token = token + 1, holder = %s, {_UNTIL}"  # noqa: S608
    " WHERE until < clock_timestamp() RETURNING token"
)
_RENEW: LiteralString = f"UPDATE writer SET {_UNTIL} WHERE token = %s RETURNING 1"  # noqa: S608
_IS_FREE: LiteralString = "SELECT 1 FROM writer WHERE until < clock_timestamp()"
_DROP: LiteralString = "UPDATE writer SET until = '-infinity' WHERE token = %s"
LEASE_CHECK: LiteralString = "SELECT 1 FROM writer WHERE token = %s FOR SHARE"
"""Finds nothing once another has taken over, and keeps others from it until the commit."""

log = logging.getLogger("tilecast.recorder")


class WriterElsewhereError(RecorderError):
    """Another process holds the log: to write it, wait until that one ends."""


class Lease:
    """The right to write one database's log. ``take`` it, ``close`` it; it renews itself between.

    ``holder`` is told to others who want it.
    """

    def __init__(self, url: str, holder: str) -> None:
        self._url, self._holder = url, holder
        self.token = 0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def take(self) -> None:
        """Take the lease. WriterElsewhereError, with who has it, while somebody holds it."""
        import psycopg

        connection = connected(self._url)
        try:
            # Whoever was frozen within a transaction lets go of the row in time.
            connection.execute("SET idle_in_transaction_session_timeout = '2s'")
            taken = connection.execute(_TAKE, (self._holder, LEASE_S)).fetchone()
            held = None if taken else connection.execute("SELECT holder FROM writer").fetchone()
        except psycopg.Error as fault:
            connection.close()
            shown, said = shown_address(self._url), said_by(self._url, fault)
            raise RecorderError(f"{shown}: {said}") from None
        if taken is None:
            connection.close()
            who = f" ({held[0]})" if held and held[0] else ""
            raise WriterElsewhereError(
                f"{shown_address(self._url)}: another process writes this log{who}"
            )
        self.token = taken[0]
        self._thread = threading.Thread(
            target=self._renew, args=(connection,), name="lease", daemon=True
        )
        self._thread.start()

    def _renew(self, connection: "Connection") -> None:
        import psycopg

        while not self._stopping.wait(RENEWED_S):
            try:
                if connection.closed:
                    connection = connected(self._url)
                if connection.execute(_RENEW, (LEASE_S, self.token)).fetchone() is None:
                    log.error("another recorder has taken over the log; this one stores nothing")
                    break
            except (psycopg.Error, RecorderError):
                connection.close()  # the log says what is wrong with the database
        else:
            _drop(self._url, connection, self.token)
        connection.close()

    def close(self) -> None:
        """Let others take it at once. Closing twice is harmless."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()


def _drop(url: str, connection: "Connection", token: int) -> None:
    """Let go of the lease, over another connection where the first was cut meanwhile."""
    import psycopg

    try:
        connection.execute(_DROP, (token,))
    except psycopg.Error:
        try:
            with connected(url) as again:
                again.execute(_DROP, (token,))
        except (psycopg.Error, RecorderError) as fault:
            log.warning("the log's lease runs out by itself: %s", said_by(url, fault))


def wait_until_free(url: str, stopping: threading.Event) -> None:
    """Wait until nobody holds the log of a database, or until told to stop."""
    import psycopg

    connection: Connection | None = None
    try:
        while not stopping.wait(ASKED_S):
            try:
                if connection is None or connection.closed:
                    connection = connected(url)
                if connection.execute(_IS_FREE).fetchone() is not None:
                    return
            except (psycopg.Error, RecorderError):
                if connection is not None:
                    connection.close()  # the database itself may be failing over
    finally:
        if connection is not None:
            connection.close()

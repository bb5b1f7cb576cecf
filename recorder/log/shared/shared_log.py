"""The log of a hall as one of several recorders writes it: one chain, one after the other.

Who stores rows holds a lock of the database until they are committed, so that the chain has one
order, and first takes in what the others have stored. Only a member may store
(``recorder.log.shared.membership``).
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, LiteralString

from recorder.domain.errors import RecorderError
from recorder.log.lease import LEASE_CHECK
from recorder.log.port import LogGoneError, NewRow, Row
from recorder.log.postgres import CHANNEL, HASH_OF, ROWS, PostgresEventLog
from recorder.log.shared.dealing import HALL_TABLE
from recorder.log.shared.membership import APPEND_LOCK, HallMembership

if TYPE_CHECKING:
    from recorder.log.database import Connection

_ASKED_S = 2.0
"""So often the head is asked for although nobody has told of rows."""
_LOCK: LiteralString = "SELECT pg_advisory_xact_lock(%s)"
_IS_MEMBER: LiteralString = "SELECT 1 FROM hall_member WHERE token = %s"
_KEYS: LiteralString = (
    "SELECT dev, boot, number FROM event WHERE seq > %s AND seq <= %s AND dev IS NOT NULL"
)
_OF_TABLES: LiteralString = ' WHERE seq > %s AND seq <= %s AND "table" = ANY(%s) ORDER BY seq'


class SharedEventLog(PostgresEventLog):
    """The log in a database for one of its writers; ``others`` are what the others store.

    Of those it gives the rows about the tables that its ``membership`` holds now, and the hall.
    """

    def __init__(self, url: str, membership: HallMembership) -> None:
        self._membership = membership
        self._tables = [*membership.tables, HALL_TABLE]
        self._tried: list[Row] = []
        self._is_there = False
        self._from_others: list[Row] = []
        self._is_told = True
        self._asked_at_s = 0.0
        super().__init__(url)

    def _begin_writing(self, holder: str) -> None:
        del holder  # the membership has told
        self._lay_out()

    def _opened(self) -> "Connection":
        connection = super()._opened()
        connection.execute(f"LISTEN {CHANNEL}")
        return connection

    def append(self, rows: Sequence[NewRow], *, after: int | None = None) -> list[Row | None]:
        """See PostgresEventLog."""
        stored = super().append(rows, after=after)
        self._tried = []
        return stored

    def others(self) -> list[Row]:
        """See EventLog."""
        if not self._tried and self._may_be_news():
            try:
                self._take_in_others()
            except LogGoneError:
                raise
            except RecorderError:
                self._connection.close()  # whoever stores something says what is wrong
        rows, self._from_others = self._from_others, []
        return rows

    def _may_be_news(self) -> bool:
        import psycopg

        now_s = time.monotonic()
        is_due = now_s - self._asked_at_s > _ASKED_S
        try:
            if self._connection.closed:
                if not is_due:
                    return False
                self._connection = self._opened()
            for _ in self._connection.notifies(timeout=0):
                self._is_told = True
        except (psycopg.Error, RecorderError):
            self._asked_at_s = now_s
            self._connection.close()
        return (self._is_told or is_due) and not self._connection.closed

    def _take_in_others(self) -> None:
        """Note what has been stored behind the last row that is known here."""
        self._is_told, self._asked_at_s = False, time.monotonic()
        head = self._head_stored()
        if head < self._seq:
            raise LogGoneError(self._lost_rows(head))
        if head == self._seq:
            return
        keys = self._fetch(_KEYS, (self._seq, head))
        rows = self._rows(ROWS + _OF_TABLES, (self._seq, head, self._tables))
        ((digest,),) = self._fetch(HASH_OF, (head,))
        self._seq, self._hash = head, digest
        for key in keys:
            self._contiguity.add(key)
        self._from_others += rows

    def _refuse_fenced_off(self) -> None:
        """Be the only one who stores now, as a member, with the others' rows taken in."""
        self._connection.execute(_LOCK, (APPEND_LOCK,))
        tokens = (
            (LEASE_CHECK, self._membership.hall),
            (_IS_MEMBER, self._membership.token),
        )
        for check, token in tokens:
            if self._connection.execute(check, (token,)).fetchone() is None:
                raise LogGoneError(
                    f"{self.name}: the other recorders have taken over; nothing more is stored here"
                )
        # The connection may have been lost while these very rows were committed.
        last = self._tried[-1] if self._tried else None
        self._is_there = last is not None and self._fetch(HASH_OF, (last.seq,)) == [(last.hash,)]
        if not self._is_there:
            self._take_in_others()

    def _was_stored(self, fresh: Sequence[Row]) -> bool:
        if self._is_there and fresh[-1].hash != self._tried[-1].hash:
            raise LogGoneError(f"{self.name}: another recorder has written this log; start again")
        return self._is_there

    def _store(self, fresh: Sequence[Row]) -> None:
        self._tried = list(fresh)
        super()._store(fresh)

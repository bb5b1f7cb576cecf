"""Rows as they are written: one thread follows the log and hands batches on.

The dashboard is its own process and only reads. A log that is not there yet is waited for; one
that was replaced by another starts everything again; a recorder that restarts is not noticed.
"""

import contextlib
import logging
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from recorder.domain.errors import RecorderError
from recorder.domain.game import (
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Played,
    Unseen,
)
from recorder.domain.orders import Undo
from recorder.domain.record import Corrected, OrderCarriedOut, Recorded
from recorder.domain.row_kind import Kind
from recorder.log.database import is_database
from recorder.log.places import LogPlace, OpenLog, open_log_reader, shown_place
from recorder.log.port import GENESIS, Row, row_holds
from recorder.log.sqlite import FileIdentity, identity_of
from recorder.own_thread import OwnThread

_POLL_S = 0.01
_RETRY_S = 0.25
_LOOK_S = 1.0
_BATCH = 500
_PATIENCE = 8
_log = logging.getLogger(__name__)


def now_ms() -> int:
    """Milliseconds since 1970, by this machine."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that followed. ``anew``: forget what came before. ``caught_up``: no more for now.

    ``broken`` is the first row that is not as it was written, None while all are.
    """

    rows: tuple[Row, ...]
    anew: bool
    caught_up: bool
    broken: int | None = None


class LogFollower(OwnThread):
    """A thread that follows a log from its first row. ``deliver`` is called on that thread."""

    def __init__(self, path: LogPlace, deliver: Callable[[Batch], None]) -> None:
        super().__init__("log follower")
        self._path, self._shown = path, shown_place(path)
        self._deliver = deliver
        self._last: tuple[int, str] | None = None
        self._failures = 0
        self._broken: int | None = None

    def _work(self) -> None:
        while not self._ends.is_set():
            if is_database(self._path) or Path(self._path).exists():
                try:
                    self._follow()
                except (RecorderError, sqlite3.Error, OSError) as err:
                    self._complain(err)
            self._ends.wait(_RETRY_S)

    def _complain(self, err: Exception) -> None:
        """Say it once, and only when it lasts: a log in its first second has no rows to read."""
        self._failures += 1
        if self._failures == _PATIENCE:
            _log.warning("cannot follow the log: %s (still trying)", err)

    def _follow(self) -> None:
        """Read until told to stop or until the path names another file."""
        identity = _identity(self._path)
        with contextlib.closing(open_log_reader(self._path)) as log:
            self._begin(log)
            self._failures = 0
            looked = time.monotonic()
            while not self._ends.is_set():
                if log.changed():
                    self._read_on(log)
                if time.monotonic() - looked > _LOOK_S:
                    looked = time.monotonic()
                    if _identity(self._path) != identity:
                        return
                self._ends.wait(_POLL_S)

    def _begin(self, log: OpenLog) -> None:
        """Go on behind the last row if this is the same log, else start again."""
        if self._last is not None:
            seq, row_hash = self._last
            row = next(log.read_from(seq, 1), None)
            if row is not None and row.seq == seq and row.hash == row_hash:
                return
        self._last = self._broken = None
        self._deliver(Batch((), anew=True, caught_up=False))

    def _read_on(self, log: OpenLog) -> None:
        while not self._ends.is_set():
            first = 1 if self._last is None else self._last[0] + 1
            rows = tuple(log.read_from(first, _BATCH))
            self._verify(rows)
            if rows:
                self._last = (rows[-1].seq, rows[-1].hash)
            caught_up = len(rows) < _BATCH
            self._deliver(Batch(rows, anew=False, caught_up=caught_up, broken=self._broken))
            if caught_up:
                return

    def _verify(self, rows: tuple[Row, ...]) -> None:
        """See whether each row follows the one before, until one does not."""
        seq, digest = self._last or (0, GENESIS)
        for row in rows:
            if self._broken is None and not row_holds(digest, seq + 1, row):
                self._broken = seq + 1
                _log.error(
                    "row %d of %s was changed, or one before it is missing", seq + 1, self._shown
                )
            seq, digest = row.seq, row.hash


def _identity(place: LogPlace) -> FileIdentity | None:
    """Which file a path names; a database is looked at again with each connection instead."""
    return None if is_database(place) else identity_of(Path(place))


class DelayLine:
    """Holds rows back for a time, in their order, and repairs what has not left yet.

    Every row waits for its own delay, counted from when the recorder had it: the time that a device
    claims may be wrong, or a lie. A correction that says no more than a row that still waits leaves
    with that row: what is known to be wrong is never shown. Corrections of one entry keep their
    order, so the last one holds here as it does in the log. One that adds something, or comes when
    the wrong thing is out, waits like any row. Without a delay everything leaves at once, whatever
    the recorder's clock says.
    """

    def __init__(self, delay_ms: int) -> None:
        self._delay_ms = delay_ms
        self._waiting: deque[Row] = deque()
        self._held: set[int] = set()
        self._entry_of: dict[int, int] = {}  # of corrections only: a correction may be corrected
        self._corrections: dict[int, list[Row]] = {}
        self._orders: dict[str, int] = {}

    def put(self, row: Row) -> None:
        """A row arrived."""
        self._waiting.append(row)
        self._held.add(row.seq)
        corrected = self._corrected_by(row)
        if corrected is not None:
            entry = self._entry_of.get(corrected, corrected)
            self._entry_of[row.seq] = entry
            self._corrections.setdefault(entry, []).append(row)

    def _corrected_by(self, row: Row) -> int | None:
        """The row that one corrects, or whose order it undoes; None where it does neither."""
        if row.kind is Kind.CORRECTED and isinstance(row.says, Corrected):
            return row.says.supersedes
        if row.kind is Kind.RULED and isinstance(row.says, OrderCarriedOut):
            order = row.says.order.order
            self._orders[order.id] = row.seq
            return self._orders.get(order.act.order) if isinstance(order.act, Undo) else None
        return None

    def due(self, now: int) -> Iterator[tuple[Row, int]]:
        """The rows to fold now, each with the number of the frame after it."""
        return self._leaving(lambda row: not self._delay_ms or row.received + self._delay_ms <= now)

    def upto(self, seq: int) -> Iterator[tuple[Row, int]]:
        """The rows up to one that has left, with all that left with them."""
        return self._leaving(lambda row: row.seq <= seq)

    def _leaving(self, leaves: Callable[[Row], bool]) -> Iterator[tuple[Row, int]]:
        while self._waiting and leaves(self._waiting[0]):
            row = self._waiting.popleft()
            if row.seq in self._held:  # else it left with an earlier row of its entry
                self._held.remove(row.seq)
                yield row, row.seq
                for repair in self._repairs_of(row):
                    self._held.remove(repair.seq)
                    yield repair, row.seq

    def _repairs_of(self, row: Row) -> list[Row]:
        """The corrections that leave with a row: up to the last that only repairs it.

        One that came when the row was due waits, also where both are read from the log at once.
        """
        entry = self._entry_of.get(row.seq, row.seq)
        waiting = [later for later in self._corrections.pop(entry, ()) if later.seq in self._held]
        leaving = 0
        if self._delay_ms:
            due = row.received + self._delay_ms
            repairs = (
                n
                for n, later in enumerate(waiting, 1)
                if later.received <= due and _only_repairs(later, row)
            )
            leaving = max(repairs, default=0)
        if waiting[leaving:]:
            self._corrections[entry] = waiting[leaving:]
        return waiting[:leaving]


def _only_repairs(correction: Row, wrong: Row) -> bool:
    """Whether a correction says no more than the row did: the same turns, read otherwise, or fewer.

    A challenge, a penalty, a turn that was missed is something new, wherever it is written down.
    An order that is undone was none.
    """
    if isinstance(correction.says, OrderCarriedOut):
        return True
    if not isinstance(correction.says, Corrected):
        return False
    events = correction.says.events
    match wrong.says:
        case Recorded(event=event):
            before: tuple[GameEvent, ...] = (event,)
        case Corrected(events=events):
            before = events
        case _:
            return False
    pairs = zip(events, before, strict=False)
    return len(events) <= len(before) and all(
        new.player == old.player and (type(new) is type(old) or {type(new), type(old)} <= _TURNS)
        for new, old in pairs
    )


_TURNS = frozenset({Played, IllegallyPlayed, Unseen, Exchanged, Passed, NoPlay})

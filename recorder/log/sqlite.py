"""The record in one SQLite file: durable on return, readable while it is written.

WAL with ``synchronous=FULL``; one transaction per ``append``, so that a batch costs one flush to
disk. Triggers refuse UPDATE and DELETE; since plain sqlite3 can get round them (INSERT OR REPLACE
without recursive triggers, or dropping them), the hash chain is what proves integrity. Cutting off
the *newest* rows leaves a shorter but whole chain: noted heads show it (``recorder.log.anchors``).

Losing power is not the same as losing the process: the tests kill processes. FULL asks the disk
to flush; whether it obeys is between the disk and its maker.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Self

from recorder.contiguity import Contiguity, MessageKey
from recorder.damaged import SQLITE_FAULTS, fault_text, is_damage
from recorder.domain.errors import RecorderError
from recorder.log.columns import COLUMNS, columns_of, first_not_holding, row_from
from recorder.log.port import GENESIS, DamagedLogError, LogGoneError, NewRow, Row, chained
from recorder.log.schema import (
    bring_up_to_date,
    form_of,
    refuse_foreign_parts,
)
from recorder.systems import NO_FILE, is_special
from recorder.wire.row_heads import STARTED_TYPE

_BUSY_MS = 5000
_PAGE = 500
INSERT = f"INSERT INTO event({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"  # noqa: S608
_SELECT = f"SELECT {COLUMNS} FROM event WHERE seq >= ? ORDER BY seq LIMIT ?"  # noqa: S608
_PAGE_OF_GAME = 50
_OF_GAME = (
    f'SELECT {COLUMNS} FROM event WHERE "table" = ? AND game = ? AND seq >= ?'  # noqa: S608
    f" ORDER BY seq LIMIT {_PAGE_OF_GAME}"
)
_OF_SENDER = (
    f"SELECT {COLUMNS} FROM event WHERE dev = ? AND boot = ? AND instr(body, ?) ORDER BY seq"  # noqa: S608
)
_BEGINNINGS = f"SELECT {COLUMNS} FROM event WHERE kind = 'recorded' AND instr(body, ?) ORDER BY seq"  # noqa: S608


class SqliteEventLog:
    """The record in a file. One writer per file; readers as many as you like (``open_reader``).

    The methods of one object are for one thread at a time; the connection may move between
    threads. A file that is no log, or cannot be opened, raises RecorderError naming it.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._connection = _open_reader(path) if read_only else _open_writer(path)
        self._identity = _identity(path)
        self._wal: FileIdentity | None = None
        self._contiguity = Contiguity(self._numbers)
        self._data_version = -1
        self._seen_head = -1
        try:
            self._seq, self._hash = self._tail()
            self._others = self._commits_of_others()
        except BaseException:
            self._connection.close()
            raise

    @classmethod
    def open_reader(cls, path: Path) -> Self:
        """A second connection that follows a log which somebody else writes."""
        return cls(path, read_only=True)

    def append(self, rows: Sequence[NewRow]) -> list[Row | None]:
        """See EventLog. A full disk raises RecorderError; a later append works again.

        What is committed into a file that lies there no longer is not stored: LogGoneError.
        """
        if self._read_only:
            raise RecorderError(f"{self._path}: opened read-only")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._refuse_second_writer()
            self._refuse_changed_rows()
            stored = self._insert(rows)
            self._refuse_another_file()
            self._connection.execute("COMMIT")
            self._refuse_another_file()
        except SQLITE_FAULTS as err:
            self._rollback()
            if is_damage(err):
                raise unreadable(self._path, err) from err
            raise RecorderError(
                f"the log takes no rows ({err}): check free space and permissions of {self._path}"
            ) from err
        except BaseException:
            self._rollback()
            raise
        self._remember(stored)
        return stored

    def read_from(self, seq: int, limit: int | None = None) -> Iterator[Row]:
        """See EventLog. Reads page by page: rows appended meanwhile are met at the end."""
        left = -1 if limit is None else limit
        while left != 0:
            size = _PAGE if left < 0 else min(_PAGE, left)
            page = self._fetch(seq, size)
            for values in page:
                yield row_from(values)
            if len(page) < size:
                return
            seq = page[-1][0] + 1
            left = left if left < 0 else left - len(page)

    def of_game(self, table: int, game: str, seq: int = 1) -> Iterator[Row]:
        """See EventLog."""
        while True:
            page = self._rows(_OF_GAME, (table, game, seq), seq)
            if any((row.table, row.game) != (table, game) for row in page):
                raise self._misleads()
            yield from page
            if len(page) < _PAGE_OF_GAME:
                return
            seq = page[-1].seq + 1

    def of_sender(self, dev: str, boot: str, type_name: str) -> Iterator[Row]:
        """See EventLog."""
        rows = self._rows(_OF_SENDER, (dev, boot, type_name))
        if any((row.key or ())[:2] != (dev, boot) for row in rows):
            raise self._misleads()
        return (row for row in rows if row.type == type_name)

    def beginnings(self) -> Iterator[Row]:
        """See EventLog."""
        rows = self._rows(_BEGINNINGS, (STARTED_TYPE,))
        return (row for row in rows if row.type == STARTED_TYPE)

    def _rows(self, sql: str, values: tuple[int | str, ...], seq: int = 0) -> list[Row]:
        return [row_from(found) for found in self._in_order(sql, values, seq)]

    def _in_order(self, sql: str, values: tuple[int | str, ...], seq: int) -> list[tuple[Any, ...]]:
        """What is stored from number ``seq`` on. Numbers that go back would be read for ever."""
        found = self._ask(sql, values)
        numbers = [seq - 1, *(row[0] for row in found)]
        if any(after <= before for before, after in pairwise(numbers)):
            raise self._misleads()
        return found

    def _ask(self, sql: str, values: tuple[int | str, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except SQLITE_FAULTS as err:
            raise unreadable(self._path, err) from err

    def _misleads(self) -> DamagedLogError:
        return DamagedLogError(f"{self._path} is damaged: an index leads to other rows; {REMEDY}")

    def head(self) -> int:
        """See EventLog. A reader sees what the writer has committed."""
        return self._newest() if self._read_only else self._seq

    def changed(self) -> bool:
        """Whether rows have been added since the last call (true at the first one).

        Cheap enough to ask many times a second: it touches the table only when SQLite says that
        another connection has written.
        """
        version = self._commits_of_others()
        if version == self._data_version and self._read_only:
            return False
        self._data_version = version
        before, self._seen_head = self._seen_head, self.head()
        return self._seen_head != before

    def verify(self, after: int = 0, many: int | None = None) -> int | None:
        """See EventLog. Reads every row's text as it is stored, of the whole log the file too."""
        before = self._fetch(after, 1) if after else []
        if after and (not before or before[0][0] != after):
            return after
        prev_hash = before[0][-1] if before else GENESIS
        rows = islice(self._stored(after and after + 1), many)
        broken = first_not_holding(rows, after, prev_hash)
        if broken is None and not after and many is None and (damage := self.unsound()):
            raise DamagedLogError(damage)
        return broken

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Within it a reader sees the log as it was at its beginning, whatever is written."""
        self._ask("BEGIN")
        try:
            self._newest()  # the moment is that of the first read
            yield
        finally:
            self._ask("ROLLBACK")

    def columns(self) -> Iterator[tuple[Any, ...]]:
        """Every row as its columns are stored, in order."""
        return self._stored(0)

    def _stored(self, seq: int) -> Iterator[tuple[Any, ...]]:
        """Every row from that number on as the columns hold it, in order."""
        size = _PAGE
        while True:
            try:
                page = self._fetch(seq, size)
            except RecorderError:
                if size == 1:
                    raise
                size = 1  # one by one up to the row that is damaged
                continue
            yield from page
            if not page:
                return
            seq = page[-1][0] + 1

    def unsound(self) -> str:
        """See EventLog. SQLite walks every page, and holds every index against the rows."""
        try:
            (said,), *_ = self._ask("PRAGMA integrity_check(1)")
        except RecorderError as fault:
            return str(fault)
        said = " ".join(str(said).replace("***", "").split())
        return "" if said == "ok" else f"{self._path} is damaged: {said}; {REMEDY}"

    def stored(self, key: MessageKey) -> Row | None:
        """See EventLog."""
        sql = f"SELECT {COLUMNS} FROM event WHERE dev = ? AND boot = ? AND number = ?"  # noqa: S608
        rows = self._rows(sql, key)
        if any(row.key != key for row in rows):
            raise self._misleads()
        return rows[0] if rows else None

    def pass_over(self, key: MessageKey) -> None:
        """See EventLog."""
        self._contiguity.add(key)

    def contiguous(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """See EventLog. For the writer; a reader raises RecorderError."""
        if self._read_only:
            raise RecorderError(f"{self._path}: opened read-only, so it stores no device numbers")
        return self._contiguity.upto(dev, boot, floor=floor)

    def missing(
        self, dev: str, boot: str, *, upto: int, after: int | None
    ) -> tuple[int, int, int] | None:
        """See EventLog. For the writer."""
        return self._contiguity.missing(dev, boot, upto=upto, after=after)

    def close(self) -> None:
        """See EventLog."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _insert(self, rows: Sequence[NewRow]) -> list[Row | None]:
        stored = chained(rows, self._seq, self._hash, self._has)
        self._connection.executemany(INSERT, (columns_of(row) for row in stored if row is not None))
        return stored

    def _remember(self, stored: Sequence[Row | None]) -> None:
        for row in stored:
            if row is not None:
                self._seq, self._hash = row.seq, row.hash
                if row.key is not None:
                    self._contiguity.add(row.key)

    def _has(self, key: MessageKey) -> bool:
        sql = "SELECT 1 FROM event WHERE dev = ? AND boot = ? AND number = ?"
        return self._connection.execute(sql, key).fetchone() is not None

    def _refuse_second_writer(self) -> None:
        if self._newest() != self._seq:
            raise RecorderError(
                f"{self._path}: another process is writing to this log; stop one of them"
            )

    def _refuse_changed_rows(self) -> None:
        """Nobody else writes here; where somebody did, all that is there is verified first."""
        others = self._commits_of_others()
        if others == self._others:
            return
        try:
            refuse_foreign_parts(self._connection, self._path)
            broken = self.verify()
        except (RecorderError, *SQLITE_FAULTS) as fault:
            raise LogGoneError(f"{fault}; nothing is acknowledged any more") from fault
        if broken is not None:
            raise LogGoneError(
                f"{self._path}: row {broken} was changed just now; nothing is acknowledged any"
                " more, and devices keep their events: see tilecast log verify"
            )
        self._others = others

    def _commits_of_others(self) -> int:
        ((version,),) = self._ask("PRAGMA data_version")
        return int(version)

    def _refuse_another_file(self) -> None:
        """A backup tool, a synchronised folder, a careless copy may put another file there."""
        wal = _identity(self._path.with_name(f"{self._path.name}-wal"))
        self._wal = self._wal or wal
        if _identity(self._path) != self._identity or wal != self._wal:
            raise LogGoneError(
                f"{self._path}: another file is there now, or its -wal is gone; nothing is"
                " acknowledged any more, and devices keep their events: put the right file back"
                " and start again"
            )

    def _newest(self) -> int:
        ((newest,),) = self._ask("SELECT coalesce(max(seq), 0) FROM event")
        return int(newest)

    def _tail(self) -> tuple[int, str]:
        found = self._ask("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1")
        return found[0] if found else (0, GENESIS)

    def _numbers(self, dev: str, boot: str) -> Iterator[int]:
        sql = "SELECT number FROM event WHERE dev = ? AND boot = ? ORDER BY number"
        return (number for (number,) in self._ask(sql, (dev, boot)))

    def _fetch(self, seq: int, size: int) -> list[tuple[Any, ...]]:
        return self._in_order(_SELECT, (seq, size), seq)

    def _rollback(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


REMEDY = (
    "stop its recorder and start it again, which keeps every row that can be read, or run tilecast"
    " log repair; the damaged file is kept"
)


def unreadable(path: Path, fault: Exception) -> RecorderError:
    """The error, with its remedy, for what SQLite says of a file: damage, no log, or another."""
    if "not a database" in str(fault):  # another file, or a log whose beginning was damaged
        return DamagedLogError(f"{path}: not a Tilecast log: {fault}")
    if is_damage(fault):
        return DamagedLogError(f"{path} is damaged: {fault_text(fault)}; {REMEDY}")
    if "no such table" in str(fault):
        return RecorderError(f"{path}: not a Tilecast log: {fault}")
    return RecorderError(f"{path}: cannot be read: {fault}")


FileIdentity = tuple[int, int]
"""Device and inode: another file of the same name has others."""


def _identity(path: Path) -> FileIdentity | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _open_writer(path: Path) -> sqlite3.Connection:
    refuse_folder(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(str(path), uri=False)
    except (OSError, *SQLITE_FAULTS) as err:
        raise RecorderError(f"{path}: cannot open the log: {err}") from err
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA recursive_triggers = ON")
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'event'").fetchone():
            form = form_of(connection)
            form.refuse_later(path)
            refuse_foreign_parts(connection, path)
            if not form.lacks:
                return connection
        bring_up_to_date(connection)
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # a log of one page was never made
    except RecorderError:
        connection.close()
        raise
    except SQLITE_FAULTS as err:
        connection.close()
        raise unreadable(path, err) from err
    return connection


def _open_reader(path: Path) -> sqlite3.Connection:
    refuse_folder(path)
    if not path.exists():
        raise RecorderError(f"{path}: there is no such log")
    try:
        connection = _connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        connection.execute("PRAGMA query_only = ON")
    except SQLITE_FAULTS as err:
        raise RecorderError(f"{path}: cannot open the log for reading: {err}") from err
    try:
        refuse_foreign_parts(connection, path)
    except SQLITE_FAULTS as err:
        connection.close()
        raise unreadable(path, err) from err
    except RecorderError:
        connection.close()
        raise
    return connection


def refuse_folder(path: Path) -> None:
    """RecorderError for a folder in the place of a log, with the log to name instead."""
    if path.is_dir():
        logs = sorted(path.glob("*.db")) or sorted(path.glob("*/*.db"))
        name = logs[0] if logs else path / "tilecast.db"
        raise RecorderError(f"{path} is a folder, not a log: name the file in it, such as {name}")
    if is_special(path):
        raise RecorderError(f"{path} {NO_FILE}: move it away, and put the log back")


def _connect(name: str, *, uri: bool) -> sqlite3.Connection:
    return sqlite3.connect(
        name, uri=uri, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )

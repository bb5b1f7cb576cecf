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
from pathlib import Path
from typing import Any, Self

from recorder.damaged import SQLITE_FAULTS, fault_text, is_damage
from recorder.domain.errors import RecorderError
from recorder.log.columns import COLUMNS, columns_of
from recorder.log.port import DamagedLogError, LogGoneError, NewRow, Row
from recorder.log.schema import (
    bring_up_to_date,
    form_of,
    refuse_foreign_parts,
)
from recorder.log.sql_log import REMEDY, SqlEventLog
from recorder.systems import NO_FILE, is_special

_BUSY_MS = 5000
INSERT = f"INSERT INTO event({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"  # noqa: S608


class SqliteEventLog(SqlEventLog):
    """The record in a file. One writer per file; readers as many as you like (``open_reader``).

    The methods of one object are for one thread at a time; the connection may move between
    threads. A file that is no log, or cannot be opened, raises RecorderError naming it.
    """

    page_of_game = 50

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(read_only=read_only)
        self._path = path
        self._connection = _open_reader(path) if read_only else _open_writer(path)
        self._identity = identity_of(path)
        self._wal: FileIdentity | None = None
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

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self._path)

    def append(self, rows: Sequence[NewRow]) -> list[Row | None]:
        """See EventLog. A full disk raises RecorderError; a later append works again.

        What is committed into a file that lies there no longer is not stored: LogGoneError.
        """
        self._refuse_reader()
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

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except SQLITE_FAULTS as err:
            raise unreadable(self._path, err) from err

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

    def unsound(self) -> str:
        """See EventLog. SQLite walks every page, and holds every index against the rows."""
        try:
            (said,), *_ = self._ask("PRAGMA integrity_check(1)")
        except RecorderError as fault:
            return str(fault)
        said = " ".join(str(said).replace("***", "").split())
        return "" if said == "ok" else f"{self._path} is damaged: {said}; {REMEDY}"

    def close(self) -> None:
        """See EventLog."""
        self._connection.close()

    def _insert(self, rows: Sequence[NewRow]) -> list[Row | None]:
        stored = self._chained(rows)
        self._connection.executemany(INSERT, (columns_of(row) for row in stored if row is not None))
        return stored

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
        wal = identity_of(self._path.with_name(f"{self._path.name}-wal"))
        self._wal = self._wal or wal
        if identity_of(self._path) != self._identity or wal != self._wal:
            raise LogGoneError(
                f"{self._path}: another file is there now, or its -wal is gone; nothing is"
                " acknowledged any more, and devices keep their events: put the right file back"
                " and start again"
            )

    def _rollback(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


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


def identity_of(path: Path) -> FileIdentity | None:
    """Which file a path names now; None where there is none."""
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
            if not form.missing:
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

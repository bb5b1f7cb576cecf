"""Copies of a log: made while it is written, verified, put back."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from recorder.damaged import free_name, put_aside
from recorder.domain.errors import RecorderError
from recorder.log.anchors import Anchor, AnchorFile
from recorder.log.port import EventLog
from recorder.log.sqlite import INSERT, SqliteEventLog

ANCHORS_NAME = "tilecast.anchors"
"""The file of noted heads, beside the log unless a venue's file names another place."""


def head_of(log: EventLog, at_ms: int = 0) -> Anchor | None:
    """The head of a log; None while it is empty."""
    row = next(log.read_from(log.head(), 1), None)
    return None if row is None else Anchor(row.seq, row.hash, at_ms)


def back_up(log: Path, copy: Path) -> Anchor | None:
    """Copy a log as it is at one moment, row by row; the head of the copy.

    The copy has the rows that were proven and indexes made of them. RecorderError, with no copy
    left, when it would replace a file, or when log or copy is damaged or not whole.
    """
    if copy.exists() or copy.is_symlink():
        raise RecorderError(f"{copy}: already exists; a copy does not replace files")
    try:
        with SqliteEventLog.open_reader(log) as source, source.at_one_moment():
            head = proven_head(source, log)
            write_columns(copy, source.columns())
        with SqliteEventLog.open_reader(copy) as written:
            is_same = proven_head(written, copy) == head
    except (RecorderError, OSError):
        remove_log(copy)
        raise
    if not is_same:
        raise RecorderError(f"{copy}: differs from {log} was: try again, on another disk")
    return head


def write_columns(log: Path, rows: Iterable[tuple[Any, ...]]) -> int:
    """Make a new log of rows as columns hold them; how many. Closed and flushed on return."""
    SqliteEventLog(log).close()
    many = 0
    try:
        with closing(sqlite3.connect(log)) as file:
            file.execute("PRAGMA synchronous = FULL")
            with file:
                for row in rows:
                    file.execute(INSERT, row)
                    many += 1
            file.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as fault:
        raise RecorderError(f"{log}: cannot be written: {fault}") from fault
    return many


def put_back(copy: Path, log: Path) -> Path | None:
    """Put a copy in a log's place; where the log that was there is now, None without one.

    For a log that nobody writes. RecorderError when the copy is not whole.
    """
    fresh = log.with_name(f"{log.name}.restored")
    remove_log(fresh)
    head = back_up(copy, fresh)
    aside = free_name(log, "before") if log.exists() else None
    if aside is not None:
        put_aside(log, aside)
    fresh.replace(log)
    anchors = AnchorFile(log.with_name(ANCHORS_NAME))
    if anchors.path.exists():
        anchors.begin_anew()
    if head is not None:
        anchors.note(head)
    return aside


def proven_head(log: SqliteEventLog, path: Path) -> Anchor | None:
    """The head of a log that is sound and whole. RecorderError for any other."""
    broken = log.verify()
    if broken is not None:
        raise RecorderError(
            f"{path}: row {broken} was changed, or one before it is missing:"
            " see tilecast log verify"
        )
    return head_of(log)


def remove_log(log: Path) -> None:
    """Remove a log that we made, with what belongs to it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        log.with_name(f"{log.name}{suffix}").unlink(missing_ok=True)

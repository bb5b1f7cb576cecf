"""Copies of a log: made while it is written, verified, put back."""

import sqlite3
from contextlib import closing
from pathlib import Path

from recorder.domain.errors import RecorderError
from recorder.log.anchors import Anchor, AnchorFile
from recorder.log.port import EventLog
from recorder.log.sqlite import SqliteEventLog

ANCHORS_NAME = "tilecast.anchors"
"""The file of noted heads, beside the log unless a venue's file names another place."""


def head_of(log: EventLog, at_ms: int = 0) -> Anchor | None:
    """The head of a log; None while it is empty."""
    row = next(log.read_from(log.head(), 1), None)
    return None if row is None else Anchor(row.seq, row.hash, at_ms)


def back_up(log: Path, copy: Path) -> Anchor | None:
    """Copy a log as it is at one moment; the head of the copy.

    RecorderError when the copy would replace a file, or is not whole.
    """
    if copy.exists() or copy.is_symlink():
        raise RecorderError(f"{copy}: is there already; a copy replaces nothing")
    with SqliteEventLog.open_reader(log):  # names a file that is none
        pass
    try:
        with (
            closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as fault:
        raise RecorderError(f"{copy}: cannot be written: {fault}") from fault
    return _whole(copy)


def put_back(copy: Path, log: Path) -> Path | None:
    """Put a copy in a log's place; where the log that was there is now, None without one.

    For a log that nobody writes. RecorderError when the copy is not whole.
    """
    head = _whole(copy)
    fresh = log.with_name(f"{log.name}.restored")
    fresh.unlink(missing_ok=True)
    back_up(copy, fresh)
    aside = _put_aside(log)
    fresh.replace(log)
    anchors = AnchorFile(log.with_name(ANCHORS_NAME))
    if anchors.path.exists():
        anchors.begin_anew()
    if head is not None:
        anchors.note(head)
    return aside


def _whole(path: Path) -> Anchor | None:
    with SqliteEventLog.open_reader(path) as log:
        broken = log.verify()
        if broken is not None:
            raise RecorderError(f"{path}: row {broken} does not hold")
        return head_of(log)


def _put_aside(log: Path) -> Path | None:
    """Rename a log with what belongs to it, under the first name that is free."""
    if not log.exists():
        return None
    number = 1
    while (aside := log.with_name(f"{log.name}.before-{number}")).exists():
        number += 1
    for suffix in ("", "-wal", "-shm"):
        part = log.with_name(f"{log.name}{suffix}")
        if part.exists():
            part.rename(aside.with_name(f"{aside.name}{suffix}"))
    return aside

"""A log for one process: who writes it holds it, and what a command needs to read or write it."""

import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from recorder.domain.errors import RecorderError
from recorder.log.database import is_database
from recorder.log.places import LogPlace, OpenLog, open_log, open_log_reader


@contextmanager
def only_writer(log: LogPlace) -> Iterator[None]:
    """Hold the file of a log for writing; RecorderError when another process has it.

    A file beside the log is locked, and let go by the system if the process ends in any way. A
    database is held by a program that has opened it for writing.
    """
    if is_database(log):
        yield
        return
    log = Path(log)
    words = "another process writes it; while it is being recorded, orders go to its recorder, from"
    with held_alone(log.with_name(f"{log.name}.writer"), f"{log}: {words} a console"):
        yield


@contextmanager
def held_alone(place: Path, taken: str) -> Iterator[None]:
    """Hold a file; RecorderError saying ``taken`` where another process does.

    SQLite's lock, which is the same on every system and needs no room on the disk.
    """
    try:
        lock = sqlite3.connect(place, timeout=0, isolation_level=None)
    except sqlite3.Error as err:
        raise RecorderError(f"{place}: cannot be opened: {err}") from err
    with closing(lock):
        try:
            lock.execute("PRAGMA journal_mode = memory")
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as err:
            is_taken = err.sqlite_errorcode == sqlite3.SQLITE_BUSY
            raise RecorderError(taken if is_taken else f"{place}: {err}") from err
        yield


@contextmanager
def opened_by(holder: str, place: LogPlace, *, reading: bool) -> Iterator[OpenLog]:
    """A log for one command that reads or writes it now.

    RecorderError to who wants to write it while anybody else does; ``holder`` is told to others.
    """
    if reading:
        with open_log_reader(place) as store:
            yield store
        return
    with only_writer(place), open_log(place, f"{holder} on {socket.gethostname()}") as store:
        yield store


def wall_ms() -> int:
    """Milliseconds since 1970 by this machine's clock."""
    return time.time_ns() // 1_000_000

"""Where a log is, the path of its file or the address of its database, and the log there."""

import os
from pathlib import Path

from recorder.domain.errors import NotationError, RecorderError
from recorder.log.database import check_address, has_log, is_database, shown_address
from recorder.log.postgres import PostgresEventLog
from recorder.log.sqlite import SqliteEventLog, refuse_folder

LogPlace = Path | str
"""The path of a file, or ``postgresql://...``; a text that is no such address is a path as well."""
OpenLog = SqliteEventLog | PostgresEventLog
LOG_VARIABLE = "TILECAST_LOG"
"""Of the environment: the log where no option names one."""


def log_place(text: str) -> LogPlace:
    """The place that somebody has written; for command lines."""
    return text if is_database(text) else Path(text)


def shown_place(place: LogPlace) -> str:
    """A place for messages: no password is in it."""
    return shown_address(str(place)) if is_database(place) else str(place)


def sibling_path(place: LogPlace, suffix: str, folder: Path = Path()) -> Path:
    """A program's own file that goes with a log: beside it, or in ``folder`` for a database."""
    return (folder / "tilecast.db" if is_database(place) else Path(place)).with_suffix(suffix)


def named_log(named: str | None) -> LogPlace:
    """The log of an option ``--log``, else of the environment; NotationError where none can be."""
    name = named or os.environ.get(LOG_VARIABLE, "")
    if not name:
        raise NotationError(f"name the log: --log LOG, or ${LOG_VARIABLE}")
    place = log_place(name)
    check_place(place)
    return place


def check_place(place: LogPlace) -> None:
    """RecorderError for a place where no log can be; a log that is not there yet is none."""
    if is_database(place):
        check_address(str(place))
    else:
        refuse_folder(Path(place))


def is_begun(place: LogPlace) -> bool:
    """Whether there is a log. RecorderError where a database cannot be asked."""
    return has_log(str(place)) if is_database(place) else Path(place).exists()


def refuse_missing(log: Path) -> None:
    """RecorderError where no file of that name is there."""
    refuse_folder(log)
    if not log.exists():
        raise RecorderError(f"{log}: no such file")


def open_log(place: LogPlace, holder: str = "") -> OpenLog:
    """A log for writing; ``holder`` shows others who does.

    RecorderError where it cannot be opened; WriterElsewhereError for a database that has a writer.
    """
    if is_database(place):
        return PostgresEventLog(str(place), holder=holder)
    return SqliteEventLog(Path(place))


def open_log_reader(place: LogPlace) -> OpenLog:
    """The same for reading."""
    if is_database(place):
        return PostgresEventLog.open_reader(str(place))
    return SqliteEventLog.open_reader(Path(place))


def refuse_database(place: LogPlace) -> Path:
    """The path of a log that must be a file; RecorderError, with what to do, for a database."""
    if is_database(place):
        raise RecorderError(
            f"{shown_place(place)}: this is for files. A database is copied into one by tilecast"
            " log copy, and kept by its server's own means (pg_dump, replication)"
        )
    return Path(place)

"""Damaged files of SQLite: recognised by what it says, and put aside as they are."""

import os
import sqlite3
from pathlib import Path

SQLITE_FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises of a file; the second where its own message quotes damaged text."""


def is_damage(fault: Exception) -> bool:
    """Whether a fault is of the file's content: not of its place, its rights or the disk's room."""
    code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} or "decode" in str(fault)


def fault_text(fault: Exception) -> str:
    """What SQLite says, without the content that it could not read: that may be secret."""
    return "a text in it is not UTF-8" if "decode" in str(fault) else str(fault)


def free_name(path: Path, what: str) -> Path:
    """The first name beside a file that nothing has, such as ``tilecast.db.before-1``."""
    number = 1
    while os.path.lexists(free := path.with_name(f"{path.name}.{what}-{number}")):
        number += 1
    return free


def put_aside(path: Path, aside: Path) -> Path:
    """Rename a file with what SQLite keeps beside it, if any of it is there; the new name."""
    for suffix in ("-shm", "", "-wal", "-journal"):
        part = path.with_name(f"{path.name}{suffix}")
        if os.path.lexists(part):
            part.rename(aside.with_name(f"{aside.name}{suffix}"))
    return aside

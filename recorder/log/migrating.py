"""A log of an earlier release made one of this release: as a file; its rows stay as they are."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from recorder.damaged import free_name
from recorder.domain.errors import RecorderError
from recorder.log.anchors import Anchor
from recorder.log.copies import back_up, proven_head
from recorder.log.places import refuse_missing
from recorder.log.schema import STEPS, Steps, bring_up_to_date, form_of
from recorder.log.sqlite import SqliteEventLog


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """What was done: the steps taken, where the file is as it was, its rows by version, its head.

    ``copy`` is None where nothing was to be done.
    """

    steps: tuple[str, ...]
    copy: Path | None
    rows: Mapping[int, int]
    head: Anchor | None


def migrate_log(log: Path, steps: Steps = STEPS) -> Migrated:
    """Bring a log that nobody writes to the present form; a copy of it is kept beside it.

    RecorderError, with the file as it was, for one that is none, of a later release, or not whole.
    """
    refuse_missing(log)
    before = _whole_head(log)
    with closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=rw", uri=True)) as file:
        form = form_of(file, steps)
        form.refuse_later(log)
        copy = _kept(log) if form.missing else None
        if copy is not None:
            file.isolation_level = None
            bring_up_to_date(file, steps)
    after = _whole_head(log)
    if after != before:
        raise RecorderError(f"{log}: its head changed on the way; the old log is kept as {copy}")
    return Migrated(steps=form.missing, copy=copy, rows=form.rows, head=after)


def _whole_head(log: Path) -> Anchor | None:
    with SqliteEventLog.open_reader(log) as reader:
        return proven_head(reader, log)


def _kept(log: Path) -> Path:
    copy = free_name(log, "before-migration")
    back_up(log, copy)
    return copy

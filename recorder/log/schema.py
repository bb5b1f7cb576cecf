"""The form of a log's file: the steps from an empty file to the present one.

A step once released never changes, and no step touches a row: what was hashed stays as it was
written. Rows have versions of their own, and every version is read as it is.
"""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recorder.damaged import SQLITE_FAULTS
from recorder.domain.errors import RecorderError
from recorder.log.port import DamagedLogError, ForeignPartsError
from recorder.wire.row_heads import ROW_VERSION

if TYPE_CHECKING:
    import sqlite_utils

Steps = Mapping[str, "Callable[[sqlite_utils.Database], None]"]
_SET = "tilecast-log"
_TABLE = """
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    "table" INTEGER NOT NULL,
    game TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('observed', 'recorded', 'ruled', 'corrected')),
    v INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    refs TEXT NOT NULL CHECK (json_valid(refs)),
    dev TEXT,
    boot TEXT,
    number INTEGER,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (dev, boot, number),
    CHECK ((dev IS NULL) = (boot IS NULL) AND (dev IS NULL) = (number IS NULL))
)
"""
_TRIGGER = """
CREATE TRIGGER event_no_{verb} BEFORE {verb} ON event
BEGIN SELECT RAISE(ABORT, 'the record is append-only: add a correction instead'); END
"""


def _first_schema(db: "sqlite_utils.Database") -> None:
    db.execute(_TABLE)
    for verb in ("update", "delete"):
        db.execute(_TRIGGER.format(verb=verb))


def _games_together(db: "sqlite_utils.Database") -> None:
    db.execute('CREATE INDEX event_of_game ON event("table", game)')


STEPS: Steps = {"first_schema": _first_schema, "games_together": _games_together}


@dataclass(frozen=True, slots=True)
class LogForm:
    """What a file is: missing steps and steps of a later release; rows by their version."""

    missing: tuple[str, ...]
    later: tuple[str, ...]
    rows: Mapping[int, int]

    def refuse_later(self, name: object) -> None:
        """RecorderError for a file that a later release has written."""
        rows = [f"rows of version {version}" for version in self.rows if version > ROW_VERSION]
        if self.later or rows:
            what = ", ".join((*self.later, *rows))
            raise RecorderError(
                f"{name}: was written by a later version of Tilecast ({what}). Use that version: an"
                " older one cannot continue the log"
            )


def refuse_foreign_parts(connection: sqlite3.Connection, name: object) -> None:
    """ForeignPartsError for a file with more in it than rows, as one that somebody made for us.

    A trigger, a view or a rule in the table may drop rows that are acknowledged.
    """
    own = {_plain(_TABLE), *(_plain(_TRIGGER.format(verb=verb)) for verb in ("update", "delete"))}
    sql = (
        "SELECT type, name, sql FROM sqlite_master WHERE name = 'event' OR type IN"
        " ('trigger', 'view')"
    )
    for kind, called, text in connection.execute(sql).fetchall():
        if _plain(text or "") not in own:
            raise ForeignPartsError(
                f"{name}: has a {kind} {called} that no Tilecast log has: somebody has put it"
                " there, or the file is damaged. Take an older copy, or write the rows that hold"
                " again without it: tilecast log repair"
            )


def _plain(sql: str) -> str:
    return " ".join(sql.split())


def form_of(connection: sqlite3.Connection, steps: Steps = STEPS) -> LogForm:
    """The form of an open log. RecorderError for a file that is none."""
    try:
        done = [name for (name,) in connection.execute(
            "SELECT name FROM _sqlite_migrations WHERE migration_set = ?", (_SET,)
        )]  # fmt: skip
        rows = dict(connection.execute("SELECT v, count(*) FROM event GROUP BY v ORDER BY v"))
    except SQLITE_FAULTS as fault:
        raise RecorderError(f"not a Tilecast log: {fault}") from fault
    if not {*map(type, rows)} <= {int} or not {*map(type, done)} <= {str}:
        raise DamagedLogError("the versions of its rows cannot be read")
    missing = tuple(name for name in steps if name not in done)
    return LogForm(missing, tuple(name for name in done if name not in steps), rows)


def bring_up_to_date(connection: sqlite3.Connection, steps: Steps = STEPS) -> None:
    """Take the missing steps of a file, each in a transaction of its own."""
    import sqlite_utils  # a third of a second, which who goes on with a log need not wait for

    migrations = sqlite_utils.Migrations(_SET)
    for name, step in steps.items():
        migrations(name=name)(step)
    migrations.apply(sqlite_utils.Database(connection))

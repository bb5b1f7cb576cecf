"""What is kept on disk of mirrored games, and what a director chose: one small database.

The mirror writes the states, the dashboard the choices; both read all. The turns themselves wait in
the log: what has not been sent is worked out from it again. There is no key in this file.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from recorder.domain.errors import RecorderError
from recorder.frames.desk import MirrorDifference

SUFFIX = ".woogles"
REPLACE, LEAVE, STOP, GO_ON = "replace", "leave", "stop", "go_on"
CHOICES = (REPLACE, LEAVE, STOP, GO_ON)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS mirror (game TEXT PRIMARY KEY, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS choice (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL, difference TEXT NOT NULL, what TEXT NOT NULL,
    who TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorState:
    """How the mirror of one game is.

    ``state``: ``begins``, ``behind``, ``in_step``, ``waits``, ``differs``, ``away`` (their service
    is), ``stopped``. ``text`` says it in words. ``uid`` is the game there, ``site`` where it is
    seen. ``sent`` of ``turns`` events are there; ``since`` and ``changed`` are milliseconds since
    1970. ``place`` is its division, round and table in a broadcast. ``difference`` is what a choice
    is asked about: key, ours, theirs, what, choices.
    """

    game: str
    table: int
    players: tuple[str, str] = ("", "")
    state: str = "begins"
    text: str = ""
    uid: str = ""
    site: str = ""
    sent: int = 0
    turns: int = 0
    since: int = 0
    changed: int = 0
    place: tuple[str, int, int] | None = None
    difference: MirrorDifference | None = None
    seen: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """What a director chose about one difference."""

    number: int
    game: str
    difference: str
    what: str


class Kept:
    """The database beside a log. Any thread may use it; a second process too."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                path, timeout=5, isolation_level=None, check_same_thread=False
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as fault:
            raise RecorderError(f"{path}: cannot keep what is mirrored: {fault}") from fault

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """The one that a mirror has made; None where there is none."""
        return cls(path) if path.exists() else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._database.close()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            yield self._database

    def states(self) -> list[MirrorState]:
        """How all mirrored games are, by table and in the order in which they began."""
        with self._open() as database:
            rows = database.execute("SELECT state FROM mirror ORDER BY rowid").fetchall()
        return sorted((_stand(text) for (text,) in rows), key=lambda stand: stand.table)

    def put(self, stand: MirrorState) -> None:
        """Keep how a game is."""
        text = json.dumps(asdict(stand), ensure_ascii=False)
        sql = "INSERT INTO mirror VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET state = ?"
        with self._open() as database:
            database.execute(sql, (stand.game, text, text))

    def choose(self, game: str, difference: str, what: str, who: str, at: int) -> None:
        """A director has chosen. Nothing checks here whether the difference is still there."""
        sql = "INSERT INTO choice (game, difference, what, who, at) VALUES (?, ?, ?, ?, ?)"
        with self._open() as database:
            database.execute(sql, (game, difference, what, who, at))
        self.note(game, at, f"{who} chose: {what}")

    def taken_choices(self) -> list[Choice]:
        """The choices that nobody has taken yet, in order; they are taken by that."""
        with self._open() as database:
            rows = database.execute("SELECT number, game, difference, what FROM choice").fetchall()
            if rows:
                database.execute("DELETE FROM choice WHERE number <= ?", (max(rows)[0],))
        return [Choice(*row) for row in sorted(rows)]

    def note(self, game: str, at: int, what: str) -> None:
        """A line of the journal."""
        sql = "INSERT INTO journal (game, at, what) VALUES (?, ?, ?)"
        with self._open() as database:
            database.execute(sql, (game, at, what))

    def journal(self, game: str) -> list[tuple[int, str]]:
        """When and what, oldest first."""
        sql = "SELECT at, what FROM journal WHERE game = ? ORDER BY number"
        with self._open() as database:
            return [(at, what) for at, what in database.execute(sql, (game,))]


def _stand(text: str) -> MirrorState:
    said = json.loads(text)
    lists = {name: tuple(said[name]) for name in ("players", "seen", "left")}
    known = {name: said[name] for name in said if name in MirrorState.__dataclass_fields__}
    place = None if said.get("place") is None else tuple(said["place"])
    return replace(MirrorState(game="", table=0), **{**known, **lists, "place": place})

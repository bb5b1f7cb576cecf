"""Snapshots of the games in play, a file for each table: a restart need not fold them.

They are written in idle time, by a thread of their own: a disk that is full, slow or read-only
costs the snapshot and nothing else. What lies there is trusted only where it holds against the log
(``recorder.table.snapshot``); anything else is said once and folded from the first row.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recorder.domain.errors import RecorderError
from recorder.domain.reading.table_fold import Stamped
from recorder.domain.reading.table_state import TableState
from recorder.service.games.table_games import TableGames
from recorder.systems import read_file
from recorder.table.folded import Fold
from recorder.table.snapshot import (
    MOST_SNAPSHOT_BYTES,
    SnapshotRefusedError,
    fold_from,
    program_digest,
    snapshot_of,
)

TURNS_BETWEEN = 3
"""So many turns are read before a game's next snapshot: writing one takes as long as reading a
quarter of a turn."""
REST_S = 0.5
"""Between two snapshots, whichever their tables."""
_GOODBYE_S = 1.0
_FRESH = ".new"

log = logging.getLogger("tilecast.recorder")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What may lie on the disk of a table: which game, after how many looks that were read."""

    game: str
    looks: int


class GameSnapshots:
    """The snapshots of one recorder's games, in ``folder``; None: there are none."""

    def __init__(self, folder: Path | None, games: TableGames) -> None:
        self._folder, self._games = folder, games
        self._tables = deque(games)
        self._kept: dict[int, _Kept] = {}
        self._working: threading.Thread | None = None
        self._next_s = 0.0
        self._failed: set[str] = set()

    def begin(self) -> None:
        """From now on each game in play goes on from its snapshot, when it is folded first."""
        if self._folder is None:
            return
        program_digest()  # while the sources are still those that were started
        for table in self._games:
            with suppress(OSError):
                self._path(table).lstat()
                self._kept[table] = _Kept("", 0)
            if not self._games.sleeps(table):
                self._games.on(table).folded.go_on_from(partial(self._earlier, table))

    def keep(self) -> None:
        """There is nothing else to do: see to one table's snapshot that is due, or of no use."""
        now_s = time.monotonic()
        if self._folder is None or now_s < self._next_s or self._is_working:
            return
        self._next_s = now_s + REST_S
        work = next(filter(None, map(self._work, tuple(self._tables))), None)
        if work is not None:
            # Nobody waits for it, not even the program's end: a disk may hang for ever.
            working = threading.Thread(target=work, name="snapshot", daemon=True)
            with suppress(RuntimeError):  # a machine at its end has none to give
                working.start()
                self._working = working

    def _work(self, table: int) -> Callable[[], None] | None:
        """What there is to do for a table; the next time the others are asked before it."""
        self._tables.rotate(-1)
        if not self._games.place(table) or self._games.sleeps(table):
            is_left = self._kept.pop(table, None) is not None
            return partial(self._delete, table) if is_left else None
        fold = self._due(table)
        return partial(self._write, table, self._game(table), fold) if fold else None

    def end(self) -> None:
        """Wait, not for long, for what is being written."""
        if self._working is not None:
            self._working.join(_GOODBYE_S)

    @property
    def _is_working(self) -> bool:
        return self._working is not None and self._working.is_alive()

    def _game(self, table: int) -> str:
        return self._games.on(table).plan.started.game

    def _due(self, table: int) -> Fold | None:
        """What is folded of a game whose snapshot is some turns old; it counts as kept then."""
        game, fold = self._game(table), self._games.on(table).folded.fold
        if fold is None:
            return None
        kept, looks = self._kept.get(table), len(fold.state.turns.reconstruction.looks)
        if abs(looks - (kept.looks if kept and kept.game == game else 0)) < TURNS_BETWEEN:
            return None
        self._kept[table] = _Kept(game, looks)
        return fold

    def _write(self, table: int, game: str, fold: Fold) -> None:
        try:
            snapshot = snapshot_of(fold, table, game)
            path = self._path(table)
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(_FRESH)
            try:
                fresh.write_bytes(snapshot)
                fresh.replace(path)
            except OSError:
                fresh.unlink(missing_ok=True)
                raise
        except (OSError, RecorderError, RecursionError, MemoryError) as fault:
            self._say_once(f"no snapshot of table {table} is kept: {fault}; recording goes on")

    def _delete(self, table: int) -> None:
        try:
            self._path(table).unlink(missing_ok=True)
            self._path(table).with_suffix(_FRESH).unlink(missing_ok=True)
        except OSError as fault:
            self._say_once(f"the old snapshot of table {table} stays: {fault}")

    def _say_once(self, text: str) -> None:
        if text not in self._failed:
            self._failed.add(text)
            log.warning("%s", text)

    def _path(self, table: int) -> Path:
        assert self._folder is not None
        return self._folder / f"table-{table}.fold"

    def _earlier(self, table: int, opening: TableState, taken: Sequence[Stamped]) -> Fold | None:
        """What a table's snapshot has of its game; None where none holds."""
        game = self._game(table)
        try:
            snapshot = read_file(self._path(table), MOST_SNAPSHOT_BYTES)
            fold = fold_from(snapshot, opening, taken, table=table, game=game)
        except FileNotFoundError:
            return None
        except (OSError, SnapshotRefusedError) as fault:
            log.warning(
                "table %d: its snapshot is not used: %s; the game is read from its first row",
                table,
                fault,
            )
            return None
        self._kept[table] = _Kept(game, len(fold.state.turns.reconstruction.looks))
        of_all = (len(fold.taken), len(taken))
        log.info("table %d: goes on from a snapshot of %d of its %d observations", table, *of_all)
        return fold

"""Between which games a table may change hands: noted now and then on the recorder's thread."""

import time
from dataclasses import dataclass, field

from recorder.service.games.table_games import TableGames

_NOTED_EVERY_S = 1.0


@dataclass(slots=True)
class Pauses:
    """``tables`` are those at which nothing was on when it was last noted.

    For other threads to read. Nothing is noted unless ``is_asked``.
    """

    is_asked: bool
    tables: frozenset[int] = frozenset()
    _noted_s: float = field(default=float("-inf"))

    def note(self, games: TableGames) -> None:
        """Look at the tables, once a second; for the thread to which they belong."""
        now_s = time.monotonic()
        if self.is_asked and now_s - self._noted_s > _NOTED_EVERY_S:
            self._noted_s = now_s
            self.tables = games.in_pause()

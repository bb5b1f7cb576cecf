"""The live GCG of a game: the record as text, in a file that is always whole."""

import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from recorder.domain.errors import TilecastError
from recorder.domain.game import GameEvent
from recorder.domain.tiles import TileSet
from recorder.gcg import GcgGame, GcgMove, GcgPlayer, write_gcg

log = logging.getLogger("tilecast.recorder")


class LiveGcg:
    """The file of one game; ``due`` once the record has changed since it was written."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.due = False
        self._failed = False

    def write(self, text: Callable[[], str]) -> None:
        """Replace the file, if it is due, in one step.

        A crash leaves the old file or the new one. The log is the record: a file that cannot be
        written (full disk, no folder) is said once and stops nothing.
        """
        if self._path is None or not self.due:
            return
        self.due = False
        part = self._path.with_name(self._path.name + ".part")
        try:
            part.write_text(text(), encoding="utf-8")
            os.replace(part, self._path)  # noqa: PTH105 - named after the guarantee it gives
        except (OSError, TilecastError) as fault:
            if not self._failed:
                log.error("%s cannot be written: %s; recording goes on", self._path, fault)  # noqa: TRY400 - the reason is the message
            self._failed = True
        else:
            self._failed = False


def gcg_text(players: Iterable[str], tile_set: TileSet, events: Iterable[GameEvent]) -> str:
    """A game as GCG text, without what only the log knows."""
    first, second = players
    game = GcgGame(
        players=(_player(first), _player(second)),
        tile_set=tile_set,
        moves=tuple(GcgMove(event) for event in events),
    )
    return write_gcg(game)


def _player(name: str) -> GcgPlayer:
    return GcgPlayer(nick="_".join(name.split()), name=name)

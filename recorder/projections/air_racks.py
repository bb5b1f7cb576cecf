"""Both racks as they may be put on air by those who may: seven places each, no doubts.

A tile that the camera is not sure of is a back, and so is every tile of a rack that only counts.
This is no part of the public frame: who gets it, and how late, is for the dashboard to say.
"""

from typing import Any, Final

from recorder.domain.observations import (
    COVERED,
    ClockPressed,
    RackCounted,
    RackSeen,
    RackTyped,
    Side,
)
from recorder.domain.record import GameStarted, Observed
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import RACK_SIZE, Tiles
from recorder.log.port import Row
from recorder.wire import STARTED_TYPE

BACK: Final = COVERED
"""A tile of which only the back is shown."""
_HEARD = frozenset({"rack.seen", "rack.count", "rack.typed", "clock.press", STARTED_TYPE})


class AirRacks:
    """The racks of one table, folded row by row; a new game begins with none."""

    def __init__(self, table: int) -> None:
        self.table = table
        self._left: int | None = None
        self._game = ""
        self._tiles: dict[int, Tiles] = {}
        self._typed: set[int] = set()

    def advance(self, row: Row) -> None:
        """One more row of the log; what cannot be read changes nothing."""
        if row.table != self.table or row.type not in _HEARD:
            return
        match row.says:
            case GameStarted(game=game, left_player=left):
                if game != self._game:
                    self._tiles.clear()
                    self._typed.clear()
                self._left, self._game = left, game
            case Observed(what=RackSeen() | RackCounted() | RackTyped() as seen):
                self._see(seen)
            case Observed(what=ClockPressed(side=side)):
                self._press(self._player(side))

    def _press(self, player: int | None) -> None:
        """A rack that was typed is not seen to change: it goes with its player's turn."""
        if player is not None and player in self._typed:
            self._typed.discard(player)
            self._tiles.pop(player, None)

    def _see(self, seen: RackSeen | RackCounted | RackTyped) -> None:
        if isinstance(seen, RackTyped):
            tiles = seen.letters
        elif isinstance(seen, RackSeen):
            tiles = tuple(
                BACK if at in seen.doubtful else tile for at, tile in enumerate(seen.letters, 1)
            )
        else:
            tiles = (BACK,) * seen.count
        player = self._player(seen.side)
        if player is None:
            return
        self._tiles[player] = tiles[:RACK_SIZE]
        self._typed.discard(player)
        if isinstance(seen, RackTyped):
            self._typed.add(player)
            if not tiles:
                self._press(player)

    def _player(self, side: Side) -> int | None:
        if self._left is None or side is Side.NONE:
            return None
        return self._left if side is Side.LEFT else 1 - self._left

    def as_json(self) -> list[Any]:
        """By player: the tiles in rack order (``#`` a back, ``?`` a blank), None while unknown."""
        held = (self._tiles.get(player) for player in (0, 1))
        return [None if tiles is None else write_tiles(tiles) for tiles in held]

"""Do the racks written in a GCG file fit the plays, each other and the supply?

Racks are the weakest part of real records: annotators guess them, write placeholders, leave
tiles out. Whatever is found here is a warning. A rack of fewer than seven tiles says nothing
about the tiles it leaves out.
"""

from collections import Counter
from collections.abc import Callable

from recorder.domain.game import Exchanged, GameEvent, GameState, NoPlay, Passed, Played, Withdrawn
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import RACK_SIZE, Tile, Tiles, TileSet, face, unseen

Warn = Callable[[int, str, str], None]


class RackWatch:
    """What each player must still hold, as far as the racks before have reported."""

    def __init__(self, tile_set: TileSet, warn: Warn) -> None:
        self._tile_set = tile_set
        self._warn = warn
        self._kept: list[Counter[Tile]] = [Counter(), Counter()]
        self._before_play: list[Counter[Tile]] = [Counter(), Counter()]

    def take(self, line: int, player: int, rack: Tiles, event: GameEvent, state: GameState) -> None:
        """Check the rack of a line against what is known before its event; then follow it."""
        if isinstance(event, Withdrawn):
            self._kept[player] = self._before_play[player]
            return
        if rack:
            self._check_rack(line, player, rack, state)
        if not isinstance(event, Played | Exchanged | Passed | NoPlay):
            return
        held = Counter(rack)
        used = Counter(_tiles_used(event))
        if rack and used - held:
            missing = write_tiles((used - held).elements())
            self._warn(
                line, "tiles_not_in_rack", f"{missing} is not in the rack {write_tiles(rack)}"
            )
        self._before_play[player] = held
        self._kept[player] = held - used
        if isinstance(event, Exchanged) and not event.tiles:
            self._kept[player] = Counter()

    def _check_rack(self, line: int, player: int, rack: Tiles, state: GameState) -> None:
        if len(rack) > RACK_SIZE:
            self._warn(line, "rack_too_long", f"{len(rack)} tiles on the rack {write_tiles(rack)}")
        self.check_supply(line, rack, state)
        missing = self._kept[player] - Counter(rack)
        if len(rack) == RACK_SIZE and missing:
            lost = write_tiles(missing.elements())
            self._warn(
                line, "rack_contradicts_leave", f"{lost} was kept but is not in {write_tiles(rack)}"
            )

    def check_supply(self, line: int, rack: Tiles, state: GameState) -> None:
        """Warn when the board and these tiles are more than the set has."""
        left = unseen(self._tile_set, state.board.cells, (rack,))
        over = write_tiles(tile for tile, count in left.items() if count < 0 and tile in rack)
        if over:
            both = f"on the board and in {write_tiles(rack)}"
            self._warn(line, "rack_not_in_supply", f"too many {over}: {both}")


def _tiles_used(event: GameEvent) -> Tiles:
    """The tiles that leave the rack by an event, as faces."""
    match event:
        case Played():
            return tuple(face(tile) for tile in event.placement.new_tiles().values())
        case Exchanged():
            return event.tiles
        case _:
            return ()

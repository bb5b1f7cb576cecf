"""The letters on both racks when nobody has played out, as cameras read them (END-5)."""

from collections import Counter
from collections.abc import Sequence

from recorder.domain.game import Exchanged, GameState, Laid, Unseen, Withdrawn
from recorder.domain.reading.looks import RackLook
from recorder.domain.reading.table_state import TableState
from recorder.domain.rulings.closing import is_after_end, racks_after
from recorder.domain.tiles import Tiles, face, unseen
from recorder.domain.turns import Turn

_Racks = tuple[Tiles | None, Tiles | None]


def racks_at_end(table: TableState, groups: Sequence[Turn], state: GameState) -> _Racks:
    """The tiles on both racks after these turns; None for one that has to be shown.

    What a player laid since a camera read the rack is no longer on it. As many tiles must be left
    as the record counts, and no more of a letter than the set has beside the board.
    """
    events = [event for event in state.events if not is_after_end(event)]
    first, second, _ = racks_after(events, state.tile_set.total)
    looks = table.looks.racks
    racks: _Racks = (
        _left_of(looks[0], 0, groups, first),
        _left_of(looks[1], 1, groups, second),
    )
    alone = [rack if rack and _fits(state, rack) else None for rack in racks]
    return (alone[0], alone[1]) if _fits(state, *filter(None, alone)) else (None, None)


def _left_of(look: RackLook, player: int, groups: Sequence[Turn], count: int) -> Tiles | None:
    """What is left of a rack as it was read, if so many tiles; None where that is not known."""
    later = [event for group in groups if group.ref > look.row for event in group.events]
    laid: list[Laid] = []
    for event in later:
        if isinstance(event, Unseen) or (isinstance(event, Exchanged) and event.player == player):
            return None
        if isinstance(event, Laid) and event.player == player:
            laid.append(event)
        elif isinstance(event, Withdrawn) and event.player == player and laid:
            laid.pop()
    gone = Counter(face(tile) for play in laid for tile in play.laid.values())
    held = Counter(look.tiles)
    left = tuple((held - gone).elements()) if gone <= held else look.tiles
    return left if len(left) == count else None


def _fits(state: GameState, *racks: Tiles) -> bool:
    return min(unseen(state.tile_set, state.board.cells, racks).values()) >= 0

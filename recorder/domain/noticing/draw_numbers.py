"""The draw that a finding of the tile account is about, in numbers: kept, drawn, the bag before.

So nothing that reads the notice works the draw out again, perhaps from a later state of the table.
"""

from collections.abc import Sequence

from recorder.domain.notices import PlainValue
from recorder.domain.procedures.moments import Moment
from recorder.domain.tile_account.readings import Zone
from recorder.domain.tile_account.stories import Mishap, MishapKind
from recorder.domain.tile_account.watch import TileFinding
from recorder.domain.tiles import RACK_SIZE


def draw_numbers(found: TileFinding, moments: Sequence[Moment]) -> dict[str, PlainValue]:
    """What the notice of a finding says of its draw; nothing where it is about none."""
    mishap = found.finding.mishap
    if mishap is None or mishap.player is None:
        return {}
    before = [moment for moment in moments if moment.group.ref <= found.ref and moment.used]
    mine = [moment for moment in before if moment.event.player == mishap.player]
    if not mine:
        return _with_all_tiles(found, mishap) if mishap.kind is MishapKind.OVERDRAW else {}
    match mishap.kind:
        case MishapKind.OVERDRAW:
            return _numbers(mine[-1], mine[-1].due + mishap.count)
        case MishapKind.UNDERDRAW:
            return _numbers(mine[-1], mine[-1].due - mishap.count)
        case MishapKind.OUT_OF_ORDER:
            return _early(found, mine[-1], before)
        case _:
            return {}


def _with_all_tiles(found: TileFinding, mishap: Mishap) -> dict[str, PlainValue]:
    """A draw of who has not played yet, and has none to make."""
    bag = found.finding.counts[Zone.BAG] + mishap.count
    return {"kept": RACK_SIZE, "drawn": mishap.count, "bag": bag}


def _numbers(moment: Moment, drawn: int) -> dict[str, PlainValue]:
    drawn = max(0, min(drawn, moment.bag))
    return {"kept": moment.kept, "drawn": drawn, "bag": moment.bag}


def _early(found: TileFinding, moment: Moment, before: Sequence[Moment]) -> dict[str, PlainValue]:
    """A draw before the opponent's: the bag still held what the opponent was to draw."""
    player = moment.event.player
    others = [other for other in before if other.event.player != player]
    due = others[-1].due if others else 0
    bag = moment.bag + due
    held = found.finding.counts[Zone.rack(player)]
    wanted = min(RACK_SIZE - moment.kept, bag)
    drawn = held - moment.kept if held > moment.kept else wanted
    return {"kept": moment.kept, "drawn": min(drawn, bag), "bag": bag, "due": due}

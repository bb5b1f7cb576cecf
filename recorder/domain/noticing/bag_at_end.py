"""Tiles still in the bag when a player seems to be out (BAGEND-1).

By the record alone the bag was empty before that play; what the sensors of tiles say is another
matter. Nobody has to mention it, so it is reported for the record.
"""

from collections.abc import Iterator, Sequence

from recorder.domain.game import Laid
from recorder.domain.notices import Notice, Phase, TableNotice
from recorder.domain.procedures.moments import Moment
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.tile_account.watch import Watched


def left_in_bag(
    moments: Sequence[Moment], table: TableState, tiles: Watched, rules: Rules, phase: Phase
) -> Iterator[TableNotice]:
    """A rack is empty and the clocks stand, but the bag is not empty."""
    last = next((moment for moment in reversed(moments) if isinstance(moment.event, Laid)), None)
    if last is None or last.bag or tiles.racks is None or table.clock.now.running is not None:
        return
    player = last.event.player
    if tiles.bag and not tiles.racks[player]:
        code, group, left = Notice.LEFT_IN_BAG, last.group, {"tiles": tiles.bag}
        yield noticed(rules, code, group.refs, phase, ref=group.ref, player=player, numbers=left)

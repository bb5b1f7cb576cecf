"""All alarms of one table: what clock, board and players need reported, now or later."""

from recorder.domain.noticing.clocks import Alarm, clock_alarms
from recorder.domain.noticing.laid_out_set import set_alarms
from recorder.domain.noticing.lateness import drawn_in_absence, lateness_alarms
from recorder.domain.noticing.looks import look_alarms
from recorder.domain.noticing.on_board import board_alarms
from recorder.domain.noticing.turned_tiles import turned_alarms
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.tile_account.watch import Watched


def table_alarms(now: TableFacts, watched: Watched, *, has_camera: bool) -> tuple[Alarm, ...]:
    """All of them, due or not: each says from when on it is reported. Time has no part in it."""
    ruled, table, rules, rulings = now.game, now.table, now.rules, now.given
    # After the end players put the tiles away, whether or not somebody stops the clock, and what
    # lies on a board that was cleared is another game.
    is_packed_up = ruled.is_over and table.clock.now.running is not None
    is_packed_up = is_packed_up or table.looks.away_since_ms is not None
    return (
        *clock_alarms(ruled, table, rules, rulings, tiles_right_ms=watched.alerts_over_ms),
        *(look_alarms(table, rules) if has_camera else ()),
        *lateness_alarms(ruled, table, rules, rulings, now.opened_ms),
        *drawn_in_absence(table, rules, rulings, now.opened_ms, now.sensed),
        *(() if is_packed_up else board_alarms(ruled, table, rules)),
        *(() if is_packed_up else turned_alarms(ruled, table, rules)),
        *set_alarms(table, rules),
    )

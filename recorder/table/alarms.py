"""All alarms of one table: what clock, board and players need reported, now or later."""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.noticing.clocks import Alarm, clock_alarms
from recorder.domain.noticing.laid_out_set import set_alarms
from recorder.domain.noticing.lateness import drawn_in_absence, lateness_alarms
from recorder.domain.noticing.looks import look_alarms
from recorder.domain.noticing.on_board import board_alarms
from recorder.domain.noticing.turned_tiles import turned_alarms
from recorder.domain.reading.table_state import TableState
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.tile_account.unheard_lifts import SensedTiles
from recorder.domain.tile_account.watch import Watched
from recorder.rulesets import RuleSet


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNow:
    """A table as it is. ``opened_ms`` is when its game was begun, None while it is not."""

    ruled: RuledGame
    table: TableState
    rules: RuleSet
    rulings: Sequence[Ruling]
    watched: Watched
    sensed: SensedTiles
    opened_ms: int | None
    has_camera: bool


def table_alarms(now: TableNow) -> tuple[Alarm, ...]:
    """All of them, due or not: each says from when on it is reported. Time has no part in it."""
    ruled, table, rules, rulings = now.ruled, now.table, now.rules, now.rulings
    right_ms = now.watched.alerts_over_ms
    # After the end players put the tiles away, whether or not somebody stops the clock.
    is_packed_up = ruled.is_over and table.clock.now.running is not None
    return (
        *clock_alarms(ruled, table, rules, rulings, tiles_right_ms=right_ms),
        *(look_alarms(table, rules) if now.has_camera else ()),
        *lateness_alarms(ruled, table, rules, rulings, now.opened_ms),
        *drawn_in_absence(table, rules, rulings, now.opened_ms, now.sensed),
        *(() if is_packed_up else board_alarms(ruled, table, rules)),
        *(() if is_packed_up else turned_alarms(ruled, table, rules)),
        *set_alarms(table, rules),
    )

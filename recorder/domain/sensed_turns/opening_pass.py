"""The first clock set going at the wrong half: where the rule set says so, a pass (START-3)."""

from collections.abc import Sequence

from recorder.domain.notices import coded
from recorder.domain.orders import Absent
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.start.starting import starters_pass
from recorder.domain.rulings.in_force import Ruling, in_force
from recorder.domain.tile_account.sensor_reports import Sensed, count_of
from recorder.domain.turns import Turn

STARTER = 0


def opened_by_pass(
    groups: Sequence[Turn],
    table: TableState,
    readings: Sequence[Sensed],
    rulings: Sequence[Ruling],
    rules: Rules,
) -> tuple[Turn, ...]:
    """The turns, the pass first where who moves first has set the opponent's clock going.

    Not while somebody is waited for, nor once the clock was turned round before the first press.
    ``rulings`` are all that were given.
    """
    if _ran_first(table) != 1 - STARTER or table.clock.started_ms is None:
        return tuple(groups)
    if any(wrong.after == table.clock.started_row for wrong in table.turns.wrong_halves):
        return tuple(groups)  # who moves first has laid the first play
    if any(isinstance(ruling.order.act, Absent) for ruling in in_force(rulings)):
        return tuple(groups)
    passed = starters_pass(
        rules,
        STARTER,
        clock_started_ms=table.clock.started_ms,
        first_tile_out_ms=_first_out_ms(readings),
    )
    if not passed:
        return tuple(groups)
    doubt = coded("opponent_started", player=STARTER)
    first = Turn(
        table.clock.started_row, (table.clock.started_row,), passed, log_odds=0.0, doubts=(doubt,)
    )
    return (first, *groups)


def _ran_first(table: TableState) -> int | None:
    """Whose clock ran until the first press, or runs while there is none."""
    ran = [clock.running for clock in table.clock.before_play if clock.running is not None]
    return ran[-1] if ran else None


def _first_out_ms(readings: Sequence[Sensed]) -> int | None:
    """When a hand was first in the bag, or tiles first stood on a rack."""
    drawn = (report.at_ms for report in readings if report.is_lift or count_of(report))
    return next(drawn, None)

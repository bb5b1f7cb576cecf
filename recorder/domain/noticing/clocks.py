"""Clocks that stand or run out.

What is reported, and from which moment on (CLOCK-1, CLOCK-4, END-7).

A stop needs a reason: a challenge, tiles to be put right, an order of the director, the end of the
game. Only one without a reason, or one that lasts after its cause is settled, is reported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from recorder.domain.notices import (
    CodedText,
    Manner,
    Notice,
    Phase,
    TableNotice,
    coded,
)
from recorder.domain.orders import Absent, Challenged
from recorder.domain.reading.challenge_verdicts import CHALLENGED
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.table_turns import WrongHalf
from recorder.domain.rules.core.disclosure import noticed, route
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.ending.overtime import ALARM_BEFORE_S, Limit, limit_state
from recorder.domain.rules.ending.six_zeros import zero_run
from recorder.domain.rules.turn.press import REASON_WANTED_AFTER_S, STILL_STOPPED_AFTER_S
from recorder.domain.rulings.closing import out_player
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.rulings.in_force import Ruling, game_ended_by, in_force

_HELD = "hold_after_ms"
_SETTLED = "accept_after_ms"
WRONG_START_AFTER_S = 3
"""So long the wrong half may run at the start before it is reported; a choice of this program."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that is told from a moment on, unless the table changes before it.

    ``at_ms`` in milliseconds, as the rows of the log are stamped. ``stays``: once reported it holds
    for as long as there is such an alarm, though its moment is put off again.
    """

    at_ms: int
    notice: TableNotice
    stays: bool = False


def clock_alarms(
    ruled: RuledGame,
    table: TableState,
    rules: Rules,
    rulings: Sequence[Ruling],
    *,
    tiles_right_ms: Sequence[int | None] = (),
) -> tuple[Alarm, ...]:
    """All alarms of the clock as the table stands, due or not, while the game goes on.

    ``tiles_right_ms``: when what was wrong with the tiles was put right, None while it is not.
    """
    if not table.turns.presses:
        return tuple(_wrong_start(table, rules, rulings))
    return (
        *_stop(ruled, table, rules, rulings, tiles_right_ms),
        *_overtime(table, rules, _over_ms(ruled, table, rulings)),
    )


def _wrong_start(table: TableState, rules: Rules, rulings: Sequence[Ruling]) -> Iterator[Alarm]:
    """The half of the player who moves second runs first, and nobody is waited for (START-3)."""
    waits = any(isinstance(ruling.order.act, Absent) for ruling in rulings)
    if table.clock.now.running != 1 or waits or table.questions.wrong_half is not None:
        return
    routing = route(rules, Notice.CLOCK_WRONG_WAY, Phase.PLAYING)
    if routing.director is Manner.LOOK_UP:  # was that a turn?
        routing = replace(routing, director=Manner.SHOW)
    rows = (table.clock.started_row,)
    notice = replace(noticed(rules, Notice.CLOCK_WRONG_WAY, rows, player=0), routing=routing)
    yield Alarm(table.clock.now.at_ms + 1000 * WRONG_START_AFTER_S, notice)


def wrong_halves(table: TableState, rules: Rules, phase: Phase) -> Iterator[TableNotice]:
    """The turns through which the other player's half ran, with what shows so (CLOCK-4).

    For how long is no part of it: it is reported while that half still runs, and only once.
    """
    going = () if table.questions.wrong_half is None else (table.questions.wrong_half,)
    for wrong in (*table.turns.wrong_halves, *going):
        yield noticed(
            rules,
            Notice.CLOCK_WRONG_WAY,
            tuple(row for row in (wrong.after, wrong.row, wrong.look.seq) if row),
            phase,
            ref=wrong.after,
            player=wrong.player,
            numbers={"case": "turn", "tiles": wrong.tiles},
            evidence=_against_clock(wrong),
        )


def _against_clock(wrong: WrongHalf) -> tuple[CodedText, ...]:
    by_order = coded("turn_by_order", player=wrong.player)
    laid = coded("laid_from_rack", player=wrong.player, tiles=wrong.tiles)
    shown = laid if wrong.row else coded("one_play_shown")
    return coded("half_ran", player=1 - wrong.player), by_order, shown


def _stop(
    ruled: RuledGame,
    table: TableState,
    rules: Rules,
    rulings: Sequence[Ruling],
    tiles_right_ms: Sequence[int | None],
) -> Iterator[Alarm]:
    """Both halves stand while the game goes on."""
    if (
        table.clock.stop_row is None
        or out_player(ruled.state) is not None
        or _is_six_zeros(ruled, rules)
    ):
        return
    causes = list(_causes(ruled, table, rules, rulings))
    causes += [at_ms for at_ms in tiles_right_ms if at_ms is None or at_ms >= table.clock.stop_ms]
    if None in causes:
        return
    settled = [cause for cause in causes if cause is not None]
    at_ms = table.clock.stop_ms + 1000 * REASON_WANTED_AFTER_S
    if settled:
        at_ms = max(table.clock.stop_ms, *settled) + 1000 * STILL_STOPPED_AFTER_S
    yield Alarm(at_ms, noticed(rules, Notice.CLOCK_STOPPED, (table.clock.stop_row,)))


def _is_six_zeros(ruled: RuledGame, rules: Rules) -> bool:
    needed = rules.get_whole("six_zero.count")
    return needed is not None and len(zero_run(ruled.state.events)) >= needed


def _causes(
    ruled: RuledGame, table: TableState, rules: Rules, rulings: Sequence[Ruling]
) -> Iterator[int | None]:
    """Why the clocks may stand: when each cause was settled, None while it is not.

    A hold is none where the set has rules on holds: the holder's clock runs (HOLD-3).
    """
    press_ms = table.turns.presses[-1].at_ms
    facts = next(
        (group.facts for group in ruled.groups if group.ref == table.turns.presses[-1].seq), {}
    )
    called_ms = press_ms + int(facts.get(CHALLENGED, 0))
    verdicts = [ruling.at_ms for ruling in rulings if isinstance(ruling.order.act, Challenged)]
    if _SETTLED in facts:
        verdicts.append(press_ms + int(facts[_SETTLED]))
    verdicts = [at_ms for at_ms in verdicts if at_ms >= called_ms]
    if table.turns.taken_off.at_ms >= press_ms:
        verdicts.append(table.turns.taken_off.at_ms)
    held = _HELD in facts and not rules.usable("hold.courtesy_draw_after_s")
    if verdicts or held or CHALLENGED in facts:
        yield max(verdicts, default=None)
    for ruling in rulings:
        if ruling.at_ms >= table.clock.stop_ms and not isinstance(ruling.order.act, Challenged):
            yield None


def _over_ms(ruled: RuledGame, table: TableState, rulings: Sequence[Ruling]) -> int | None:
    """When a game was over whose clock was left running then; None while it goes on."""
    if not ruled.is_over:
        return None
    if table.clock.left_at_end is not None:
        return table.clock.stop_ms
    order = game_ended_by(in_force(rulings))
    if order is not None:
        return order.at_ms
    turns = {group.ref for group in ruled.groups}
    return max((press.at_ms for press in table.turns.presses if press.seq in turns), default=None)


def _overtime(table: TableState, rules: Rules, over_ms: int | None) -> Iterator[Alarm]:
    """Who nears the limit of overtime, and who has reached it: from when on, by their own clock.

    What a clock shows that runs on after the end is nobody's overtime (END-8).
    """
    clock, limit_s = table.clock, rules.get_whole("overtime.forfeit_after_s")
    if limit_s is None or not clock.now.heard:
        return
    for player, left_ms in enumerate(clock.now.remaining_ms):
        for seconds in (limit_s - ALARM_BEFORE_S, limit_s, limit_s + 1):
            to_come_ms = left_ms + 1000 * seconds
            at_ms = clock.now.at_ms + to_come_ms
            is_reached = clock.now.running == player or to_come_ms <= 0
            if is_reached and (over_ms is None or at_ms <= over_ms):
                yield from _at_limit(table, rules, player, seconds, at_ms)


def _at_limit(
    table: TableState, rules: Rules, player: int, seconds: int, at_ms: int
) -> Iterator[Alarm]:
    state = limit_state(rules, seconds)
    if state not in (Limit.NEAR, Limit.LOST):
        return
    notice = Notice.OVERTIME_LOST if state is Limit.LOST else Notice.OVERTIME_NEAR_LIMIT
    ref = table.turns.presses[0].seq  # the same for as long as it holds, whoever presses meanwhile
    yield Alarm(at_ms, noticed(rules, notice, (ref,), player=player))

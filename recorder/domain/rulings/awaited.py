"""Players who are waited for: since when, on whose clock, and the time that is left to them.

From a director's orders (``Absent``, ``Arrived``) and the words of the clock before the first
press; what follows is asked of ``recorder.domain.rules.start.lateness``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from recorder.domain.notices import CodedText, coded
from recorder.domain.orders import Absent, Arrived
from recorder.domain.reading.clock import ClockState
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.start.lateness import (
    SECOND,
    BothLate,
    Late,
    LateTime,
    both_times,
    early_ms,
    late_time,
)
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.rulings.in_force import Ruling, in_force

_NO_LIMIT = coded("how_long_game_lasts_how")


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """A player who was not there when the game was due.

    ``row`` is the order that says so, ``arrival`` the one that the player has come, None before.
    ``due_ms`` is when games were due, ``started_ms`` when a clock first ran for it, None before;
    ``limit_ms`` what their own half began with.
    """

    player: int
    row: int
    due_ms: int
    started_ms: int | None
    limit_ms: int
    arrival: int | None = None
    arrived_ms: int | None = None

    @property
    def rows(self) -> tuple[int, ...]:
        """The orders about the player."""
        return (self.row,) if self.arrival is None else (self.row, self.arrival)


def awaited(
    rulings: Sequence[Ruling], table: TableState, opened_ms: int | None
) -> tuple[Awaited, ...]:
    """The players who are or were waited for; ``opened_ms``: when the game was opened."""
    found: dict[int, Awaited] = {}
    for ruling in in_force(rulings):
        match ruling.order.act:
            case Absent(player=player, due_s=due_s):
                due_ms = ruling.at_ms - 1000 * (due_s or 0)
                if due_s is None and opened_ms is not None:
                    due_ms = opened_ms
                found[player] = Awaited(
                    player=player,
                    row=ruling.seq,
                    due_ms=due_ms,
                    started_ms=None,
                    limit_ms=table.clock.before_play[0].remaining_ms[player],
                )
            case Arrived(player=player) if player in found:
                here = replace(found[player], arrival=ruling.seq, arrived_ms=ruling.at_ms)
                found[player] = here
    both = len(found) > 1
    return tuple(
        replace(player, started_ms=_started_ms(table.clock.before_play, player.player, both=both))
        for player in found.values()
    )


def _started_ms(clocks: Sequence[ClockState], player: int, *, both: bool) -> int | None:
    """When a clock first ran for a player; with nobody there, either half does."""
    running = (clock.at_ms for clock in clocks if _runs_for(clock, player, both=both))
    return next(running, None)


def _runs_for(clock: ClockState, player: int, *, both: bool) -> bool:
    return clock.running is not None and (both or clock.running == player)


def _ran_ms(table: TableState, player: int, until_ms: int, *, both: bool) -> int:
    """For how long a clock has run for a player by then."""
    last = replace(table.clock.before_play[-1], at_ms=until_ms)
    return sum(
        max(0, min(until_ms, after.at_ms) - clock.at_ms)
        for clock, after in pairwise((*table.clock.before_play, last))
        if _runs_for(clock, player, both=both)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Lateness:
    """What a player who is waited for is left with: ``time`` is None where no limit is known.

    ``deferred_ms`` is taken off only at the end of the game, ``early_ms`` by how much the clock
    was started too early.
    """

    who: Awaited
    time: LateTime | None
    deferred_ms: int = 0
    early_ms: int = 0
    questions: tuple[CodedText, ...] = ()

    @property
    def assigned_s(self) -> int | None:
        """Whole seconds to play with, None before the player has come or without a limit."""
        if self.time is None or self.who.arrived_ms is None:
            return None
        return self.time.assigned_ms // SECOND


def lateness(
    rules: Rules, everyone: Sequence[Awaited], table: TableState, now_ms: int
) -> tuple[Lateness, ...]:
    """What follows for each player who is waited for, at a moment (LATE-2 to LATE-4)."""
    alone = tuple(
        _alone(rules, who, table, now_ms, both=len(everyone) > 1)
        for who in everyone
        if who.started_ms is not None
    )
    return _together(rules, alone, table, now_ms) if len(alone) > 1 else alone


def _alone(rules: Rules, who: Awaited, table: TableState, now_ms: int, *, both: bool) -> Lateness:
    started_ms = who.started_ms or 0
    early = early_ms(rules, who.due_ms, started_ms)
    if rules.get_whole("timer.limit_s") is None:
        return Lateness(who=who, time=None, early_ms=early, questions=(_NO_LIMIT,))
    until_ms = now_ms if who.arrived_ms is None else who.arrived_ms
    ran_ms = _ran_ms(table, who.player, until_ms, both=both)
    time = late_time(
        rules,
        Late(
            scheduled_ms=who.due_ms,
            clock_started_ms=started_ms,
            arrived_ms=who.arrived_ms,
            now_ms=now_ms,
            stood_ms=max(0, until_ms - started_ms - ran_ms),
            limit_ms=who.limit_ms,
        ),
    )
    return Lateness(who=who, time=time, early_ms=early, questions=time.open_questions)


def _together(
    rules: Rules, both: Sequence[Lateness], table: TableState, now_ms: int
) -> tuple[Lateness, ...]:
    """Both were late: the one who came first pays as the rule set says (LATE-3)."""
    in_order = sorted(both, key=lambda late: late.who.arrived_ms or now_ms)
    first, second = in_order
    if first.time is None or second.time is None:
        return tuple(in_order)
    ran_ms = [
        _ran_ms(table, late.who.player, late.who.arrived_ms or now_ms, both=True)
        for late in in_order
    ]
    started_ms = first.who.started_ms or 0
    times = both_times(
        rules,
        BothLate(
            scheduled_ms=first.who.due_ms,
            clock_started_ms=started_ms,
            first_ms=started_ms + ran_ms[0],
            second_ms=started_ms + ran_ms[1],
            limit_ms=first.who.limit_ms,
        ),
    )
    return tuple(
        replace(
            late,
            time=replace(late.time, assigned_ms=assigned_ms),
            deferred_ms=deferred_ms,
            questions=tuple(dict.fromkeys((*late.questions, *times.open_questions))),
        )
        for late, assigned_ms, deferred_ms in zip(
            in_order, times.assigned_ms, times.deferred_ms, strict=True
        )
        if late.time is not None
    )


def taken_off_at_end(rules: Rules, rulings: Sequence[Ruling], table: TableState) -> tuple[int, int]:
    """Milliseconds that a late start takes off both clocks at the end, player 0 first (LATE-3)."""
    due = [0, 0]
    everyone = awaited(rulings, table, None)
    if len(everyone) > 1 and all(who.arrived_ms is not None for who in everyone):
        for late in lateness(rules, everyone, table, 0):
            due[late.who.player] = late.deferred_ms
    return due[0], due[1]


def check_awaited(act: Absent | Arrived, counting: Iterable[Ruling], table: TableState) -> None:
    """OrderRefusedError for a player who cannot be late any more, or whom nobody waits for."""
    waited_for: dict[int, bool] = {}
    for ruling in counting:
        if isinstance(ruling.order.act, Absent | Arrived):
            waited_for[ruling.order.act.player] = isinstance(ruling.order.act, Absent)
    if isinstance(act, Arrived):
        if not waited_for.get(act.player, False):
            raise OrderRefusedError("not_absent", player=act.player)
    elif table.turns.presses:
        raise OrderRefusedError("absent_begun", player=act.player)
    elif act.player in waited_for:
        raise OrderRefusedError("absent_already", player=act.player)

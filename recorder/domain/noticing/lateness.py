"""Players who come late or not at all: what is reported, and when (LATE-4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from recorder.domain.game import Conceded
from recorder.domain.notices import Manner, Notice, Phase, PlainValue, TableNotice
from recorder.domain.noticing.clocks import Alarm
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.start.lateness import SECOND
from recorder.domain.rulings.awaited import Awaited, Lateness, awaited, lateness
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.tile_account.sensor_reports import Sensed, count_of, in_order

_NEVER = 1 << 62


def lateness_alarms(
    ruled: RuledGame,
    table: TableState,
    rules: Rules,
    rulings: Sequence[Ruling],
    opened_ms: int | None,
) -> Iterator[Alarm]:
    """All alarms about players who are waited for, due or not, until the game begins."""
    if table.turns.presses or any(isinstance(event, Conceded) for event in ruled.state.events):
        return
    everyone = awaited(rulings, table, opened_ms)
    arrivals = [who.arrived_ms for who in everyone if who.arrived_ms is not None]
    for at_ms in sorted({*arrivals, *_starts(everyone), *_limits(rules, everyone, table)}):
        for late in lateness(rules, everyone, table, at_ms):
            yield from _told(late, at_ms, rules)


def _starts(everyone: Sequence[Awaited]) -> Iterator[int]:
    yield from (who.started_ms for who in everyone if who.started_ms is not None)


def _limits(rules: Rules, everyone: Sequence[Awaited], table: TableState) -> Iterator[int]:
    """The moments at which the time to arrive may be over: by the clock, and by the schedule."""
    clock, limit_s = table.clock, rules.get_whole("timer.limit_s")
    if limit_s is None:
        return
    for who in everyone:
        if who.arrived_ms is None and who.started_ms is not None:
            yield who.due_ms + limit_s * SECOND + 1
            if clock.now.running is not None:
                yield clock.now.at_ms + max(0, clock.now.remaining_ms[clock.now.running])


def _told(late: Lateness, at_ms: int, rules: Rules) -> Iterator[Alarm]:
    who, seconds = late.who, late.assigned_s
    if who.arrived_ms is None and late.time is not None and late.time.forfeited is not False:
        yield Alarm(at_ms, _notice(Notice.ABSENT, who, rules, {}))
    elif who.arrived_ms is not None and at_ms >= who.arrived_ms:
        came: dict[str, PlainValue] = {}
        if seconds is not None:
            came = {"case": "came", "time": f"{seconds // 60}:{seconds % 60:02}"}
        yield Alarm(who.arrived_ms, _notice(Notice.LATE, who, rules, came))
    elif late.early_ms >= SECOND:
        early: dict[str, PlainValue] = {"case": "early", "seconds": late.early_ms // SECOND}
        yield Alarm(at_ms, _notice(Notice.LATE, who, rules, early))


def _notice(
    code: Notice, who: Awaited, rules: Rules, numbers: Mapping[str, PlainValue]
) -> TableNotice:
    phase, player = Phase.BEFORE, who.player
    return noticed(rules, code, who.rows, phase, ref=who.row, player=player, numbers=numbers)


def drawn_in_absence(
    table: TableState,
    rules: Rules,
    rulings: Sequence[Ruling],
    opened_ms: int | None,
    sensed: Sequence[Sensed],
) -> Iterator[Alarm]:
    """Tiles that left the bag before a player who is waited for was there (LATE-1).

    Reported to the director where the rule set forbids it; elsewhere it is kept, for the player may
    ask for another shuffle (START-2).
    """
    everyone = () if table.turns.presses else awaited(rulings, table, opened_ms)
    for who in everyone:
        until_ms = _NEVER if who.arrived_ms is None else who.arrived_ms
        taken = next(_taken(sensed, until_ms), None)
        if taken is None:
            continue
        notice = _notice(Notice.DRAWN_IN_ABSENCE, who, rules, {})
        if rules.get("late.draw_before_both_present") is not False:
            kept = replace(notice.routing, director=Manner.LOOK_UP, open_questions=())
            notice = replace(notice, routing=kept)
        yield Alarm(taken.at_ms, replace(notice, refs=(who.row, taken.seq)))
        return


def _taken(sensed: Sequence[Sensed], until_ms: int) -> Iterator[Sensed]:
    """What says that tiles were out of the bag before a moment: a fuller rack, a lighter bag."""
    reports = in_order(sensed)
    for player in (0, 1):
        yield from (said for said in reports.of_rack(player, 0, until_ms) if count_of(said))
    yield from (weight for weight in reports.weights(0, until_ms) if weight.out > 0)

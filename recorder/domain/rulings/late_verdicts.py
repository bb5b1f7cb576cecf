"""Verdicts that come too late to change what became of a play (CHAL-7).

A wrong verdict is put right until tiles have touched the rack: after a play that was let stand new
ones, after one that came off its own. A later verdict the other way is heard, and changes nothing.
"""

from collections.abc import Collection, Iterator, Sequence

from recorder.domain.game import Laid
from recorder.domain.orders import Challenged, Outcome
from recorder.domain.rules.challenge.verdict import correct_verdict
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.in_force import Ruling, as_seated, not_undone
from recorder.domain.tile_account.sensor_reports import Sensed, count_of


def in_time(
    rulings: Sequence[Ruling],
    readings: Sequence[Sensed],
    rules: Rules,
    taken_off: Collection[int],
) -> tuple[Ruling, ...]:
    """The rulings without the verdicts that came too late.

    ``taken_off`` are the turns whose tiles the recorder itself has seen are removed: who has
    entered a verdict wrongly may put it right for as long as the board says that it was wrong.
    """
    late = set(_late(rulings, readings, rules, taken_off))
    return tuple(ruling for ruling in rulings if ruling.seq not in late)


def _late(
    rulings: Sequence[Ruling],
    readings: Sequence[Sensed],
    rules: Rules,
    taken_off: Collection[int],
) -> Iterator[int]:
    held: dict[int, Ruling] = {}
    for ruling in not_undone(as_seated(rulings)):
        act = ruling.order.act
        if not isinstance(act, Challenged):
            continue
        first = held.get(ruling.group)
        before = None if first is None else first.order.act
        if first is None or not isinstance(before, Challenged) or _is_other(act, before) is False:
            held[ruling.group] = ruling
            continue
        ruled_good = before.outcome is Outcome.STANDS
        grown = _grown(first, ruling, readings)
        answer = correct_verdict(rules, ruled_good=ruled_good, touched=grown)
        is_as_ruled = (ruling.group in taken_off) is not ruled_good
        if is_as_ruled and answer.allowed is False:
            yield ruling.seq
        else:
            held[ruling.group] = ruling


def _is_other(act: Challenged, before: Challenged) -> bool:
    return {act.outcome, before.outcome} == {Outcome.STANDS, Outcome.OFF}


def _grown(first: Ruling, second: Ruling, readings: Sequence[Sensed]) -> int:
    """How many tiles came to the mover's rack between two verdicts."""
    movers = [event.player for event in first.basis if isinstance(event, Laid)]
    counts = [
        (report.seq, count_of(report) or 0)
        for report in readings
        if report.player in movers and report.seq < second.seq
    ]
    before = [count for seq, count in counts if seq < first.seq]
    return max(0, counts[-1][1] - before[-1]) if before else 0

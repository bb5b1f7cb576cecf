"""Draws before their own press (TURN-3): found by a rack that grows again."""

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate

from recorder.domain.game import Laid
from recorder.domain.tile_account.sensor_reports import SensorReports, count_of
from recorder.domain.tile_account.sensor_spans import Span
from recorder.domain.tiles import RACK_SIZE
from recorder.domain.turns import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpressed:
    """A player drew before their own press: the ``ref`` of the turn before, the rows, who, when."""

    ref: int
    refs: tuple[int, ...]
    player: int
    at_ms: int


def player_on_turn(group: Turn) -> int | None:
    """Whose turn it is after a turn."""
    return 1 - group.events[-1].player if group.events else None


def unpressed_draws(group: Turn, span: Span, due: int) -> list[Unpressed]:
    """Who was on turn laid tiles and drew, and has not pressed (TURN-3).

    The first ``due`` times that the bag was lifted were for others. A rack must show it.
    """
    player = player_on_turn(group)
    if player is None:
        return []
    for lift in span.lifts[due:]:
        first = span.rack(player, span.from_ms)
        before = span.rack(player, lift.at_ms)
        after = span.rack(player, span.until_ms)
        if first is None or before is None or after is None:
            continue
        counts = [count_of(report) or 0 for report in (first, before, after)]
        if counts[0] > counts[1] < counts[2]:
            refs = (before.seq, lift.seq, after.seq)
            return [Unpressed(ref=group.ref, refs=refs, player=player, at_ms=after.at_ms)]
    return []


def unpressed_first(group: Turn, pressed_ms: int, readings: SensorReports) -> list[Unpressed]:
    """Whether the first play of the game was drawn for before its press."""
    events = group.events
    if not events or not isinstance(events[0], Laid):
        return []
    player = events[0].player
    span = Span(readings[0].at_ms, pressed_ms, readings)
    after = span.rack(player, pressed_ms)
    said = readings.of_rack(player, span.from_ms, pressed_ms)
    fullest = list(accumulate((count_of(report) or 0 for report in said), max, initial=0))
    for lift in span.lifts:
        before = span.rack(player, lift.at_ms)
        if before is None or after is None:
            continue
        most = fullest[bisect_left(said, lift.at_ms, key=lambda report: report.at_ms)]
        if most > (count_of(before) or 0) < (count_of(after) or 0) and most >= RACK_SIZE:
            refs = (before.seq, lift.seq, after.seq)
            return [Unpressed(ref=group.ref, refs=refs, player=player, at_ms=after.at_ms)]
    return []

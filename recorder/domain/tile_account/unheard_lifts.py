"""Times that the bag was lifted and nobody said so: its weight, or a rack that grew, shows."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recorder.domain.tile_account.sensor_reports import Sensed, SensorReports, count_of

UNHEARD_MS = 1_500
"""So long before its weight is reported a bag was put down, where nothing says when."""


@dataclass(frozen=True, slots=True)
class _Come:
    """How far reports have been gone through: so many, which are so many with unheard lifts.

    ``weighed_at`` is the place of the last weight, None once the bag was lifted; ``held`` are the
    tiles on racks by now, ``held_then`` as it was weighed.
    """

    heard: int = 0
    so_far: int = 0
    at_ms: int = 0
    weighed_at: int | None = None
    held: Mapping[int, int] = field(default_factory=dict)
    held_then: Mapping[int, int] = field(default_factory=dict)


class SensedTiles(SensorReports):
    """What the sensors of a game say of tiles, each word at its time, whenever it comes."""

    def __init__(self, reports: Iterable[Sensed] = ()) -> None:
        self._told, self._come = SensorReports(), _Come()
        # From these nothing before changes any more: what comes late is gone through from there.
        self._sealed = [self._come]
        super().__init__(reports)

    def take(self, report: Sensed) -> None:
        """One more, at its time."""
        later: list[Sensed] = []
        while len(self) and (self[-1].at_ms, self[-1].seq) > (report.at_ms, report.seq):
            later.append(self.pop())
        for each in (report, *reversed(later)):
            self.push(each)

    def pop(self) -> Sensed:
        """See ``FoundReports``."""
        while self._sealed[-1].heard >= len(self):
            self._sealed.pop()
        if self._come.heard >= len(self):
            self._come = self._sealed[-1]
            while len(self._told) > self._come.so_far:
                self._told.pop()
        return super().pop()

    @property
    def with_lifts(self) -> SensorReports:
        """The same, and the bag lifted wherever its weight says that it must have been.

        A hand goes into a bag that stays where it is, a scale loses its cable, a bag is gone for
        less than a scale notices: tiles left it all the same, before its weight was reported and
        before a rack grew by them.
        """
        while self._come.heard < len(self):
            self._come = self._go_on(self[self._come.heard])
            if self._come.weighed_at in (None, self._come.so_far - 1):
                self._sealed.append(self._come)
        return self._told

    def _go_on(self, report: Sensed) -> _Come:
        """After one more report.

        A draw begins with a lift: what was said in the same instant, before it, is no part of it,
        so that a lift comes later if only by a millisecond.
        """
        reports, come = self._told, self._come
        same = report.is_lift and report.at_ms <= come.at_ms
        at_ms = come.at_ms + 1 if same else max(come.at_ms, report.at_ms)
        reports.push(report if at_ms == report.at_ms else replace(report, at_ms=at_ms))
        held, count = come.held, count_of(report)
        if report.player is not None and count is not None:
            held = {**held, report.player: count}
        weighed_at, held_then = come.weighed_at, come.held_then
        if report.is_lift:
            weighed_at = None
        elif report.is_weight:
            if weighed_at is not None and report.out:
                lift = _unheard_lift(reports, weighed_at + 1, held_then)
                _insert(reports, lift, weighed_at + 1)
            weighed_at, held_then = len(reports) - 1, held
        return _Come(come.heard + 1, len(reports), at_ms, weighed_at, held, held_then)


def _insert(reports: SensorReports, lift: Sensed, start: int) -> None:
    """Put a lift where its moment is, not before a place."""
    place = bisect_left(reports, lift.at_ms, start, key=lambda report: report.at_ms)
    later = [reports.pop() for _ in range(len(reports) - place)]
    for each in (lift, *reversed(later)):
        reports.push(each)


def _unheard_lift(readings: Sequence[Sensed], start: int, held: Mapping[int, int]) -> Sensed:
    """When the bag was lifted before the last of the readings: where a rack grew, or just before.

    ``start`` is the place after the weight before, ``held`` what racks held then.
    """
    weight = readings[-1]
    at_ms = min(weight.at_ms, max(readings[start - 1].at_ms + 1, weight.at_ms - UNHEARD_MS))
    grown_ms = _first_growth(readings[start:], held)
    at_ms = at_ms if grown_ms is None else min(at_ms, grown_ms)
    return Sensed(seq=weight.seq, at_ms=at_ms, reading=None)


def _first_growth(readings: Sequence[Sensed], before: Mapping[int, int]) -> int | None:
    """When a rack first got more tiles than it held before."""
    held = dict(before)
    for report in readings:
        count = count_of(report)
        if report.player is None or count is None:
            continue
        if count > held.get(report.player, count):
            return report.at_ms
        held[report.player] = count
    return None

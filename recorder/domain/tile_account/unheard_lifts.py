"""Times that the bag was lifted and nobody said so: its weight, or a rack that grew, tells."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from recorder.domain.tile_account.sensor_spans import Sensed, count_of

UNHEARD_MS = 1_500
"""So long before its weight is told a bag was put down, where nothing says when."""


def with_unheard_lifts(readings: Sequence[Sensed]) -> list[Sensed]:
    """The readings, by time, and the bag lifted wherever its weight says that it must have been.

    A hand goes into a bag that stays where it is, a scale loses its cable, a bag is gone for less
    than a scale notices: tiles left it all the same, before its weight was told and before a rack
    grew by them.
    """
    every: list[Sensed] = []
    weighed_at: int | None = None
    held: dict[int, int] = {}
    held_then: dict[int, int] = {}
    for report in _apart(readings):
        every.append(report)
        count = count_of(report)
        if report.player is not None and count is not None:
            held[report.player] = count
        if report.is_lift:
            weighed_at = None
        elif report.is_weight:
            if weighed_at is not None and _has_changed(report):
                lift = _unheard_lift(every, weighed_at + 1, held_then)
                place = bisect_left(every, lift.at_ms, key=lambda other: other.at_ms)
                every.insert(max(place, weighed_at + 1), lift)
            weighed_at, held_then = len(every) - 1, dict(held)
    return every


def _apart(readings: Sequence[Sensed]) -> Iterator[Sensed]:
    """The readings with each lift after what was said before it, if only by a millisecond.

    A draw begins with a lift: what was said in the same instant, before it, is no part of it.
    """
    at_ms = 0
    for report in readings:
        at_ms = at_ms + 1 if report.is_lift and report.at_ms <= at_ms else max(at_ms, report.at_ms)
        yield report if at_ms == report.at_ms else replace(report, at_ms=at_ms)


def _unheard_lift(readings: Sequence[Sensed], start: int, held: Mapping[int, int]) -> Sensed:
    """When the bag was lifted before the last of the readings: where a rack grew, or just before.

    ``start`` is the place after the weight before, ``held`` what racks held then.
    """
    weight = readings[-1]
    at_ms = min(weight.at_ms, max(readings[start - 1].at_ms + 1, weight.at_ms - UNHEARD_MS))
    grown_ms = _first_growth(readings[start:], held)
    at_ms = at_ms if grown_ms is None else min(at_ms, grown_ms)
    return Sensed(seq=weight.seq, at_ms=at_ms, reading=None)


def _has_changed(weight: Sensed) -> bool:
    """Whether other tiles are in the bag than when it was weighed before."""
    return bool(weight.taken) and max(weight.taken, key=lambda count: weight.taken[count]) != 0


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

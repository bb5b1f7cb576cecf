"""Whether a draw that goes on can be read yet: it is over, or somebody has only begun."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from recorder.domain.game import Exchanged, Withdrawn
from recorder.domain.tile_account.by_weight import drawn_by_weight, most_by_weight
from recorder.domain.tile_account.course import Course
from recorder.domain.tile_account.sensor_reports import count_of
from recorder.domain.tile_account.sensor_spans import Part, Span, Waiting
from recorder.domain.tiles import RACK_SIZE

SETTLED_MS = 3_000
"""A rack that has said nothing new for this long has been drawn to."""

WEIGHED_MS = 1_500
"""So long after the bag was weighed a rack would have said that the tiles came to it."""

PAUSE_MS = 8_000
"""So long after the last word of a draw in goes nobody is likely to go on with it."""

EXCHANGED_MS = 10_000
"""So long after a draw the tiles that were laid aside may be on their way into the bag."""


def as_far_as_over(
    span: Span,
    course: Course,
    now_ms: int,
    *,
    goes_back: Collection[type[Exchanged | Withdrawn]] = (),
) -> Span | None:
    """The span after the newest turn as far as its last draw can be read, None while it cannot.

    ``goes_back``: after the draw the tiles that were laid aside, or all that were drawn for a play
    that was taken back, have to go into the bag.
    """
    heard, lifted = span.heard, span.lifts
    weighed = [report.at_ms for report in span.weights]
    begun = any(_goes_on(span, who, course.dealt.bag, now_ms) for who in course.waiting)
    begun = begun or (Withdrawn in goes_back and len(lifted) == 1)
    if begun or (lifted and (not weighed or weighed[-1] < lifted[-1].at_ms)):
        return None
    newest = max((report.at_ms for report in heard), default=None)
    settled = newest is not None and now_ms - newest >= SETTLED_MS
    settled = settled or (not goes_back and bool(lifted) and _lies_still(span, now_ms))
    if goes_back and lifted and newest is not None and now_ms - newest < EXCHANGED_MS:
        return None
    racks = [report.at_ms for report in heard if report.player in course.about]
    if lifted and racks and racks[-1] >= lifted[0].at_ms and not settled:
        if not weighed or racks[-1] <= weighed[-1]:
            return span
        # Tiles that came after the bag was weighed may be out of it: that weight still holds.
        first_ms = next(at_ms for at_ms in racks if at_ms >= lifted[0].at_ms)
        return replace(span, until_ms=weighed[-1] + 1) if first_ms <= weighed[-1] else None
    waits = any(_may_draw(span, who) for who in course.waiting)
    in_turn = any(_has_drawn(span, who) for who in course.waiting)
    gave_back = any(_gave_back(span, who) for who in course.waiting)
    if not lifted and waits and (gave_back or not in_turn):
        return None
    return span if settled else None


def unfinished(parts: Sequence[Part], course: Course) -> list[Part]:
    """The parts by whose end somebody has only begun to draw, and goes on in a later one."""
    bag, waiting = course.dealt.bag, course.waiting
    ends = [(part, part.span, part.span.until_ms) for part in parts]
    return [
        part
        for part, span, at_ms in ends
        if any(_goes_on(span, who, bag, at_ms) for who in waiting)
    ]


def _goes_on(span: Span, who: Waiting, bag: int, now_ms: int) -> bool:
    """Whether somebody draws in goes: less of what is due a moment ago, or a part of it.

    Once all that is due has left the bag, and the rack lies still, nothing more comes of it; nor
    once the rack held all of it, whatever leaves it then; nor after a long pause.
    """
    said, drawn, due = span.rack(who.player, span.until_ms), _drawn(span, who), _due(who, bag)
    if _was_full(span, who, due):
        return False
    is_new = said is not None and now_ms - said.at_ms < SETTLED_MS
    if is_new:
        return 0 < drawn < due
    weights = span.weights
    words = [report.at_ms for report in (said, *weights) if report is not None]
    is_pause = now_ms - max(words, default=now_ms) < PAUSE_MS
    # A bag that lies weighed again says that little is to come; without a scale nothing does.
    most = due // 2 if weights else due - 1
    is_part = 0 < drawn <= most and (said is None or drawn_by_weight(span) < due)
    return is_pause and is_part


def _was_full(span: Span, who: Waiting, due: int) -> bool:
    """Whether the rack held all that was due at some time since the bag was lifted."""
    lifted = span.lifts
    if not lifted:
        return False
    since = span.readings.of_rack(who.player, lifted[0].at_ms, span.until_ms)
    return any((count_of(report) or 0) >= who.left + due for report in since)


def _drawn(span: Span, who: Waiting) -> int:
    said = span.rack(who.player, span.until_ms)
    return (count_of(said) or 0) - who.left if said is not None else most_by_weight(span)


def _due(who: Waiting, bag: int) -> int:
    return min(RACK_SIZE - who.left, bag)


def _lies_still(span: Span, now_ms: int) -> bool:
    """Whether a bag lies weighed again while no rack has said a word: drawn to the table, if so.

    What left the bag is known then, whatever becomes of it.
    """
    first_ms = span.lifts[0].at_ms
    racks = [report for report in span.heard if report.player is not None]
    weighed = [report.at_ms for report in span.heard if report.is_weight]
    is_known = span.readings.has_racks
    silent = all(report.at_ms < first_ms for report in racks)
    return is_known and silent and bool(weighed) and now_ms - weighed[-1] >= WEIGHED_MS


def _has_drawn(span: Span, who: Waiting) -> bool:
    """Whether a rack has got tiles: also of one who was to wait for the other (OOO-1)."""
    said = span.rack(who.player, span.until_ms)
    return said is not None and (count_of(said) or 0) > who.left


def _gave_back(span: Span, who: Waiting) -> bool:
    """Whether a rack has had tiles since the press, and has none of them now: no draw to come."""
    said = span.readings.of_rack(who.player, who.since_ms, span.until_ms)
    counts = [count_of(report) or 0 for report in said]
    return bool(counts) and counts[-1] == who.left < max(counts)


def _may_draw(span: Span, who: Waiting) -> bool:
    """Whether a player is still to draw: the rack says so, or only a scale could tell."""
    said = span.rack(who.player, span.until_ms)
    if said is None:
        return span.readings.has_bag
    return count_of(said) == who.left

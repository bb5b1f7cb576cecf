"""Turns and sensors in the order of the tile account: which reading speaks of which draw.

A draw is read when it is over: the bag lies weighed again and the rack has settled, or the
opponent has pressed. What a sensor says in the middle of it says nothing. Times are data; a turn
whose draw is not over yet is left for later.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, Withdrawn
from recorder.domain.reading.turns import ReadTurn
from recorder.domain.tile_account.course import Course, opening, standing_plays
from recorder.domain.tile_account.finding import AccountFinding, Action, judge
from recorder.domain.tile_account.readings import Estimated
from recorder.domain.tile_account.sensor_reports import Sensed, SensorReports, count_of
from recorder.domain.tile_account.sensor_spans import Part, Span, Waiting, drawn_only
from recorder.domain.tile_account.stories import MishapKind
from recorder.domain.tile_account.unheard_lifts import SensedTiles
from recorder.domain.tile_account.unpressed import (
    Unpressed,
    player_on_turn,
    unpressed_draws,
    unpressed_first,
)
from recorder.domain.tiles import RACK_SIZE

SETTLED_MS = 3_000
"""A rack that has said nothing new for this long has been drawn to."""

TWICE = 2
"""At the ends of so many turns running a source must be contradicted before it is blamed: tiles
that lie about for a moment are nobody's fault, a broken source goes on being wrong."""

WEIGHED_MS = 1_500
"""So long after the bag was weighed a rack would have said that the tiles came to it."""

EXCHANGED_MS = 10_000
"""So long after a draw the tiles that were laid aside may be on their way into the bag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOfTiles:
    """A turn as the account needs it: its group, when it was pressed, what its events moved."""

    group: ReadTurn
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFinding:
    """What the account came to after a draw: the turn's ``ref`` and the rows that say so.

    ``over_ms``: when it was put right, or turned out to be nothing.
    """

    ref: int
    refs: tuple[int, ...]
    finding: AccountFinding
    over_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Watched:
    """All findings so far, and whether the newest draw may still be going on.

    ``bag`` and ``racks`` are how many tiles are there by the likeliest story. ``done`` are the
    turns that are over and ``steps`` those of the newest, so that they need not be gone through
    again; they say nothing, so that two are equal that found the same.
    """

    found: tuple[TileFinding, ...] = ()
    drawing: bool = False
    unpressed: tuple[Unpressed, ...] = ()
    bag: int | None = None
    racks: tuple[int, int] | None = None
    done: tuple["_Done", ...] = field(default=(), compare=False, repr=False)
    steps: tuple["_Step", ...] = field(default=(), compare=False, repr=False)

    @property
    def alerts_over_ms(self) -> tuple[int | None, ...]:
        """When what was sure to be wrong was put right, None where it is not yet."""
        alerts = (finding for finding in self.found if finding.finding.action is Action.ALERT)
        return tuple(finding.over_ms for finding in alerts)


def watch_tiles(
    turns: Sequence[TurnOfTiles],
    readings: Sequence[Sensed],
    total: int,
    now_ms: int,
    *,
    pressed_ms: int | None = None,
    before: Watched | None = None,
) -> Watched:
    """What the account finds after each draw that is over, where it finds something new.

    ``turns`` and ``readings`` by time; ``total`` is the size of the tile set; ``pressed_ms`` is
    the first press after the last of the turns, which no look has shown yet; ``before`` is what
    was watched last, and saves time only. Nothing without sensors. The first finding of a mishap
    stands for it; an alert may follow a question.
    """
    if not any(report.reading is not None for report in readings):
        return Watched()
    reports = (readings if isinstance(readings, SensedTiles) else SensedTiles(readings)).with_lifts
    found: list[TileFinding] = []
    drawing = False
    first = (turns[0].group, turns[0].at_ms) if turns else None
    steps = _Steps(before.steps if before is not None else ())
    opened = _opened(steps, total, reports, first)
    course, unpressed = opened.course, list(opened.early)
    standing: dict[int, set[tuple[int, int]]] = {}
    for draw in standing_plays([turn.group for turn in turns]):
        standing.setdefault(draw[0], set()).add(draw)
    ends = [*(turn.at_ms for turn in turns[1:]), pressed_ms]
    done: list[_Done] = []
    known = before.done if before is not None else ()
    for turn, end_ms in zip(turns, ends, strict=False):
        span = Span(turn.at_ms, now_ms + 1 if end_ms is None else end_ms, reports)
        kept = frozenset(standing.get(turn.group.ref, ()))
        key = (turn, end_ms, kept, span.mark)
        if end_ms is not None and len(done) < len(known) and known[len(done)].key == key:
            done.append(known[len(done)])
            course, found = done[-1].course, list(done[-1].found)
            unpressed = list(done[-1].unpressed)
            continue
        known = ()
        try:
            turn_before = turns[max(0, len(done) - 1)].group.ref
            drew = frozenset(draw.player for draw in unpressed if draw.ref == turn_before)
            course = _played(steps, course, turn.group, kept, drew)
            on_turn = player_on_turn(turn.group)
            early = unpressed_draws(turn.group, span, len(course.waiting))
            # A press that was made, and is not here yet, makes it another turn.
            is_over = end_ms is not None or all(now_ms - draw.at_ms >= SETTLED_MS for draw in early)
            unpressed += early if is_over else []
            span = drawn_only(span, on_turn, len(course.waiting) + len(early))
            exchanges = _has_exchange(turn.group)
            calm: Span | None = span
            if end_ms is None:
                calm = _as_far_as_over(span, course, now_ms, exchanges=exchanges)
            drawing = calm is not span or not is_over
            parts = (calm or span).parts(early[0].refs[1] if early else None)
            # While somebody draws, what was read before the bag was lifted last still holds.
            whole = parts if calm else parts[:-1]
            # What is drawn in an exchange and what goes back are one act: its last part tells.
            silent = parts[:-1] if exchanges else _unfinished(parts[:-1], course)
            course, found = _through(steps, course, whole, silent, turn.group, found)
            if end_ms is not None and _is_plain(turn.group):
                course = course.doubting()
                found += _blamed(course, turn.group, found)
        except RecorderError:
            break  # the record holds what no account can; its own doubts say so
        if end_ms is not None:
            done.append(_Done(key, course, tuple(found), tuple(unpressed)))
    _, first_rack, second_rack, bag, *_ = course.now.stories[0].counts
    return Watched(
        *(tuple(found), drawing, tuple(unpressed), bag, (first_rack, second_rack)),
        done=tuple(done),
        steps=tuple(steps.taken),
    )


@dataclass(frozen=True, slots=True)
class _Reached:
    """Where a step has led: what it is judged by, and what the account comes to there, if asked."""

    course: Course
    last: tuple[Sensed, ...] = ()
    finding: AccountFinding | None = None
    early: tuple[Unpressed, ...] = ()


@dataclass(frozen=True, slots=True)
class _Step:
    """From which course a step was taken (None before the first), ``by`` what, whereto."""

    start: Course | None
    by: tuple[object, ...]
    end: _Reached


class _Steps:
    """The steps of an account, each taken once: from the same course the same leads to the same.

    While a turn goes on every word of a sensor makes it be read again; most of it is as it was.
    """

    def __init__(self, known: Sequence[_Step]) -> None:
        self._known: dict[int, list[_Step]] = {}
        for step in known:
            self._known.setdefault(id(step.start), []).append(step)
        self.taken: list[_Step] = []

    def take(
        self, start: Course | None, by: tuple[object, ...], step: Callable[[], _Reached]
    ) -> _Reached:
        """The end of a step, which is taken now unless it was before."""
        same = (known for known in self._known.get(id(start), ()) if known.by == by)
        taken = next(same, None) or _Step(start, by, step())
        self.taken.append(taken)
        return taken.end


def _opened(
    steps: _Steps, total: int, reports: SensorReports, first: tuple[ReadTurn, int] | None
) -> _Reached:
    def opened() -> _Reached:
        early = unpressed_first(*first, reports) if first is not None else []
        return _Reached(opening(total, reports, first, early), early=tuple(early))

    return steps.take(None, (total, first, reports.mark(0 if first is None else first[1])), opened)


def _played(
    steps: _Steps,
    course: Course,
    group: ReadTurn,
    standing: frozenset[tuple[int, int]],
    drew: frozenset[int],
) -> Course:
    by = (group, standing, drew)
    return steps.take(course, by, lambda: _Reached(course.after(group, standing, drew))).course


def _read(steps: _Steps, course: Course, part: Part, *, is_suspected: bool) -> _Reached:
    def read() -> _Reached:
        after, last = course.read(part, is_suspected=is_suspected)
        return _Reached(after, tuple(last), judge(after.now) if last else None)

    kind = (part.lifts, part.is_whole, part.is_last, is_suspected)
    return steps.take(course, (part.span.from_ms, *kind, part.span.mark), read)


def _through(
    steps: _Steps,
    course: Course,
    parts: Sequence[Part],
    silent: Sequence[Part],
    group: ReadTurn,
    known: Sequence[TileFinding],
) -> tuple[Course, list[TileFinding]]:
    """The account after the parts of a turn, and what was found by then, not in ``silent`` ones."""
    found = list(known)
    for part in parts:
        suspected = any(earlier.over_ms is None for earlier in found)
        reached = _read(steps, course, part, is_suspected=suspected)
        course, finding = reached.course, reached.finding
        if any(part is other for other in silent):
            continue
        if course.is_right:
            found = _put_right(found, part, course.dealt.bag)
        if finding is None or finding.action is Action.DEVICE:
            continue
        if _is_new(finding, found):
            refs = (group.ref, *(report.seq for report in reached.last))
            found.append(TileFinding(ref=group.ref, refs=refs, finding=finding))
    return course, found


def _has_exchange(group: ReadTurn) -> bool:
    return any(isinstance(event, Exchanged) for event in group.events)


def _put_right(found: Sequence[TileFinding], part: Part, bag: int) -> list[TileFinding]:
    """What was found, over now where it was not before.

    A set that lacks a tile does so until the bag weighs what it should: draws are right in it.
    """
    words = part.last_words((0, 1))
    at_ms = max(report.at_ms for report in words)
    levels = [report.reading.best for report in words if isinstance(report.reading, Estimated)]
    is_whole = not levels or levels[-1] == bag
    return [
        finding
        if finding.over_ms is not None or (_is_of_the_set(finding) and not is_whole)
        else replace(finding, over_ms=at_ms)
        for finding in found
    ]


def _is_of_the_set(found: TileFinding) -> bool:
    return found.finding.mishap is not None and found.finding.mishap.kind is MishapKind.MISSING


@dataclass(frozen=True, slots=True)
class _Done:
    """What came out after a turn that is over; ``key`` is all that it follows from."""

    key: tuple[TurnOfTiles, int | None, frozenset[tuple[int, int]], Hashable]
    course: Course
    found: tuple[TileFinding, ...]
    unpressed: tuple[Unpressed, ...]


def _blamed(course: Course, group: ReadTurn, found: Sequence[TileFinding]) -> list[TileFinding]:
    """The sources that were contradicted twice running, unless that was found before."""
    sources = tuple(source for source, times in course.doubts.items() if times >= TWICE)
    finding = judge(course.now)
    if not sources or finding.mishap is not None:
        return []
    finding = replace(finding, action=Action.DEVICE, contradicted=sources)
    if not _is_new(finding, found):
        return []
    return [TileFinding(ref=group.ref, refs=(group.ref,), finding=finding)]


def _is_plain(group: ReadTurn) -> bool:
    """Whether nobody held, challenged or exchanged: then hands move tiles, rightly."""
    unrest = ("hold_after_ms", "challenge_after_ms")
    moves = any(isinstance(event, Exchanged | Withdrawn) for event in group.events)
    return not moves and not any(name in group.facts for name in unrest)


def _as_far_as_over(span: Span, course: Course, now_ms: int, *, exchanges: bool) -> Span | None:
    """The span after the newest turn as far as its last draw can be read, None while it cannot.

    ``exchanges``: after the draw the tiles that were laid aside have to go into the bag.
    """
    heard, lifted = span.heard, span.lifts
    weighed = [report.at_ms for report in span.weights]
    begun = any(_goes_on(span, who, course.dealt.bag) for who in course.waiting)
    if lifted and (begun or not weighed or weighed[-1] < lifted[-1].at_ms):
        return None
    newest = max((report.at_ms for report in heard), default=None)
    settled = newest is not None and now_ms - newest >= SETTLED_MS
    settled = settled or (not exchanges and bool(lifted) and _lies_still(span, now_ms))
    if exchanges and lifted and newest is not None and now_ms - newest < EXCHANGED_MS:
        return None
    racks = [report.at_ms for report in heard if report.player in course.about]
    if lifted and racks and racks[-1] >= lifted[0].at_ms and not settled:
        if not weighed or racks[-1] <= weighed[-1]:
            return span
        # Tiles that came after the bag was weighed may be out of it: that weight still holds.
        first_ms = next(at_ms for at_ms in racks if at_ms >= lifted[0].at_ms)
        return replace(span, until_ms=weighed[-1] + 1) if first_ms <= weighed[-1] else None
    if not lifted and any(_may_draw(span, who) for who in course.waiting):
        return None
    return span if settled else None


def _unfinished(parts: Sequence[Part], course: Course) -> list[Part]:
    """The parts by whose end somebody has only begun to draw, and goes on in a later one."""
    bag = course.dealt.bag
    return [part for part in parts if any(_goes_on(part.span, who, bag) for who in course.waiting)]


def _goes_on(span: Span, who: Waiting, bag: int) -> bool:
    """Whether somebody has drawn half of what is due or less: the other half is to follow."""
    said = span.rack(who.player, span.until_ms)
    drawn = 0 if said is None else (count_of(said) or 0) - who.left
    return 0 < drawn <= min(RACK_SIZE - who.left, bag) // 2


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


def _is_new(finding: AccountFinding, found: Sequence[TileFinding]) -> bool:
    if finding.action is Action.QUIET:
        return False
    same = (finding.mishap, finding.contradicted if finding.mishap is None else ())
    return all(
        same
        != (
            earlier.finding.mishap,
            earlier.finding.contradicted if earlier.finding.mishap is None else (),
        )
        or (finding.action is Action.ALERT and earlier.finding.action is Action.ASK)
        for earlier in found
    )


def _may_draw(span: Span, who: Waiting) -> bool:
    """Whether a player is still to draw: the rack says so, or only a scale could tell."""
    said = span.rack(who.player, span.until_ms)
    if said is None:
        return span.readings.has_bag
    return count_of(said) == who.left

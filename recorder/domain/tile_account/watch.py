"""Turns and sensors in the order of the tile account: which reading speaks of which draw.

A draw is read when it is over: the bag lies weighed again and the rack has settled, or the
opponent has pressed. What a sensor says in the middle of it says nothing. Times are data; a turn
whose draw is not over yet is left for later.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, Withdrawn
from recorder.domain.tile_account.by_weight import early_draws, in_goes
from recorder.domain.tile_account.course import (
    Course,
    drawn_for,
    is_calm,
    opening,
    opening_words,
)
from recorder.domain.tile_account.draws_over import SETTLED_MS, as_far_as_over, unfinished
from recorder.domain.tile_account.finding import (
    AccountFinding,
    Action,
    findings,
    is_gone,
    judge,
)
from recorder.domain.tile_account.readings import Counts, Taken
from recorder.domain.tile_account.sensor_reports import Sensed, SensorReports, count_of
from recorder.domain.tile_account.sensor_spans import Part, Span, drawn_only
from recorder.domain.tile_account.stories import Mishap, MishapKind
from recorder.domain.tile_account.unheard_lifts import SensedTiles
from recorder.domain.tile_account.unpressed import Unpressed, player_on_turn, unpressed_first
from recorder.domain.tiles import RACK_SIZE
from recorder.domain.turns import Turn

TWICE = 2
"""At the ends of so many turns running a source must be contradicted before it is blamed: tiles
that lie about for a moment are nobody's fault, a broken source goes on being wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOfTiles:
    """A turn as the account needs it: its group, and when it was pressed.

    ``bare_ms``: since when and until when the board has no tile of the next play, if it has none.
    """

    group: Turn
    at_ms: int
    bare_ms: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFinding:
    """What the account came to after a draw: the turn's ``ref`` and the rows that say so.

    ``over_ms``: when it was put right, or turned out to be nothing. ``blamed_ms``: of sources that
    are wrong, from when on they are not believed.
    """

    ref: int
    refs: tuple[int, ...]
    finding: AccountFinding
    over_ms: int | None = None
    blamed_ms: int | None = None


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
    def blamed(self) -> tuple[tuple[str, int], ...]:
        """The sources that were found to be wrong, each from when on, the earliest first."""
        return tuple(
            (source, entry.blamed_ms)
            for entry in self.found
            if entry.blamed_ms is not None
            for source in entry.finding.contradicted
        )

    @property
    def at_ends(self) -> list[tuple[int, int, Counts]]:
        """When each turn was over, whose it was, and where the tiles likeliest were then."""
        return [
            (end_ms, turn.group.events[-1].player, done.course.now.stories[0].counts)
            for done in self.done
            for turn, _, end_ms, *_ in [done.key]
            if end_ms is not None and turn.group.events
        ]

    @property
    def alerts_over_ms(self) -> tuple[int | None, ...]:
        """When what was sure to be wrong was put right, None where it is not yet."""
        alerts = (finding for finding in self.found if finding.finding.action is Action.ALERT)
        return tuple(finding.over_ms for finding in alerts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockMoments:
    """When the clock was started, and the first press after the turns, not shown by a look yet."""

    started_ms: int | None = None
    pressed_ms: int | None = None


NO_CLOCK = ClockMoments()


def watch_tiles(
    turns: Sequence[TurnOfTiles],
    readings: Sequence[Sensed],
    total: int,
    now_ms: int,
    *,
    clock: ClockMoments = NO_CLOCK,
    before: Watched | None = None,
) -> Watched:
    """What the account finds after each draw that is over, where it finds something new.

    ``turns`` and ``readings`` by time; ``total`` is the size of the tile set; ``before`` is what
    was watched last, and saves time only. Nothing without sensors. The first finding of a mishap
    stands for it; an alert may follow a question.
    """
    if not any(report.reading is not None for report in readings):
        return Watched()
    reports = (readings if isinstance(readings, SensedTiles) else SensedTiles(readings)).with_lifts
    found, drawing = list[TileFinding](), False
    first = (turns[0].group, turns[0].at_ms) if turns else None
    steps, known = (_Steps(()), ()) if before is None else (_Steps(before.steps), before.done)
    opened = _opened(steps, total, reports, first)
    course, unpressed = opened.course, list(opened.early)
    standing = _by_turn(drawn_for([turn.group for turn in turns]))
    spans = _spans([*(turn.at_ms for turn in turns), clock.pressed_ms], reports)
    done: list[_Done] = []
    following = [*(turn.group for turn in turns[1:]), None]
    for turn, later, (from_ms, end_ms) in zip(turns, following, spans, strict=False):
        span = Span(from_ms, now_ms + 1 if end_ms is None else end_ms, reports)
        kept = frozenset(standing.get(turn.group.ref, ()))
        key = (turn, later, end_ms, kept, span.mark)
        if end_ms is not None and len(done) < len(known) and known[len(done)].key == key:
            done.append(known[len(done)])
            course, found = done[-1].course, list(done[-1].found)
            unpressed = list(done[-1].unpressed)
            continue
        known = ()
        try:
            turn_before = turns[max(0, len(done) - 1)].group.ref
            drew = frozenset(draw.player for draw in unpressed if draw.ref == turn_before)
            course = _played(steps, course, turn, kept, drew)
            early, stop = early_draws(
                turn.group, later, span, course.waiting, course.dealt, bare_ms=turn.bare_ms
            )
            # A press that was made, and is not here yet, makes it another turn.
            is_over = end_ms is not None or all(now_ms - draw.at_ms >= SETTLED_MS for draw in early)
            unpressed += early if is_over else []
            span = drawn_only(span, player_on_turn(turn.group), len(course.waiting) + len(early))
            goes_back = _goes_back(turn.group)
            calm = (
                as_far_as_over(span, course, now_ms, goes_back=goes_back)
                if end_ms is None
                else span
            )
            drawing = calm is not span or not is_over
            parts = in_goes((calm or span).parts(stop), turn.group, course.waiting, course.dealt)
            # While somebody draws, what was read before the bag was lifted last still holds.
            whole = parts if calm is not None or (stop is not None and not early) else parts[:-1]
            silent = unfinished(parts[:-1], course)
            if goes_back:
                # What is drawn and what goes back are one act: its last part tells.
                whole, silent = _but_on_the_way(whole, parts[-1], course), parts[:-1]
            course, found = _through(steps, course, whole, silent, turn.group, found)
            if end_ms is not None and is_calm(turn.group):
                own_ms = (spans[len(done) - 1][0] if done else clock.started_ms or 0, end_ms)
                course = course.doubting().noting_silence(turn.group, reports, *own_ms)
                course, found = _with_blame(course, turn.group, found, end_ms)
        except RecorderError:
            break  # the record holds what no account can; its own doubts say so
        if end_ms is not None:
            done.append(_Done(key, course, tuple(found), tuple(unpressed)))
    wrong = _wrong_opening(opened, total, reports, first, clock.started_ms)
    unsettled = first is None and any(now_ms - at_ms < SETTLED_MS for at_ms in wrong.since_ms)
    found = found if unsettled else _with_opening(wrong.found, course, found, is_first=not turns)
    _, first_rack, second_rack, bag, *_ = course.now.stories[0].counts
    return Watched(
        *(tuple(found), drawing or unsettled, tuple(unpressed), bag, (first_rack, second_rack)),
        done=tuple(done),
        steps=tuple(steps.taken),
    )


def _by_turn(draws: Iterable[tuple[int, int]]) -> dict[int, set[tuple[int, int]]]:
    found: dict[int, set[tuple[int, int]]] = {}
    for draw in draws:
        found.setdefault(draw[0], set()).add(draw)
    return found


def _spans(
    presses_ms: Sequence[int | None], reports: SensorReports
) -> list[tuple[int, int | None]]:
    """From when to when a draw belongs to each turn: to the next press, the last to ever after.

    By weight alone (nothing speaks of a rack), a bag that is lifted at the press belongs to the
    turn before until it is weighed: who drew before pressing has set it down a moment ago.
    """
    edges = list(presses_ms)
    for place in range(1, len(edges)):
        begin, edge, after = edges[place - 1], edges[place], edges[place + 1 : place + 2]
        lifts = reports.lifts(begin or 0, edge) if edge is not None else []
        if edge is None or reports.has_racks or not lifts:
            continue
        if reports.weights(lifts[-1].at_ms, edge):
            continue
        weight, lift = reports.weight_after(edge), reports.lift_after(edge)
        if weight is None or (lift is not None and lift.at_ms <= weight.at_ms):
            continue
        if all(press is None or weight.at_ms < press for press in after):
            edges[place] = weight.at_ms + 1
    return [(begin or 0, end) for begin, end in pairwise(edges)]


@dataclass(frozen=True, slots=True)
class _Reached:
    """Where a step has led: what it is judged by, and what the account comes to there, if asked."""

    course: Course
    last: tuple[Sensed, ...] = ()
    findings: tuple[AccountFinding, ...] = ()
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
    steps: _Steps, total: int, reports: SensorReports, first: tuple[Turn, int] | None
) -> _Reached:
    def opened() -> _Reached:
        early = unpressed_first(*first, reports) if first is not None else []
        return _Reached(opening(total, reports, first, early), early=tuple(early))

    return steps.take(None, (total, first, reports.mark(0 if first is None else first[1])), opened)


@dataclass(frozen=True, slots=True)
class _WrongOpening:
    """What is found of the opening draws, if anything, and since when sensors and clock say so."""

    found: TileFinding | None = None
    since_ms: tuple[int, ...] = ()


def _wrong_opening(
    opened: _Reached,
    total: int,
    reports: SensorReports,
    first: tuple[Turn, int] | None,
    started_ms: int | None,
) -> _WrongOpening:
    """More or fewer than seven tiles on a rack before the first play (OVERDRAW-1, DRAW-2).

    Too few says nothing before the clock runs, for until then both still draw.
    """
    if first is not None and not first[0].events:
        return _WrongOpening()
    words = opening_words(reports, first, opened.early)
    if first is None and any(word.player == 0 and _is_short(word) for word in words):
        words = opening_words(reports, None, (), mover=0)  # tiles may have been laid since
    runs = first is not None or started_ms is not None
    wrong = [word for word in words if _is_overfull(word) or (runs and _is_short(word))]
    if not wrong:
        return _WrongOpening()
    since_ms = (*(word.at_ms for word in wrong), started_ms or 0)
    now, _ = opened.course.scale.read(opening(total, reports, None, ()).now, words, reports)
    finding = judge(now)
    kinds = (MishapKind.OVERDRAW, MishapKind.UNDERDRAW)
    if finding.mishap is None or finding.mishap.kind not in kinds:
        return _WrongOpening(None, since_ms)
    refs = tuple(word.seq for word in words)
    return _WrongOpening(TileFinding(ref=wrong[0].seq, refs=refs, finding=finding), since_ms)


def _is_overfull(word: Sensed) -> bool:
    return word.player is not None and (count_of(word) or 0) > RACK_SIZE


def _is_short(word: Sensed) -> bool:
    count = None if word.player is None else count_of(word)
    return count is not None and count < RACK_SIZE


def _with_opening(
    at_opening: TileFinding | None, course: Course, found: list[TileFinding], *, is_first: bool
) -> list[TileFinding]:
    """Before all else what was wrong at the opening, if it still is and no later draw shows it."""
    if at_opening is None:
        return found
    about, best = _about(at_opening.finding), course.now.stories[0]
    is_shown_again = any(_about(later.finding) == about for later in found)
    holds = at_opening.finding.mishap in best.mishaps and not is_shown_again
    return [at_opening, *found] if is_first or holds else found


def _played(
    steps: _Steps,
    course: Course,
    turn: TurnOfTiles,
    standing: frozenset[tuple[int, int]],
    drew: frozenset[int],
) -> Course:
    by = (turn.group, standing, drew, turn.at_ms)
    return steps.take(course, by, lambda: _Reached(course.after(*by))).course


def _read(steps: _Steps, course: Course, part: Part, *, is_suspected: bool) -> _Reached:
    def read() -> _Reached:
        after, last = course.read(part, is_suspected=is_suspected)
        return _Reached(after, tuple(last), findings(after.now) if last else ())

    kind = (part.lifts, part.is_whole, part.is_last, part.puts_back, is_suspected)
    return steps.take(course, (part.span.from_ms, *kind, part.span.mark), read)


def _through(
    steps: _Steps,
    course: Course,
    parts: Sequence[Part],
    silent: Sequence[Part],
    group: Turn,
    known: Sequence[TileFinding],
) -> tuple[Course, list[TileFinding]]:
    """The account after the parts of a turn, and what was found by then, not in ``silent`` ones."""
    found = list(known)
    for part in parts:
        suspected = any(earlier.over_ms is None for earlier in found)
        reached = _read(steps, course, part, is_suspected=suspected)
        course = reached.course
        if any(part is other for other in silent):
            continue
        if course.is_right:
            found = _put_right(found, part, course.dealt.bag)
        elif reached.last:
            found = _without_gone(found, course, reached.last)
        refs = (group.ref, *(report.seq for report in reached.last))
        for finding in reached.findings:
            if finding.action is not Action.DEVICE and _is_new(finding, found):
                found.append(TileFinding(ref=group.ref, refs=refs, finding=finding))
    return course, found


def _but_on_the_way(parts: Sequence[Part], last: Part, course: Course) -> list[Part]:
    """The parts without those before ``last`` in which the bag was lifted with no draw due."""
    return [
        part for part in parts if part is last or not part.is_lifted or part.drawn(course.waiting)
    ]


def _goes_back(group: Turn) -> frozenset[type[Exchanged | Withdrawn]]:
    """For which events tiles go back into the bag after others were drawn from it, if any."""
    kinds = (Exchanged, Withdrawn)
    return frozenset(kind for kind in kinds for event in group.events if isinstance(event, kind))


def _put_right(found: Sequence[TileFinding], part: Part, bag: int) -> list[TileFinding]:
    """What was found, over now where it was not before.

    A set without some tile stays so until the bag weighs what it should: draws are right in it.
    """
    words = part.last_words((0, 1))
    at_ms = max(report.at_ms for report in words)
    levels = [report.reading.best for report in words if isinstance(report.reading, Taken)]
    is_whole = not levels or levels[-1] == bag
    return [
        finding
        if finding.over_ms is not None
        or finding.blamed_ms is not None
        or (_is_of_the_set(finding) and not is_whole)
        else replace(finding, over_ms=at_ms)
        for finding in found
    ]


def _without_gone(
    found: Sequence[TileFinding], course: Course, last: Sequence[Sensed]
) -> list[TileFinding]:
    """What was found; an overdraw is over once it is put right, also while something else is not.

    ``last`` are the readings that say so.
    """
    at_ms = max(report.at_ms for report in last)
    return [
        replace(entry, over_ms=at_ms)
        if entry.over_ms is None
        and (mishap := entry.finding.mishap) is not None
        and mishap.kind is MishapKind.OVERDRAW
        and is_gone(course.now, mishap)
        else entry
        for entry in found
    ]


def _is_of_the_set(found: TileFinding) -> bool:
    return found.finding.mishap is not None and found.finding.mishap.kind is MishapKind.MISSING


@dataclass(frozen=True, slots=True)
class _Done:
    """What came out after a turn that is over; ``key`` is all that it follows from."""

    key: tuple[TurnOfTiles, Turn | None, int | None, frozenset[tuple[int, int]], Hashable]
    course: Course
    found: tuple[TileFinding, ...]
    unpressed: tuple[Unpressed, ...]


def _with_blame(
    course: Course, group: Turn, found: list[TileFinding], at_ms: int
) -> tuple[Course, list[TileFinding]]:
    """And the sources that were contradicted twice running, or did not notice two plays.

    What they alone asked is over then, and they are counted from zero.
    """
    finding = judge(course.now)
    doubts = {} if finding.mishap is not None else course.doubts
    times = [*doubts.items(), *course.silent.items()]
    sources = tuple(dict.fromkeys(source for source, often in times if often >= TWICE))
    if not sources:
        return course, found
    never = dict.fromkeys(sources, 0)
    course = replace(course, doubts={**course.doubts, **never}, silent={**course.silent, **never})
    found = _without_word_of(found, sources, at_ms)
    finding = replace(finding, action=Action.DEVICE, mishap=None, contradicted=sources)
    refs = (group.ref,)
    blamed = TileFinding(ref=group.ref, refs=refs, finding=finding, blamed_ms=at_ms)
    return course, [*found, blamed]


def _is_new(finding: AccountFinding, found: Sequence[TileFinding]) -> bool:
    if finding.action is Action.QUIET:
        return False
    if finding.action is Action.COUNT:
        return not _doubted(found).issuperset(finding.contradicted)
    about = _about(finding)
    return all(
        about != _about(earlier.finding)
        or (finding.action is Action.ALERT and earlier.finding.action is Action.ASK)
        for earlier in found
    )


def _doubted(found: Sequence[TileFinding]) -> frozenset[str]:
    """The sources of which it was found that they do not fit the others, and never did since."""
    doubts = (
        entry.finding for entry in found if entry.finding.mishap is None and entry.over_ms is None
    )
    return frozenset(source for doubt in doubts for source in doubt.contradicted)


def _without_word_of(
    found: list[TileFinding], sources: Collection[str], at_ms: int
) -> list[TileFinding]:
    """The findings; what only these sources spoke for is over, for they are wrong themselves."""
    return [
        replace(entry, over_ms=at_ms)
        if entry.over_ms is None
        and entry.finding.action is Action.ASK
        and entry.finding.witnesses
        and set(entry.finding.witnesses) <= set(sources)
        else entry
        for entry in found
    ]


def _about(finding: AccountFinding) -> tuple[Mishap | None, tuple[str, ...]]:
    """What is the same however often it is found.

    Tiles put back, whichever player that turns out to be.
    """
    mishap = finding.mishap
    if mishap is None:
        return None, finding.contradicted
    is_return = mishap.kind is MishapKind.RETURNED
    return replace(mishap, player=None) if is_return else mishap, ()

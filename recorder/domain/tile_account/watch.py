"""Turns and sensors in the order of the tile account: which reading speaks of which draw.

A draw is read when it is over: the bag lies weighed again and the rack has settled, or the
opponent has pressed. What a sensor says in the middle of it says nothing. Times are data; a turn
whose draw is not over yet is left for later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, IllegallyPlayed, Laid, Played, Withdrawn
from recorder.domain.reading.turns import ReadTurn
from recorder.domain.tile_account import account
from recorder.domain.tile_account.account import Account
from recorder.domain.tile_account.finding import AccountFinding, Action, judge
from recorder.domain.tile_account.readings import Zone
from recorder.domain.tile_account.sensor_spans import (
    SOURCES,
    Dealt,
    Part,
    Sensed,
    Span,
    Waiting,
    change_since,
    count_of,
    drawn_only,
    with_unheard_lifts,
)
from recorder.domain.tiles import RACK_SIZE

SETTLED_MS = 3_000
"""A rack that has said nothing new for this long has been drawn to."""

EXCHANGED_MS = 10_000
"""So long after a draw the tiles that were laid aside may be on their way into the bag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOfTiles:
    """A turn as the account needs it: its group, when it was pressed, what its events moved."""

    group: ReadTurn
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFinding:
    """What the account came to after a draw: the turn's ``ref`` and the rows that say so."""

    ref: int
    refs: tuple[int, ...]
    finding: AccountFinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpressed:
    """A player drew before the own press: the ``ref`` of the turn before, the rows, who, when."""

    ref: int
    refs: tuple[int, ...]
    player: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Watched:
    """All findings so far, and whether the newest draw may still be going on.

    ``done`` are the turns that are over, so that they need not be gone through again.
    """

    found: tuple[TileFinding, ...] = ()
    drawing: bool = False
    unpressed: tuple[Unpressed, ...] = ()
    done: tuple["_Done", ...] = ()


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
    readings = with_unheard_lifts(readings)
    found: list[TileFinding] = []
    unpressed: list[Unpressed] = []
    drawing = False
    course = _opening(total, readings, turns)
    standing = _standing([turn.group for turn in turns])
    ends = [*(turn.at_ms for turn in turns[1:]), pressed_ms]
    done: list[_Done] = []
    known = before.done if before is not None else ()
    for turn, end_ms in zip(turns, ends, strict=False):
        span = Span(turn.at_ms, now_ms + 1 if end_ms is None else end_ms, readings)
        kept = frozenset(draw for draw in standing if draw[0] == turn.group.ref)
        key = (turn, end_ms, kept, tuple(report.seq for report in span.until))
        if end_ms is not None and len(done) < len(known) and known[len(done)].key == key:
            done.append(known[len(done)])
            course, found = done[-1].course, list(done[-1].found)
            unpressed = list(done[-1].unpressed)
            continue
        known = ()
        try:
            course = course.after(turn.group, kept)
            on_turn = _on_turn(turn.group)
            early = _unpressed(turn.group, span, len(course.waiting))
            # A press that was made, and is not here yet, makes it another turn.
            is_over = end_ms is not None or all(now_ms - draw.at_ms >= SETTLED_MS for draw in early)
            unpressed += early if is_over else []
            span = drawn_only(span, on_turn)
            exchanges = any(isinstance(event, Exchanged) for event in turn.group.events)
            calm: Span | None = span
            if end_ms is None:
                calm = _as_far_as_over(span, course, now_ms, exchanges=exchanges)
            drawing = calm is not span or not is_over
            parts = (calm or span).parts(early[0].refs[1] if early else None)
            # While somebody draws, what was read before the bag was lifted last still holds.
            for part in parts if calm else parts[:-1]:
                course, last = course.read(part)
                if exchanges and part is not parts[-1]:
                    continue  # what is drawn and what goes back are one act
                finding = judge(course.now)
                if last and _is_new(finding, found):
                    refs = (turn.group.ref, *(report.seq for report in last))
                    found.append(TileFinding(ref=turn.group.ref, refs=refs, finding=finding))
        except RecorderError:
            break  # the record holds what no account can; its own doubts say so
        if end_ms is not None:
            done.append(_Done(key, course, tuple(found), tuple(unpressed)))
    return Watched(tuple(found), drawing, tuple(unpressed), tuple(done))


@cache
def _opened(total: int) -> Account:
    """Both opening draws are done; nobody has read anything yet."""
    now = account.open_account(total, sources=SOURCES)
    for player in (0, 1):
        now = account.draw(account.play(now, player=player, tiles=0))
    return now


def _opening(total: int, readings: Sequence[Sensed], turns: Sequence[TurnOfTiles]) -> "_Course":
    """Before the first turn: what racks hold and the bag weighs then is what draws start from."""
    course = _Course(_opened(total), Dealt(total - 2 * RACK_SIZE), about=frozenset((0, 1)))
    if not turns or not turns[0].group.events:
        return course
    span = Span(readings[0].at_ms, turns[0].at_ms, readings)
    span = drawn_only(span, turns[0].group.events[0].player)
    lifts = span.lifts
    last = Part(span, lifts=0, is_whole=True, is_last=True).last_words(course.about)
    last = [
        report
        for report in last
        if not (report.is_weight and lifts and lifts[-1].at_ms > report.at_ms)
    ]
    now, scale = course.scale.read(course.now, last, readings)
    return replace(course, now=now, scale=scale)


def _standing(groups: Sequence[ReadTurn]) -> frozenset[tuple[int, int]]:
    """The plays that nobody takes back, by group and place: only those are drawn for."""
    kept: list[tuple[int, int]] = []
    for number, group in enumerate(groups):
        for place, event in enumerate(group.events):
            if isinstance(event, Laid):
                kept.append((number, place))
            elif isinstance(event, Withdrawn) and kept:
                kept.pop()
    return frozenset((groups[number].ref, place) for number, place in kept)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Weights of the bag that later ones are compared with.

    ``last`` was read in the act ``act`` of the account, compared with ``base``; ``well`` is the
    last one with which all was well, and how many tiles were in the bag then.
    """

    last: Sensed | None = None
    act: int = -1
    base: Sensed | None = None
    well: tuple[Sensed, int] | None = None

    def read(
        self, now: Account, last: Sequence[Sensed], readings: Sequence[Sensed]
    ) -> tuple[Account, "_Scale"]:
        """The account after the last words of sensors, and what the next weight is compared with.

        The account keeps the newest word of an act alone, so all of an act have one base.
        """
        base = self.base if self.act == now.act else self.last
        words = (change_since(readings, base, report) for report in last)
        after = account.read(now, [word for word in words if word is not None])
        weight = next((report for report in last if report.is_weight), None)
        if weight is None:
            return after, self
        best, well = after.stories[0], self.well
        if not best.mishaps and not best.broken:
            well = (weight, best.counts[Zone.BAG])
        return after, _Scale(weight, now.act, base, well)

    def put_right(
        self, now: Account, dealt: Dealt, last: Sequence[Sensed], readings: Sequence[Sensed]
    ) -> Account | None:
        """The account as if nothing had gone wrong, if all that is said now fits that."""
        best = now.stories[0]
        if not last or not (best.mishaps or best.broken):
            return None
        base, held = (None, None) if self.well is None else self.well
        for report in last:
            word = change_since(readings, base, report)
            if word is not None and word.contradicts(dealt.counts(now.total), held):
                return None
        settled = account.settle(now, racks=dealt.racks, bag=dealt.bag)
        story = replace(settled.stories[0], broken=frozenset())
        return replace(settled, stories=(story,), before=(story,))


@dataclass(frozen=True, slots=True)
class _Course:
    """The account so far, who still has to draw, in order, and whose racks the turn is about.

    ``dealt`` is where the tiles should be, ``scale`` what the bag's weight is compared with.
    """

    now: Account
    dealt: Dealt
    waiting: tuple[Waiting, ...] = ()
    about: frozenset[int] = frozenset()
    scale: _Scale = field(default_factory=_Scale)

    def after(self, group: ReadTurn, standing: frozenset[tuple[int, int]]) -> "_Course":
        """After the events of a turn; what is drawn for them is still to come."""
        now, dealt, waiting, about = self.now, self.dealt, self.waiting, set()
        for place, event in enumerate(group.events):
            match event:
                case Played(player=player) | IllegallyPlayed(player=player) if (
                    group.ref,
                    place,
                ) in standing:
                    if any(who.player == player for who in waiting):
                        # Nobody saw that draw, but it must have been.
                        now, dealt = account.draw(now), dealt.drawn(player)
                        waiting = tuple(who for who in waiting if who.player != player)
                    tiles = len(event.laid)
                    now = account.play(now, player=player, tiles=tiles)
                    dealt = dealt.played(player, tiles)
                    counts = now.stories[0].counts
                    if counts[Zone.BAG]:
                        waiting = (*waiting, Waiting(player, counts[Zone.rack(player)]))
                    else:
                        now, dealt = account.draw(now), dealt.drawn(player)
                    about.add(player)
                case Exchanged(player=player, count=count):
                    now = account.exchange(now, player=player, tiles=count)
                    about.add(player)
                case Withdrawn():
                    # Hands were in racks, and what was drawn went back: what is where is unknown.
                    now = account.disturb(now)
        about |= {who.player for who in waiting}
        return replace(self, now=now, dealt=dealt, waiting=waiting, about=frozenset(about))

    def read(self, part: "Part") -> tuple["_Course", list[Sensed]]:
        """After what was drawn and read in a part of the turn, and the readings that count."""
        drawn = part.drawn(self.waiting)
        # Before anybody draws only the bag tells something: what it holds after the draw before.
        last = part.last_weight if part.is_before else part.last_words(self.about)
        # Of a bag that is lifted once more before it was weighed nothing is known either.
        is_between = part.is_lifted and not (drawn or part.is_last or part.last_weight)
        if is_between or (part.is_before and not last):
            return self, []
        now, dealt = self.now, self.dealt
        for who in drawn:
            now, dealt = account.draw(now), dealt.drawn(who.player)
        if part.is_lifted and not drawn:
            # A bag that nobody had to lift: either something is put right, or something is wrong.
            well = self.scale.put_right(now, dealt, last, part.span.readings)
            now = account.disturb(now) if well is None else well
        now, scale = self.scale.read(now, last, part.span.readings)
        waiting = tuple(who for who in self.waiting if who not in drawn)
        return replace(self, now=now, dealt=dealt, waiting=waiting, scale=scale), last


@dataclass(frozen=True, slots=True)
class _Done:
    """What came out after a turn that is over; ``key`` is all that it follows from."""

    key: tuple[TurnOfTiles, int | None, frozenset[tuple[int, int]], tuple[int, ...]]
    course: _Course
    found: tuple[TileFinding, ...]
    unpressed: tuple[Unpressed, ...]


def _on_turn(group: ReadTurn) -> int | None:
    """Whose turn it is after a turn."""
    return 1 - group.events[-1].player if group.events else None


def _unpressed(group: ReadTurn, span: Span, due: int) -> list[Unpressed]:
    """Who was on turn laid tiles and drew, and has not pressed (TURN-3).

    The first ``due`` times that the bag was lifted were for others. A rack must show it.
    """
    player = _on_turn(group)
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


def _as_far_as_over(span: Span, course: _Course, now_ms: int, *, exchanges: bool) -> Span | None:
    """The span after the newest turn as far as its last draw can be read, None while it cannot.

    ``exchanges``: after the draw the tiles that were laid aside have to go into the bag.
    """
    heard, lifted = span.heard, span.lifts
    weighed = [report.at_ms for report in heard if report.is_weight]
    if lifted and (not weighed or weighed[-1] < lifted[-1].at_ms):
        return None
    newest = max((report.at_ms for report in heard), default=None)
    settled = newest is not None and now_ms - newest >= SETTLED_MS
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
        return any(reading.player is None for reading in span.readings)
    return count_of(said) == who.left

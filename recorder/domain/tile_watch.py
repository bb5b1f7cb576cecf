"""Turns and sensors in the order of the tile account: which reading speaks of which draw.

A draw is read when it is over: the bag lies weighed again and the rack has settled, or the
opponent has pressed. What a sensor says in the middle of it says nothing. Times are data; a turn
whose draw is not over yet is left for later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, Played, Withdrawn
from recorder.domain.groups import Group
from recorder.domain.rules import account
from recorder.domain.rules.account import Account
from recorder.domain.rules.account_finding import Action, Finding, judge
from recorder.domain.rules.account_readings import Reading, Zone
from recorder.domain.tile_spans import (
    SOURCES,
    Part,
    Sensed,
    Span,
    Waiting,
    count_of,
    drawn_only,
)

SETTLED_MS = 3_000
"""A rack that has said nothing new for this long has been drawn to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOfTiles:
    """A turn as the account needs it: its group, when it was pressed, what its events moved."""

    group: Group
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFinding:
    """What the account came to after a draw: the turn's ``ref`` and the rows that say so."""

    ref: int
    refs: tuple[int, ...]
    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpressed:
    """A player drew before the own press: the ``ref`` of the turn before, the rows, and who."""

    ref: int
    refs: tuple[int, ...]
    player: int


@dataclass(frozen=True, slots=True)
class Watched:
    """All findings so far, and whether the newest draw may still be going on.

    ``done`` are the turns that are over, so that they need not be gone through again.
    """

    found: tuple[TileFinding, ...] = ()
    drawing: bool = False
    unpressed: tuple[Unpressed, ...] = ()
    done: tuple["_Done", ...] = ()


def watch(
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
    if not any(one.reading is not None for one in readings):
        return Watched()
    found: list[TileFinding] = []
    unpressed: list[Unpressed] = []
    drawing = False
    course = _Course(_opened(total))
    standing = _standing([turn.group for turn in turns])
    ends = [*(turn.at_ms for turn in turns[1:]), pressed_ms]
    done: list[_Done] = []
    known = before.done if before is not None else ()
    for turn, end_ms in zip(turns, ends, strict=False):
        span = Span(turn.at_ms, now_ms + 1 if end_ms is None else end_ms, readings)
        kept = frozenset(one for one in standing if one[0] == turn.group.ref)
        key = (turn, end_ms, kept, tuple(one.seq for one in span.until))
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
            unpressed += early
            span = drawn_only(span, on_turn)
            drawing = end_ms is None and not _is_over(span, course, now_ms)
            parts = span.parts(early[0].refs[1] if early else None)
            # While somebody draws, what was read before the bag was lifted last still holds.
            for part in parts[:-1] if drawing else parts:
                course, last = course.read(part)
                finding = judge(course.now)
                if last and _is_new(finding, found):
                    refs = (turn.group.ref, *(one.seq for one in last))
                    found.append(TileFinding(ref=turn.group.ref, refs=refs, finding=finding))
        except RecorderError:
            break  # the record holds what no account can; its own doubts say so
        if end_ms is not None:
            done.append(_Done(key, course, tuple(found), tuple(unpressed)))
    return Watched(tuple(found), drawing, tuple(unpressed), tuple(done))


def _opened(total: int) -> Account:
    """Both opening draws are done; nobody has read anything yet."""
    now = account.open_account(total, sources=SOURCES)
    for player in (0, 1):
        now = account.draw(account.play(now, player=player, tiles=0))
    return now


def _standing(groups: Sequence[Group]) -> frozenset[tuple[int, int]]:
    """The plays that nobody takes back, by group and place: only those are drawn for."""
    kept: list[tuple[int, int]] = []
    for number, group in enumerate(groups):
        for place, event in enumerate(group.events):
            if isinstance(event, Played):
                kept.append((number, place))
            elif isinstance(event, Withdrawn) and kept:
                kept.pop()
    return frozenset((groups[number].ref, place) for number, place in kept)


@dataclass(frozen=True, slots=True)
class _Course:
    """The account so far, who still has to draw, in order, and whose racks the turn is about."""

    now: Account
    waiting: tuple[Waiting, ...] = ()
    about: frozenset[int] = frozenset()

    def after(self, group: Group, standing: frozenset[tuple[int, int]]) -> "_Course":
        """After the events of a turn; what is drawn for them is still to come."""
        now, waiting, about = self.now, self.waiting, set()
        for place, event in enumerate(group.events):
            match event:
                case Played(player=player, placement=placement) if (group.ref, place) in standing:
                    if any(one.player == player for one in waiting):
                        # Nobody saw that draw, but it must have been.
                        now = account.draw(now)
                        waiting = tuple(one for one in waiting if one.player != player)
                    tiles = len(placement.new_tiles())
                    now = account.play(now, player=player, tiles=tiles)
                    counts = now.stories[0].counts
                    if counts[Zone.BAG]:
                        waiting = (*waiting, Waiting(player, counts[Zone.rack(player)]))
                    else:
                        now = account.draw(now)
                    about.add(player)
                case Exchanged(player=player, count=count):
                    now = account.exchange(now, player=player, tiles=count)
                    about.add(player)
                case Withdrawn():
                    # Hands were in racks, and what was drawn went back: what is where is unknown.
                    now = account.disturb(now)
        about |= {one.player for one in waiting}
        return _Course(now, waiting, frozenset(about))

    def read(self, part: "Part") -> tuple["_Course", list[Sensed]]:
        """After what was drawn and read in a part of the turn, and the readings that count."""
        drawn = part.drawn(self.waiting)
        if not drawn and not part.is_whole and not part.is_lifted:
            return self, []
        now = self.now
        for _ in drawn:
            now = account.draw(now)
        last = part.last_words(self.about)
        words = [one.reading for one in last if one.reading is not None]
        if part.is_lifted and not drawn:
            # A bag that nobody had to lift: either something is put right, or something is wrong.
            well = _put_right(now, words)
            now = account.disturb(now) if well is None else well
        now = account.read(now, words)
        waiting = tuple(one for one in self.waiting if one not in drawn)
        return _Course(now, waiting, self.about), last


@dataclass(frozen=True, slots=True)
class _Done:
    """What came out after a turn that is over; ``key`` is all that it follows from."""

    key: tuple[TurnOfTiles, int | None, frozenset[tuple[int, int]], tuple[int, ...]]
    course: _Course
    found: tuple[TileFinding, ...]
    unpressed: tuple[Unpressed, ...]


def _put_right(now: Account, words: Sequence[Reading]) -> Account | None:
    """The account as if nothing had gone wrong, if all that is said now fits that."""
    well = next((one for one in now.stories if not one.mishaps and not one.broken), None)
    if well is None or not words or now.stories[0] is well:
        return None
    if any(one.contradicts(well.counts, well.weighed) for one in words):
        return None
    _, first, second, bag, table, _, _ = well.counts
    settled = account.settle(now, racks=(first, second), bag=bag, table=table)
    story = replace(settled.stories[0], broken=well.broken)
    return replace(settled, stories=(story,), before=(story,))


def _on_turn(group: Group) -> int | None:
    """Whose turn it is after a turn."""
    return 1 - group.events[-1].player if group.events else None


def _unpressed(group: Group, span: Span, due: int) -> list[Unpressed]:
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
        counts = [count_of(one) or 0 for one in (first, before, after)]
        if counts[0] > counts[1] < counts[2]:
            refs = (before.seq, lift.seq, after.seq)
            return [Unpressed(ref=group.ref, refs=refs, player=player)]
    return []


def _is_over(span: Span, course: _Course, now_ms: int) -> bool:
    """Whether the draw after the newest turn can be read."""
    heard, lifted = span.heard, span.lifts
    weighed = [one.at_ms for one in heard if one.player is None and one.reading is not None]
    if lifted and (not weighed or weighed[-1] < lifted[-1].at_ms):
        return False
    racks = [one for one in heard if one.player in course.about]
    if lifted and racks and racks[-1].at_ms >= lifted[0].at_ms:
        return True
    if not lifted and any(_may_draw(span, one) for one in course.waiting):
        return False
    newest = max((one.at_ms for one in heard), default=None)
    return newest is not None and now_ms - newest >= SETTLED_MS


def _is_new(finding: Finding, found: Sequence[TileFinding]) -> bool:
    if finding.action is Action.QUIET:
        return False
    same = (finding.mishap, finding.contradicted if finding.mishap is None else ())
    return all(
        same != (one.finding.mishap, one.finding.contradicted if one.finding.mishap is None else ())
        or (finding.action is Action.ALERT and one.finding.action is Action.ASK)
        for one in found
    )


def _may_draw(span: Span, one: Waiting) -> bool:
    """Whether a player is still to draw: the rack says so, or only a scale could tell."""
    said = span.rack(one.player, span.until_ms)
    if said is None:
        return any(reading.player is None for reading in span.readings)
    return count_of(said) == one.left

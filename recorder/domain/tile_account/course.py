"""The tile account from turn to turn: who draws when, what the bag's weight is compared with.

Which draw is over, and what is found then, is in ``watch``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from recorder.domain.game import Exchanged, IllegallyPlayed, Laid, Played, Withdrawn
from recorder.domain.reading.turns import ReadTurn
from recorder.domain.tile_account import account
from recorder.domain.tile_account.account import Account
from recorder.domain.tile_account.readings import Zone
from recorder.domain.tile_account.sensor_reports import (
    SOURCES,
    FoundReports,
    Sensed,
    SensorReports,
    change_since,
)
from recorder.domain.tile_account.sensor_spans import Dealt, Part, Span, Waiting, drawn_only
from recorder.domain.tile_account.stories import SELDOM
from recorder.domain.tile_account.unpressed import Unpressed
from recorder.domain.tiles import RACK_SIZE

LEAST_LAID = 0.1
"""Whoever has always racked at once may lay tiles down for once."""
LIKELY = 5.0
"""Nats behind the likeliest story at which another is still to be reckoned with."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Weights of the bag that later ones are compared with.

    ``last`` was read in the act ``act`` of the account, compared with ``base``; ``well`` is the
    last one with which all was well, and how many tiles were in the bag then.
    """

    last: Sensed | None = None
    act: int = -1
    base: Sensed | None = None
    well: tuple[Sensed, int] | None = None

    def read(
        self, now: Account, last: Sequence[Sensed], readings: FoundReports
    ) -> tuple[Account, "Scale"]:
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
        return after, Scale(weight, now.act, base, well)

    def put_right(
        self, now: Account, dealt: Dealt, last: Sequence[Sensed], readings: FoundReports
    ) -> Account | None:
        """The account as if nothing had gone wrong, if all that is said now fits that."""
        base, held = (None, None) if self.well is None else self.well
        for report in last:
            word = change_since(readings, base, report)
            if word is not None and word.contradicts(dealt.counts(now.total), held):
                return None
        settled = account.settle(now, racks=dealt.racks, bag=dealt.bag, table=sum(dealt.apart))
        story = settled.stories[0]._replace(broken=frozenset())
        return replace(settled, stories=(story,), before=(story,))


@dataclass(frozen=True, slots=True)
class Course:
    """The account so far, who still has to draw, in order, and whose racks the turn is about.

    ``dealt`` is where the tiles should be, ``scale`` what the bag's weight is compared with.
    ``is_right``: everything that was said last is as it should be. ``doubts`` says of each source
    at the ends of how many turns running it has said something else than the others. ``draws``
    are those seen so far of each player: how many, and how many lay on the table first.
    ``is_calm``: nobody held, challenged or exchanged in the turn, when hands rightly move tiles.
    """

    now: Account
    dealt: Dealt
    waiting: tuple[Waiting, ...] = ()
    about: frozenset[int] = frozenset()
    scale: Scale = field(default_factory=Scale)
    is_right: bool = False
    doubts: Mapping[str, int] = field(default_factory=dict)
    draws: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    is_calm: bool = True

    def after(
        self, group: ReadTurn, standing: frozenset[tuple[int, int]], drew: frozenset[int]
    ) -> "Course":
        """After the events of a turn; what is drawn for them is still to come.

        But not for the players of ``drew``, who drew before they pressed.
        """
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
                    now, dealt = _taken_up(now, dealt, player)
                    tiles = len(event.laid)
                    now = account.play(now, player=player, tiles=tiles)
                    dealt = dealt.played(player, tiles)
                    if player not in drew and _may_hold_tiles(now):
                        left = now.stories[0].counts[Zone.rack(player)]
                        waiting = (*waiting, Waiting(player, left))
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
        after = replace(self, now=now, dealt=dealt, waiting=waiting, about=frozenset(about))
        return replace(after, is_right=False, is_calm=is_calm(group))

    def read(self, part: "Part", *, is_suspected: bool) -> tuple["Course", list[Sensed]]:
        """After what was drawn and read in a part of the turn, and the readings that count.

        ``is_suspected``: something was found that may be put right by now.
        """
        drawn = part.drawn(self.waiting)
        # Before anybody draws only the bag tells something: what it holds after the draw before.
        last = part.last_weight if part.is_before else part.last_words(self.about)
        # Of a bag that is lifted once more before it was weighed nothing is known either.
        is_between = part.is_lifted and not (drawn or part.is_last or part.last_weight)
        if is_between or (part.is_before and not last):
            return self, []
        now, dealt = self.now, self.dealt
        for player in (0, 1):
            if dealt.apart[player] and part.has_grown(player, dealt.racks[player]):
                now, dealt = _taken_up(now, dealt, player)
        draws = list(self.draws)
        for who in drawn:
            apart, (seen, laid) = part.lies_apart(who), draws[who.player]
            now = account.draw(now, apart=apart, laid_first=_laid_first(seen, laid))
            dealt = dealt.drawn(who.player, apart=apart)
            draws[who.player] = (seen + 1, laid + part.was_laid(who))
        # Whatever was wrong before: where all sensors agree that it is right, it is put right.
        best, words = now.stories[0], part.last_words((0, 1))
        well = None
        if words and (is_suspected or best.mishaps or best.broken):
            well = self.scale.put_right(now, dealt, words, part.span.readings)
        if well is not None:
            now = well
        elif part.is_lifted and not drawn:
            # Nobody had to lift it, whoever did; or somebody drew before whoever has to.
            grown = [player for player in (0, 1) if part.has_grown(player, RACK_SIZE)]
            drew = grown if self.is_calm else ()
            now = account.disturb(now, drew=drew, is_found=is_suspected)
            last = part.last_words((0, 1))
        now, scale = self.scale.read(now, last, part.span.readings)
        waiting = tuple(who for who in self.waiting if who not in drawn)
        course = replace(self, now=now, dealt=dealt, waiting=waiting, scale=scale)
        course = replace(course, draws=(draws[0], draws[1]))
        return replace(course, is_right=well is not None), last

    def doubting(self) -> "Course":
        """At the end of a turn: which sources say something else than the likeliest story has."""
        best = self.now.stories[0]
        doubts = dict(self.doubts)
        for reading in self.now.readings:
            wrong = reading.contradicts(best.counts, best.weighed_before) and not best.mishaps
            doubts[reading.source] = doubts.get(reading.source, 0) + 1 if wrong else 0
        return replace(self, doubts=doubts)


def is_calm(group: ReadTurn) -> bool:
    """Whether nobody held, challenged or exchanged in a turn: then hands move no tiles, rightly."""
    unrest = ("hold_after_ms", "challenge_after_ms")
    moves = any(isinstance(event, Exchanged | Withdrawn) for event in group.events)
    return not moves and not any(name in group.facts for name in unrest)


def _laid_first(seen: int, laid: int) -> float:
    """The share of a player's draws that lie on the table first, by those seen so far."""
    return max(LEAST_LAID, (laid + SELDOM) / (seen + 1))


@cache
def _opened(total: int) -> Account:
    """Both opening draws are done; nobody has read anything yet."""
    now = account.open_account(total, sources=SOURCES)
    for player in (0, 1):
        now = account.draw(account.play(now, player=player, tiles=0))
    return now


def opening(
    total: int,
    readings: SensorReports,
    first: tuple[ReadTurn, int] | None,
    early: Sequence[Unpressed],
) -> "Course":
    """Before the first turn: what racks hold and the bag weighs then is what draws start from.

    Not what an ``early`` draw, before the press, has made of it. ``first`` is the first turn, with
    its press.
    """
    course = Course(_opened(total), Dealt(total - 2 * RACK_SIZE), about=frozenset((0, 1)))
    if first is None or not first[0].events:
        return course
    group, pressed_ms = first
    lifted = {draw.refs[1] for draw in early}
    ends = [report.at_ms for report in readings if report.is_lift and report.seq in lifted]
    span = Span(readings[0].at_ms, min((*ends, pressed_ms)), readings)
    span = drawn_only(span, group.events[0].player)
    lifts = span.lifts
    last = Part(span, lifts=0, is_whole=True, is_last=True).last_words(course.about)
    last = [
        report
        for report in last
        if not (report.is_weight and lifts and lifts[-1].at_ms > report.at_ms)
    ]
    now, scale = course.scale.read(course.now, last, readings)
    return replace(course, now=now, scale=scale)


def standing_plays(groups: Sequence[ReadTurn]) -> frozenset[tuple[int, int]]:
    """The plays that nobody takes back, by group and place: only those are drawn for."""
    kept: list[tuple[int, int]] = []
    for number, group in enumerate(groups):
        for place, event in enumerate(group.events):
            if isinstance(event, Laid):
                kept.append((number, place))
            elif isinstance(event, Withdrawn) and kept:
                kept.pop()
    return frozenset((groups[number].ref, place) for number, place in kept)


def _may_hold_tiles(now: Account) -> bool:
    """Whether tiles are in the bag by any likely story: then a draw is to be waited for."""
    return any(story.counts[Zone.BAG] and story.log_p >= -LIKELY for story in now.stories)


def _taken_up(now: Account, dealt: Dealt, player: int) -> tuple[Account, Dealt]:
    """After a player has put on the rack what lay on the table."""
    if not dealt.apart[player]:
        return now, dealt
    both = all(dealt.apart)
    now = account.take_up(now, player=player, tiles=dealt.apart[player] if both else None)
    return now, dealt.taken_up(player)

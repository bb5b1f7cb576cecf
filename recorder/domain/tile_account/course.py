"""The tile account from turn to turn: who draws when, what the bag's weight is compared with.

Which draw is over, and what is found then, is in ``watch``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, reduce

from recorder.domain.game import Exchanged, IllegallyPlayed, Laid, Played, Withdrawn, standing_plays
from recorder.domain.tile_account import account
from recorder.domain.tile_account.account import Account
from recorder.domain.tile_account.readings import Zone
from recorder.domain.tile_account.sensor_reports import (
    SOURCES,
    FoundReports,
    Sensed,
    SensorReports,
    change_since,
    count_of,
)
from recorder.domain.tile_account.sensor_spans import Dealt, Part, Span, Waiting, drawn_only
from recorder.domain.tile_account.stories import SELDOM
from recorder.domain.tile_account.unpressed import Unpressed
from recorder.domain.tiles import RACK_SIZE
from recorder.domain.turns import Turn

LEAST_LAID = 0.1
"""The player who has always racked at once may lay tiles down for once."""
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
        self,
        now: Account,
        should: Sequence[Dealt | None],
        last: Sequence[Sensed],
        readings: FoundReports,
    ) -> tuple[Account, Dealt] | None:
        """The account as if nothing had gone wrong, if all that is said now fits that.

        ``should``: where the tiles are then; the first of them that fits.
        """
        base, held = (None, None) if self.well is None else self.well
        words = [change_since(readings, base, report) for report in last]
        for dealt in should:
            if dealt is not None and not any(
                word is not None and word.contradicts(dealt.counts(now.total), held)
                for word in words
            ):
                apart = sum(dealt.apart)
                return account.settle(now, racks=dealt.racks, bag=dealt.bag, table=apart), dealt
        return None


@dataclass(frozen=True, slots=True)
class Course:
    """The account so far, who still has to draw, in order, and whose racks the turn is about.

    ``dealt`` is where the tiles should be, ``scale`` what the bag's weight is compared with.
    ``is_right``: everything that was said last is as it should be. ``doubts`` says of each source
    at the ends of how many turns running it has said something else than the others, ``silent``
    in how many of a rack's plays running it has not changed its word. ``draws`` are those seen so
    far of each player: how many, and how many lay on the table first.
    ``is_calm``: nobody held, challenged or exchanged in the turn, when hands rightly move tiles.
    ``in_order`` is where the tiles are once a draw out of order, in this turn, has been undone and
    made again in order; None where there was none. ``newest`` is the last draw of this turn, with
    where the tiles were before it.
    """

    now: Account
    dealt: Dealt
    waiting: tuple[Waiting, ...] = ()
    about: frozenset[int] = frozenset()
    scale: Scale = field(default_factory=Scale)
    is_right: bool = False
    doubts: Mapping[str, int] = field(default_factory=dict)
    silent: Mapping[str, int] = field(default_factory=dict)
    draws: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    is_calm: bool = True
    in_order: Dealt | None = None
    newest: tuple[Waiting, Dealt] | None = None

    def after(
        self,
        group: Turn,
        standing: frozenset[tuple[int, int]],
        drew: frozenset[int],
        pressed_ms: int,
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
                        waiting = (*waiting, Waiting(player, left, pressed_ms))
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
        return replace(after, is_right=False, is_calm=is_calm(group), in_order=None, newest=None)

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
        draws, newest, waiting = list(self.draws), self.newest, self.waiting
        is_undone = newest is not None and self._is_undone(part, newest, drawn)
        if newest is not None and is_undone:
            (who, dealt), newest = newest, None
            tiles = dealt.bag - self.dealt.bag
            now = account.undo_draw(now, player=who.player, tiles=tiles)
            waiting = (who, *waiting)
        for who in drawn:
            newest = who, dealt
            apart, (seen, laid) = part.lies_apart(who), draws[who.player]
            now = account.draw(now, apart=apart, laid_first=_laid_first(seen, laid))
            dealt = dealt.drawn(who.player, apart=apart)
            draws[who.player] = (seen + 1, laid + part.was_laid(who))
        # Whatever was wrong before: where all sensors agree that it is right, it is put right.
        best, words = now.stories[0], part.last_words((0, 1))
        in_order = self._in_order(drawn)
        well = None
        if words and (is_suspected or best.mishaps or best.broken):
            well = self.scale.put_right(now, (dealt, in_order), words, part.span.readings)
        if well is not None:
            (now, dealt), in_order = well, None
        elif part.is_lifted and not drawn and not is_undone:
            # Nobody had to lift it, whoever did; or somebody drew before whoever has to.
            grown = [player for player in (0, 1) if part.has_grown(player, RACK_SIZE)]
            drew = grown if self.is_calm else ()
            now = account.disturb(now, drew=drew, is_found=is_suspected)
            last = part.last_words((0, 1))
        now, scale = self.scale.read(now, last, part.span.readings)
        waiting = tuple(who for who in waiting if who not in drawn)
        course = replace(self, now=now, dealt=dealt, waiting=waiting, scale=scale)
        course = replace(course, draws=(draws[0], draws[1]), newest=newest)
        return replace(course, is_right=well is not None, in_order=in_order), last

    def _is_undone(
        self, part: "Part", newest: tuple[Waiting, Dealt], drawn: Sequence[Waiting]
    ) -> bool:
        """Whether the newest draw went back into the bag, as rightly on a hold."""
        if self.is_calm or drawn or not part.is_lifted:
            return False
        who, before = newest
        said = part.span.rack(who.player, part.span.until_ms)
        if said is not None:
            return count_of(said) == who.left
        return part.into_bag == before.bag - self.dealt.bag

    def _in_order(self, drawn: Sequence[Waiting]) -> Dealt | None:
        """Where the tiles should be had all drawn in order, if those of ``drawn`` did not."""
        if not drawn or drawn[0] == self.waiting[0]:
            return self.in_order
        return reduce(lambda dealt, who: dealt.drawn(who.player), self.waiting, self.dealt)

    def noting_silence(
        self, group: Turn, reports: FoundReports, began_ms: int, end_ms: int
    ) -> "Course":
        """At the end of a turn: which sources of a rack did not notice the play made from it.

        Tiles left it between ``began_ms``, when the player's turn began, and ``end_ms``, by
        which it was drawn to: a sensor of it must have said another number in between.
        """
        laid = next((event for event in group.events if isinstance(event, Laid)), None)
        if laid is None or not self.is_calm or any(self.dealt.apart):
            return self
        silent = dict(self.silent)
        for source in reports.spoken(began_ms):
            before = reports.newest(source, began_ms)
            if before is None or before.is_gone or before.player != laid.player:
                continue
            said = reports.found(source, began_ms, end_ms)
            is_stuck = all(count_of(word) == count_of(before) for word in said)
            silent[source[0]] = silent.get(source[0], 0) + 1 if is_stuck else 0
        return replace(self, silent=silent)

    def doubting(self) -> "Course":
        """At the end of a turn: which sources say something else than the likeliest story has."""
        best = self.now.stories[0]
        doubts = dict(self.doubts)
        for reading in self.now.readings:
            wrong = reading.contradicts(best.counts, best.weighed_before) and not best.mishaps
            doubts[reading.source] = doubts.get(reading.source, 0) + 1 if wrong else 0
        return replace(self, doubts=doubts)


def is_calm(group: Turn) -> bool:
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
    first: tuple[Turn, int] | None,
    early: Sequence[Unpressed],
) -> "Course":
    """Before the first turn: what racks hold and the bag weighs then is what draws start from.

    Not what an ``early`` draw, before the press, has made of it. ``first`` is the first turn, with
    its press.
    """
    course = Course(_opened(total), Dealt(total - 2 * RACK_SIZE), about=frozenset((0, 1)))
    if first is None or not first[0].events:
        return course
    now, scale = course.scale.read(course.now, opening_words(readings, first, early), readings)
    return replace(course, now=now, scale=scale)


def opening_words(
    readings: SensorReports,
    first: tuple[Turn, int] | None,
    early: Sequence[Unpressed],
    *,
    mover: int | None = None,
) -> list[Sensed]:
    """What sensors said last of both racks and the bag before the first play was laid and drawn.

    Without a ``first`` turn, what they said last, before the ``mover`` began to lay tiles, and
    before the bag was lifted that has not been weighed since. A weight before the last lift says
    nothing.
    """
    if first is None:
        until_ms = readings[-1].at_ms + 1
        lifts, weight = readings.lifts(readings[0].at_ms, until_ms), readings.weight(until_ms)
        if lifts and weight is not None and weight.at_ms < lifts[-1].at_ms:
            until_ms = lifts[-1].at_ms
        span = Span(readings[0].at_ms, until_ms, readings)
        return _words_of(drawn_only(span, mover))
    group, pressed_ms = first
    player = group.events[0].player
    lifted = (readings.row(draw.refs[1]) for draw in early)
    ends = [report.at_ms for report in lifted if report is not None and report.is_lift]
    until_ms = min((*ends, pressed_ms))
    span = Span(readings[0].at_ms, until_ms, readings)
    # Asked at every later word of a sensor, and the same for the whole game.
    key = ("opening", player, until_ms)
    return readings.once(key, until_ms, lambda: _words_of(drawn_only(span, player)))


def _words_of(span: Span) -> list[Sensed]:
    """The last words of a span about both racks and the bag, without weights that a lift ended."""
    lifts = span.lifts
    last = Part(span, lifts=0, is_whole=True, is_last=True).last_words((0, 1))
    return [
        report
        for report in last
        if not (report.is_weight and lifts and lifts[-1].at_ms > report.at_ms)
    ]


def drawn_for(groups: Sequence[Turn]) -> frozenset[tuple[int, int]]:
    """The plays that nobody takes back, by group and place: only those are drawn for."""
    placed = [
        (group.ref, place, event) for group in groups for place, event in enumerate(group.events)
    ]
    return frozenset(placed[at][:2] for at in standing_plays(event for *_, event in placed))


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

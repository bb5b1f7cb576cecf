"""What sensors of tiles said between two presses, in the parts in which one draw may have been.

Values and what can be read off them; what it means for the tiles is in ``tile_watch``.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from recorder.domain.tile_account.readings import Counts
from recorder.domain.tile_account.sensor_reports import (
    FoundReports,
    NarrowedReports,
    Sensed,
    count_of,
)
from recorder.domain.tiles import RACK_SIZE

MOST_GOES = 20
"""Nobody draws more often in one turn: a bag that is lifted once more goes on being drawn from."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who has to draw since a press, and how many tiles were left on that rack."""

    player: int
    left: int
    since_ms: int = 0


@dataclass(frozen=True, slots=True)
class Dealt:
    """Where the tiles are that are not on the board, if nobody ever did anything wrong.

    ``apart`` are tiles of each player that were drawn and lie on the table (DRAW-1, HOLD-5).
    """

    bag: int
    racks: tuple[int, int] = (RACK_SIZE, RACK_SIZE)
    apart: tuple[int, int] = (0, 0)

    def played(self, player: int, tiles: int) -> "Dealt":
        """So many tiles went from a rack to the board."""
        return self._moved(player, to_rack=-tiles)

    def drawn(self, player: int, *, apart: bool = False) -> "Dealt":
        """A player drew what was due, to the rack or to the table."""
        due = min(RACK_SIZE - self.racks[player] - self.apart[player], self.bag)
        return replace(
            self._moved(player, to_rack=0 if apart else due, to_table=due if apart else 0),
            bag=self.bag - due,
        )

    def taken_up(self, player: int) -> "Dealt":
        """What a player had drawn to the table stands on the rack."""
        return self._moved(player, to_rack=self.apart[player], to_table=-self.apart[player])

    def _moved(self, player: int, *, to_rack: int, to_table: int = 0) -> "Dealt":
        racks, apart = list(self.racks), list(self.apart)
        racks[player] += to_rack
        apart[player] += to_table
        return replace(self, racks=(racks[0], racks[1]), apart=(apart[0], apart[1]))

    def counts(self, total: int) -> Counts:
        """The same by zone, of a set of ``total`` tiles."""
        on_table = sum(self.apart)
        on_board = total - sum(self.racks) - self.bag - on_table
        return (on_board, *self.racks, self.bag, on_table, 0, 0)


@dataclass(frozen=True, slots=True)
class Span:
    """From one press to the next, and everything that sensors ever said."""

    from_ms: int
    until_ms: int
    readings: FoundReports

    @property
    def mark(self) -> Hashable:
        """Equal only where all that was ever said before its end is the same."""
        return self.readings.mark(self.until_ms)

    @property
    def heard(self) -> list[Sensed]:
        """What was said in it."""
        return self.readings.between(self.from_ms, self.until_ms)

    @property
    def lifts(self) -> list[Sensed]:
        """The times that the bag was lifted in it."""
        return self.readings.lifts(self.from_ms, self.until_ms)

    @property
    def weights(self) -> list[Sensed]:
        """The times that it was weighed in it."""
        return self.readings.weights(self.from_ms, self.until_ms)

    def away(self, lifts: Sequence[Sensed]) -> Callable[[int], bool]:
        """Whether a bag that was lifted at these times had not been weighed again by a moment.

        The lifts are in order: the last one before the moment shows.
        """
        lifted = [lift.at_ms for lift in lifts]
        weighed = [report.at_ms for report in self.weights]

        def is_away(at_ms: int) -> bool:
            place = bisect_right(lifted, at_ms)
            if not place:
                return False
            back = bisect_right(weighed, lifted[place - 1])
            return at_ms < (weighed[back] if back < len(weighed) else self.until_ms)

        return is_away

    def rack(self, player: int, before_ms: int) -> Sensed | None:
        """The newest word about a rack; sensors of racks speak when something has changed."""
        return self.readings.rack(player, before_ms)

    def parts(self, stop: int | None) -> list["Part"]:
        """Before the bag is lifted first, and after each time; not beyond the row ``stop``.

        A bag that is lifted once more before it was weighed goes on being drawn from: somebody
        draws in two goes, two draw one after the other, or it bounced where it was put down.
        """
        goes: list[list[Sensed]] = []
        is_weighed = True
        for report in self.heard:
            is_other = report.seq == stop or (is_weighed and len(goes) < MOST_GOES)
            if report.is_lift and (is_other or not goes):
                goes.append([report])
            elif report.is_lift:
                goes[-1].append(report)
            is_weighed = not report.is_lift and (is_weighed or report.is_weight)
        edges = [self.from_ms, *(go[0].at_ms for go in goes), self.until_ms]
        parts: list[Part] = []
        for go, (begin, end) in zip([[], *goes], pairwise(edges), strict=True):
            if go and go[0].seq == stop:
                break
            part = Span(begin, end, self.readings)
            parts.append(Part(part, len(go), is_whole=not goes, is_last=end == self.until_ms))
        return parts


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a turn in which one draw may have been.

    ``lifts``: so often the bag was lifted in it, the first time where it begins. ``is_whole``: the
    bag was never lifted in the turn; not ``is_last``: it is lifted once more. ``puts_back``: tiles
    went into the bag, and nobody drew.
    """

    span: Span
    lifts: int
    is_whole: bool
    is_last: bool
    puts_back: bool = False

    @property
    def is_lifted(self) -> bool:
        """Whether it begins with the bag lifted."""
        return self.lifts > 0

    @property
    def is_before(self) -> bool:
        """Whether the bag was lifted only after it."""
        return not (self.is_lifted or self.is_whole)

    def drawn(self, waiting: Sequence[Waiting]) -> tuple[Waiting, ...]:
        """Who has drawn by the end of it, as far as can be known.

        One at least where it is lifted.

        A rack that still holds what was left after the play has not been drawn to; nobody draws
        before the bag is lifted.
        """
        if self.is_before or self.puts_back:
            return ()
        full = tuple(who for who in waiting if self._is_full(who))
        if full or not self.is_lifted or self._went_to_another(waiting):
            return full
        # Without a word of any rack each time may have been another's draw.
        count = 1 if any(self._said(who) for who in waiting) else self.lifts
        return tuple(waiting[:count])

    def _went_to_another(self, waiting: Sequence[Waiting]) -> bool:
        """Whether somebody with no draw to make lifted the bag: that rack holds more now."""
        others = {0, 1} - {who.player for who in waiting}
        # A part of which everything was said in one millisecond has no lift in it.
        lifted_ms = max((lift.at_ms for lift in self.span.lifts), default=self.span.from_ms)
        before = ((self.span.rack(player, lifted_ms), player) for player in others)
        return any(
            said is not None and self.has_grown(player, max(RACK_SIZE, count_of(said) or 0))
            for said, player in before
        )

    @property
    def into_bag(self) -> int:
        """How many tiles likeliest went into the bag in it, by its weights; below 0: out of it."""
        return -sum(weight.out for weight in self.span.weights)

    def has_grown(self, player: int, held: int) -> bool:
        """Whether more tiles stand on a rack than ``held``."""
        said = self.span.rack(player, self.span.until_ms)
        return said is not None and (count_of(said) or 0) > held

    def lies_apart(self, who: Waiting) -> bool:
        """Whether what was drawn lies on the table: the bag was lifted, the rack as it was."""
        said = self._said(who)
        return self.is_lifted and said is not None and count_of(said) == who.left

    def was_laid(self, who: Waiting) -> bool:
        """Whether the rack was as it was when the bag had been set down: drawn to the table."""
        weighed = next((weight.at_ms for weight in self.span.weights), self.span.until_ms)
        said = self.span.rack(who.player, weighed)
        return self.is_lifted and said is not None and count_of(said) == who.left

    def _said(self, who: Waiting) -> Sensed | None:
        return self.span.rack(who.player, self.span.until_ms)

    def _is_full(self, who: Waiting) -> bool:
        said = self._said(who)
        if said is None:
            return self.is_whole
        return count_of(said) != who.left

    def last_words(self, players: Collection[int]) -> list[Sensed]:
        """The newest reading of the bag in it, and of each source about the racks of players.

        Who is on turn lays tiles: that rack says nothing of a draw.
        """
        racks = self.span.readings.of_sources(players, self.span.until_ms)
        return [*self.last_weight, *racks]

    @property
    def last_weight(self) -> list[Sensed]:
        """The newest weight of the bag in it, if any."""
        return self.span.weights[-1:]


def drawn_only(span: Span, player: int | None, due: int = 0) -> Span:
    """The span without what a rack said while its player, on turn, laid tiles from it.

    A draw that came late makes it fuller, a play emptier. Who has a hand in a bag that nobody had
    to lift, after the ``due`` draws, lays nothing: what left the rack then is in the bag.
    """
    if player is None:
        return span
    before = span.rack(player, span.from_ms)
    most = 0 if before is None else count_of(before) or 0
    in_bag, kept, later = span.away(span.lifts[due:]), list[Sensed](), span.heard
    for report in later:
        if report.player == player and not report.is_gone:
            count = count_of(report) or 0
            if count < most and not in_bag(report.at_ms):
                continue
            most = count
        kept.append(report)
    if len(kept) == len(later):
        return span
    readings = NarrowedReports(span.readings, span.from_ms, kept, (player, due))
    return Span(span.from_ms, span.until_ms, readings)

"""What sensors of tiles said between two presses, in the parts in which one draw may have been.

Values and what can be read off them; what it means for the tiles is in ``tile_watch``.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from recorder.domain.observations import (
    BagLifted,
    BagWeighed,
    CountEstimate,
    Observation,
    RackCounted,
    RackSeen,
    Side,
)
from recorder.domain.rules.account_readings import Counted, Estimated, Reading, Zone

SCALE = "bag scale"
_CAMERA, _COUNTER = "rack camera", "rack counter"
SOURCES = (
    SCALE, f"{_CAMERA} 1", f"{_CAMERA} 2", f"{_COUNTER} 1", f"{_COUNTER} 2",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensed:
    """What a sensor of tiles said: the row, when, and the reading; a bag that was lifted has none.

    ``player`` is whose rack it is about, None for the bag.
    """

    seq: int
    at_ms: int
    reading: Reading | None
    player: int | None = None


def sensed(
    seq: int, at_ms: int, observation: Observation, player_at: Callable[[Side], int | None]
) -> Sensed | None:
    """An observation as a reading of the account, None when it says nothing of tiles."""
    match observation:
        case RackSeen(side=side, count=count):
            return _rack(seq, at_ms, player_at(side), _CAMERA, count)
        case RackCounted(side=side, count=count):
            return _rack(seq, at_ms, player_at(side), _COUNTER, count)
        case BagWeighed(settled=True, tiles=CountEstimate() as tiles):
            chances = {tiles.count: tiles.probability, **dict(tiles.alternatives)}
            reading = Estimated(source=SCALE, zone=Zone.BAG, chances=chances)
            return Sensed(seq=seq, at_ms=at_ms, reading=reading)
        case BagLifted():
            return Sensed(seq=seq, at_ms=at_ms, reading=None)
        case _:
            return None


def _rack(seq: int, at_ms: int, player: int | None, kind: str, count: int) -> Sensed | None:
    if player is None:
        return None
    reading = Counted(source=f"{kind} {player + 1}", zone=Zone.rack(player), count=count)
    return Sensed(seq=seq, at_ms=at_ms, reading=reading, player=player)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who has to draw, and how many tiles were left on that rack."""

    player: int
    left: int


@dataclass(frozen=True, slots=True)
class Span:
    """From one press to the next, and everything that sensors ever said."""

    from_ms: int
    until_ms: int
    readings: Sequence[Sensed]

    @property
    def until(self) -> list[Sensed]:
        """What was ever said before its end."""
        return [one for one in self.readings if one.at_ms < self.until_ms]

    @property
    def heard(self) -> list[Sensed]:
        """What was said in it."""
        return [one for one in self.readings if self.from_ms <= one.at_ms < self.until_ms]

    @property
    def lifts(self) -> list[Sensed]:
        """The times that the bag was lifted in it."""
        return [one for one in self.heard if one.player is None and one.reading is None]

    def rack(self, player: int, before_ms: int) -> Sensed | None:
        """The newest word about a rack; sensors of racks speak when something has changed."""
        said = [one for one in self.readings if one.player == player and one.at_ms < before_ms]
        return said[-1] if said else None

    def parts(self, stop: int | None) -> list["Part"]:
        """Before the bag is lifted first, and after each time; not beyond the row ``stop``."""
        lifts = self.lifts
        edges = [self.from_ms, *(one.at_ms for one in lifts), self.until_ms]
        rows = [0, *(one.seq for one in lifts)]
        parts: list[Part] = []
        for row, (begin, end) in zip(rows, pairwise(edges), strict=True):
            if row and row == stop:
                break
            parts.append(Part(Span(begin, end, self.readings), bool(row), is_whole=not lifts))
        return parts


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a turn in which one draw may have been. ``is_whole``: the bag was never lifted."""

    span: Span
    is_lifted: bool
    is_whole: bool

    def drawn(self, waiting: Sequence[Waiting]) -> tuple[Waiting, ...]:
        """Who has drawn by the end of it, as far as can be told; one at least where it is lifted.

        A rack that still holds what was left after the play has not been drawn to.
        """
        full = tuple(one for one in waiting if self._is_full(one))
        if full or not self.is_lifted:
            return full
        return tuple(waiting[:1])

    def _is_full(self, one: Waiting) -> bool:
        said = self.span.rack(one.player, self.span.until_ms)
        if said is None:
            return self.is_whole
        return count_of(said) != one.left

    def last_words(self, players: Collection[int]) -> list[Sensed]:
        """The newest reading of the bag in it, and of each source about the racks of players.

        Who is on turn lays tiles: that rack says nothing of a draw.
        """
        about = [one for one in self.span.heard if one.player is None]
        about += [
            one
            for one in self.span.readings
            if one.player in players and one.at_ms < self.span.until_ms
        ]
        last = {(one.reading.source, one.reading.zone): one for one in about if one.reading}
        return list(last.values())


def count_of(said: Sensed) -> int | None:
    """The tiles on a rack, where they were counted."""
    return said.reading.count if isinstance(said.reading, Counted) else None


def drawn_only(span: Span, player: int | None) -> Span:
    """The span without what a rack said while its player, on turn, laid tiles from it.

    A draw that came late makes it fuller, a play emptier.
    """
    kept: list[Sensed] = []
    most = 0
    for one in span.readings:
        if one.player == player is not None:
            count = count_of(one) or 0
            if one.at_ms >= span.from_ms and count < most:
                continue
            most = count
        kept.append(one)
    return Span(span.from_ms, span.until_ms, kept)

"""What sensors of tiles say, by time: of a moment, a rack or the bag it is found at once.

Nothing here goes through all of a game: what a word costs does not depend on how many came before.
"""

from bisect import bisect_left
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, overload

from recorder.domain.instruments import BagLifted, BagWeighed, CountEstimate
from recorder.domain.observations import Observation, RackCounted, RackSeen, Side
from recorder.domain.tile_account.readings import Counted, SourceReading, Taken, Zone
from recorder.domain.tiles import RACK_SIZE

SCALE = "bag_scale"
_CAMERA, _COUNTER = "rack_camera", "rack_counter"
SOURCES = (
    SCALE, f"{_CAMERA}_1", f"{_CAMERA}_2", f"{_COUNTER}_1", f"{_COUNTER}_2",
)  # fmt: skip
MOST_COUNTED = {_CAMERA: 8, _COUNTER: 10}
"""More tiles than this on a rack its sensor cannot say (``rack.seen``, ``rack.count``)."""
_ALL, _LIFTS, _WEIGHTS, _RACKS, _OVERFULL = "all", "lifts", "weights", "racks", "overfull"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensed:
    """What a sensor of tiles said: the row, when, and the reading; a bag that was lifted has none.

    ``player`` is whose rack it is about, None for the bag. ``taken`` are the chances for how many
    tiles left the bag since it was weighed last, empty where nothing is known to compare with.
    ``is_gone``: the sensor is lost, and what it says here was its last word; it holds no more.
    """

    seq: int
    at_ms: int
    reading: SourceReading | None
    player: int | None = None
    taken: Mapping[int, float] = field(default_factory=dict)
    is_gone: bool = False

    @property
    def is_lift(self) -> bool:
        """Whether the bag was lifted."""
        return self.player is None and self.reading is None

    @property
    def out(self) -> int:
        """The likeliest number of tiles taken out since then, below 0: put in; 0 if unknown."""
        return max(self.taken, key=lambda count: self.taken[count], default=0)

    @property
    def is_weight(self) -> bool:
        """Whether the bag was weighed."""
        return self.player is None and self.reading is not None


class _Line:
    """Reports of one kind, in order, their moments, and the newest row up to each of them."""

    __slots__ = ("moments", "newest", "reports")

    def __init__(self) -> None:
        self.reports: list[Sensed] = []
        self.moments: list[int] = []
        self.newest: list[int] = []

    def since(self, row: int) -> Iterator[Sensed]:
        """Those that came in after a row, the last one first."""
        for place in range(len(self.reports) - 1, -1, -1):
            if self.newest[place] <= row:
                return
            if self.reports[place].seq > row:
                yield self.reports[place]


_NOTHING = _Line()


class FoundReports:
    """Reports by time, found by kind and moment; ``mark`` stays as it is while all before does."""

    def __init__(self) -> None:
        self._lines: dict[Hashable, _Line] = {}
        self._sources: dict[tuple[str, Zone], None] = {}

    def push(self, report: Sensed) -> None:
        """Add one that is not earlier than any other."""
        for kind in _kinds(report):
            line = self._lines.setdefault(kind, _Line())
            line.reports.append(report)
            line.moments.append(report.at_ms)
            line.newest.append(max(report.seq, line.newest[-1] if line.newest else 0))
        if report.reading is not None and report.player is not None:
            self._sources.setdefault((report.reading.source, report.reading.zone))

    def pop(self) -> Sensed:
        """Take the last one out again."""
        report = self._lines[_ALL].reports[-1]
        for kind in _kinds(report):
            line = self._lines[kind]
            line.reports.pop()
            line.moments.pop()
            line.newest.pop()
            if not line.reports:
                del self._lines[kind]
                if isinstance(kind, tuple):
                    self._sources.pop(kind, None)
        return report

    def between(self, from_ms: int, until_ms: int) -> list[Sensed]:
        """What was said from a moment on and before another."""
        return self.found(_ALL, from_ms, until_ms)

    def lifts(self, from_ms: int, until_ms: int) -> list[Sensed]:
        """The times that the bag was lifted, likewise."""
        return self.found(_LIFTS, from_ms, until_ms)

    def weights(self, from_ms: int, until_ms: int) -> list[Sensed]:
        """The times that it was weighed, likewise."""
        return self.found(_WEIGHTS, from_ms, until_ms)

    def of_rack(self, player: int, from_ms: int, until_ms: int) -> list[Sensed]:
        """What was said about a rack, likewise."""
        return [report for report in self.found(player, from_ms, until_ms) if not report.is_gone]

    def rack(self, player: int, before_ms: int) -> Sensed | None:
        """The newest word about a rack; sensors of racks speak when something has changed.

        Of a sensor that is lost nothing holds until it speaks again.
        """
        said = self.newest(player, before_ms)
        if said is None or not said.is_gone:
            return said
        others = self.of_sources((player,), before_ms)
        return max(others, key=lambda report: (report.at_ms, report.seq), default=None)

    def weight(self, before_ms: int) -> Sensed | None:
        """The newest weight of the bag."""
        return self.newest(_WEIGHTS, before_ms)

    def of_sources(self, players: Collection[int], before_ms: int) -> list[Sensed]:
        """The newest word of each source about the racks of players, in whichever order."""
        found = (self.newest(source, before_ms) for source in self.spoken(before_ms))
        return [
            report
            for report in found
            if report is not None and report.player in players and not report.is_gone
        ]

    @property
    def has_racks(self) -> bool:
        """Whether anything was ever said about a rack."""
        return _RACKS in self._lines

    @property
    def has_bag(self) -> bool:
        """Whether anything was ever said about the bag."""
        return _LIFTS in self._lines or _WEIGHTS in self._lines

    def mark(self, before_ms: int) -> Hashable:
        """Equal only where all that was said before the moment is the same."""
        raise NotImplementedError

    def found(self, kind: Hashable, from_ms: int, until_ms: int) -> list[Sensed]:
        """What is of a kind, from a moment on and before another."""
        line = self._lines.get(kind)
        if line is None:
            return []
        start = bisect_left(line.moments, from_ms)
        return line.reports[start : bisect_left(line.moments, until_ms, start)]

    def newest(self, kind: Hashable, before_ms: int) -> Sensed | None:
        """The last that is of a kind before a moment."""
        line = self._lines.get(kind)
        place = 0 if line is None else bisect_left(line.moments, before_ms)
        return line.reports[place - 1] if line is not None and place else None

    def spoken(self, before_ms: int) -> list[tuple[str, Zone]]:
        """The sources of racks that had spoken before a moment."""
        lines = self._lines
        return [source for source in self._sources if lines[source].moments[0] < before_ms]


class SensorReports(FoundReports, Sequence[Sensed]):
    """All reports of a game, or of the sensors that it has, in order."""

    def __init__(self, reports: Iterable[Sensed] = ()) -> None:
        super().__init__()
        self._marks: list[object] = [object()]
        self._known: dict[Hashable, tuple[object, Any]] = {}
        self._rows: dict[int, Sensed] = {}
        for report in reports:
            self.push(report)

    def push(self, report: Sensed) -> None:
        """See ``FoundReports``."""
        super().push(report)
        self._marks.append(object())
        self._rows[report.seq] = report

    def pop(self) -> Sensed:
        """See ``FoundReports``."""
        self._marks.pop()
        report = super().pop()
        self._rows.pop(report.seq, None)
        return report

    @overload
    def __getitem__(self, place: int) -> Sensed: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Sensed]: ...
    def __getitem__(self, place: int | slice) -> Sensed | Sequence[Sensed]:
        """By place, in order."""
        return self._lines.get(_ALL, _NOTHING).reports[place]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._marks) - 1

    def mark(self, before_ms: int) -> Hashable:
        """See ``FoundReports``."""
        line = self._lines.get(_ALL)
        return self._marks[0 if line is None else bisect_left(line.moments, before_ms)]

    def row(self, seq: int) -> Sensed | None:
        """What a row said of tiles; None where it said nothing of them."""
        return self._rows.get(seq)

    def once(self, what: Hashable, before_ms: int, work: Callable[[], _T]) -> _T:
        """What ``work`` makes of all before a moment: the same for as long as that is the same."""
        mark = self.mark(before_ms)
        known = self._known.get(what)
        if known is None or known[0] is not mark:
            known = self._known[what] = (mark, work())
        result: _T = known[1]
        return result

    @property
    def has_overfull(self) -> bool:
        """Whether more tiles than a rack may hold were ever counted on one."""
        return _OVERFULL in self._lines

    def lift_after(self, from_ms: int) -> Sensed | None:
        """When the bag was lifted first from a moment on."""
        return self._first(_LIFTS, from_ms)

    def weight_after(self, from_ms: int) -> Sensed | None:
        """When it was weighed first from a moment on."""
        return self._first(_WEIGHTS, from_ms)

    def _first(self, kind: Hashable, from_ms: int) -> Sensed | None:
        line = self._lines.get(kind, _NOTHING)
        place = bisect_left(line.moments, from_ms)
        return line.reports[place] if place < len(line.reports) else None

    def rack_since(self, player: int, row: int) -> Iterator[Sensed]:
        """What was said about a rack and came in after a row, the last word first."""
        said = self._lines.get(player, _NOTHING).since(row)
        return (report for report in said if not report.is_gone)

    def weights_since(self, row: int) -> Iterator[Sensed]:
        """The weights of the bag that came in after a row, the last one first."""
        return self._lines.get(_WEIGHTS, _NOTHING).since(row)


class NarrowedReports(FoundReports):
    """Reports of which some are left out from a moment on; before it they are another's.

    ``by`` is all that decides, beside what was said before, which of them are left out.
    """

    def __init__(
        self, base: FoundReports, from_ms: int, kept: Iterable[Sensed], by: Hashable
    ) -> None:
        super().__init__()
        self._base, self._from_ms, self._by = base, from_ms, by
        for report in kept:
            self.push(report)

    @property
    def has_racks(self) -> bool:
        """See ``FoundReports``."""
        return self._base.has_racks

    @property
    def has_bag(self) -> bool:
        """See ``FoundReports``."""
        return self._base.has_bag

    def mark(self, before_ms: int) -> Hashable:
        """See ``FoundReports``."""
        return (self._base.mark(before_ms), self._from_ms, self._by)

    def found(self, kind: Hashable, from_ms: int, until_ms: int) -> list[Sensed]:
        """See ``FoundReports``."""
        own = super().found(kind, from_ms, until_ms)
        if from_ms >= self._from_ms:
            return own
        return [*self._base.found(kind, from_ms, min(until_ms, self._from_ms)), *own]

    def newest(self, kind: Hashable, before_ms: int) -> Sensed | None:
        """See ``FoundReports``."""
        own = super().newest(kind, before_ms)
        return own or self._base.newest(kind, min(before_ms, self._from_ms))

    def spoken(self, before_ms: int) -> list[tuple[str, Zone]]:
        """See ``FoundReports``."""
        before = self._base.spoken(min(before_ms, self._from_ms))
        return [*before, *(source for source in super().spoken(before_ms) if source not in before)]


def in_order(readings: Sequence[Sensed]) -> SensorReports:
    """Reports by time as such."""
    return readings if isinstance(readings, SensorReports) else SensorReports(readings)


def _kinds(report: Sensed) -> tuple[Hashable, ...]:
    reading, player = report.reading, report.player
    if player is not None and reading is not None:
        full = (_OVERFULL,) if (count_of(report) or 0) > RACK_SIZE else ()
        return _ALL, _RACKS, player, (reading.source, reading.zone), *full
    return _ALL, _LIFTS if reading is None else _WEIGHTS


def sensed(
    seq: int, at_ms: int, observation: Observation, player_at: Callable[[Side], int | None]
) -> Sensed | None:
    """An observation as a reading of the account, None when it says nothing of tiles."""
    match observation:
        case RackSeen(side=side, count=count):
            return _rack(seq, at_ms, player_at(side), _CAMERA, count)
        case RackCounted(side=side, count=count):
            return _rack(seq, at_ms, player_at(side), _COUNTER, count)
        case BagWeighed(settled=True, tiles=CountEstimate() as tiles, taken=taken):
            reading = Taken(source=SCALE, level=_chances(tiles))
            return Sensed(seq=seq, at_ms=at_ms, reading=reading, taken=_chances(taken))
        case BagLifted():
            return Sensed(seq=seq, at_ms=at_ms, reading=None)
        case _:
            return None


def _chances(estimate: CountEstimate | None) -> Mapping[int, float]:
    if estimate is None:
        return {}
    return {estimate.count: estimate.probability, **dict(estimate.alternatives)}


def change_since(readings: FoundReports, base: Sensed | None, now: Sensed) -> SourceReading | None:
    """The weight ``now`` as the tiles that left the bag since it was weighed as ``base``.

    Weights reported between the two are added up. Compared with nothing where there is no base, or
    one of them has nothing to compare with. What is no weight stays as it is.
    """
    reading = now.reading
    if not isinstance(reading, Taken):
        return reading
    total: dict[int, float] = {0: 1.0} if base is not None else {}
    for report in [] if base is None else readings.weights(base.at_ms, now.at_ms + 1):
        if base is not None and _moment(base) < _moment(report) <= _moment(now):
            total = sums(total, report.taken)
    return replace(reading, taken=total)


def _moment(report: Sensed) -> tuple[int, int]:
    return report.at_ms, report.seq


def sums(first: Mapping[int, float], second: Mapping[int, float]) -> dict[int, float]:
    """The chances of the sum of two numbers that do not depend on each other."""
    sums: dict[int, float] = {}
    for count, chance in first.items():
        for other, share in second.items():
            sums[count + other] = sums.get(count + other, 0.0) + chance * share
    return sums


def _rack(seq: int, at_ms: int, player: int | None, kind: str, count: int) -> Sensed | None:
    if player is None:
        return None
    reading = Counted(
        source=f"{kind}_{player + 1}",
        zone=Zone.rack(player),
        count=count,
        is_full=count >= MOST_COUNTED[kind],
    )
    return Sensed(seq=seq, at_ms=at_ms, reading=reading, player=player)


def count_of(said: Sensed) -> int | None:
    """The tiles on a rack, where they were counted and the sensor is there."""
    if said.is_gone:
        return None
    return said.reading.count if isinstance(said.reading, Counted) else None

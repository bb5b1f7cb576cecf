"""What sources say of the tile account, and how likely they say it (DRAW-2, OVERDRAW-1).

A source counts a zone, or weighs the bag. Each has small errors of its own; that it is broken
altogether is for ``account`` to suppose. Chances are natural logarithms. No sensor is known here,
only what one reports.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from math import exp, log

from recorder.domain.notices import CodedText, coded

MISREAD = 0.01
"""Share of wrong counts of a rack camera, where nothing better was measured."""
BROKEN_COUNT = log(1 / 8)
"""Any of eight numbers: what a broken source says, be it a counter or a scale."""
FEW = 14
"""So few tiles weigh too little for a scale that drifts, or for their spread, to be one off."""
_NEIGHBOUR, _FAR = 0.45, 0.02
_LEAST = 1e-6
_CLEARLY = 3.0


class Zone(IntEnum):
    """Where tiles can be. LOST is where nobody looks: floor, lap, another table."""

    BOARD = 0
    RACK_1 = 1
    RACK_2 = 2
    BAG = 3
    TABLE = 4
    LOST = 5
    FOREIGN = 6

    @classmethod
    def rack(cls, player: int) -> "Zone":
        """The rack of player 0 or 1."""
        return cls.RACK_2 if player else cls.RACK_1


Counts = tuple[int, int, int, int, int, int, int]
"""Tiles by zone; FOREIGN says how many of all of them are of another set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A source counted ``count`` tiles in a zone; it is wrong with chance ``misread``.

    ``is_full``: it can count no more than that, so there may be more tiles.
    """

    source: str
    zone: Zone
    count: int
    misread: float = MISREAD
    is_full: bool = False

    @property
    def best(self) -> int:
        """The count."""
        return self.count

    def log_chance(self, counts: Counts, weighed: int | None) -> float:  # noqa: ARG002  for all
        """A wrong count is mostly one off."""
        off = self._off(counts)
        if off == 0:
            return log(1 - self.misread)
        share = _NEIGHBOUR if off == 1 else _FAR / (off - 1) ** 2
        return log(max(_LEAST, self.misread * share))

    def contradicts(self, counts: Counts, weighed: int | None) -> bool:  # noqa: ARG002  for all
        """Another number."""
        return self._off(counts) != 0

    def _off(self, counts: Counts) -> int:
        there = counts[self.zone]
        return 0 if self.is_full and there > self.count else abs(there - self.count)

    def said(self, counts: Counts) -> CodedText:
        """The number seen, and the number by the account."""
        return coded(
            "counted",
            source=self.source,
            zone=self.zone.name.lower(),
            tiles=self.count,
            should=counts[self.zone],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A source gave chances for how many tiles left the bag since it was weighed last.

    A difference of two weighings tells tiles apart that the weight of a full bag cannot: only
    the tiles that were drawn differ from each other. ``level`` are the chances for what is left,
    for a weighing that is compared with none (``taken`` is empty, or nobody read the one before),
    and beside the difference where few tiles are left.
    """

    source: str
    level: Mapping[int, float]
    taken: Mapping[int, float] = field(default_factory=dict)
    zone: Zone = Zone.BAG

    @property
    def best(self) -> int:
        """The likeliest count of what is left."""
        return max(self.level, key=lambda count: self.level[count])

    def log_chance(self, counts: Counts, weighed: int | None) -> float:
        """As the source says."""
        return log(max(_LEAST, self._chance(counts, weighed)))

    def contradicts(self, counts: Counts, weighed: int | None) -> bool:
        """A number that it thinks much less likely than another."""
        best = max((self.taken if self.taken and weighed is not None else self.level).values())
        return self._chance(counts, weighed) < best * exp(-_CLEARLY)

    def said(self, counts: Counts) -> CodedText:
        """The likeliest count, of what left the bag or of what is in it."""
        chances = self.taken or self.level
        best = max(chances, key=lambda count: chances[count])
        moved = "out_of_bag" if best >= 0 else "into_bag"
        return coded(
            moved if self.taken else "in_bag",
            source=self.source,
            tiles=abs(best),
            percent=round(100 * chances[best]),
            should=counts[self.zone],
        )

    def _chance(self, counts: Counts, weighed: int | None) -> float:
        now = counts[self.zone]
        if weighed is None or not self.taken:
            return self.level.get(now, 0.0)
        chance = self.taken.get(weighed - now, 0.0)
        few = max(self.level, key=lambda count: self.level[count], default=FEW + 1) <= FEW
        return min(chance, self.level.get(now, 0.0)) if few else chance


SourceReading = Counted | Taken
"""What one source said at one moment: its name, the zone, and how likely it says that.

``log_chance`` and ``contradicts`` go by the ``counts`` that may be true, and by how many tiles were
in the bag when it was ``weighed`` last, None if never.
"""

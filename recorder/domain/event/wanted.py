"""What is asked of a round before it is paired."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Method(StrEnum):
    """How a round is paired."""

    RANDOM = "random"
    AUSTRALIAN = "australian"
    KOTH = "koth"
    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    QUADS = "quads"
    FONTES = "fontes"
    FACTOR = "factor"
    TEAMS = "teams"
    INTERLEAVED = "interleaved"
    COP = "cop"


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedRound:
    """What is to be paired: which round, how, and who is not there.

    ``order`` is a shuffled order of all numbers, for the method that draws and for starts that
    nothing else decides. ``seats`` are the tables, best pair first; without any they count from 1.
    ``tables`` holds players who sit at one table throughout, ``prizes`` how many places pay: who
    cannot be caught any more is paired out of them. Both are the division's unless given.
    ``locked`` are pairs that the director has set.
    """

    round: int
    method: Method
    order: Sequence[int]
    absent: Collection[int] = ()
    tables: Mapping[int, int] | None = None
    seats: Sequence[int] = ()
    locked: Collection[tuple[int, int]] = ()
    prizes: int = 0

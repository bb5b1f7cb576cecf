"""What a bench finds, as ``tests/bench/run.py`` prints and keeps it."""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A median (or the only value) with its unit, and what it is held against, if anything.

    A baseline can also be said in words.
    """

    unit: str
    median: float
    p95: float | None = None
    baseline: float | str | None = None

    def fields(self) -> dict[str, float | str | None]:
        """By name, numbers to a thousandth; ``ratio`` is median to baseline."""
        by = self.baseline
        numbers = {
            "median": self.median,
            "p95": self.p95,
            "baseline": by,
            "ratio": self.median / by if by and not isinstance(by, str) else None,
        }
        rounded = {
            name: round(value, 3) if isinstance(value, float) else value
            for name, value in numbers.items()
        }
        return {"unit": self.unit, **rounded}


Figures = dict[str, Figure]


def figure_of(unit: str, values: Iterable[float], baseline: float | str | None = None) -> Figure:
    """Median and 95th of a hundred (by the nearest rank) of several values."""
    ordered = sorted(values)
    p95 = ordered[math.ceil(0.95 * len(ordered)) - 1]
    return Figure(unit, statistics.median(ordered), p95, baseline)

"""What one recorder looks after, and what it counts of what comes in."""

from dataclasses import dataclass, field

from recorder.table.game_recorder import TablePlan

DEFAULT_CONSOLES = ("console",)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderPlan:
    """What one recorder looks after; ``consoles`` are the devices that may give orders.

    Where there is a ``console_key``, orders need its seal. The clocks of the tables in
    ``unchecked_clocks`` are not held against the time.
    """

    venue: str
    recorder: str
    tables: tuple[TablePlan, ...]
    consoles: tuple[str, ...] = DEFAULT_CONSOLES
    console_key: bytes = field(default=b"", repr=False)
    unchecked_clocks: frozenset[int] = frozenset()


@dataclass(slots=True)
class Counters:
    """How many events were stored, came twice, or were refused, since the start."""

    stored: int = 0
    doubled: int = 0
    refused: int = 0

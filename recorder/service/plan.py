"""What one recorder looks after, and what it counts of what comes in."""

from dataclasses import dataclass, field
from pathlib import Path

from recorder.domain.limits import MOST_CONTROL_BYTES
from recorder.domain.tiles import TileSet
from recorder.table.game_recorder import TablePlan
from recorder.tilesets import tile_set_of

DEFAULT_CONSOLES = ("console",)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderPlan:
    """What one recorder looks after; ``consoles`` are the devices that may give orders.

    Where there is a ``console_key``, orders need its seal. The clocks of the tables in
    ``unchecked_clocks`` are not held against the time. ``lists`` is the folder in which the word
    lists are that orders name, ``snapshots`` the one for snapshots of games in play; None: there
    are none.
    """

    venue: str
    recorder: str
    tables: tuple[TablePlan, ...]
    consoles: tuple[str, ...] = DEFAULT_CONSOLES
    console_key: bytes = field(default=b"", repr=False)
    unchecked_clocks: frozenset[int] = frozenset()
    lists: Path | None = None
    snapshots: Path | None = None
    broker_memory: int | None = None
    """Bytes at which the broker takes no more; None: it is not known here."""

    @property
    def table_of(self) -> dict[str, int]:
        """The table that each device serves."""
        return {device: table.started.table for table in self.tables for device in table.devices}

    @property
    def tile_sets(self) -> dict[int, TileSet]:
        """The tile set of each table."""
        return {table.started.table: tile_set_of(table.started) for table in self.tables}

    @property
    def roles(self) -> dict[str, str]:
        """What each device does at its table."""
        return {device: role for table in self.tables for device, role in table.devices.items()}

    @property
    def expected(self) -> tuple[str, ...]:
        """Each device with its table and role, in a line; none where they fill a whole message."""
        roles = self.roles
        lines = tuple(f"{table} {roles[name]} {name}" for name, table in self.table_of.items())
        return lines if sum(map(len, lines)) + 4 * len(lines) < MOST_CONTROL_BYTES // 2 else ()


@dataclass(slots=True)
class Counters:
    """How many events were stored, came twice, or were refused, since the start."""

    stored: int = 0
    doubled: int = 0
    refused: int = 0

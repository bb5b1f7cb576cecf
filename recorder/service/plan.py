"""What one recorder looks after, and what it counts of what comes in."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from recorder.table.game_recorder import TablePlan
from recorder.wire import DeviceConfig, Down, DownChannel, encode

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

    @property
    def table_of(self) -> dict[str, int]:
        """The table that each device serves."""
        return {device: table.started.table for table in self.tables for device in table.devices}

    @property
    def roles(self) -> dict[str, str]:
        """What each device does at its table."""
        return {device: role for table in self.tables for device, role in table.devices.items()}

    def assignments(self) -> Iterator[tuple[str, bytes]]:
        """What each device is told of its table and role: topic and message."""
        roles = self.roles
        for device, table in self.table_of.items():
            topic = Down(self.venue, device, DownChannel.CONFIG)
            yield str(topic), encode(DeviceConfig(table=table, role=roles[device]))


@dataclass(slots=True)
class Counters:
    """How many events were stored, came twice, or were refused, since the start."""

    stored: int = 0
    doubled: int = 0
    refused: int = 0

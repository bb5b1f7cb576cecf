"""To which table and game belongs what a device says.

A device that was moved may still send what it saw at the table that it left. By its time that
belongs to the game that was on there then.
"""

from dataclasses import dataclass, field

from recorder.service.device_tables import DeviceTables
from recorder.service.games.table_games import TableGames
from recorder.service.timekeeping import Times
from recorder.wire.envelope import Envelope

_LONGEST_MS = 10_000
"""So long a heartbeat is waited for, of which each device sends one every second."""


@dataclass(slots=True)
class Whereabouts:
    """Tables of devices and games of tables, put together."""

    devices: DeviceTables
    games: TableGames
    times: Times
    _open_since_ms: dict[str, int] = field(default_factory=dict)

    def of(self, device: str, at_ms: int | None = None) -> tuple[int, str]:
        """The table that a device serves or served, 0 for none, and the game that is or was on."""
        table = self.devices.table(device, at_ms)
        return table, self.games.place(table, at_ms)

    def is_open(self, event: Envelope, received_ms: int) -> bool:
        """Whether an event may be of the table that its device left: its time is not known yet.

        The device's next heartbeat shows it; until then the event is left to be sent again. A
        device that sends none is not waited for without end: then its arrival must do.
        """
        if not self.devices.has_moved(event.dev) or self.times.knows(event):
            self._open_since_ms.pop(event.dev, None)
            return False
        return received_ms - self._open_since_ms.setdefault(event.dev, received_ms) < _LONGEST_MS

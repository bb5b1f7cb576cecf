"""To which table and game belongs what a device says, whichever recorder of the hall holds them.

A device that was moved may still send what it has seen at the table that it left. By its time that
is of the game that was on there then, also where another recorder looks after that table now.
"""

from dataclasses import dataclass, field

from recorder.log.port import EventLog, Row
from recorder.service.device_tables import DeviceTables
from recorder.service.games.table_games import TableGames
from recorder.service.hall.held_tables import HeldTables
from recorder.service.timekeeping import Times
from recorder.wire import Envelope

_LONGEST_MS = 10_000
"""So long a heartbeat is waited for, of which each device sends one every second."""


@dataclass(slots=True)
class Whereabouts:
    """Asks the log for games of tables that other recorders hold; all else is at hand."""

    devices: DeviceTables
    held: HeldTables
    games: TableGames
    store: EventLog
    times: Times
    _beginnings: list[Row] = field(default_factory=list)
    _head: int = -1
    _open_since_ms: dict[str, int] = field(default_factory=dict)

    def of(self, device: str, at_ms: int | None = None) -> tuple[int, str]:
        """The table that a device serves or served, 0 for none, and the game that is or was on."""
        table = self.devices.table(device, at_ms)
        if at_ms is None or self.held.holds(table):
            return table, self.games.place(table, at_ms)
        if self._head != self.store.head():
            self._beginnings, self._head = list(self.store.beginnings()), self.store.head()
        begun = (row.game for row in self._beginnings if row.table == table and row.at <= at_ms)
        return table, next(reversed([*begun]), "")

    def is_open(self, event: Envelope, received_ms: int) -> bool:
        """Whether an event may be of the table that its device left: its time is not known yet.

        The device's next heartbeat tells it; until then the event is left to be sent again. A
        device that sends none is not waited for without end: then its arrival must do.
        """
        if not self.devices.has_moved(event.dev) or self.times.knows(event):
            self._open_since_ms.pop(event.dev, None)
            return False
        return received_ms - self._open_since_ms.setdefault(event.dev, received_ms) < _LONGEST_MS

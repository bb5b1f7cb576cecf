"""At which table each device serves by now, as the rows of a log tell it: one table has it.

Pure: rows in, moves out. A recorder's file that moves a device between two starts shows once the
device, or the recorder of it, says something at the other table.
"""

from recorder.domain.event.orders import AssignDevice, EventOrder
from recorder.domain.observations import DeviceBack, DeviceLost
from recorder.domain.record import EventOrdered, Observed
from recorder.log.port import Row

_ABOUT_DEVICES = frozenset({"device.lost", "device.back", "event.device"})


class ServedTables:
    """Devices by name with their table, newest word first."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[int, int]] = {}

    def moved_by(self, row: Row) -> tuple[str, int] | None:
        """The device that a row shows to have left a table, and that table; None: nobody has.

        What a device says late, of a moment before it was moved, does not bring it back.
        """
        device, table = _place_in(row)
        if not device:
            return None
        since_ms, before = self._at.setdefault(device, (row.at, table))
        if before == table:
            return None
        if row.at < since_ms:
            return device, table
        self._at[device] = (row.at, table)
        return device, before


def _place_in(row: Row) -> tuple[str, int]:
    """The device that a row is about and its table; no name where it is about none."""
    if row.type in _ABOUT_DEVICES:
        match row.says:
            case Observed(what=DeviceLost(device=device) | DeviceBack(device=device)):
                return device, row.table
            case EventOrdered(order=EventOrder(act=AssignDevice(device=device, table=table))):
                return device, table
    return ("" if row.key is None else row.device), row.table

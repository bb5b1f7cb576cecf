"""Which table each device serves, and in what role: by the recorder's file, then by orders.

An order holds over the file until it is undone. What a device says late is of the table that it
served then. Pure bookkeeping: the caller gives the time.
"""

from collections.abc import Iterable, Mapping

from recorder.bus.port import Bus
from recorder.service.plan import RecorderPlan
from recorder.wire.control import DeviceConfig, encode
from recorder.wire.topics import Down, DownChannel

_Place = tuple[int, str]
"""Table and role; table 0: none."""


class DeviceTables:
    """The devices of a plan, and those that orders have named since.

    ``roles`` are those of devices that serve a table now; it is the same object throughout.
    """

    def __init__(self, plan: RecorderPlan) -> None:
        self._venue = plan.venue
        tables, roles = plan.table_of, plan.roles
        self._file: Mapping[str, _Place] = {name: (tables[name], roles[name]) for name in tables}
        self._since: dict[str, list[tuple[int, _Place]]] = {}
        self._ordered: Mapping[str, tuple[int, str | None]] = {}
        self._now: dict[str, _Place] = dict(self._file)
        self.roles: dict[str, str] = dict(roles)

    def table(self, device: str, at_ms: int | None = None) -> int:
        """The table that a device serves, now or at a moment; 0 where it serves none."""
        if at_ms is not None and device in self._since:
            earlier = [place for since_ms, place in self._since[device] if since_ms <= at_ms]
            place = earlier[-1] if earlier else self._file.get(device, (0, ""))
            return place[0]
        return self._now.get(device, (0, ""))[0]

    def has_moved(self, device: str) -> bool:
        """Whether a device has served another table, so that what it says late may be of that."""
        return device in self._since

    @property
    def names(self) -> list[str]:
        """All devices that the plan or an order names."""
        return list(self._now)

    def at_table(self, table: int) -> dict[str, str]:
        """The devices of a table with their roles."""
        return {name: role for name, (at, role) in self._now.items() if at == table}

    def follow(self, ordered: Mapping[str, tuple[int, str | None]], at_ms: int) -> set[str]:
        """Go by the orders as they are since a moment; the devices that this moves."""
        if ordered == self._ordered:
            return set()
        self._ordered = dict(ordered)
        places = {name: (table, role or "") for name, (table, role) in ordered.items()}
        wanted = {**self._file, **places}
        moved = {
            name
            for name in wanted.keys() | self._now.keys()
            if wanted.get(name, (0, "")) != self._now.get(name, (0, ""))
        }
        for name in moved:
            self._since.setdefault(name, []).append((at_ms, wanted.get(name, (0, ""))))
        self._now = wanted
        self.roles.clear()
        self.roles.update({name: role for name, (table, role) in wanted.items() if table})
        return moved

    def tell(self, bus: Bus, devices: Iterable[str]) -> None:
        """Tell devices of their table and role; it stays on the bus."""
        for device in devices:
            table, role = self._now.get(device, (0, ""))
            config = encode(DeviceConfig(table=table, role=role)) if table else b""
            topic = Down(self._venue, device, DownChannel.CONFIG)
            bus.publish(str(topic), config, retain=True)

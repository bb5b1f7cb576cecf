"""What somebody wants of a venue, and which devices follow from it. Pure values.

One noun for each thing: a *phone* is a page of the dashboard, a *local* device hangs on a port of
this machine, a *networked* clock speaks MQTT itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from recorder.domain.instruments import DeviceRole

_T = TypeVar("_T")


class ClockKind(StrEnum):
    """What stands as a clock on a table; with none the camera divides the turns."""

    PHONE = "phone"
    SERIAL = "serial"
    MQTT = "mqtt"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupAnswers:
    """The answers to all questions.

    ``is_event``: tables wait for pairings, and name no players. Else ``players`` are two names by
    table, in order; tables beyond get placeholders. ``clocks`` are by table, and the last one holds
    for all that follow. ``cameras`` and ``ports`` are local sources, by table. ``address`` is where
    others on the network reach this machine, empty for nobody; ``minutes`` None is the rule set's
    time, ``delay_s`` the seconds by which the public is late. ``has_tls``: others come in over TLS
    alone, with certificates of the venue's own authority. ``elsewhere`` are the tables whose
    devices hang on machines of their own.
    """

    name: str = "main"
    tables: int = 1
    is_event: bool = False
    players: tuple[tuple[str, str], ...] = ()
    tiles: str = "english"
    rules: str = "wespa4"
    minutes: float | None = None
    clocks: tuple[ClockKind, ...] = (ClockKind.PHONE,)
    cameras: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    has_pads: bool = True
    address: str = ""
    delay_s: float = 0.0
    broker_port: int = 1883
    dashboard_port: int = 8015
    has_tls: bool = False
    elsewhere: tuple[int, ...] = ()

    @property
    def clock_port(self) -> int | None:
        """Where networked clocks reach the broker, None without any."""
        return self.broker_port if self.has_networked_clocks else None

    @property
    def has_networked_clocks(self) -> bool:
        """Whether a clock comes to the broker by itself."""
        return any(table.clock is ClockKind.MQTT for table in tables_of(self))

    @property
    def local_port(self) -> int:
        """Where the broker listens for our own programs: two listeners cannot share a port.

        Networked clocks have the port that is known; clocks of others expect the usual one.
        """
        return self.broker_port + self.has_networked_clocks

    @property
    def agents_port(self) -> int | None:
        """Where agents of other machines reach the broker, None without any."""
        return self.local_port + 1 if self.elsewhere else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWishes:
    """One table: its number, players and camera, what is its clock and what is its serial port.

    ``players`` is empty where pairings say who plays.
    """

    number: int
    players: tuple[str, ...]
    camera: str
    clock: ClockKind
    port: str

    @property
    def camera_name(self) -> str:
        """The name of its board camera on the bus."""
        return f"cam-{self.number}"

    @property
    def clock_name(self) -> str:
        """The name of its clock on the bus, where that is no phone."""
        return f"clock-{self.number}"


def tables_of(wishes: SetupAnswers) -> list[TableWishes]:
    """The tables, each with what was named for it or a placeholder.

    Without a camera it is the one with the table's own number; without a port ``/dev/ttyUSB0`` and
    so on: what is not there is then reported as missing, with the place where to put it right.
    """
    return [
        TableWishes(
            number=number,
            players=() if wishes.is_event else _players(wishes, number),
            camera=_at(wishes.cameras, number, str(number - 1)),
            clock=_at(wishes.clocks, number, wishes.clocks[-1]),
            port=_at(wishes.ports, number, f"/dev/ttyUSB{number - 1}"),
        )
        for number in range(1, wishes.tables + 1)
    ]


def _players(wishes: SetupAnswers, number: int) -> tuple[str, str]:
    return _at(wishes.players, number, (f"First player {number}", f"Second {number}"))


def _at(given: Sequence[_T], number: int, otherwise: _T) -> _T:
    return given[number - 1] if number <= len(given) else otherwise


def roles_of(wishes: SetupAnswers, table: TableWishes) -> dict[str, DeviceRole]:
    """The devices that the recorder expects at a table, by name."""
    roles = {table.camera_name: DeviceRole.BOARD_CAMERA}
    match table.clock:
        case ClockKind.PHONE:
            roles[f"phone-clock-{table.number}"] = DeviceRole.CLOCK
        case ClockKind.SERIAL:
            roles[table.clock_name] = DeviceRole.SERIAL_CLOCK
        case ClockKind.MQTT:
            roles[table.clock_name] = DeviceRole.MQTT_CLOCK
    if wishes.has_pads:
        roles[f"phone-pad-{table.number}"] = DeviceRole.PAD
    roles[f"phone-racks-{table.number}"] = DeviceRole.ASSISTANT
    return roles

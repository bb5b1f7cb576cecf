"""What of a hall one recorder looks after: the tables that it holds, their devices, their orders.

Recorders that share a hall all hear everything; each takes what is of its tables and lets the rest
pass unanswered. Pure bookkeeping.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from recorder.bus.port import Message
from recorder.domain.errors import DeviceError
from recorder.domain.event.orders import EventOrder
from recorder.orders.event_record import EVENT_TABLE
from recorder.service.device_tables import DeviceTables
from recorder.service.plan import RecorderPlan
from recorder.table.game_recorder import TablePlan
from recorder.wire import Envelope, Up, decode_question, is_order
from recorder.wire.event_orders import EVENT_ORDER_TYPES


@dataclass(frozen=True, slots=True)
class HeldTables:
    """The part of a plan that its recorder holds; all of it unless the plan says which tables."""

    plan: RecorderPlan
    devices: DeviceTables
    _known: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", frozenset(self.plan.tile_sets))

    def holds(self, table: object) -> bool:
        """Whether a table is this recorder's; what is of no table here is of the hall."""
        held = self.plan.held
        known = table if isinstance(table, int) and table in self._known else EVENT_TABLE
        return held is None or known in held

    @property
    def tables(self) -> list[TablePlan]:
        """The plans of the tables that it holds."""
        return [table for table in self.plan.tables if self.holds(table.started.table)]

    @property
    def roles(self) -> dict[str, str]:
        """The roles of the devices that serve these tables now."""
        return {name: role for name, role in self.devices.roles.items() if self.serves(name)}

    def serves(self, device: str) -> bool:
        """Whether a device serves a table that is held here; strangers are the hall's."""
        return self.holds(self.devices.table(device))

    def own(self, devices: Iterable[str] | None = None) -> list[str]:
        """Those of some devices, or of all, that are told their table by this recorder."""
        named = self.devices.names if devices is None else devices
        return [name for name in named if self.serves(name)]

    def hears(self, device: str) -> bool:
        """Whether a message of a device may be for this recorder; a console speaks to each."""
        return device in self.plan.consoles or self.serves(device)

    def takes(self, event: Envelope) -> bool:
        """Whether an event is for this recorder to store and to acknowledge."""
        if event.dev not in self.plan.consoles:
            return self.serves(event.dev)
        about = event.data.get("table") if is_order(event.type) else None
        return self.holds(EVENT_TABLE if event.type in EVENT_ORDER_TYPES else about)

    def refuses(self, sender: Up | None) -> bool:
        """Whether it is for this recorder to say that a message is not taken, by who sent it."""
        is_console = sender is not None and sender.device in self.plan.consoles
        return self.holds(EVENT_TABLE) if is_console or sender is None else True

    def asked(self, answer: Callable[[Message, int], None]) -> Callable[[Message, int], None]:
        """``answer`` for the questions that are for this recorder; the others pass."""
        return lambda message, at: answer(message, at) if self.answers(message) else None

    def answers(self, message: Message) -> bool:
        """Whether a console's question is for this recorder."""
        try:
            _, asked = decode_question(message.payload)
        except DeviceError:
            return self.holds(EVENT_TABLE)
        return self.holds(EVENT_TABLE if isinstance(asked, EventOrder) else asked.table)

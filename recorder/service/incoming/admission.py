"""Which messages a recorder takes: of its venue, of its devices, each under its own name and role.

What is refused is counted by reason. The first of each kind is news for the log and the director;
the rest is not, for a device whose events nobody takes sends them again for ever. Some refusals
pass (a device that is assigned later, a newer recorder); the others never do, and their numbers are
acknowledged, so that what cannot be taken does not stop its device. Must not know the bus or how a
log stores.
"""

import json
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from recorder.contiguity import MessageKey
from recorder.declared.json_objects import dump_object
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.instruments import DeviceRole
from recorder.domain.limits import BIGGEST_INTEGER, MOST_EVENT_BYTES, MOST_TOPIC, MOST_UNKNOWN_BYTES
from recorder.domain.observations import STANDARD_ORDER, order_for, read_symbols, without_symbol
from recorder.domain.record import LogBegun
from recorder.domain.tiles import Tiles, TileSet
from recorder.log.port import EventLog, NewRow
from recorder.wire.envelope import BOOT, Envelope, ForgedError, VersionError, decode_envelope
from recorder.wire.observations import OBSERVATION_TYPES, decode_observation, encode_observation
from recorder.wire.orders import is_order
from recorder.wire.seals import is_sealed
from recorder.wire.symbols import LOOK_TYPE, for_the_record, order_of_look
from recorder.wire.topics import Up, parse_topic


class Refusal(StrEnum):
    """Why a message was refused."""

    VERSION = "version"
    FOREIGN = "foreign"
    FORGED = "forged"
    MALFORMED = "malformed"
    ROLE = "role"
    SYMBOLS = "symbols"
    UNNAMED = "unnamed"
    CONTRADICTED = "contradicted"
    UNFIT = "unfit"
    FAULT = "fault"
    RETAINED = "retained"


PASSING = frozenset({Refusal.VERSION, Refusal.FOREIGN, Refusal.RETAINED, Refusal.UNNAMED})
"""What a later release or another file may take, what was never said now, and looks that came
before their camera's info: it is not acknowledged, and its device sends it again."""
_BY_LETTER = frozenset({LOOK_TYPE, "rack.seen", "slip.seen"})
"""What a camera says of letters: it has to know those of the tile set."""

_LOOKS = frozenset(
    {"board.seen", "board.not_seen", "board.stirred", "board.still", "board.reached", "time.sync"}
)
_TIMES = frozenset({"clock.press", "clock.change", "time.sync"})
_WORDS = frozenset({"table.announced", "table.acted", "time.sync"})
SAYS: Mapping[DeviceRole, frozenset[str]] = {
    DeviceRole.BOARD_CAMERA: _LOOKS,
    DeviceRole.RACK_CAMERA: frozenset({"rack.seen", "time.sync"}),
    DeviceRole.SLIP_CAMERA: frozenset({"slip.seen", "time.sync"}),
    DeviceRole.SERIAL_CLOCK: _TIMES | _WORDS,
    DeviceRole.DGT_CLOCK: _TIMES,
    DeviceRole.MQTT_CLOCK: _TIMES | _WORDS,
    DeviceRole.CLOCK: _TIMES,
    DeviceRole.PAD: _WORDS,
    DeviceRole.SCORER_BOX: _TIMES | _WORDS,
    DeviceRole.ASSISTANT: frozenset({"rack.typed", "time.sync"}),
    DeviceRole.BAG_SCALE: frozenset({"bag.weight", "bag.lifted", "bag.returned", "time.sync"}),
    DeviceRole.RACK_COUNTER: frozenset({"rack.count", "time.sync"}),
}
"""The types of event that a device of each role says; what no role says is the recorder's own."""


class MessageRefusedError(DeviceError):
    """A message that is not taken; ``reason`` is what it is counted under.

    ``is_news`` is False when the same topic was refused for the same reason before. ``key`` is
    given where the message is readable that far and will never be taken.
    """

    def __init__(self, reason: Refusal, message: str, key: MessageKey | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.is_news = True
        self.key = None if reason in PASSING else key


def _said_by(role: str | None) -> frozenset[str]:
    return SAYS[DeviceRole(role)] if role in set(DeviceRole) else frozenset()


def retained_text(topic: str) -> str:
    """What is wrong with a message that the broker kept."""
    device = topic.split("/")[4:5] or [""]
    return (
        f"{device[0]} asks the broker to keep what it says on {topic[:MOST_TOPIC]} (retained): that"
        " is for state and info alone. Have it publish without, and clear what is kept"
    )


def unknown_bytes(event: Envelope, size: int) -> int:
    """How many bytes of an event's data no field of its type takes; ``size`` is its whole length.

    Where it cannot be read all of it counts. Short events are not looked at: 0.
    """
    if size <= MOST_UNKNOWN_BYTES:
        return 0
    try:
        known = encode_observation(decode_observation(event.type, event.data))[1]
    except DeviceError:
        return size
    return len(dump_object(event.data)) - len(dump_object(known))


MOST_TOLD = 1_000
PROBE_DEVICE, PROBE_TYPE = "doctor", "doctor.probe"
"""``tilecast doctor`` is no device of a table; its one type of event is taken all the same."""


@dataclass(slots=True)
class Admission:
    """Lets in the envelopes of ``devices``, each by its role, and the orders of ``consoles``.

    With a ``console_key`` an order needs its seal, which names the log: ``begin`` says which.
    ``tile_set_at`` gives the tile set that a device has before it, where it serves one.
    """

    devices: Mapping[str, str]
    consoles: Collection[str] = ()
    console_key: bytes = field(default=b"", repr=False)
    tile_set_at: Callable[[str], TileSet | None] | None = None
    _log: str = field(default="", init=False)
    counts: dict[Refusal, int] = field(default_factory=lambda: dict.fromkeys(Refusal, 0))
    _told: set[tuple[str, Refusal]] = field(default_factory=set)
    _symbols: dict[str, Tiles] = field(default_factory=dict)
    """Those that cameras have named."""

    def learn(self, device: str, symbols: str) -> None:
        """Go by the symbols that a device names in its info. DeviceError where they cannot be."""
        if not symbols or (device not in self.devices and len(self._symbols) >= MOST_TOLD):
            self._symbols.pop(device, None)
            return
        try:
            self._symbols[device] = read_symbols(symbols)
        except NotationError as fault:
            raise DeviceError(f"{device} info: symbols: {fault}") from fault

    def begin(self, store: EventLog, append: Callable[[list[NewRow]], object], now: int) -> None:
        """Go by the name of a log, its first row's hash; one without rows gets a first row.

        ``append`` stores rows. No order counts before this.
        """
        if not self.console_key:
            return
        if not store.head():
            says = LogBegun(name=secrets.token_hex(16))
            append([NewRow.saying(says, table=0, game="", at=now)])
        self._log = next(store.read_from(1, 1)).hash

    def knows(self, device: str) -> bool:
        """Whether this venue has a device or a console of that name."""
        return device in self.devices or device in self.consoles

    def admit(self, topic: str, payload: bytes, *, is_old: bool = False) -> Envelope:
        """The envelope of a message. MessageRefusedError says why not, and is counted.

        ``is_old``: the broker kept it and sends it because we subscribed. It may be of another
        tournament; an event is said once, and its device sends it until it is stored.
        """
        try:
            return self._read(topic, payload, is_old=is_old)
        except MessageRefusedError as refused:
            refused.is_news = self.count(topic, refused.reason)
            raise

    def count(self, topic: str, reason: Refusal) -> bool:
        """Count a refusal; whether it is the first of its kind."""
        self.counts[reason] += 1
        # A stranger may invent topics without end; what is remembered of them may not grow so.
        kind = (topic[:MOST_TOPIC], reason)
        is_news = kind not in self._told and len(self._told) < MOST_TOLD
        if is_news:
            self._told.add(kind)
        return is_news

    def _read(self, topic: str, payload: bytes, *, is_old: bool) -> Envelope:
        if is_old:
            raise MessageRefusedError(Refusal.RETAINED, retained_text(topic))
        try:
            event = decode_envelope(topic, payload)
        except VersionError as fault:
            raise MessageRefusedError(Refusal.VERSION, str(fault)) from fault
        except ForgedError as fault:
            raise MessageRefusedError(Refusal.FORGED, str(fault)) from fault
        except DeviceError as fault:
            key = self._key_of(topic, payload)
            raise MessageRefusedError(Refusal.MALFORMED, str(fault), key) from fault
        is_probe = (event.dev, event.type) == (PROBE_DEVICE, PROBE_TYPE)
        if not self.knows(event.dev) and not is_probe:
            raise MessageRefusedError(
                Refusal.FOREIGN,
                f"{event.dev} is assigned to no table here: name it among the devices of a"
                " [[table]] (one that gives orders: among the consoles), or take it off this venue",
            )
        if is_probe:
            return event
        if event.type in _BY_LETTER & _said_by(self.devices.get(event.dev)):
            event = self._in_letters_of_the_set(event)
        self._refuse_other_roles(event, len(payload))
        return event

    def _refuse_other_roles(self, event: Envelope, size: int) -> None:
        """Anyone who is known says what its role says, and of what nobody knows not too much."""
        role = self.devices.get(event.dev, "console")
        if is_order(event.type):
            may = event.dev in self.consoles
        elif event.type in OBSERVATION_TYPES:
            may = event.dev in self.devices and event.type in _said_by(role)
            if may and (extra := unknown_bytes(event, size)) > MOST_UNKNOWN_BYTES:
                text = f"{event.dev}: {event.type} with {extra} bytes in fields that are not its"
                text += f" own; at most {MOST_UNKNOWN_BYTES} are kept"
                raise MessageRefusedError(Refusal.MALFORMED, text, event.key)
        elif size > MOST_UNKNOWN_BYTES:
            text = f"{event.dev}: {size} bytes of an unknown type, {event.type}"
            text += f"; at most {MOST_UNKNOWN_BYTES} are kept"
            raise MessageRefusedError(Refusal.MALFORMED, text, event.key)
        else:
            may = True
        if not may:
            text = f"{event.dev} is a {role}, and no {role} says {event.type}"
            if is_order(event.type):
                text = f"{event.dev} is not a console of this recorder, so it cannot give orders"
            raise MessageRefusedError(Refusal.ROLE, text, event.key)
        if is_order(event.type) and self.console_key and not self._is_for_us(event):
            seal = "the seal of another key or for another log" if event.seal else "no seal"
            text = (
                f"an order of {event.dev} has {seal}: give its dashboard, of this release, the"
                " console_key of the recorder's file with --console-key and its log with --log, or"
                " find out who sends orders in its name"
            )
            # Without a key: confirmed, a number that is not the console's would delete its order.
            raise MessageRefusedError(Refusal.FORGED, text)

    def _in_letters_of_the_set(self, event: Envelope) -> Envelope:
        """Costs in the order of the tile set; those without letters would be read as others."""
        tile_set = None if self.tile_set_at is None else self.tile_set_at(event.dev)
        named = self._symbols.get(event.dev)
        order = named or STANDARD_ORDER
        if event.type == LOOK_TYPE:
            order = self._order_of(event, named)
        if tile_set is not None and (letters := without_symbol(tile_set, order)):
            text = (
                f"{event.dev} cannot read {letters} of the tile set {tile_set.name}; give it eyes"
                " that know these letters, or take it off its table and have the plays said in"
                " another way"
            )
            raise MessageRefusedError(Refusal.SYMBOLS, text, event.key)
        if event.type != LOOK_TYPE:
            return event
        try:
            wanted = order if tile_set is None else order_for(tile_set)
            data = for_the_record(event.data, order, wanted)
        except DeviceError as fault:
            raise MessageRefusedError(Refusal.MALFORMED, str(fault), event.key) from fault
        return replace(event, data=data)

    def _order_of(self, event: Envelope, named: Tiles | None) -> Tiles:
        try:
            order = order_of_look(event.data, named)
        except DeviceError as fault:
            raise MessageRefusedError(Refusal.MALFORMED, str(fault), event.key) from fault
        if order is not None:
            return order
        text = f"the costs of {event.dev} are not in the order of the symbols that its info names"
        if named is None:
            text = f"{event.dev} has not named its symbols yet: it does so in its info"
            raise MessageRefusedError(Refusal.UNNAMED, text)
        raise MessageRefusedError(Refusal.SYMBOLS, text, event.key)

    def _is_for_us(self, event: Envelope) -> bool:
        return bool(self._log) and is_sealed(event, self.console_key, self._log)

    def _key_of(self, topic: str, payload: bytes) -> MessageKey | None:
        """Device, boot and number of a message that cannot be read otherwise."""
        try:
            device = parse_topic(topic)
            said = json.loads(payload) if len(payload) <= 4 * MOST_EVENT_BYTES else None
        except (DeviceError, ValueError, RecursionError):
            return None
        if not isinstance(device, Up) or device.device not in self.devices:
            return None
        match said:
            case {"dev": device.device, "boot": str(boot), "seq": int(seq)} if (
                BOOT.fullmatch(boot) and 1 <= seq <= BIGGEST_INTEGER and seq is not True
            ):
                return device.device, boot, seq
        return None

"""A director's orders on their way to the recorder: read, sent from this dashboard's own console.

An order is on this machine's disk before it travels and counts once by its id, however often the
page sends it (``recorder.orders.client.OrderClient``). Who gives it is who is signed in, never what
the page says. Knows no rule of the game: what an order does, the recorder says.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dashboard.live.log_follower import Batch, now_ms
from recorder.bus.device_hearing import DeviceHearing
from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox
from recorder.bus.port import Message
from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError, RecorderError, TilecastError
from recorder.domain.event.orders import EventOrder
from recorder.domain.notices import CodedText, coded
from recorder.domain.orders import TableOrder
from recorder.orders.client import OrderClient
from recorder.projections.health.device_health import DeviceHealth, HealthGrade, VenueHealth
from recorder.projections.health.finding import Finding, health_found
from recorder.projections.health.heard_devices import HeardDevices, expected_by
from recorder.texts import Catalogue, TextError, WordedError, load_catalogue
from recorder.texts.telling import with_text
from recorder.wire.coded_text import encode_coded
from recorder.wire.control import Presence, RecorderState, decode_recorder_state
from recorder.wire.orders import OrderReply, decode_order
from recorder.wire.topics import RecorderTopic, parse_topic, recorder_filter

ANSWER_S = 5.0
"""How long a page waits for the recorder; the order goes on being sent after that."""


class ReadOnlyError(WordedError, RecorderError):
    """Orders cannot be given from this dashboard; the message says why and what to do."""

    section = "line_state"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineState:
    """Whether orders can be given. ``waiting``: how many the recorder does not have yet.

    ``recorders``: what each recorder of the venue last said of itself, by its name.
    """

    is_open: bool
    reason: CodedText | None = None
    connected: bool = False
    waiting: int = 0
    recorders: Mapping[str, RecorderState] = field(default_factory=dict)


class OrderLine:
    """The console of one dashboard. Any thread may use it; open it first, close it at the end.

    ``broker`` is the URL, empty where there is none: then every order is refused with the reason.
    ``name`` must be among the ``consoles`` of the recorder's file; two dashboards need two names.
    ``key`` seals its orders for the log that is followed, as a recorder with a ``console_key``
    demands: until a row of it has been read they wait.
    """

    def __init__(
        self,
        broker: str,
        venue: str,
        name: str,
        outbox: Path,
        key: bytes = b"",
    ) -> None:
        self._broker, self._venue, self._name, self._path = broker, venue, name, outbox
        self._key = key
        self._held = ExitStack()
        self._lock = threading.Lock()
        self._under_way: set[str] = set()
        self._console: OrderClient | None = None
        self._outbox: Outbox | None = None
        self._bus: MqttBus | None = None
        self._log = ""
        self._reason = None if broker else coded("no_broker")
        self._recorders: dict[str, RecorderState] = {}
        self._devices = HeardDevices()
        self._hearing = threading.Lock()

    def open(self) -> None:
        """Connect; what waits from before is sent. A fault is kept and reported by ``state``."""
        if not self._broker:
            return
        try:
            self._outbox = Outbox(self._path, self._name, seal_key=self._key)
            self._held.callback(self._outbox.close)
            self._outbox.seal_for(self._log)
            self._bus = MqttBus(self._broker, self._name)
            self._bus.subscribe(recorder_filter(self._venue), self._on_recorder)
            hearing = DeviceHearing(self._bus, self._venue, self._on_device)
            hearing.begin()
            self._held.callback(hearing.end)
            self._console = self._held.enter_context(
                OrderClient(self._outbox, self._bus, self._venue)
            )
            self._held.enter_context(self._bus)
        except TilecastError as fault:
            self._reason, self._console = coded("fault", why=str(fault)), None
            self._held.close()

    def close(self) -> None:
        """Stop sending; what the recorder does not have yet stays on disk."""
        self._console = None
        self._held.close()

    def state(self) -> LineState:
        """Whether orders can be given, and how many wait."""
        if self._console is None or self._outbox is None or self._bus is None:
            return LineState(is_open=False, reason=self._reason)
        connected = self._bus.is_connected
        reason = None if connected else coded("broker_silent")
        recorders = dict(self._recorders)
        if connected and self._outbox.lacks_log:
            reason = coded("no_rows")
        elif connected and all(each.state is not Presence.READY for each in recorders.values()):
            reason = coded("recorder_away")
        return LineState(
            is_open=True,
            connected=connected,
            reason=reason,
            waiting=self._outbox.depth,
            recorders=recorders,
        )

    def findings(self) -> list[Finding]:
        """What is wrong with broker, recorders and devices; nothing where there is no broker."""
        state = self.state()
        if not state.is_open:
            return []
        silent = "" if state.connected else load_catalogue().text("line_state", "broker_silent")
        said = sorted(self._recorders.values(), key=_usefulness)
        health = VenueHealth(
            broker=silent.partition(";")[0],
            recorder=said[0] if said else None,
            devices=tuple(self.devices()),
        )
        return [found for found in health_found(health) if found.grade is not HealthGrade.WELL]

    def give(self, order: TableOrder) -> OrderReply | None:
        """Give an order; None when no recorder has answered yet. Then it is kept and sent on.

        ReadOnlyError where no orders can be given; TextError while the same one is under way.
        """
        with self._alone(order.order.id):
            return self._line().give(order, timeout_s=ANSWER_S)

    def give_event(self, order: EventOrder) -> Json | None:
        """The same for an order about the event: ``{"ok", "row", "reason"}``."""
        with self._alone(order.id):
            return self._line().give_event(order, timeout_s=ANSWER_S)

    def preview(self, order: TableOrder | EventOrder) -> Json | None:
        """What an order would do; None when no recorder has answered. Nothing is recorded."""
        return self._line().preview(order, timeout_s=ANSWER_S)

    def _on_recorder(self, message: Message) -> None:
        message.ack()
        try:
            topic = parse_topic(message.topic)
            if isinstance(topic, RecorderTopic):
                said, before = decode_recorder_state(message.payload), self._recorders
                known = before[topic.recorder].devices if topic.recorder in before else ()
                # The broker, which says it for a recorder that is gone, knows no devices.
                before[topic.recorder] = replace(said, devices=said.devices or known)
        except DeviceError:
            return

    def _on_device(self, message: Message) -> None:
        with self._hearing:
            self._devices.take_message(message.topic, message.payload, now_ms())

    def take(self, batch: Batch) -> None:
        """Rows of the log, for what they report devices; its first row names it."""
        before = "" if batch.anew else self._log
        log = next((row.hash for row in batch.rows if row.seq == 1), before)
        if log != self._log:
            self._log = log
            if self._outbox is not None:
                self._outbox.seal_for(log)
        with self._hearing:
            for row in batch.rows:
                self._devices.take_row(row)

    def devices(self) -> list[DeviceHealth]:
        """How each device is that a recorder expects, by table; none where no recorder was heard.

        What a device's messages say is known where the broker lets this console hear them.
        """
        with self._hearing:
            expected = [device for said in self._recorders.values() for device in expected_by(said)]
            faulty = next((said for said in self._recorders.values() if said.fault), None)
            found = self._devices.health(expected, faulty, "", now_ms()).devices
        return sorted(found, key=lambda health: (health.device.table, health.device.name))

    def _line(self) -> OrderClient:
        if self._console is None:
            why = self._reason or coded("closing")
            raise ReadOnlyError(why.code, **dict(why.values))
        return self._console

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """One request at a time for an order: the console waits for its answer by the id."""
        with self._lock:
            if name in self._under_way:
                raise TextError("under_way", order=name)
            self._under_way.add(name)
        try:
            yield
        finally:
            with self._lock:
                self._under_way.discard(name)


def _usefulness(said: RecorderState) -> tuple[bool, bool]:
    """Of several recorders the one that has a fault comes first, then the one that records."""
    return not said.fault, said.state is not Presence.READY


def read_order(given: Mapping[str, Any], who: str) -> TableOrder:
    """The order in a page's JSON: ``type``, ``data``, ``id``, ``table``, ``game``, ``supersedes``.

    ``who`` is anyone who is signed in. TilecastError names what is wrong.
    """
    data = given.get("data", {})
    if not isinstance(data, dict):
        raise TextError("data_no_object")
    head = {name: given[name] for name in ("id", "table", "game", "supersedes") if given.get(name)}
    return decode_order(str(given.get("type", "")), {**data, **head, "who": who})


def reply_json(reply: OrderReply | None, waiting: int, texts: Catalogue | None = None) -> Json:
    """The answer to a page: ``state`` is ``accepted``, ``refused`` or ``waiting``."""
    if reply is None:
        return {"state": "waiting", "row": None, "reason": None, "waiting": waiting}
    state = "accepted" if reply.ok else "refused"
    reason = reply.reason and with_text(encode_coded(reply.reason), "refusal", texts)
    return {"state": state, "row": reply.row, "reason": reason, "waiting": waiting}


def event_reply_json(reply: Json | None, texts: Catalogue) -> Json:
    """The answer to a page's order about the event; None: no recorder has answered yet."""
    if reply is None:
        return {"state": "waiting", "reason": None}
    reason = reply["reason"] and with_text(reply["reason"], "refusal", texts)
    return {"state": "accepted" if reply["ok"] else "refused", "reason": reason}

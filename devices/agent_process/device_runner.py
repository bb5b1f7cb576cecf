"""One device on the bus: its outbox, its connection, its heartbeat, its state with a will.

Whatever the device observes is on disk before it goes out, and stays there until the recorder has
it. A device that fails is logged and built again; the others at the table go on. Must not know
kinds of devices.
"""

import logging
import queue
import threading
from collections.abc import Callable
from pathlib import Path

from devices.agent_process.hearing import Hearing
from devices.link.timelink import Measured, SyncTeller, TimeLink, asked_by_device
from devices.ports import Condition, Device, DeviceHealth, Outlet, Ticks
from recorder.bus.outbox import Outbox, OutboxSender
from recorder.bus.port import Bus, Message, Will
from recorder.domain.errors import DeviceError, TilecastError
from recorder.domain.observations import Observation
from recorder.wire.control import (
    DeviceInfo,
    DeviceState,
    Presence,
    Response,
    decode_command,
    decode_time_reply,
    encode,
)
from recorder.wire.observations import encode_observation
from recorder.wire.symbols import with_code
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

_LOG = logging.getLogger(__name__)

_AGAIN_S = 3.0
_REPEAT_STATE_MS = 10_000
_MOST_REASON = 200

MakeBus = Callable[[str, Will], Bus]
"""A connection for the device of that name, not started, with its will."""

MakeDevice = Callable[[Outlet], Device]
"""A device, opened and ready to run. Raises TilecastError or OSError when it cannot be."""


class BusOutlet:
    """The ``Outlet`` of one device: observations to the outbox, the rest straight to the bus."""

    def __init__(self, outbox: Outbox, bus: Bus, venue: str) -> None:
        self._outbox, self._bus, self._venue = outbox, bus, venue

    @property
    def boot(self) -> str:
        """See ``Outlet``."""
        return self._outbox.boot

    @property
    def seq_high(self) -> int:
        """See ``Outlet``."""
        return self._outbox.last_seq

    def observe(self, observation: Observation, at_ms: int) -> int:
        """See ``Outlet``."""
        type_name, data = encode_observation(observation)
        return self._outbox.put(type_name, with_code(type_name, data), max(0, at_ms))

    def respond(self, command_id: str, error: str = "") -> None:
        """See ``Outlet``."""
        answer = Response(id=command_id, ok=not error, error=_printable(error))
        self._bus.publish(self._topic(UpChannel.RESPONSE), encode(answer))

    def raw(self, kind: str, payload: bytes) -> None:
        """See ``Outlet``."""
        self._bus.publish(self._topic(UpChannel.RAW, kind), payload, qos=0)

    def _topic(self, channel: UpChannel, kind: str = "") -> str:
        return str(Up(self._venue, self._outbox.device, channel, kind))


class DeviceRunner:
    """Runs one device: ``start``, then ``beat`` once a second, then ``stop``.

    With ``ticks``, the milliseconds that ``beat`` is given, it compares them with the recorder's.
    """

    def __init__(
        self,
        name: str,
        venue: str,
        folder: Path,
        make_device: MakeDevice,
        make_bus: MakeBus,
        *,
        ticks: Ticks | None = None,
    ) -> None:
        self._name, self._venue = name, venue
        self._make_device = make_device
        self._outbox = Outbox(folder / f"{name}.outbox", name)
        will = DeviceState(state=Presence.LOST, boot=self._outbox.boot)
        self._bus = make_bus(name, Will(self._topic(UpChannel.STATE), encode(will)))
        self._sender = OutboxSender(self._outbox, self._bus, venue)
        self._outlet = BusOutlet(self._outbox, self._bus, venue)
        self._stop = threading.Event()
        self._device: Device | None = None
        self._failure = ""
        self._announce = threading.Event()
        self._said: tuple[DeviceState, DeviceInfo | None] | None = None
        self._said_ms = 0
        self._thread = threading.Thread(target=self._supervise, name=f"device {name}")
        self._ticks = ticks
        self._beat_ms: int | None = None
        self._times: queue.SimpleQueue[Measured] = queue.SimpleQueue()
        self._time, self._teller = TimeLink(), SyncTeller("recorder")
        self._hearing = Hearing(name)
        self._bus.subscribe(str(Down(venue, name, DownChannel.COMMAND)), self._on_command)
        if ticks is not None:
            self._bus.subscribe(str(Down(venue, name, DownChannel.TIME)), self._on_time)
        self._bus.on_connection(self._on_connection)

    def start(self) -> None:
        """Connect and let the device run."""
        self._bus.start()
        self._sender.start()
        self._thread.start()

    def stop(self) -> None:
        """End the device, say goodbye; what the recorder does not have yet stays on disk."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._sender.stop()
        farewell = DeviceState(state=Presence.DISCONNECTED, boot=self._outbox.boot)
        self._bus.publish(self._topic(UpChannel.STATE), encode(farewell), retain=True)
        self._bus.stop()
        self._outbox.close()

    def beat(self, now_ms: int) -> None:
        """Once a second: a heartbeat unless the device is lost; state and info when new."""
        self._compare_times()
        health = self.health()
        if health.condition is not Condition.LOST:
            # The answer to it is a comparison, so it says when it left, not when it was due.
            self._beat_ms = now_ms if self._ticks is None else self._ticks()
            beat = self._outbox.heartbeat(self._beat_ms)
            self._say_who_answers(self._beat_ms)
            self._bus.publish(self._topic(UpChannel.HEARTBEAT), encode(beat), qos=0)
        device = self._device
        state = DeviceState(
            state=_presence(health), boot=self._outbox.boot, reason=_printable(health.detail)
        )
        saying = (state, device.info() if device else None)
        is_old = now_ms - self._said_ms >= _REPEAT_STATE_MS
        if saying != self._said or is_old or self._announce.is_set():
            # Repeated, for the will of an earlier connection may arrive after the greeting.
            self._announce.clear()
            self._said, self._said_ms = saying, now_ms
            if saying[1] is not None:
                self._say_info(saying[1])
            self._bus.publish(self._topic(UpChannel.STATE), encode(state), retain=True)

    def _say_info(self, info: DeviceInfo) -> None:
        self._bus.publish(self._topic(UpChannel.INFO), encode(info), retain=True)

    def _say_who_answers(self, beat_ms: int) -> None:
        if self._ticks is None or not self._bus.is_connected:
            return
        for news in self._hearing.beats(beat_ms):
            _LOG.warning("%s: %s", self._name, news)

    @property
    def has_sent_all(self) -> bool:
        """Whether the recorder has everything that the device has observed."""
        return self._outbox.depth == 0

    def health(self) -> DeviceHealth:
        """The device's own, or why there is no device."""
        device = self._device
        if device is not None:
            return device.health()
        condition = Condition.LOST if self._failure else Condition.STARTING
        return DeviceHealth(condition=condition, detail=self._failure)

    def _supervise(self) -> None:
        while not self._stop.is_set():
            try:
                self._device = self._make_device(self._outlet)
                self._failure = ""
                # Its first looks go by the symbols that it names here.
                self._say_info(self._device.info())
                self._device.run(self._stop)
            except TilecastError as err:
                self._fail(str(err))
            except Exception as err:  # noqa: BLE001 supervision: the other devices go on
                _LOG.exception("%s failed", self._name)
                self._fail(f"{type(err).__name__}: {err}")

    def _fail(self, reason: str) -> None:
        """The others at the table go on; this one is tried again, and said once."""
        if reason != self._failure:
            _LOG.error("%s does not run, trying again: %s", self._name, reason)
        self._failure = reason
        self._device = None
        self._stop.wait(_AGAIN_S)

    def _on_command(self, message: Message) -> None:
        message.ack()
        try:
            command = decode_command(message.payload)
        except DeviceError as err:
            _LOG.warning("%s: command refused: %s", self._name, err)
            return
        device = self._device
        if device is None:
            self._outlet.respond(command.id, f"{self._name}: {self._failure or 'is starting'}")
        else:
            device.command(command)

    def _on_time(self, message: Message) -> None:
        """The recorder's answer to a heartbeat, stamped before anything else is done."""
        assert self._ticks is not None, "subscribed with a clock only"
        arrived_ms = self._ticks()
        message.ack()
        try:
            reply = decode_time_reply(message.payload)
        except DeviceError as err:
            _LOG.warning("%s: time refused: %s", self._name, err)
            return
        self._hearing.answered(reply, arrived_ms)
        if reply.t_ms == self._beat_ms:
            self._times.put(
                asked_by_device(reply.t_ms, reply.received_ms, reply.sent_ms, arrived_ms)
            )

    def _compare_times(self) -> None:
        """Take the answers that have come; say what they show when it is due."""
        while not self._times.empty():
            measured = self._times.get()
            jump_ms = self._time.measure(measured)
            if jump_ms:
                _LOG.warning("%s: the recorder's time jumped by %d ms", self._name, jump_ms)
            device_ms = round(measured.device_ms)
            news = self._teller.news(self._time, device_ms, jumped=bool(jump_ms))
            if news is not None:
                self._outlet.observe(news, device_ms)

    def _on_connection(self, connected: bool, _reason: str) -> None:  # noqa: FBT001 Bus's callback
        self._hearing.cut_off()
        if connected:
            self._announce.set()

    def _topic(self, channel: UpChannel) -> str:
        return str(Up(self._venue, self._name, channel))


def _printable(text: str) -> str:
    """A reason as the wire takes it: what an operating system says may be of any kind."""
    return "".join(char if char.isprintable() else " " for char in text)[:_MOST_REASON]


def _presence(health: DeviceHealth) -> Presence:
    match health.condition:
        case Condition.STARTING:
            return Presence.INIT
        case Condition.LOST:
            return Presence.LOST
        case Condition.ENDED:
            return Presence.SLEEPING
        case Condition.READY:
            return Presence.ALERT if health.detail else Presence.READY


def running(runners: list[DeviceRunner], ticks: Ticks, stop: threading.Event) -> None:
    """Start the runners, let their hearts beat until ``stop`` is set, stop them all."""
    started: list[DeviceRunner] = []
    try:
        for runner in runners:
            runner.start()
            started.append(runner)
        while not stop.wait(1.0):
            for runner in runners:
                runner.beat(ticks())
    finally:
        for runner in started:
            runner.stop()

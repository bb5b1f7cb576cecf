"""Messages between devices, recorder and screens: the port, and its twin in memory.

The port promises MQTT's QoS 1 with *manual* acknowledgement and nothing more: a message may come
twice, and with a kept session one that was not acknowledged comes again after a reconnect (where
the broker can do that; ``docs/wire.md`` says which cannot). Knows nothing of topics' meaning.
"""

import itertools
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol, Self

from recorder.domain.errors import RecorderError

QOS_LEVELS = (0, 1)


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker says (retained, QoS 1) when a client is lost without saying goodbye."""

    topic: str
    payload: bytes
    retain: bool = True


@dataclass(frozen=True, slots=True)
class Message:
    """A delivered message. ``retained`` means: an old state, sent because somebody subscribed.

    ``ack()`` says "done with it, do not send it again". It may be called from any thread, once
    or more, at any later time; when the connection has changed since, it does nothing.
    """

    topic: str
    payload: bytes
    retained: bool = False
    ack: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)


Handler = Callable[[Message], None]
"""Called on the bus's own thread: it may put the message on a queue and nothing else."""

ConnectionCallback = Callable[[bool, str], None]
"""Called on the bus's own thread with whether the bus is connected, and why not."""


class Bus(Protocol):
    """A connection to a broker. All methods may be called from any thread."""

    def start(self) -> None:
        """Connect in the background, and again after every loss, until ``stop``."""

    def stop(self) -> None:
        """Say goodbye (no will is sent) and end the thread. Stopping twice is harmless."""

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Hand a message to the bus. Without a connection it is dropped.

        What must not get lost goes through ``recorder.bus.outbox`` and is repeated until the
        recorder's own ack. An empty retained payload clears the retained message.
        """

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Have ``handler`` called for every message matching the filter (``+`` and ``#``).

        A message matching several filters is handed to each handler; acknowledging it through
        any of them is enough.
        """

    def unsubscribe(self, topic_filter: str) -> None:
        """Have no handler called for this filter any more."""

    def twin(self) -> "Bus":
        """Another connection to the same broker with the same proof, not started, no will."""

    def on_connection(self, callback: ConnectionCallback) -> None:
        """Hear of every change of the connection from now on (see ``is_connected``)."""

    @property
    def is_connected(self) -> bool:
        """Whether the broker has accepted us and has not been lost since."""


@lru_cache(maxsize=512)
def matches(topic_filter: str, topic: str) -> bool:
    """Whether a filter with MQTT's wildcards takes in a topic.

    >>> matches("tc/v1/+/up/#", "tc/v1/main/up/clock-07/ev")
    True
    >>> matches("tc/v1/+/up", "tc/v1/main/up/clock-07")
    False
    """
    wanted = topic_filter.split("/")
    given = topic.split("/")
    if topic.startswith("$") and wanted[0] in {"+", "#"}:
        return False
    for place, part in enumerate(wanted):
        if part == "#":
            return True
        if place >= len(given) or part not in {"+", given[place]}:
            return False
    return len(wanted) == len(given)


class Handlers:
    """Handlers by filter. A filter without wildcards costs a message one look-up, however many."""

    def __init__(self) -> None:
        self._plain: dict[str, tuple[Handler, ...]] = {}
        self._wild: dict[str, tuple[Handler, ...]] = {}

    def add(self, topic_filter: str, handler: Handler) -> None:
        """One more; from one thread at a time."""
        kept = self._kept(topic_filter)
        kept[topic_filter] = (*kept.get(topic_filter, ()), handler)

    def remove(self, topic_filter: str) -> None:
        """All of a filter."""
        self._kept(topic_filter).pop(topic_filter, None)

    def filters(self) -> list[str]:
        """Every filter once."""
        return [*self._wild, *self._plain]

    def of(self, topic: str) -> list[Handler]:
        """Those for a topic; from any thread."""
        found = [*self._plain.get(topic, ())]
        for wanted, handlers in list(self._wild.items()):
            found += handlers if matches(wanted, topic) else ()
        return found

    def _kept(self, topic_filter: str) -> dict[str, tuple[Handler, ...]]:
        return self._wild if {"+", "#"} & set(topic_filter) else self._plain


def check_filter(topic_filter: str) -> None:
    """Raise RecorderError unless the wildcards of a filter stand where MQTT allows them."""
    parts = topic_filter.split("/")
    stray = any(("+" in part or "#" in part) and len(part) > 1 for part in parts)
    if not topic_filter or stray or "#" in parts[:-1]:
        raise RecorderError(f"{topic_filter!r} is no MQTT filter")


def check_topic(topic: str, qos: int) -> None:
    """Raise RecorderError for a topic with wildcards or a QoS that nobody here uses."""
    if not topic or "+" in topic or "#" in topic or "\0" in topic:
        raise RecorderError(f"{topic!r} is no topic to publish on")
    if qos not in QOS_LEVELS:
        raise RecorderError(f"QoS {qos} is not used here: 0 or 1")


class MemoryBroker:
    """What several MemoryBus share: retained messages, wills, delivery."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buses: list[MemoryBus] = []
        self._retained: dict[str, bytes] = {}

    def attach(self, bus: "MemoryBus") -> None:
        """A bus connects."""
        with self._lock:
            self._buses.append(bus)

    def detach(self, bus: "MemoryBus") -> None:
        """A bus leaves."""
        with self._lock:
            if bus in self._buses:
                self._buses.remove(bus)

    def route(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Hand a message to every connected bus, and keep it when it is retained."""
        with self._lock:
            if retain and payload:
                self._retained[topic] = payload
            elif retain:
                self._retained.pop(topic, None)
            for bus in self._buses:
                bus.arrive(topic, payload, retained=False)

    def replay(self, bus: "MemoryBus", topic_filter: str) -> None:
        """Send a bus the retained messages of a filter that it has just subscribed to."""
        with self._lock:
            for topic, payload in self._retained.items():
                if matches(topic_filter, topic):
                    bus.arrive(topic, payload, retained=True)


_Work = Callable[[], None]


class MemoryBus:
    """The bus in memory, with its own delivery thread like the real one.

    ``lose_connection`` and ``regain_connection`` stand for a pulled network cable: the will is
    sent, and with ``clean_session=False`` what was not acknowledged is delivered again afterwards
    (what others say meanwhile is not kept, unlike with a real broker). With ``at_once`` there is
    no thread: handlers are called by the one who publishes, before ``publish`` returns.
    """

    def __init__(
        self,
        broker: MemoryBroker,
        *,
        will: Will | None = None,
        clean_session: bool = True,
        at_once: bool = False,
    ) -> None:
        self._broker = broker
        self._at_once = at_once
        self._clean_session = clean_session
        self._will = will
        self._handlers = Handlers()
        self._callbacks: list[ConnectionCallback] = []
        self._unacked: dict[int, tuple[str, bytes]] = {}
        self._numbers = itertools.count(1)
        self._generation = 0
        self._connected = False
        self._work: deque[_Work] = deque()
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopping = False

    @property
    def is_connected(self) -> bool:
        """See Bus."""
        return self._connected

    def start(self) -> None:
        """See Bus."""
        if self._thread is not None:
            raise RecorderError("this bus has been started before")
        self._thread = threading.Thread(target=self._deliver, name="memory-bus", daemon=True)
        if not self._at_once:
            self._thread.start()
        self.regain_connection()

    def stop(self) -> None:
        """See Bus."""
        self._disconnect("stopped")
        with self._wake:
            self._stopping = True
            self._wake.notify()
        started = self._thread is not None and self._thread.ident is not None
        if self._thread is not None and started and self._thread is not threading.current_thread():
            self._thread.join()

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """See Bus."""
        check_topic(topic, qos)
        if self._connected:
            self._broker.route(topic, payload, retain=retain)

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """See Bus."""
        check_filter(topic_filter)
        with self._wake:
            self._handlers.add(topic_filter, handler)
        if self._connected:
            self._broker.replay(self, topic_filter)

    def unsubscribe(self, topic_filter: str) -> None:
        """See Bus."""
        with self._wake:
            self._handlers.remove(topic_filter)

    def twin(self) -> "MemoryBus":
        """See Bus."""
        return MemoryBus(self._broker, at_once=self._at_once)

    def on_connection(self, callback: ConnectionCallback) -> None:
        """See Bus."""
        with self._wake:
            self._callbacks.append(callback)

    def lose_connection(self) -> None:
        """The cable is pulled: the broker sends our will."""
        was_connected = self._connected
        self._disconnect("connection lost")
        if was_connected and self._will is not None:
            self._broker.route(self._will.topic, self._will.payload, retain=self._will.retain)

    def regain_connection(self) -> None:
        """The cable is back: subscriptions stand again, un-acknowledged messages come again."""
        with self._wake:
            self._generation += 1
            self._connected = True
            again = [] if self._clean_session else list(self._unacked.values())
            self._unacked.clear()
            filters = self._handlers.filters()
        self._tell(connected=True, reason="connected")
        for topic, payload in again:
            self.arrive(topic, payload, retained=False)
        self._broker.attach(self)
        for topic_filter in filters:
            self._broker.replay(self, topic_filter)

    def arrive(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """The broker has a message for us (called by MemoryBroker)."""
        with self._wake:
            handlers = self._handlers.of(topic)
            if not handlers:
                return
            number = next(self._numbers)
            generation = self._generation
            self._unacked[number] = (topic, payload)

        def ack() -> None:
            with self._wake:
                if generation == self._generation:
                    self._unacked.pop(number, None)

        message = Message(topic, payload, retained, ack)

        def hand_over() -> None:
            for handler in handlers:
                handler(message)

        self._enqueue(hand_over)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _disconnect(self, reason: str) -> None:
        self._broker.detach(self)
        with self._wake:
            was_connected, self._connected = self._connected, False
        if was_connected:
            self._tell(connected=False, reason=reason)

    def _tell(self, *, connected: bool, reason: str) -> None:
        def tell() -> None:
            for callback in tuple(self._callbacks):
                callback(connected, reason)

        self._enqueue(tell)

    def _enqueue(self, work: _Work) -> None:
        if self._at_once:
            work()
            return
        with self._wake:
            self._work.append(work)
            self._wake.notify()

    def _deliver(self) -> None:
        while True:
            with self._wake:
                while not self._work and not self._stopping:
                    self._wake.wait()
                if not self._work:
                    return
                work = self._work.popleft()
            work()

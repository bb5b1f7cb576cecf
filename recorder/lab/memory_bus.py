"""The bus in memory: what scenarios and tests say and hear without a broker."""

import itertools
import threading
from collections import deque
from collections.abc import Callable
from typing import Self

from recorder.bus.port import (
    ConnectionCallback,
    Handler,
    Handlers,
    Message,
    Will,
    check_filter,
    check_topic,
    matches,
)
from recorder.domain.errors import RecorderError


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

    def unsubscribe(self, topic_filter: str, done: Callable[[], None] = lambda: None) -> None:
        """See Bus."""
        with self._wake:
            self._handlers.remove(topic_filter)
        self._enqueue(done)

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

"""Messages between devices, recorder and screens: the port that a broker is behind.

The port promises MQTT's QoS 1 with *manual* acknowledgement and nothing more: a message may come
twice, and with a kept session one that was not acknowledged comes again after a reconnect (where
the broker can do that; ``docs/wire.md`` says which cannot). Knows nothing of topics' meaning.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

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

    def unsubscribe(self, topic_filter: str, done: Callable[[], None] = lambda: None) -> None:
        """Have no handler called for this filter any more, and then call ``done``.

        What the broker had sent before it heard of this still reaches the handler, before ``done``.
        """

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
        """Those for a topic, each once, however many of its filters fit; from any thread."""
        found = [*self._plain.get(topic, ())]
        for wanted, handlers in list(self._wild.items()):
            found += handlers if matches(wanted, topic) else ()
        return list(dict.fromkeys(found))

    def _kept(self, topic_filter: str) -> dict[str, tuple[Handler, ...]]:
        return self._wild if {"+", "#"} & set(topic_filter) else self._plain


def check_filter(topic_filter: str) -> None:
    """Raise RecorderError unless the wildcards of a filter stand where MQTT allows them."""
    parts = topic_filter.split("/")
    stray = any(("+" in part or "#" in part) and len(part) > 1 for part in parts)
    if not topic_filter or stray or "#" in parts[:-1]:
        raise RecorderError(f"{topic_filter!r} is not an MQTT topic filter")


def check_topic(topic: str, qos: int) -> None:
    """Raise RecorderError for a topic with wildcards or a QoS that nobody here uses."""
    if not topic or "+" in topic or "#" in topic or "\0" in topic:
        raise RecorderError(f"{topic!r} is not a topic to publish to")
    if qos not in QOS_LEVELS:
        raise RecorderError(f"QoS {qos} is not used here: 0 or 1")

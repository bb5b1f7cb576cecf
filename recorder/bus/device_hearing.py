"""How devices are, for those who watch them: their state, what they are, their heartbeats.

A message costs who reads it the same whether it is used or not, so a device that sends many of
these is not heard for a moment: the broker then brings those of the others alone.
"""

import threading
import time
from collections.abc import Callable

from recorder.bus.port import Bus, Handler, Message
from recorder.domain.errors import DeviceError
from recorder.domain.limits import MOST_PASSING_A_SECOND
from recorder.recent import Recent
from recorder.wire.topics import Up, UpChannel, parse_topic, up_filter

_CHANNELS = (UpChannel.STATE, UpChannel.INFO, UpChannel.HEARTBEAT)
_FLOOD_A_SECOND = 10 * MOST_PASSING_A_SECOND
_AWAY_S = 3.0
"""So long who floods is not heard: shorter than the silence after which a device counts as lost."""
_MOST_STRANGERS = 2000


class DeviceHearing:
    """Gives ``take`` what devices say of themselves, of one's heartbeats a few each second.

    ``begin`` before the bus is started. ``ticks_s`` is any clock that never goes back.
    """

    def __init__(
        self,
        bus: Bus,
        venue: str,
        take: Handler,
        ticks_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bus, self._venue, self._take, self._ticks_s = bus, venue, take, ticks_s
        self._lock = threading.RLock()  # guards the three below; a bus in memory calls back at once
        self._said = Recent[str, tuple[int, int]](_MOST_STRANGERS)
        """In which second a device was last heard, and how often in it."""
        self._named: set[str] | None = None
        """Who is heard by name, while somebody floods; None: everybody."""
        self._later: threading.Timer | None = None

    def begin(self) -> None:
        """Hear everybody from now on."""
        for channel in _CHANNELS:
            self._bus.subscribe(up_filter(self._venue, channel), self._hear)

    def end(self) -> None:
        """Change nothing any more."""
        with self._lock:
            if self._later is not None:
                self._later.cancel()

    def _hear(self, message: Message) -> None:
        message.ack()
        try:
            topic = parse_topic(message.topic)
        except DeviceError:
            return
        if not isinstance(topic, Up):
            return
        second = int(self._ticks_s())
        with self._lock:
            since, count = self._said.get(topic.device, (second, 0))
            count = count + 1 if since == second else 1
            self._said[topic.device] = second, count
            if count == _FLOOD_A_SECOND:
                self._leave_out(topic.device)
        if topic.channel is not UpChannel.HEARTBEAT or count <= MOST_PASSING_A_SECOND:
            self._take(message)

    def _leave_out(self, device: str) -> None:
        if self._named is not None:
            self._named.discard(device)
            self._unsubscribe({device})
            return
        self._named = set(self._said) - {device}
        for topic in self._topics(self._named):
            self._bus.subscribe(topic, self._hear)
        for channel in _CHANNELS:
            self._bus.unsubscribe(up_filter(self._venue, channel))
        self._later = threading.Timer(_AWAY_S, self._hear_everybody)
        self._later.daemon = True
        self._later.start()

    def _hear_everybody(self) -> None:
        with self._lock:
            named, self._named = self._named or set(), None
            self.begin()
            self._unsubscribe(named)

    def _unsubscribe(self, devices: set[str]) -> None:
        for topic in self._topics(devices):
            self._bus.unsubscribe(topic)

    def _topics(self, devices: set[str]) -> list[str]:
        return [str(Up(self._venue, name, channel)) for name in devices for channel in _CHANNELS]

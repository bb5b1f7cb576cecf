"""What the bus brings, put in line on the bus's own thread.

A broker hands a client everything in the order in which it came, so one device that sends much
stands before all others. It is heard apart then: over a connection of its own, together with the
devices that nobody knows, and at a slower pace where it sends what is not taken.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from recorder.bus.port import Bus, Message
from recorder.domain.limits import ROW_BYTES
from recorder.service.device_tables import DeviceTables
from recorder.service.incoming.inbox import Inbox, sender_of
from recorder.service.shares import MessageShares
from recorder.wire.topics import Up, UpChannel, up_filter

_HEARD = (
    UpChannel.INFO, UpChannel.EVENT, UpChannel.HEARTBEAT, UpChannel.STATE, UpChannel.ASK,
)  # fmt: skip
_PACE_S = 0.002
"""So long the connection apart waits after each message that is not taken."""

_LET_GO_S = 5.0
"""So long the connection apart waits at most for the other one to let go of a device."""
_LOOK_EVERY_MS = 200

log = logging.getLogger("tilecast.recorder")


@dataclass(slots=True)
class Hearing:
    """Puts messages in ``inbox``, each with when it came by ``now`` (milliseconds since 1970)."""

    venue: str
    devices: DeviceTables
    messages: MessageShares
    inbox: Inbox[tuple[int, Message]]
    now: Callable[[], int]
    bus: Bus
    _apart: Bus | None = field(default=None, init=False)
    _named: frozenset[str] | None = field(default=None, init=False)
    """The devices that are heard by name, while others are heard apart; None: all together."""
    _let_go: threading.Event = field(default_factory=threading.Event, init=False)
    """Set once all that came before ``_named`` held is in line."""
    _looked_ms: int = field(default=0, init=False)

    def begin(self) -> None:
        """Hear the devices of the venue from now on."""
        self._hear_all(self.bus, self._arrived)

    def go_by_shares(self) -> None:
        """Hear devices apart that send much, and together again once they do not."""
        now_ms = self.now()
        if abs(now_ms - self._looked_ms) < _LOOK_EVERY_MS:
            return
        self._looked_ms = now_ms
        busy = self.messages.busy(now_ms / 1000)
        if self._apart is None:
            if busy:
                self._apart = self.bus.twin()
                self._hear_all(self._apart, self._arrived_apart)
                self._apart.start()
        elif not busy:
            self._hear_together()
        elif self._apart.is_connected:
            self._hear_named(self.messages.known - busy)

    def _hear_named(self, names: frozenset[str]) -> None:
        """Hear these by name, and all others apart. Each is heard twice before it is not at all."""
        before, is_first = self._named or frozenset(), self._named is None
        for topic in self._topics(names - before):
            self.bus.subscribe(topic, self._arrived)
        left = self._topics(before - names)
        if is_first:
            left += [up_filter(self.venue, channel) for channel in _HEARD]
        if not left:
            self._named = names
            return
        self._let_go = threading.Event()
        self._named = names
        for topic in left[:-1]:
            self.bus.unsubscribe(topic)
        self.bus.unsubscribe(left[-1], self._let_go.set)  # the broker answers in order

    def _hear_together(self) -> None:
        if self._named is not None:
            self._hear_all(self.bus, self._arrived)
            for topic in self._topics(self._named):
                self.bus.unsubscribe(topic)
        apart, self._apart, self._named = self._apart, None, None
        if apart is not None:  # its goodbye takes a while
            threading.Thread(target=apart.stop, name="hearing-apart", daemon=True).start()

    def _topics(self, devices: frozenset[str]) -> list[str]:
        return [str(Up(self.venue, device, channel)) for device in devices for channel in _HEARD]

    def end(self) -> None:
        """Close what was opened beside ``bus``."""
        if self._apart is not None:
            self._apart.stop()
            self._apart = None

    def _hear_all(self, bus: Bus, handler: Callable[[Message], None]) -> None:
        for channel in _HEARD:
            bus.subscribe(up_filter(self.venue, channel), handler)

    def _arrived(self, message: Message) -> None:
        self._put(message)

    def _arrived_apart(self, message: Message) -> None:
        sender, named = sender_of(message), self._named
        if named is None or (sender is not None and sender.device in named):
            message.ack()
            return
        self._let_go.wait(_LET_GO_S)
        if not self._put(message):
            time.sleep(_PACE_S)

    def _put(self, message: Message) -> bool:
        """Put a message in its table's line, if there is room."""
        sender = sender_of(message)
        device = "" if sender is None else sender.device
        table = self.devices.table(device)
        # What has no room is no longer the broker's either: its device sends it again.
        is_stored = sender is not None and sender.channel is UpChannel.EVENT
        stored = len(message.payload) + ROW_BYTES if is_stored else 0
        now_ms = self.now()
        if not self.messages.takes(device, now_ms / 1000, stored):
            message.ack()
            return False
        if not self.inbox.put(table, (now_ms, message)):
            log.warning("too much waits of table %d; what is refused now is sent again", table)
            message.ack()
            return False
        return True

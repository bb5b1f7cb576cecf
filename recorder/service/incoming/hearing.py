"""What the bus brings, put in line on the bus's own thread."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from recorder.bus.port import Bus, Message
from recorder.domain.limits import ROW_BYTES
from recorder.service.device_tables import DeviceTables
from recorder.service.incoming.inbox import Inbox, sender_of
from recorder.service.shares import MessageShares
from recorder.wire import UpChannel, up_filter

_HEARD = (
    UpChannel.INFO, UpChannel.EVENT, UpChannel.HEARTBEAT, UpChannel.STATE, UpChannel.ASK,
)  # fmt: skip

log = logging.getLogger("tilecast.recorder")


@dataclass(frozen=True, slots=True)
class Hearing:
    """Puts messages in ``inbox``, each with when it came by ``now`` (milliseconds since 1970)."""

    venue: str
    devices: DeviceTables
    messages: MessageShares
    inbox: Inbox[tuple[int, Message]]
    now: Callable[[], int]

    def begin(self, bus: Bus) -> None:
        """Hear the devices of the venue from now on."""
        for channel in _HEARD:
            bus.subscribe(up_filter(self.venue, channel), self.arrived)

    def arrived(self, message: Message) -> None:
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
        elif not self.inbox.put(table, (now_ms, message)):
            log.warning("too much waits of table %d; what is refused now is sent again", table)
            message.ack()

"""What the recorder answers to devices: up to which number nothing is missing, and what time it is.

A device deletes what it holds on that word alone. Must not know what its events say.
"""

import logging
from dataclasses import dataclass, field

from recorder.bus.port import Bus
from recorder.log.port import EventLog
from recorder.recent import ByBoot
from recorder.service.presence import SILENCE_MS
from recorder.service.timekeeping import time_reply
from recorder.wire.control import Ack, Heartbeat, encode
from recorder.wire.topics import Down, DownChannel

DEAF_MS, SAID_FOR_MS = 10_000, 300_000
"""So long a device may go on holding what was confirmed as stored; then it is said, now and
then."""

log = logging.getLogger("tilecast.recorder")


@dataclass(frozen=True, slots=True)
class Acknowledgements:
    """Answers the devices of a venue."""

    venue: str
    bus: Bus
    store: EventLog
    _floors: ByBoot[int] = field(default_factory=ByBoot)
    _said: ByBoot[int] = field(default_factory=ByBoot)
    _deaf: dict[str, tuple[int, int, int]] = field(default_factory=dict)

    def say(self, device: str, boot: str) -> None:
        """Tell a device up to which number nothing is missing."""
        floor = self._floors.get((device, boot)) or 0
        upto = self.store.contiguous(device, boot, floor=floor)
        self._said[(device, boot)] = upto
        topic = Down(self.venue, device, DownChannel.ACK)
        self.bus.publish(str(topic), encode(Ack(boot=boot, upto=upto)))

    def heard(
        self, device: str, beat: Heartbeat, received_ms: int, now_ms: int
    ) -> tuple[int, int, int] | None:
        """Answer a heartbeat, which asks for our time.

        It says how many events wait, and so which ones somebody has stored before. A device that
        still holds events which are stored has missed an ack. What it has given up since its last
        heartbeat and never came is returned: first, last, count.
        """
        self.tell_time(device, beat, received_ms, now_ms)
        key = (device, beat.boot)
        before, floor = self._floors.get(key), beat.seq_high - beat.outbox
        self._floors[key] = max(before or 0, floor)
        missing = None
        if floor > (before or 0):
            missing = self.store.missing(device, beat.boot, upto=floor, after=before)
        if beat.outbox:
            self.say(device, beat.boot)
        self._note_deaf(device, beat.boot, floor, now_ms)
        return missing

    def tell_time(self, device: str, beat: Heartbeat, received_ms: int, now_ms: int) -> None:
        """Say our time to anyone who asks with a heartbeat."""
        topic = Down(self.venue, device, DownChannel.TIME)
        reply = time_reply(beat, received_ms, now_ms)
        self.bus.publish(str(topic), encode(reply), qos=0)

    def _note_deaf(self, device: str, boot: str, floor: int, now_ms: int) -> None:
        """Say once in our log that a device goes on holding what was confirmed as stored.

        Only time in which it beats counts: behind a broker that froze it could hear nothing.
        """
        upto = self._said.get((device, boot)) or 0
        before, since_ms, heard_ms = self._deaf.get(device, (-1, now_ms, now_ms))
        if upto <= floor or before != floor:
            since_ms = now_ms
        elif now_ms - heard_ms > SILENCE_MS:
            since_ms = max(since_ms, now_ms)
        elif now_ms - since_ms > DEAF_MS:
            log.warning(
                "%s does not receive that its events up to %d are stored: does the broker let it"
                " read %s/# by its access list? tilecast doctor venue tries it; nothing is lost",
                device,
                upto,
                str(Down(self.venue, device, DownChannel.ACK)).rpartition("/")[0],
            )
            since_ms = now_ms + SAID_FOR_MS
        self._deaf[device] = floor, since_ms, now_ms

"""What the recorder answers to devices: up to which number nothing is missing, and what time it is.

A device deletes what it holds on that word alone. Must not know what its events say.
"""

from dataclasses import dataclass, field

from recorder.bus.port import Bus
from recorder.log.port import EventLog
from recorder.service.timekeeping import time_reply
from recorder.wire import Ack, Down, DownChannel, Heartbeat, encode


@dataclass(frozen=True, slots=True)
class Acknowledgements:
    """Answers the devices of a venue."""

    venue: str
    bus: Bus
    store: EventLog
    _floors: dict[tuple[str, str], int] = field(default_factory=dict)

    def say(self, device: str, boot: str) -> None:
        """Tell a device up to which number nothing is missing."""
        floor = self._floors.get((device, boot), 0)
        upto = self.store.contiguous(device, boot, floor=floor)
        topic = Down(self.venue, device, DownChannel.ACK)
        self.bus.publish(str(topic), encode(Ack(boot=boot, upto=upto)))

    def heard(self, device: str, beat: Heartbeat, received_ms: int, now_ms: int) -> None:
        """Answer a heartbeat, which asks for our time.

        It says how many events wait, and so which ones somebody has stored before. A device that
        still holds events which are stored has missed an ack.
        """
        topic = Down(self.venue, device, DownChannel.TIME)
        reply = time_reply(beat, received_ms, now_ms)
        self.bus.publish(str(topic), encode(reply), qos=0)
        key = (device, beat.boot)
        self._floors[key] = max(self._floors.get(key, 0), beat.seq_high - beat.outbox)
        if beat.outbox:
            self.say(device, beat.boot)

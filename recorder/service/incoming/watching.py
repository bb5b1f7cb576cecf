"""Heartbeats, states and questions: who is lost, who is back, and what consoles ask.

Nothing of it is stored as it came; what follows is news of devices, which the caller stores.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recorder.bus.port import Message
from recorder.domain.errors import DeviceError
from recorder.domain.instruments import EventsMissing
from recorder.domain.observations import DeviceBack, DeviceLost
from recorder.service.acknowledgements import Acknowledgements
from recorder.service.incoming.admission import PROBE_DEVICE, Admission, Refusal, retained_text
from recorder.service.incoming.missing_numbers import MissingNumbers
from recorder.service.plan import Counters
from recorder.service.presence import Presences
from recorder.service.shares import MessageShares
from recorder.service.timekeeping import Times
from recorder.wire.control import (
    Heartbeat,
    decode_device_info,
    decode_device_state,
    decode_heartbeat,
)
from recorder.wire.topics import Up, UpChannel, parse_topic

log = logging.getLogger("tilecast.recorder")


@dataclass(frozen=True, slots=True)
class Watching:
    """What the devices of a recorder say of themselves. ``answer`` takes a console's question."""

    presences: Presences
    messages: MessageShares
    admission: Admission
    answers: Acknowledgements
    missing: MissingNumbers
    counters: Counters
    answer: Callable[[Message, int], None]

    def news(
        self, batch: Sequence[tuple[int, Message]], times: Times, now: Callable[[], int]
    ) -> list[DeviceLost | DeviceBack | EventsMissing]:
        """Take in messages with when they came; which devices are lost or back by now.

        And what of a device never came, or has come after all.
        """
        news: list[DeviceLost | DeviceBack | EventsMissing] = []
        for received_ms, message in batch:
            try:
                topic = parse_topic(message.topic)
                if not isinstance(topic, Up) or topic.channel is UpChannel.INFO:
                    pass  # infos are learned before the events
                elif message.retained and topic.channel is not UpChannel.STATE:
                    self._retained(message)
                elif topic.channel is UpChannel.ASK:
                    self.answer(message, received_ms)
                elif topic.channel is UpChannel.HEARTBEAT:
                    beat = decode_heartbeat(message.payload)
                    self._beats(topic.device, beat, received_ms, times, now)
                    news += self.presences.beat(topic.device, received_ms)
                elif message.payload:
                    state = decode_device_state(message.payload)
                    news += self.presences.said(topic.device, state, received_ms)
            except DeviceError as fault:
                self._refused(message, fault)
            message.ack()
        flooding = self.messages
        news += self.presences.floods(flooding.begun(), flooding.ended(now() / 1000))
        return [*news, *self.presences.overdue(now()), *self.missing.news(now())]

    def learn(self, message: Message) -> None:
        """Take in what a device is, if that is what it says: how its looks are to be read."""
        try:
            topic = parse_topic(message.topic)
            if isinstance(topic, Up) and topic.channel is UpChannel.INFO and message.payload:
                info = decode_device_info(message.payload)
                self.admission.learn(topic.device, info.symbols)
        except DeviceError as fault:
            self._refused(message, fault)

    def _refused(self, message: Message, fault: DeviceError) -> None:
        self.counters.refused += 1
        if self.admission.count(message.topic, Refusal.MALFORMED):
            log.warning("refused: %s", str(fault)[:500])

    def _retained(self, message: Message) -> None:
        """A heartbeat or a question that the broker kept is of another time: it counts as none."""
        self.counters.refused += 1
        if self.admission.count(message.topic, Refusal.RETAINED):
            log.warning("refused (retained): %s", retained_text(message.topic))

    def _beats(
        self, device: str, beat: Heartbeat, received_ms: int, times: Times, now: Callable[[], int]
    ) -> None:
        if device in self.admission.devices:
            gap = self.answers.heard(device, beat, received_ms, now())
            if gap is not None:
                self.missing.lost(device, beat.boot, gap, received_ms)
            times.heard(device, beat, received_ms)
        elif device == PROBE_DEVICE:
            self.answers.tell_time(device, beat, received_ms, now())

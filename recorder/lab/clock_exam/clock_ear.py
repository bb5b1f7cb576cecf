"""What a networked clock says while it is examined, and what is said to it: the recorder's place.

Heartbeats are answered as a recorder answers them. Nothing here judges.
"""

import json
import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from recorder.bus.port import Bus, Message
from recorder.domain.errors import DeviceError
from recorder.domain.observations import ClockPressed, ClockSynced, Observation
from recorder.wire.control import (
    Ack,
    DeviceState,
    Heartbeat,
    TimeReply,
    decode_device_info,
    decode_device_state,
    decode_heartbeat,
    decode_response,
    encode,
)
from recorder.wire.envelope import Envelope, decode_envelope
from recorder.wire.observations import decode_observation
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """A message of the clock, and when it came, in seconds of our own."""

    at_s: float
    channel: UpChannel
    message: Message


class OwnTime:
    """The examiner's seconds, and how they pass while nothing comes: those of this machine."""

    def now_s(self) -> float:
        """Seconds that rise, from any beginning."""
        return time.monotonic()

    def next_of(self, inbox: queue.SimpleQueue[HeardMessage], within_s: float) -> HeardMessage:
        """What comes next; queue.Empty when nothing does within so many seconds."""
        return inbox.get(timeout=within_s)


class ExaminedClock:
    """A clock as one hears it on the bus; ``pace`` stretches all times that are waited for."""

    def __init__(
        self, bus: Bus, venue: str, device: str, *, pace: float = 1.0, own_time: OwnTime
    ) -> None:
        self._bus, self._venue, self._device, self._pace = bus, venue, device, pace
        self._time = own_time
        self._inbox: queue.SimpleQueue[HeardMessage] = queue.SimpleQueue()
        self._heard: list[HeardMessage] = []
        for channel in UpChannel:
            if channel not in (UpChannel.RAW, UpChannel.ASK):
                bus.subscribe(self.topic(channel), self._listener(channel))

    def topic(self, channel: UpChannel) -> str:
        """Where the clock says such things."""
        return str(Up(self._venue, self._device, channel))

    def _listener(self, channel: UpChannel) -> Callable[[Message], None]:
        return lambda message: self._inbox.put(HeardMessage(self._time.now_s(), channel, message))

    def say(self, channel: DownChannel, payload: bytes, qos: int = 1) -> None:
        """Tell the clock something."""
        self._bus.publish(str(Down(self._venue, self._device, channel)), payload, qos=qos)

    def wait(self, holds: Callable[[], object], within_s: float) -> bool:
        """Listen until a claim holds; whether it did within so many seconds of the page."""
        end_s = self._time.now_s() + within_s * self._pace
        while not holds():
            left_s = end_s - self._time.now_s()
            if left_s <= 0:
                return False
            try:
                self._take(self._time.next_of(self._inbox, left_s))
            except queue.Empty:
                continue
        return True

    def pause(self, seconds: float) -> None:
        """Listen for so long."""
        self.wait(lambda: False, seconds)

    def _take(self, heard: HeardMessage) -> None:
        heard.message.ack()
        self._heard.append(heard)
        if heard.channel is UpChannel.HEARTBEAT:
            beat = _read(decode_heartbeat, heard.message.payload)
            if beat is not None:
                received_ms, sent_ms = round(heard.at_s * 1000), round(self._time.now_s() * 1000)
                reply = TimeReply(t_ms=beat.t_ms, received_ms=received_ms, sent_ms=sent_ms)
                self.say(DownChannel.TIME, encode(reply), qos=0)

    def on(self, channel: UpChannel) -> list[HeardMessage]:
        """All that came on a channel."""
        return [heard for heard in self._heard if heard.channel is channel]

    def unreadable(self, *channels: UpChannel) -> list[str]:
        """What is wrong with the messages of these channels, each fault once."""
        faults = (_fault(heard) for channel in channels for heard in self.on(channel))
        return list(dict.fromkeys(filter(None, faults)))

    def state(self) -> DeviceState | None:
        """What it last said of itself."""
        states = (
            _read(decode_device_state, heard.message.payload) for heard in self.on(UpChannel.STATE)
        )
        return next((state for state in reversed(list(states)) if state is not None), None)

    def beats(self) -> list[Heartbeat]:
        """The heartbeats of its present boot."""
        read = (
            _read(decode_heartbeat, heard.message.payload) for heard in self.on(UpChannel.HEARTBEAT)
        )
        state = self.state()
        return [
            beat for beat in read if beat is not None and (not state or beat.boot == state.boot)
        ]

    def waiting(self) -> int:
        """How many events wait, by its newest heartbeat."""
        beats = self.beats()
        return beats[-1].outbox if beats else 0

    def offset_ms(self) -> float:
        """Our milliseconds minus its own, by the quickest heartbeat."""
        read = (
            (heard.at_s * 1000, _read(decode_heartbeat, heard.message.payload))
            for heard in self.on(UpChannel.HEARTBEAT)
        )
        state = self.state()
        return min(
            at_ms - beat.t_ms
            for at_ms, beat in read
            if beat is not None and (not state or beat.boot == state.boot)
        )

    def answer(self, name: str) -> bool | None:
        """What it answered to the command of that id; None for nothing."""
        for heard in self.on(UpChannel.RESPONSE):
            answer = _read(decode_response, heard.message.payload)
            if answer is not None and answer.id == name:
                return answer.ok
        return None

    def events(self, begun: int = 0) -> list[Envelope]:
        """The events of its present boot among the messages from that one on."""
        read = [_envelope(heard.message) for heard in self.on(UpChannel.EVENT)[begun:]]
        state = self.state()
        return [
            event for event in read if event is not None and (not state or event.boot == state.boot)
        ]

    def numbers(self, begun: int = 0) -> set[int]:
        """The numbers of those events."""
        return {event.seq for event in self.events(begun)}

    def pressed(self, begun: int) -> list[tuple[Envelope, ClockPressed]]:
        """The presses among those events, each once."""
        return [
            (event, said) for event, said in self._said(begun) if isinstance(said, ClockPressed)
        ]

    def synced(self) -> list[ClockSynced]:
        """What it said of its time against ours."""
        return [said for _, said in self._said(0) if isinstance(said, ClockSynced)]

    def _said(self, begun: int) -> Iterator[tuple[Envelope, Observation]]:
        unique = {event.seq: event for event in self.events(begun)}
        for _, event in sorted(unique.items()):
            observation = _observation(event)
            if observation is not None:
                yield event, observation

    def acknowledge(self) -> None:
        """Ack all that came without a gap, of every boot, as a recorder does."""
        numbers: dict[str, set[int]] = {}
        for heard in self.on(UpChannel.EVENT):
            event = _envelope(heard.message)
            if event is not None:
                numbers.setdefault(event.boot, set()).add(event.seq)
        for boot, seen in numbers.items():
            upto = min(seen)
            while upto + 1 in seen:
                upto += 1
            self.say(DownChannel.ACK, encode(Ack(boot=boot, upto=upto)))


def _read(decode: Callable[[bytes], Read], payload: bytes) -> Read | None:
    try:
        return decode(payload)
    except DeviceError:
        return None


def _envelope(message: Message) -> Envelope | None:
    try:
        return decode_envelope(message.topic, message.payload)
    except DeviceError:
        return None


def _observation(event: Envelope) -> Observation | None:
    try:
        return decode_observation(event.type, event.data)
    except DeviceError:
        return None


def _fault(heard: HeardMessage) -> str:
    """Why a message of a clock cannot be read; empty where it can."""
    message = heard.message
    try:
        match heard.channel:
            case UpChannel.STATE:
                decode_device_state(message.payload)
            case UpChannel.INFO:
                decode_device_info(message.payload)
            case UpChannel.HEARTBEAT:
                decode_heartbeat(message.payload)
            case UpChannel.RESPONSE:
                decode_response(message.payload)
            case UpChannel.EVENT:
                event = decode_envelope(message.topic, message.payload)
                decode_observation(event.type, event.data)
            case _:
                json.loads(message.payload)
    except (DeviceError, ValueError) as fault:
        return str(fault)
    return ""

"""What a recorder says of itself to anyone who listens: that it records, which build, how far.

It listens there too: two recorders of one name would each answer the devices for the other.
"""

import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from recorder.bus.port import Bus, Message, Will
from recorder.domain.errors import DeviceError
from recorder.domain.notices import CodedText
from recorder.log.anchors import Anchor
from recorder.version import build_version
from recorder.wire.control import MOST_FAULT, Presence, RecorderState, decode_recorder_state, encode
from recorder.wire.topics import RecorderTopic

log = logging.getLogger("tilecast.recorder")

_NEW_S = 3.0
"""A recorder that hears another one within this time of its first word has come second."""
_REPEAT_S = 5.0
"""Two that go on both say so no more often."""
_MOST_UNANSWERED = 64
"""Of more words said under this name between two answers, the latest count."""


def new_start() -> str:
    """One start of a recorder, apart from every other."""
    return secrets.token_hex(8)


@dataclass(slots=True)
class SpokenState:
    """The retained state on ``topic``; ``now`` gives milliseconds since 1970.

    ``devices`` are those expected, as ``RecorderPlan.expected`` shows them.
    """

    bus: Bus
    topic: RecorderTopic
    now: Callable[[], int]
    devices: tuple[str, ...] = ()
    start: str = field(default_factory=new_start)
    came_second: threading.Event = field(default_factory=threading.Event, init=False)
    """Set by ``answer`` where another recorder of this name was there before."""
    _others: deque[tuple[float, bytes]] = field(
        default_factory=lambda: deque(maxlen=_MOST_UNANSWERED), init=False
    )
    """What was said under this name since the last answer, and when (monotonic seconds)."""
    warning: CodedText | None = field(default=None, init=False)
    """What a director must know of the log since the start, such as that it was damaged."""
    _fault: str = field(default="", init=False)
    _head: Anchor | None = field(default=None, init=False)
    _first_said_s: float | None = field(default=None, init=False)
    _answered_s: float = field(default=float("-inf"), init=False)

    def listen(self) -> None:
        """Hear what others say under this recorder's name; ``answer`` answers it."""
        self.bus.subscribe(str(self.topic), self._heard)

    def say(self, presence: Presence) -> None:
        """Say that the recorder is there, or goes."""
        if self._first_said_s is None:
            self._first_said_s = time.monotonic()
        head = self._head
        state = RecorderState(
            state=presence,
            since_ms=self.now(),
            start=self.start,
            version=build_version(),
            head=0 if head is None else head.seq,
            head_code="" if head is None else head.code,
            devices=self.devices,
            fault=self._fault[:MOST_FAULT],
            warning=self.warning,
        )
        self.bus.publish(str(self.topic), encode(state), retain=True)

    def say_head(self, head: Anchor | None) -> None:
        """Say which row the log has come to, where that is news; any thread may call it."""
        if head != self._head:
            self._head = head
            if self.bus.is_connected:
                self.say(Presence.READY)

    def say_fault(self, fault: str) -> None:
        """Say what keeps devices from being recorded, where that is news; empty: it is over."""
        if fault != self._fault:
            self._fault = fault
            if self.bus.is_connected:
                self.say(Presence.READY)

    def answer(self) -> None:
        """Say that this recorder is there, where another has spoken under its name meanwhile.

        For anyone who looks after the recorder, once a second or so: the bus's own thread only
        notes what was said.
        """
        while self._others:
            self._answer(*self._others.popleft())

    def _heard(self, message: Message) -> None:
        message.ack()
        if message.retained or self._first_said_s is None:
            return  # said before we came: by one that may be gone
        self._others.append((time.monotonic(), message.payload))

    def _answer(self, heard_s: float, payload: bytes) -> None:
        try:
            other = decode_recorder_state(payload)
        except DeviceError:
            return
        if other.start in ("", self.start) or self._first_said_s is None:
            return
        if other.state is Presence.READY:
            if heard_s - self._first_said_s < _NEW_S:
                self.came_second.set()
                return
            if heard_s - self._answered_s < _REPEAT_S:
                return
            self._answered_s = heard_s
            log.error(
                "another recorder called %s has come to this broker: each stores what the devices"
                " say, so stop the one that is not meant",
                self.topic.recorder,
            )
        # What is kept for who comes later is what the last one said, or the broker for it.
        self.say(Presence.READY)


def farewell(topic: RecorderTopic, start: str, at_ms: int) -> Will:
    """What the broker says for a recorder that is lost, since ``at_ms`` (its start, UTC ms)."""
    return Will(str(topic), encode(RecorderState(state=Presence.LOST, since_ms=at_ms, start=start)))

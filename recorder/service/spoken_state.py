"""What a recorder says of itself to whoever listens: that it records, which build, how far."""

from collections.abc import Callable
from dataclasses import dataclass, field

from recorder.bus.port import Bus
from recorder.log.anchors import Anchor
from recorder.version import build_version
from recorder.wire import Presence, RecorderState, RecorderTopic, encode


@dataclass(slots=True)
class SpokenState:
    """The retained state on ``topic``; ``now`` gives milliseconds since 1970.

    ``devices`` are those expected, as ``RecorderPlan.expected`` tells them.
    """

    bus: Bus
    topic: RecorderTopic
    now: Callable[[], int]
    devices: tuple[str, ...] = ()
    _head: Anchor | None = field(default=None, init=False)

    def say(self, presence: Presence) -> None:
        """Say that the recorder is there, or goes."""
        head = self._head
        state = RecorderState(
            state=presence,
            since_ms=self.now(),
            version=build_version(),
            head=0 if head is None else head.seq,
            head_code="" if head is None else head.code,
            devices=self.devices,
        )
        self.bus.publish(str(self.topic), encode(state), retain=True)

    def say_head(self, head: Anchor | None) -> None:
        """Say which row the log has come to, where that is news; any thread may call it."""
        if head != self._head:
            self._head = head
            if self.bus.is_connected:
                self.say(Presence.READY)

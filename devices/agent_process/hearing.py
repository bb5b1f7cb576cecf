"""Whether a recorder hears a device, and that device alone: it answers every heartbeat.

A broker takes what an access list forbids, and drops it without a word, be it to be said or to be
heard; the device cannot tell that from a recorder that is not there. So it says all of it, and that
nothing is lost. And an answer to a heartbeat that the device never sent was for another one of its
name.
"""

from collections import deque
from collections.abc import Iterator

from recorder.wire.control import TimeReply

UNHEARD_MS = 15_000
"""So long nobody may answer before it is said: a recorder starts again in less."""
UNHEARD = (
    "no recorder answers: none runs for this venue on this broker, no table of its file names the"
    " device, or an access list of the broker drops what it says (below up/{device}/) or what it is"
    " sent (below down/{device}/); tilecast doctor --device {device} says which. What it says is"
    " kept"
)
TWOFOLD = (
    "another device speaks as {device} at this broker, perhaps from another machine: end one of the"
    " two agents, or give its device another name in its file and in the recorder's. What both say"
    " is recorded as if one had said it. Is one folder a copy of the other, with its outbox, both"
    " give out the same numbers and some of it may be lost: delete the copy's .outbox file too"
)
_STRANGE, _STRANGE_MS = 2, 4_000
"""So many answers to another within so long: two are there."""
_MOST_BEATS = 60


class Hearing:
    """Follows the answers to the heartbeats of ``device``. Pure: the caller gives the time."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._since_ms: int | None = None
        self._is_due = self._is_twofold = False
        self._sent: deque[int] = deque(maxlen=_MOST_BEATS)
        self._strange: deque[int] = deque(maxlen=_STRANGE)
        self._received_ms: int | None = None

    def answered(self, reply: TimeReply, now_ms: int) -> None:
        """A recorder answered: this device, or another one of its name.

        What it received before our first beat was said by an earlier start of this device.
        """
        if reply.t_ms in self._sent:
            self._since_ms, self._received_ms = None, reply.received_ms
        elif self._received_ms is not None and reply.received_ms > self._received_ms:
            self._strange.append(now_ms)

    def cut_off(self) -> None:
        """The connection is lost: no answer can come, and that is said elsewhere."""
        self._since_ms, self._is_due = None, False

    def beats(self, now_ms: int) -> Iterator[str]:
        """A heartbeat leaves, stamped so: what has changed in who answers, each once."""
        self._sent.append(now_ms)
        yield from self._answering(now_ms)
        yield from self._alone(now_ms)

    def _answering(self, now_ms: int) -> Iterator[str]:
        if self._since_ms is None:
            was_told, self._is_due, self._since_ms = self._is_due, False, now_ms
            if was_told:
                yield "a recorder answers"
        elif not self._is_due and now_ms - self._since_ms >= UNHEARD_MS:
            self._is_due = True
            yield UNHEARD.format(device=self._device)

    def _alone(self, now_ms: int) -> Iterator[str]:
        recent = [at_ms for at_ms in tuple(self._strange) if now_ms - at_ms <= _STRANGE_MS]
        if len(recent) == _STRANGE and not self._is_twofold:
            self._is_twofold = True
            yield TWOFOLD.format(device=self._device)
        elif not recent and self._is_twofold:
            self._is_twofold = False
            yield f"no other client uses the name {self._device} any more"

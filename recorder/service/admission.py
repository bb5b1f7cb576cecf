"""Which messages a recorder takes: of its venue, of its devices, under their own name, of a type.

What is refused is counted by reason. The first of each kind is news for the log and the director;
the rest is not, for a device whose events nobody takes sends them again for ever. Must not know the
bus or the log.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from recorder.domain.errors import DeviceError
from recorder.wire import Envelope, ForgedError, VersionError, decode_envelope, is_order


class Refusal(StrEnum):
    """Why a message was refused."""

    VERSION = "version"
    FOREIGN = "foreign"
    FORGED = "forged"
    MALFORMED = "malformed"


class MessageRefusedError(DeviceError):
    """A message that is not taken; ``reason`` is what it is counted under.

    ``is_news`` is False when the same topic was refused for the same reason before.
    """

    def __init__(self, reason: Refusal, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.is_news = True


MOST_TOLD = 1_000
PROBE_DEVICE, PROBE_TYPE = "doctor", "doctor.probe"
"""``tilecast doctor`` is no device of a table; its one type of event is taken all the same."""


@dataclass(slots=True)
class Admission:
    """Lets in the envelopes of ``devices``; counts what it refuses."""

    devices: Collection[str]
    counts: dict[Refusal, int] = field(default_factory=lambda: dict.fromkeys(Refusal, 0))
    _told: set[tuple[str, Refusal]] = field(default_factory=set)

    def admit(self, topic: str, payload: bytes) -> Envelope:
        """The envelope of a message. RefusedError says why not, and is counted."""
        try:
            return self._read(topic, payload)
        except MessageRefusedError as refused:
            self.counts[refused.reason] += 1
            # A stranger may invent topics without end; what is remembered of them may not grow so.
            kind = (topic, refused.reason)
            refused.is_news = kind not in self._told and len(self._told) < MOST_TOLD
            if refused.is_news:
                self._told.add(kind)
            raise

    def _read(self, topic: str, payload: bytes) -> Envelope:
        try:
            event = decode_envelope(topic, payload)
        except VersionError as fault:
            raise MessageRefusedError(Refusal.VERSION, str(fault)) from fault
        except ForgedError as fault:
            raise MessageRefusedError(Refusal.FORGED, str(fault)) from fault
        except DeviceError as fault:
            raise MessageRefusedError(Refusal.MALFORMED, str(fault)) from fault
        is_probe = (event.dev, event.type) == (PROBE_DEVICE, PROBE_TYPE)
        if event.dev not in self.devices and not is_probe and not is_order(event.type):
            raise MessageRefusedError(
                Refusal.FOREIGN,
                f"{event.dev} is assigned to no table here: name it among the devices of a"
                " [[table]], or take it off this venue",
            )
        return event

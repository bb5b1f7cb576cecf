"""The envelope of everything that is counted: device, boot, number, the device's own time.

``(device, boot, seq)`` is the key by which nothing is stored twice and every gap is seen. What is
inside ``data`` is read by ``observations``; this module does not look.
"""

import re
from dataclasses import dataclass
from typing import Annotated

from recorder.declared.codec import Codec, Json
from recorder.declared.json_objects import dump_object, parse_object
from recorder.domain.errors import DeviceError
from recorder.domain.limits import (
    BIGGEST_INTEGER,
    MOST_EVENT_BYTES,
    DeviceMs,
    Like,
    Name,
    Within,
)
from recorder.wire.topics import Up, UpChannel, parse_topic

VERSION = 1
BOOT = re.compile("[0-9a-f]{8}")
Boot = Annotated[str, Like(BOOT.pattern)]
"""Chosen at random when the numbering of a device's events began."""
TypeName = Annotated[str, Like(r"[a-z0-9_]{1,32}(\.[a-z0-9_]{1,32}){1,3}")]


class VersionError(DeviceError):
    """A message of a version that this program does not know."""


class ForgedError(DeviceError):
    """A device wrote under another one's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """One numbered message of a device.

    ``boot`` is eight hexadecimal digits chosen when the numbering began; ``seq`` counts from 1
    without gaps within a boot; ``t_ms`` is the device's own monotonic time. ``seal`` shows that a
    holder of the consoles' key sent it for one log (``recorder.wire.seals``); empty for all but
    orders.
    """

    dev: Name
    boot: Boot
    seq: Annotated[int, Within(1, BIGGEST_INTEGER)]
    t_ms: DeviceMs
    type: TypeName
    data: Json
    seal: Annotated[str, Like("([0-9a-f]{64})?")] = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes this message unique for ever."""
        return (self.dev, self.boot, self.seq)


ENVELOPE: Codec[Envelope] = Codec(Envelope, "event", renamed={"t_ms": "t"})


def encode_envelope(envelope: Envelope) -> bytes:
    """The payload for ``up/<device>/ev``. Raises DeviceError when it is longer than 64 KiB."""
    written = ENVELOPE.write(envelope)
    if not envelope.seal:
        del written["seal"]
    payload = dump_object({"v": VERSION, **written})
    if len(payload) > MOST_EVENT_BYTES:
        raise DeviceError(
            f"{envelope.dev} {envelope.type}: {len(payload)} bytes do not fit into one message"
            f" of {MOST_EVENT_BYTES}; send pictures as a hash"
        )
    return payload


def decode_envelope(topic: str, payload: bytes) -> Envelope:
    """The envelope in a payload that came on ``topic``.

    Raises DeviceError for a topic that is not ``up/<device>/ev`` and a payload that is too long or
    malformed; VersionError for another version; ForgedError for a device that writes under another
    one's name.
    """
    parsed = parse_topic(topic)
    if not isinstance(parsed, Up) or parsed.channel is not UpChannel.EVENT:
        raise DeviceError(f"topic {topic!r} carries no events")
    where = f"{parsed.device} event"
    data = parse_object(payload, where, most_bytes=MOST_EVENT_BYTES)
    check_version(data, where)
    event = ENVELOPE.read(data, where)
    if event.dev != parsed.device:
        raise ForgedError(f"{where}: dev is {event.dev!r}, but it came on {topic!r}")
    return event


def check_version(data: Json, where: str) -> None:
    """Raise VersionError unless ``v`` is a version that this program understands."""
    version = data.get("v")
    if version != VERSION or isinstance(version, bool | float):
        wanted = f"{VERSION} (this program knows no other version)"
        raise VersionError(ENVELOPE.fault(data, "v", wanted, where))

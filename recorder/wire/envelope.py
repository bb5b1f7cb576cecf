"""The envelope of everything that is counted: device, boot, number, the device's own time.

``(device, boot, seq)`` is the key by which nothing is stored twice and every gap is seen. What is
inside ``data`` is read by ``observations``; this module does not look.
"""

import re
from dataclasses import dataclass

from recorder.domain.errors import DeviceError
from recorder.wire.fields import Fields, Json, dump_object, parse_object
from recorder.wire.topics import NAME, Up, UpChannel, parse_topic

VERSION = 1
MOST_EVENT_BYTES = 64 * 1024
BOOT = re.compile(r"[0-9a-f]{8}")
TYPE = re.compile(r"[a-z0-9_]{1,32}(\.[a-z0-9_]{1,32}){1,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """One numbered message of a device.

    ``boot`` is eight hexadecimal digits chosen when the numbering began; ``seq`` counts from 1
    without gaps within a boot; ``t_ms`` is the device's own monotonic time.
    """

    dev: str
    boot: str
    seq: int
    t_ms: int
    type: str
    data: Json

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes this message unique for ever."""
        return (self.dev, self.boot, self.seq)


def encode_envelope(envelope: Envelope) -> bytes:
    """The payload for ``up/<device>/ev``. Raises DeviceError when it is longer than 64 KiB."""
    payload = dump_object(
        {
            "v": VERSION,
            "dev": envelope.dev,
            "boot": envelope.boot,
            "seq": envelope.seq,
            "t": envelope.t_ms,
            "type": envelope.type,
            "data": envelope.data,
        }
    )
    if len(payload) > MOST_EVENT_BYTES:
        raise DeviceError(
            f"{envelope.dev} {envelope.type}: {len(payload)} bytes do not fit into one message"
            f" of {MOST_EVENT_BYTES}; send pictures as a hash"
        )
    return payload


def decode_envelope(topic: str, payload: bytes) -> Envelope:
    """The envelope in a payload that came on ``topic``.

    Raises DeviceError for a topic that is not ``up/<device>/ev``, a payload that is too long,
    malformed or of another version, and for a device that writes under another one's name.
    """
    parsed = parse_topic(topic)
    if not isinstance(parsed, Up) or parsed.channel is not UpChannel.EVENT:
        raise DeviceError(f"topic {topic!r} carries no events")
    where = f"{parsed.device} event"
    fields = Fields(parse_object(payload, where, most_bytes=MOST_EVENT_BYTES), where)
    check_version(fields)
    device = fields.matching("dev", NAME)
    if device != parsed.device:
        raise DeviceError(f"{where}: dev is {device!r}, but it came on {topic!r}")
    return Envelope(
        dev=device,
        boot=fields.matching("boot", BOOT),
        seq=fields.integer("seq", 1),
        t_ms=fields.integer("t"),
        type=fields.matching("type", TYPE),
        data=fields.object("data"),
    )


def check_version(fields: Fields) -> None:
    """Raise DeviceError unless ``v`` is a version that this program understands."""
    version = fields.integer("v")
    if version != VERSION:
        raise fields.fault("v", f"{VERSION} (this program knows no other version)")

"""Seals of orders: who holds the consoles' key gave them, whoever reaches the broker.

A seal is the HMAC-SHA256 (RFC 2104) of the event's device, boot, number, type and data, in
canonical JSON. It does not say which person gave an order: that stands in the order, as the
dashboard knows it.
"""

import hmac
from dataclasses import replace

from recorder.declared.json_objects import canonical_json
from recorder.wire.envelope import Envelope


def sealed(event: Envelope, key: bytes) -> Envelope:
    """The event with its seal."""
    return replace(event, seal=_seal(event, key))


def is_sealed(event: Envelope, key: bytes) -> bool:
    """Whether an event bears the seal that this key makes; compared in constant time."""
    return hmac.compare_digest(event.seal, _seal(event, key))


def _seal(event: Envelope, key: bytes) -> str:
    said = {
        "dev": event.dev, "boot": event.boot, "seq": event.seq, "type": event.type,
        "data": event.data,
    }  # fmt: skip
    return hmac.new(key, canonical_json(said).encode(), "sha256").hexdigest()

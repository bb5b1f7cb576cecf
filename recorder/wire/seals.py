"""Seals of orders: who holds the consoles' key gave them for this log.

A seal is the HMAC-SHA256 (RFC 2104) of the log's name and the event's device, boot, number, type
and data, in canonical JSON. The name is the hash of the log's first row: an order that was heard
counts in no other log. It does not say which person gave an order: that stands in the order, as the
dashboard knows it.
"""

import hmac
from dataclasses import replace

from recorder.declared.json_objects import canonical_json
from recorder.wire.envelope import Envelope


def sealed(event: Envelope, key: bytes, log: str) -> Envelope:
    """The event with its seal; ``log`` is the hash of the log's first row."""
    return replace(event, seal=_seal(event, key, log))


def is_sealed(event: Envelope, key: bytes, log: str) -> bool:
    """Whether an event has the seal that this key makes; compared in constant time."""
    return hmac.compare_digest(event.seal, _seal(event, key, log))


def _seal(event: Envelope, key: bytes, log: str) -> str:
    said = {
        "dev": event.dev, "boot": event.boot, "seq": event.seq, "type": event.type,
        "data": event.data, "log": log,
    }  # fmt: skip
    return hmac.new(key, canonical_json(said).encode(), "sha256").hexdigest()

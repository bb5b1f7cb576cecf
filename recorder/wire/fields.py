"""JSON objects as bytes, read strictly: one object, no key twice, no longer than it may be.

Knows nothing of fields (``recorder.wire.codec``), topics, devices or the game.
"""

import json
from collections.abc import Iterable
from typing import Any

from recorder.domain.errors import DeviceError

Json = dict[str, Any]
"""One JSON object."""


def parse_object(payload: bytes, where: str, *, most_bytes: int) -> Json:
    """The JSON object in a payload. Raises DeviceError when it is too long or not one object."""
    if len(payload) > most_bytes:
        raise DeviceError(f"{where}: {len(payload)} bytes, at most {most_bytes} are accepted")
    try:
        value = json.loads(
            payload.decode(), parse_constant=_no_constant, object_pairs_hook=_unique_keys
        )
    except (ValueError, RecursionError) as err:
        raise DeviceError(f"{where}: not JSON: {err}") from err
    if not isinstance(value, dict):
        raise DeviceError(f"{where}: expected a JSON object, got {shown(value)}")
    return value


def dump_object(value: Json) -> bytes:
    """Compact ASCII JSON with the keys in their given order. Infinities raise ValueError."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def canonical_json(value: Any) -> str:
    """The one spelling of a JSON value: sorted keys, no spaces, ASCII. Hashes rest on it."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)


def fault(data: Json, name: str, wanted: str, where: str) -> DeviceError:
    """The error for a field that is missing or wrong, ready to be raised."""
    if name not in data:
        return DeviceError(f"{where}: {name} is missing (expected {wanted})")
    return DeviceError(f"{where}: {name} must be {wanted}, got {shown(data[name])}")


def shown(value: object) -> str:
    """A value short enough for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _unique_keys(pairs: Iterable[tuple[str, Any]]) -> Json:
    values: Json = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"key {key!r} stands twice")
        values[key] = value
    return values

"""JSON as text and bytes, read strictly: no key twice, no infinities, no longer than it may be.

Knows nothing of fields (``recorder.declared.codec``), topics, devices or the game.
"""

import json
from collections.abc import Iterable
from typing import Any

from recorder.declared.codec import Json, shown
from recorder.domain.errors import DeviceError


def parse_json(text: str) -> Any:
    """The value of a JSON text. ValueError or RecursionError when it is none."""
    return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unique_keys)


def parse_object(payload: bytes, where: str, *, most_bytes: int) -> Json:
    """The JSON object in a payload. Raises DeviceError when it is too long or not one object."""
    if len(payload) > most_bytes:
        raise DeviceError(f"{where}: {len(payload)} bytes, at most {most_bytes} are accepted")
    try:
        value = parse_json(payload.decode())
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


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _unique_keys(pairs: Iterable[tuple[str, Any]]) -> Json:
    values: Json = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"key {key!r} stands twice")
        values[key] = value
    return values

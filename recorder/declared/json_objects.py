"""JSON as text and bytes, read strictly: no key twice, nothing infinite, too deep or too long.

Knows nothing of fields (``recorder.declared.codec``), topics, devices or the game.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from recorder.declared.codec import Json, shown
from recorder.domain.errors import DeviceError
from recorder.domain.limits import MOST_DEPTH


def parse_json(text: str) -> Any:
    """The value of a JSON text. ValueError when it is none, or beyond what every reader takes."""
    try:
        value = json.loads(
            text,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_unique_keys,
        )
    except RecursionError as err:
        raise ValueError(_TOO_DEEP) from err
    if text.count("[") + text.count("{") > MOST_DEPTH:  # else it cannot be too deep
        _refuse_depth(value)
    if _MAY_BE_HALF.search(text):
        _refuse_halves(value)
    return value


def parse_object(payload: bytes, where: str, *, most_bytes: int) -> Json:
    """The JSON object in a payload. Raises DeviceError when it is too long or not one object."""
    if len(payload) > most_bytes:
        raise DeviceError(f"{where}: {len(payload)} bytes, at most {most_bytes} are accepted")
    try:
        value = parse_json(payload.decode())
    except ValueError as err:
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


_MOST_DIGITS = 20
_MAY_BE_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_TOO_DEEP = f"more than {MOST_DEPTH} arrays and objects within each other"


def _refuse_depth(value: Any) -> None:
    level = [value]
    for _ in range(MOST_DEPTH + 1):
        level = [inner for outer in level for inner in _within(outer)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def _refuse_halves(value: Any) -> None:
    """An escape can be half of a character: a text that nothing can write or send on."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as err:
        raise ValueError("half a character stands in a text") from err


def _within(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is beyond what a number can be")
    return number


def _whole(text: str) -> int:
    """How far a field may go its declaration says; here only what no reader could hold."""
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"{text[:_MOST_DIGITS]}... is beyond what a whole number can be")
    return int(text)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _unique_keys(pairs: Iterable[tuple[str, Any]]) -> Json:
    values: Json = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"key {key!r} stands twice")
        values[key] = value
    return values

"""Strict reading of JSON that came from outside: every fault is named with its place.

Knows nothing of topics, devices or the game. Fields that a reader does not ask for are ignored,
so that a later minor release may add some; fields that it asks for must have exactly their type
(``true`` is not 1, ``1.0`` is not 1, infinities and lone surrogates are refused).
"""

import json
import math
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeGuard, TypeVar

from recorder.domain.errors import DeviceError

Json = dict[str, Any]
"""One JSON object."""

BIGGEST_INTEGER = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""

LONGEST_MS = 7 * 24 * 3600 * 1000
"""The longest time that a message may name: a week."""

_Choice = TypeVar("_Choice", bound=StrEnum)


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
        raise DeviceError(f"{where}: expected a JSON object, got {_shown(value)}")
    return value


def dump_object(value: Json) -> bytes:
    """Compact ASCII JSON with the keys in their given order. Infinities raise ValueError."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def canonical_json(value: Any) -> str:
    """The one spelling of a JSON value: sorted keys, no spaces, ASCII. Hashes rest on it."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)


class Fields:
    """One JSON object being read field by field; ``where`` opens every complaint."""

    __slots__ = ("_values", "_where")

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise DeviceError(f"{where}: expected an object, got {_shown(value)}")
        self._values: Json = value
        self._where = where

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._values.get(name) is not None

    def fault(self, name: str, wanted: str) -> DeviceError:
        """The error for a field that is missing or wrong, ready to be raised."""
        if name not in self._values:
            return DeviceError(f"{self._where}: {name} is missing (expected {wanted})")
        shown = _shown(self._values[name])
        return DeviceError(f"{self._where}: {name} must be {wanted}, got {shown}")

    def text(self, name: str, *, least: int = 0, most: int = 200) -> str:
        """A text of printable characters, ``least`` to ``most`` long."""
        value = self._values.get(name)
        if not (isinstance(value, str) and least <= len(value) <= most and value.isprintable()):
            raise self.fault(name, f"printable text of {least}..{most} characters")
        return value

    def matching(self, name: str, pattern: re.Pattern[str]) -> str:
        """A text that matches the whole pattern."""
        value = self._values.get(name)
        if not (isinstance(value, str) and pattern.fullmatch(value)):
            raise self.fault(name, f"text like {pattern.pattern}")
        return value

    def integer(self, name: str, low: int = 0, high: int = BIGGEST_INTEGER) -> int:
        """A whole number within ``low..high``."""
        value = self._values.get(name)
        if not _is_integer(value) or not low <= value <= high:
            raise self.fault(name, f"a whole number {low}..{high}")
        return value

    def number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number within ``low..high``."""
        value = self._values.get(name)
        if not _is_number(value) or not low <= value <= high:
            raise self.fault(name, f"a number {low}..{high}")
        return float(value)

    def flag(self, name: str) -> bool:
        """A truth value."""
        value = self._values.get(name)
        if not isinstance(value, bool):
            raise self.fault(name, "true or false")
        return value

    def choice(self, name: str, kinds: type[_Choice]) -> _Choice:
        """One value of an enumeration."""
        value = self._values.get(name)
        if not isinstance(value, str) or value not in [kind.value for kind in kinds]:
            raise self.fault(name, "one of " + ", ".join(kind.value for kind in kinds))
        return kinds(value)

    def object(self, name: str) -> Json:
        """A JSON object, its fields unread."""
        value = self._values.get(name)
        if not isinstance(value, dict):
            raise self.fault(name, "an object")
        return value

    def texts(self, name: str, *, count: int | None = None, most: int = 200) -> tuple[str, ...]:
        """An array of printable texts, of ``count`` when given."""
        items = self._array(name, count, f"{'some' if count is None else count} texts")
        if not all(isinstance(t, str) and len(t) <= most and t.isprintable() for t in items):
            raise self.fault(name, f"an array of printable texts, at most {most} long")
        return tuple(items)

    def integers(self, name: str, *, count: int | None = None) -> tuple[int, ...]:
        """An array of whole numbers, of ``count`` when given."""
        items = self._array(name, count, f"{'some' if count is None else count} whole numbers")
        if not all(_is_integer(value) and abs(value) <= BIGGEST_INTEGER for value in items):
            raise self.fault(name, "an array of whole numbers")
        return tuple(items)

    def points(self, name: str, *, count: int) -> tuple[tuple[float, float], ...]:
        """An array of ``count`` pairs of finite numbers."""
        items = self._array(name, count, f"{count} pairs of numbers")
        for pair in items:
            if not (isinstance(pair, list) and len(pair) == 2 and all(map(_is_number, pair))):
                raise self.fault(name, f"{count} pairs of numbers")
        return tuple((float(x), float(y)) for x, y in items)

    def pairs(self, name: str, *, most: int) -> tuple[tuple[float, float], ...]:
        """An array of up to ``most`` pairs of finite numbers."""
        count = len(self._array(name, None, f"up to {most} pairs of numbers"))
        if count > most:
            raise self.fault(name, f"at most {most} pairs of numbers")
        return self.points(name, count=count)

    def objects(self, name: str, *, most: int) -> tuple[Json, ...]:
        """An array of up to ``most`` JSON objects, their fields unread."""
        items = self._array(name, None, f"up to {most} objects")
        if len(items) > most or not all(isinstance(item, dict) for item in items):
            raise self.fault(name, f"an array of at most {most} objects")
        return tuple(items)

    def _array(self, name: str, count: int | None, wanted: str) -> list[Any]:
        value = self._values.get(name)
        if not isinstance(value, list) or (count is not None and len(value) != count):
            raise self.fault(name, f"an array of {wanted}")
        return value


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) <= BIGGEST_INTEGER
    return isinstance(value, float) and math.isfinite(value)


def _shown(value: object) -> str:
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

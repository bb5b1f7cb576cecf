"""Frames filled in from values that name what they have as the frames do."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

_Frame = TypeVar("_Frame")


def framed(kind: type[_Frame], value: object, **fields: object) -> _Frame:
    """The frame of a value, or of a larger frame; ``fields`` are those that it has otherwise.

    KeyError or AttributeError where a field is missing that must be there.
    """
    declared: Any = kind
    own = {name: _found(value, name) for name in _needed(declared) if name not in fields}
    return cast("_Frame", {**own, **fields})


@cache
def _needed(kind: Any) -> tuple[str, ...]:
    return tuple(name for name in kind.__annotations__ if name in kind.__required_keys__)


def _found(value: object, name: str) -> object:
    found = value[name] if isinstance(value, Mapping) else getattr(value, name)
    return list(found) if isinstance(found, tuple) else found

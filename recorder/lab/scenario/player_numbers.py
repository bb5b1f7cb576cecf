"""Players in the JSON of a scenario are 1 and 2; orders and rows count them from 0."""

import re
from collections.abc import Callable
from typing import Any

_RACK = re.compile(r"rack([012])")


def renumbered(value: Any, number: Callable[[Any], int]) -> Any:
    """A JSON value in which ``number`` gives every player that it names another number.

    A player is the value of ``player``, at any depth, and the digit of ``rack1``.
    """
    if isinstance(value, list):
        return [renumbered(part, number) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        _renamed(name, number): number(part) if name == "player" else renumbered(part, number)
        for name, part in value.items()
    }


def _renamed(name: str, number: Callable[[Any], int]) -> str:
    rack = _RACK.fullmatch(name)
    return name if rack is None else f"rack{number(int(rack[1]))}"

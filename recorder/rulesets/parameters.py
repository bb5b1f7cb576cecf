"""What a rule set can say: the parameters, read from ``parameters.toml``, and their types.

Knows text and plain values only: no rule set, no game, no table.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.rules.core.parameters import Setting

__all__ = ["Parameter", "ParameterType", "Setting", "load_parameters", "parse_parameters"]

_KEYS = {"about", "type", "unit", "word", "least", "choices", "rules"}


class ParameterType(StrEnum):
    """What a parameter's value looks like in a file."""

    WHOLE = "whole"
    NUMBER = "number"
    YES_NO = "yes_no"
    CHOICE = "choice"
    CHOICES = "choices"
    RANGE = "range"
    CASES = "cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One thing that rule sets settle.

    ``unit`` is empty where there is nothing to count; ``word`` is a text that can stand instead
    of a number; ``rules`` are the rulebook's entries that use the parameter.
    """

    name: str
    about: str
    type: ParameterType
    unit: str = ""
    word: str = ""
    least: int = 0
    choices: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """The first part of the name."""
        return self.name.partition(".")[0]

    @property
    def allowed(self) -> str:
        """What a value can be, for people."""
        choices = ", ".join(self.choices)
        unit = f" ({self.unit})" if self.unit else ""
        match self.type:
            case ParameterType.WHOLE | ParameterType.NUMBER:
                whole = "a whole number" if self.type is ParameterType.WHOLE else "a number"
                word = f", or {self.word!r}" if self.word else ""
                return f"{whole}{unit} of {self.least} or more{word}"
            case ParameterType.YES_NO:
                return "true or false"
            case ParameterType.CHOICE:
                return f"one of {choices}"
            case ParameterType.CHOICES:
                return f"a list of some of {choices}"
            case ParameterType.RANGE:
                return f"[least, most] in whole numbers{unit}"
            case ParameterType.CASES:
                return f"one of {choices}, or a table with one of them by case"

    def setting(self, raw: object, where: str) -> Setting:
        """A value from a file. NotationError names ``where``, the parameter and what is allowed."""
        value = self._read(raw)
        if value is None:
            raise NotationError(f"{where}: {self.name} is {raw!r}; it can be {self.allowed}")
        return value

    def _read(self, raw: object) -> Setting | None:
        if isinstance(raw, bool):
            return raw if self.type is ParameterType.YES_NO else None
        if self.type in (ParameterType.WHOLE, ParameterType.NUMBER, ParameterType.RANGE):
            return self._number(raw)
        return self._chosen(raw)

    def _number(self, raw: object) -> Setting | None:
        value: Setting | None = None
        match self.type, raw:
            case ParameterType.RANGE, [int() as low, int() as high]:
                value = (low, high) if self.least <= low <= high else None
            case ParameterType.RANGE, _:
                pass
            case _, str() if raw and raw == self.word:
                value = raw
            case _, int() if raw >= self.least:
                value = raw
            case ParameterType.NUMBER, float() if self.least <= raw < float("inf"):
                value = raw
        return value

    def _chosen(self, raw: object) -> Setting | None:
        value: Setting | None = None
        match self.type, raw:
            case ((ParameterType.CHOICE | ParameterType.CASES), str()) if raw in self.choices:
                value = raw
            case ParameterType.CHOICES, [*items]:
                chosen = tuple(item for item in items if item in self.choices)
                value = chosen if len(chosen) == len(items) == len(set(chosen)) else None
            case ParameterType.CASES, {**cases} if cases:
                known = {
                    str(case): choice for case, choice in cases.items() if choice in self.choices
                }
                value = MappingProxyType(known) if len(known) == len(cases) else None
        return value


@cache
def load_parameters() -> Mapping[str, Parameter]:
    """All parameters that ship, by name, in the order of the file; it is read once."""
    return parse_parameters(
        files(__package__).joinpath("parameters.toml").read_text(encoding="utf-8"),
        source="parameters.toml",
    )


def parse_parameters(text: str, *, source: str) -> Mapping[str, Parameter]:
    """The parameters of a TOML text; NotationError names ``source``, the parameter and the key."""
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as err:
        raise NotationError(f"{source}: {err}") from err
    return MappingProxyType(
        {name: _parameter(name, table, source) for name, table in tables.items()}
    )


def _parameter(name: str, table: object, source: str) -> Parameter:
    if not isinstance(table, dict) or not {"about", "type", "rules"} <= set(table) <= _KEYS:
        keys = ", ".join(sorted(_KEYS))
        raise NotationError(f"{source}: {name} needs about, type and rules; allowed: {keys}")
    types = [kind.value for kind in ParameterType]
    if table["type"] not in types:
        raise NotationError(
            f"{source}: {name}: type is {table['type']!r}; it can be {', '.join(types)}"
        )
    return Parameter(
        name=name,
        about=str(table["about"]),
        type=ParameterType(table["type"]),
        unit=str(table.get("unit", "")),
        word=str(table.get("word", "")),
        least=int(table.get("least", 0)),
        choices=tuple(table.get("choices", ())),
        rules=tuple(table["rules"]),
    )

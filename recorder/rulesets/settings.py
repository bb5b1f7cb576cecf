"""The settings that rules differ in and that run: their names, types and ranges.

Declared in ``settings.toml``. What else the texts of the rules say is reference (``reference.py``).
Knows text and as_json values only: no rule set, no game, no table.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from importlib.resources import files
from tomllib import loads
from types import MappingProxyType
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.rules.core.parameters import Setting


class SettingType(StrEnum):
    """What a setting's value looks like in a file."""

    WHOLE = "whole"
    NUMBER = "number"
    YES_NO = "yes_no"
    CHOICE = "choice"
    CHOICES = "choices"
    CASES = "cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What one setting can be; what it is for says the text of its name (``setting``).

    ``unit`` is empty where there is nothing to count; ``word`` is a text that can stand instead
    of a number.
    """

    name: str
    type: SettingType
    unit: str = ""
    word: str = ""
    least: int = 0
    most: int = 100_000
    choices: tuple[str, ...] = ()

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
            case SettingType.WHOLE | SettingType.NUMBER:
                whole = "a whole number" if self.type is SettingType.WHOLE else "a number"
                word = f", or {self.word!r}" if self.word else ""
                return f"{whole}{unit} from {self.least} to {self.most}{word}"
            case SettingType.YES_NO:
                return "true or false"
            case SettingType.CHOICE:
                return f"one of {choices}"
            case SettingType.CHOICES:
                return f"a list of some of {choices}"
            case SettingType.CASES:
                return f"one of {choices}, or a table with one of them by case"

    def setting(self, raw: object) -> Setting:
        """A value from a file. NotationError names the setting and what is allowed."""
        value = self._read(raw)
        if value is None:
            raise SettingError(f"{self.name} is {raw!r}; it can be {self.allowed}", self.name)
        return value

    def _read(self, raw: object) -> Setting | None:
        value: Setting | None = None
        match self.type, raw:
            case SettingType.YES_NO, bool():
                value = raw
            case _, bool():
                value = None
            case ((SettingType.WHOLE | SettingType.NUMBER), str()) if raw and raw == self.word:
                value = raw
            case ((SettingType.WHOLE | SettingType.NUMBER), int()) if (
                self.least <= raw <= self.most
            ):
                value = raw
            case SettingType.NUMBER, float() if self.least <= raw <= self.most:
                value = raw
            case ((SettingType.CHOICE | SettingType.CASES), str()) if raw in self.choices:
                value = raw
            case SettingType.CHOICES, [*items]:
                chosen = tuple(item for item in items if item in self.choices)
                value = chosen if len(chosen) == len(items) == len(set(chosen)) else None
            case SettingType.CASES, {**cases} if cases:
                if all(choice in self.choices for choice in cases.values()):
                    value = MappingProxyType({str(case): str(to) for case, to in cases.items()})
        return value


def as_json(setting: Setting | None) -> Any:
    """A value as JSON has it."""
    if isinstance(setting, Mapping):
        return dict(setting)
    return list(setting) if isinstance(setting, tuple) else setting


@cache
def declared_settings() -> Mapping[str, Declared]:
    """All settings by name, in the order of the file; it is read once."""
    text = files(__package__).joinpath("settings.toml").read_text(encoding="utf-8")
    found: dict[str, Declared] = {}
    for name, said in loads(text).items():
        kind, choices = SettingType(said.pop("type")), tuple(said.pop("choices", ()))
        found[name] = Declared(name=name, type=kind, choices=choices, **said)
    return MappingProxyType(found)


def flat(tables: Mapping[str, Any], at: str = "") -> dict[str, Any]:
    """Values by full name, from tables within tables; NotationError where there is no setting."""
    declared = declared_settings()
    found: dict[str, Any] = {}
    for key, raw in tables.items():
        name = f"{at}{key}"
        if name in declared:
            found[name] = raw
        elif isinstance(raw, Mapping):
            found |= flat(raw, f"{name}.")
        else:
            raise UnknownSettingError(name)
    return found


class SettingError(NotationError):
    """A setting that cannot be so; ``name`` is the one, to be found in a file."""

    def __init__(self, what: str, name: str) -> None:
        super().__init__(what)
        self.name = name


class UnknownSettingError(SettingError):
    """No setting has this name; the message names the nearest."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown setting {name!r}{nearest(name, declared_settings())}", name)


def nearest(name: str, known: Collection[str]) -> str:
    """What may have been meant, to end a complaint with."""
    groups = sorted({setting.partition(".")[0] for setting in known})
    close = get_close_matches(name, [*known, *groups])
    if close:
        return f"; did you mean {', '.join(close)}?"
    return f"; there are some in {', '.join(groups)}" if groups else ""

"""The tournament rule sets that ship with the program, as data, and how they are read.

What a rule book says and what the program may use are two things: a value that one version of the
rules only has from an earlier one counts when somebody has confirmed it, and silence is not a
value. See docs/rules.md. Knows the domain's errors only.
"""

import hashlib
import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.notices import CodedText, coded
from recorder.rulesets.parameters import Parameter, ParameterType, Setting, load_parameters

__all__ = [
    "Parameter",
    "ParameterType",
    "RuleSet",
    "Setting",
    "Status",
    "Value",
    "load_parameters",
    "load_rule_set",
    "parse_values",
    "rule_set_names",
]

_VALUE_KEYS = {"value", "status", "cite", "inherited_from"}
_RENAMED: Mapping[str, tuple[str, ...]] = {
    "overtime.points_per_minute": ("overtime.points", "overtime.period_s"),
}
"""Names that older rows and files use, and what they stand for by now; a value is of the first."""


class Status(StrEnum):
    """How sure a value is: on what words of the source it rests."""

    TEXT = "text"
    IMPLIED = "implied"
    PARTIAL = "partial"
    TITLE_ONLY = "title_only"
    SILENT = "silent"
    OVERRIDDEN = "overridden"


@dataclass(frozen=True, slots=True)
class Value:
    """What a rule set says on one parameter.

    ``value`` is None where nothing is known. ``inherited_from`` names the rule set whose value
    this is, when the source at hand does not give one itself; else it is empty.
    """

    value: Setting | None
    citation: str
    status: Status
    inherited_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A rule set as an event uses it: the values, what was confirmed, what was overridden.

    ``rules[name]`` and ``get`` give values that may be used; ``values`` holds all there is to
    know, unconfirmed values too.
    """

    name: str
    title: str
    source: str
    values: Mapping[str, Value]
    confirmed: frozenset[str] = frozenset()

    def usable(self, name: str) -> bool:
        """Whether there is a value that needs no confirmation, or has it."""
        value = self._value(name)
        return value.value is not None and (not value.inherited_from or name in self.confirmed)

    def __getitem__(self, name: str) -> Setting:
        """The value to use. NotationError says why there is none, and what to do about it."""
        value = self._value(name)
        if value.value is None:
            raise NotationError(
                f"{self.name} does not settle {name} ({value.status});"
                " set it in the overrides of the table"
            )
        if not self.usable(name):
            raise NotationError(
                f"{self.name} does not settle {name} ({value.status}); {value.inherited_from} has"
                f" {value.value!r}, which can be used once {name} is named in confirmed"
            )
        return value.value

    def unsettled(self, name: str) -> CodedText | None:
        """Why there is no value to use, and what to do about it; None where there is one."""
        value = self._value(name)
        status = value.status.value
        if value.value is None and value.status is Status.TITLE_ONLY:
            return coded("rule_set_title_only", rules=self.name, name=name, cite=value.citation)
        if value.value is None:
            return coded("rule_set_silent", rules=self.name, name=name, status=status)
        if self.usable(name):
            return None
        return coded(
            "rule_set_unconfirmed",
            rules=self.name,
            name=name,
            status=status,
            inherited_from=value.inherited_from,
            value=repr(value.value),
        )

    def get(self, name: str, default: Setting | None = None) -> Setting | None:
        """The value to use, or ``default``. An unknown parameter raises NotationError."""
        return self._value(name).value if self.usable(name) else default

    def get_whole(self, name: str) -> int | None:
        """A whole number to use, or None where there is none or a word stands instead."""
        value = self.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def unconfirmed(self) -> tuple[str, ...]:
        """The parameters that could be inherited and are not confirmed."""
        return tuple(
            name
            for name, value in self.values.items()
            if value.inherited_from and name not in self.confirmed
        )

    def overrides(self) -> dict[str, Any]:
        """What was set for the event, by full name, as JSON values."""
        return {
            name: _plain(value.value)
            for name, value in self.values.items()
            if value.status is Status.OVERRIDDEN and value.value is not None
        }

    def checksum(self) -> str:
        """SHA-256 in hexadecimal over name, values, confirmations and overrides.

        The same on every machine and for every order in which overrides are given; descriptions
        do not enter.
        """
        content = {
            "name": self.name,
            "confirmed": sorted(self.confirmed),
            "values": {name: _content(value) for name, value in self.values.items()},
        }
        text = json.dumps(content, separators=(",", ":"), sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def _value(self, name: str) -> Value:
        try:
            return self.values[name]
        except KeyError:
            raise NotationError(
                f"no parameter {name!r}; see: tilecast rules show {self.name}"
            ) from None


def _plain(setting: Setting | None) -> Any:
    """A value as JSON has it."""
    if isinstance(setting, Mapping):
        return dict(setting)
    return list(setting) if isinstance(setting, tuple) else setting


def _content(value: Value) -> list[Any]:
    return [_plain(value.value), value.citation, value.status.value, value.inherited_from]


def rule_set_names() -> tuple[str, ...]:
    """The names that ``load_rule_set`` knows, sorted."""
    names = (entry.name for entry in files(__name__).iterdir())
    sets = {name.removesuffix(".toml") for name in names if name.endswith(".toml")}
    return tuple(sorted(sets - {"parameters"}))


def load_rule_set(
    name: str,
    *,
    overrides: Mapping[str, Any] = MappingProxyType({}),
    confirmed: Collection[str] = (),
) -> RuleSet:
    """The rule set with this name, as an event uses it.

    ``overrides`` gives values by parameter, as TOML or JSON has them; tables within tables stand
    for dots. ``confirmed`` names the parameters whose inherited values hold; the first part of a
    name stands for all of its group. NotationError names what is unknown or not allowed.
    """
    parameters = load_parameters()
    rules = _shipped(name)
    values = dict(rules.values)
    agreed = _confirmed(confirmed, values, name)
    for key, raw in _flat(overrides, parameters, "").items():
        setting = parameters[key].setting(raw, f"overrides of {name}")
        values[key] = Value(setting, "", Status.OVERRIDDEN)
    return replace(rules, values=MappingProxyType(values), confirmed=agreed)


def parse_values(text: str, parameters: Mapping[str, Parameter], *, name: str) -> RuleSet:
    """What one TOML text says by itself, nothing inherited yet.

    NotationError names file, parameter and key, and what is allowed. Every parameter must be
    there: that a source is silent is said, not left out.
    """
    where = f"{name}.toml"
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as err:
        raise NotationError(f"{where}: {err}") from err
    if set(data) != {"title", "source", "values"}:
        raise NotationError(f"{where}: needs title, source and [values], has {', '.join(data)}")
    entries: dict[str, Any] = data["values"]
    for key in entries:
        if key not in parameters:
            raise NotationError(f"{where}: {_unknown(key, parameters)}")
    if missing := [key for key in parameters if key not in entries]:
        raise NotationError(f"{where}: nothing is said about {', '.join(missing)}")
    values = {key: _entry(entries[key], parameter, where) for key, parameter in parameters.items()}
    return RuleSet(
        name=name,
        title=str(data["title"]),
        source=str(data["source"]),
        values=MappingProxyType(values),
    )


def _entry(entry: object, parameter: Parameter, where: str) -> Value:
    """One value of a file, as the file has it."""
    here = f"{where}: {parameter.name}"
    if not isinstance(entry, dict) or not {"status"} <= set(entry) <= _VALUE_KEYS:
        raise NotationError(f"{here}: needs status; allowed: {', '.join(sorted(_VALUE_KEYS))}")
    stated = [status.value for status in Status if status is not Status.OVERRIDDEN]
    if entry["status"] not in stated:
        raise NotationError(f"{here}: status is {entry['status']!r}; it can be {', '.join(stated)}")
    status = Status(entry["status"])
    value = parameter.setting(entry["value"], where) if "value" in entry else None
    if value is not None and status in (Status.SILENT, Status.TITLE_ONLY):
        raise NotationError(f"{here}: has a value, though its status is {status}")
    citation, origin = str(entry.get("cite", "")), str(entry.get("inherited_from", ""))
    if not citation and status is not Status.SILENT:
        raise NotationError(f"{here}: cite is missing; only what is silent has none")
    if value is not None and origin:
        raise NotationError(f"{here}: has a value of its own and inherits one")
    return Value(value, citation, status, origin)


@cache
def _stated(name: str) -> RuleSet:
    """What a shipped rule set says by itself; read once, for reading one takes tens of ms."""
    return parse_values(_text(name), load_parameters(), name=name)


@cache
def _shipped(name: str) -> RuleSet:
    """A shipped rule set, with what it may inherit from what other sets state."""
    rules = _stated(name)
    values = dict(rules.values)
    for key, value in values.items():
        if value.inherited_from:
            there = _stated(value.inherited_from).values[key]
            if there.value is None:
                raise NotationError(
                    f"{rules.name}.toml: {key}: {value.inherited_from} has no value to inherit"
                )
            values[key] = replace(value, value=there.value)
    return replace(rules, values=MappingProxyType(values))


def _confirmed(names: Collection[str], values: Mapping[str, Value], rules: str) -> frozenset[str]:
    """The parameters meant by ``names``; a group's name stands for all of it."""
    inherited = [key for key, value in values.items() if value.inherited_from]
    found: set[str] = set()
    for name in (new for old in names for new in _RENAMED.get(old, (old,))):
        meant = {key for key in inherited if key == name or key.startswith(f"{name}.")}
        if not meant:
            close = _close(str(name), inherited)
            raise NotationError(f"confirmed: {rules} inherits no {name!r}{close}")
        found |= meant
    return frozenset(found)


def _flat(
    tables: Mapping[str, Any], parameters: Mapping[str, Parameter], at: str
) -> dict[str, Any]:
    """Overrides by full name."""
    found: dict[str, Any] = {}
    for key, raw in tables.items():
        name = f"{at}{key}"
        (name, *_) = _RENAMED.get(name, (name,))
        if name in parameters:
            found[name] = raw
        elif isinstance(raw, Mapping):
            found |= _flat(raw, parameters, f"{name}.")
        else:
            raise NotationError(f"overrides: {_unknown(name, parameters)}")
    return found


def _unknown(name: str, parameters: Mapping[str, Parameter]) -> str:
    return f"unknown parameter {name!r}{_close(name, parameters)}"


def _close(name: str, known: Collection[str]) -> str:
    """What may have been meant, to end a complaint with."""
    groups = sorted({parameter.partition(".")[0] for parameter in known})
    close = get_close_matches(name, [*known, *groups])
    if close:
        return f"; did you mean {', '.join(close)}?"
    return f"; there are some in {', '.join(groups)}" if groups else ""


def _text(name: str) -> str:
    if name not in rule_set_names():
        raise NotationError(f"no rule set {name!r}; there are: {', '.join(rule_set_names())}")
    return files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")

"""What the texts of the rules say, statement by statement, with citation and status.

For people, by ``tilecast rules show`` and ``diff``: nothing that runs reads it. Settings that run
are in ``settings.py``; a statement may have the same name. Files: ``reference/*.toml``.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.rules.core.parameters import Setting

STATUSES = ("text", "implied", "partial", "title_only", "silent")
"""How sure a statement is: on what words of the source it rests."""
_SUBJECTS = "parameters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One thing that the texts settle; ``rules`` are the rulebook's entries about it."""

    name: str
    about: str
    type: str
    unit: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStatement:
    """What one source says on a subject.

    ``value`` is None where it says nothing. ``inherited_from`` names the set whose value this is,
    where the source at hand does not give one itself.
    """

    value: Setting | None
    citation: str
    status: str
    inherited_from: str = ""

    @property
    def stated(self) -> Setting | None:
        """The value, if the source itself says it."""
        return None if self.inherited_from else self.value


@cache
def subjects() -> Mapping[str, Subject]:
    """All subjects by name, in the order in which they are shown."""
    return MappingProxyType(
        {
            name: Subject(
                name=name,
                about=table["about"],
                type=table["type"],
                unit=table.get("unit", ""),
                rules=tuple(table["rules"]),
            )
            for name, table in _toml(_SUBJECTS).items()
        }
    )


@cache
def statements(name: str) -> Mapping[str, TextStatement]:
    """What the source of a shipped set says on every subject; nothing of any other set."""
    if name not in _names():
        return MappingProxyType({})
    found = _stated(name)
    for key, said in found.items():
        if said.inherited_from:
            found[key] = replace(said, value=_stated(said.inherited_from)[key].value)
    return MappingProxyType(found)


def _stated(name: str) -> dict[str, TextStatement]:
    values: dict[str, Any] = _toml(name)["values"]
    return {key: _statement(values[key], f"{name}.toml: {key}") for key in subjects()}


def _statement(entry: Mapping[str, Any], where: str) -> TextStatement:
    value = entry.get("value")
    if entry["status"] not in STATUSES:
        raise NotationError(f"{where}: status is {entry['status']!r}")
    return TextStatement(
        value=tuple(value) if isinstance(value, list) else value,
        citation=entry.get("cite", ""),
        status=entry["status"],
        inherited_from=entry.get("inherited_from", ""),
    )


def _names() -> set[str]:
    there = files(__package__).joinpath("reference").iterdir()
    return {entry.name.removesuffix(".toml") for entry in there} - {_SUBJECTS}


def _toml(name: str) -> dict[str, Any]:
    path = files(__package__).joinpath("reference", f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))

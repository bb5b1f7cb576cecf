"""Rule sets as files: those that ship, and a club's own, which may extend any other.

A file has ``title``, ``source``, ``extends`` (the name of a set, or a file beside this one),
``confirmed`` (names or groups), ``[settings]`` and ``[to_confirm]``: there each key is a set, with
the names of settings whose values hold once a director has confirmed them. All are optional.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.rules.core.parameters import Setting
from recorder.rulesets.rule_set import Offered, RuleSet
from recorder.rulesets.settings import UnknownSettingError, declared_settings, flat, nearest
from recorder.systems import read_file
from recorder.toml_text import toml_of

_KEYS = ("title", "source", "extends", "confirmed", "settings", "to_confirm")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}", re.IGNORECASE)
_MOST_BYTES = 100_000


def rule_set_names() -> tuple[str, ...]:
    """The names of the sets that ship, sorted."""
    names = (entry.name for entry in files(__package__).iterdir())
    sets = {name.removesuffix(".toml") for name in names if name.endswith(".toml")}
    return tuple(sorted(sets - {"settings"}))


def read_set(name: str, folder: Path | None = None) -> RuleSet:
    """The set of this name, or in this file; a relative path is relative to ``folder``.

    NotationError names the file, the line, and what is allowed.
    """
    return _set(name, folder or Path(), ())


def _set(name: str, folder: Path, chain: tuple[str, ...]) -> RuleSet:
    if name in rule_set_names():
        return _shipped(name)
    path = next((path for path in _places(name, folder) if path.is_file()), None)
    if path is None:
        raise NotationError(_missing(name, folder))
    if not _NAME.fullmatch(path.stem) or path.stem in rule_set_names():
        raise NotationError(
            f"{path}: a set is named as its file is: up to 32 letters, digits, - and _, and not as"
            f" a set that ships ({', '.join(rule_set_names())}); rename the file"
        )
    where = str(path.resolve())
    if path.stat().st_size > _MOST_BYTES:
        raise NotationError(f"{path}: over {_MOST_BYTES} bytes is not a rule set")
    try:
        text = read_file(path, _MOST_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise NotationError(f"{path}: {fault}") from fault
    return _File(path.stem, text, str(path), path.parent, (*chain, where)).read()


def _places(name: str, folder: Path) -> list[Path]:
    """Where a set of this name may lie: the file itself, or with ``.toml`` at the end."""
    path = folder / name
    return [path] if name.endswith(".toml") else [path.with_name(f"{path.name}.toml")]


def _missing(name: str, folder: Path) -> str:
    names = rule_set_names()
    if name.endswith(".toml"):
        return f"no rule set in the file {folder / name}"
    beside = [path.stem for path in folder.glob("*.toml")] if folder.is_dir() else []
    close = get_close_matches(name, [*names, *beside])
    meant = f"; did you mean {', '.join(close)}?" if close else ""
    return f"no rule set {name!r}{meant}; there are: {', '.join(names)}, or a file (club.toml)"


@cache
def _shipped(name: str) -> RuleSet:
    """A set that ships; read once, for reading one takes some ms."""
    text = files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return parse_set(text, name=name)


def parse_set(text: str, *, name: str) -> RuleSet:
    """The set in a TOML text."""
    return _File(name, text, f"{name}.toml", Path(), (name,)).read()


@dataclass(frozen=True, slots=True)
class _File:
    """One file that is being read; ``chain`` has the files that extend it, and itself."""

    name: str
    text: str
    shown: str
    folder: Path
    chain: tuple[str, ...]

    def read(self) -> RuleSet:
        data = toml_of(self.text, self.shown)
        for key in data:
            if any(name.partition(".")[0] == key for name in declared_settings()):
                raise self._fault(f"{key!r} is a setting: write it below [settings]", key)
            if key not in _KEYS:
                close = get_close_matches(key, _KEYS) or _KEYS
                raise self._fault(f"no {key!r} belongs here; did you mean {', '.join(close)}?", key)
        base = self._base(data.get("extends", ""))
        own = self._own(self._table(data, "settings"))
        offered = {**base.offered, **self._offered(self._table(data, "to_confirm"))}
        offered = {name: value for name, value in offered.items() if name not in own}
        agreed = self._agreed(data.get("confirmed", []), offered)
        if self.name not in rule_set_names():
            agreed |= of_same_groups(own, offered)
        values = {**base.values, **{name: offered[name].value for name in agreed}, **own}
        shipped = self.name if self.name in rule_set_names() else base.base
        return RuleSet(
            name=self.name,
            title=str(data.get("title", base.title)),
            source=str(data.get("source", base.source)),
            base=shipped,
            values={name: values[name] for name in declared_settings() if name in values},
            offered={name: waiting for name, waiting in offered.items() if name not in agreed},
            confirmed=agreed | (base.confirmed - set(own)),
            overridden=base.overridden | frozenset(() if shipped == self.name else own),
        )

    def _table(self, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        table = data.get(key, {})
        if not isinstance(table, dict):
            raise self._fault(f"{key} is a table: [{key}]", key)
        return table

    def _base(self, extends: object) -> RuleSet:
        if not isinstance(extends, str):
            raise self._fault('extends names one set, as in: extends = "wespa4"', "extends")
        if not extends:
            return RuleSet(name="", values={})
        return self._other(extends, "extends")

    def _other(self, name: str, key: str) -> RuleSet:
        """Another set that this file names; it may not be one that extends this one."""
        for path in (name, *(str(place.resolve()) for place in _places(name, self.folder))):
            if path in self.chain:
                way = " extends ".join(Path(file).name for file in (*self.chain, path))
                raise self._fault(f"a set cannot extend itself: {way}", key)
        try:
            return _set(name, self.folder, self.chain)
        except NotationError as fault:
            raise self._fault(f"{key}: {fault}", key) from fault

    def _own(self, table: Mapping[str, Any]) -> dict[str, Setting]:
        found: dict[str, Setting] = {}
        try:
            values = flat(table)
        except UnknownSettingError as fault:
            raise self._fault(str(fault), fault.name) from fault
        for name, raw in values.items():
            try:
                found[name] = declared_settings()[name].setting(raw)
            except NotationError as fault:
                raise self._fault(str(fault), name) from fault
        return found

    def _offered(self, table: Mapping[str, Any]) -> dict[str, Offered]:
        found: dict[str, Offered] = {}
        for whose, names in table.items():
            if not isinstance(names, list):
                raise self._fault(f"to_confirm: {whose} needs a list of settings", whose)
            there = self._other(whose, whose).values
            for name in map(str, names):
                if name not in there:
                    close = nearest(name, there)
                    raise self._fault(f"to_confirm: {whose} has no value of {name!r}{close}", name)
                found[name] = Offered(value=there[name], of=whose)
        return found

    def _agreed(self, names: object, offered: Collection[str]) -> frozenset[str]:
        if not isinstance(names, list):
            raise self._fault("confirmed is a list of settings or groups", "confirmed")
        try:
            return agreed(map(str, names), offered, self.name)
        except NotationError as fault:
            raise self._fault(str(fault), "confirmed") from fault

    def _fault(self, what: str, key: str) -> NotationError:
        """A complaint with file and line."""
        line = line_of(self.text, key)
        return NotationError(f"{self.shown}{f' line {line}' if line else ''}: {what}")


def line_of(text: str, key: str, after: int = 0) -> int | None:
    """The first line of a TOML text, from 1 and beyond ``after``, that sets a key, or names it."""
    parts = key.split(".")
    tails = [re.escape(".".join(parts[at:])) for at in range(len(parts))]
    starts = [rf"[\s\[]*\"?{tail}\"?\s*[=.\]]" for tail in tails]
    for pattern in (*starts, *(rf".*\b{tail}\b" for tail in tails)):
        for number, line in enumerate(text.splitlines()[after:], after + 1):
            if re.match(pattern, line):
                return number
    return None


def of_same_groups(own: Iterable[str], offered: Collection[str]) -> frozenset[str]:
    """What is offered of the groups of which an organiser sets a value."""
    groups = {name.partition(".")[0] for name in own}
    return frozenset(name for name in offered if name.partition(".")[0] in groups)


def agreed(names: Any, offered: Collection[str], rules: str) -> frozenset[str]:
    """The settings meant by ``names`` among those offered; a group's name stands for all of it."""
    found: set[str] = set()
    for name in names:
        meant = {key for key in offered if key == name or key.startswith(f"{name}.")}
        if not meant:
            raise NotationError(
                f"confirmed: {rules} waits for no confirmation of {name!r}{nearest(name, offered)}"
            )
        found |= meant
    return frozenset(found)

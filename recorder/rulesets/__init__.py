"""Rule sets as an event uses them: the settings that run, typed, from files and from records.

What a rule book says and what the program may use are two things: a value that one version of the
rules only has from an earlier one counts when somebody has confirmed it, and silence is not a
value. A game's record holds the values themselves, so that no later release changes an old game.
See docs/rules.md. Knows the domain's errors only.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.notices import CodedText, coded
from recorder.domain.record import GameStarted
from recorder.domain.rules.core.parameters import Setting
from recorder.rulesets.set_files import (
    Offered,
    agreed,
    line_of,
    of_same_groups,
    read_set,
    rule_set_names,
)
from recorder.rulesets.settings import (
    Declared,
    SettingError,
    SettingType,
    UnknownSettingError,
    as_json,
    declared_settings,
    flat,
)

__all__ = [
    "Declared",
    "RuleSet",
    "Setting",
    "SettingError",
    "SettingType",
    "as_json",
    "declared_settings",
    "line_of",
    "load_rule_set",
    "recorded_rule_set",
    "rule_set_names",
    "rules_of_game",
]

_RENAMED: Mapping[str, tuple[str, ...]] = {
    "overtime.points_per_minute": ("overtime.points", "overtime.period_s")
}
"""Names in older rows, and what they stand for by now; a value is of the first."""
_MERGED = {
    "underdraw": "overdraw",
    "out_of_order": "overdraw",
    "spill": "loose",
    "return_improper": "loose",
    "recount": "result",
}
"""Groups of older rows that are part of another group's procedure by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A rule set as an event uses it; ``values`` are the settings that have one.

    ``offered`` are values of other sets that nobody has confirmed, ``confirmed`` names those that
    somebody has, ``overridden`` those that the event or a file of the club sets itself. ``base``:
    the shipped set whose texts it goes by.
    """

    name: str
    title: str = ""
    source: str = ""
    base: str = ""
    values: Mapping[str, Setting]
    offered: Mapping[str, Offered] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    overridden: frozenset[str] = frozenset()

    def usable(self, name: str) -> bool:
        """Whether there is a value. An unknown setting raises NotationError."""
        _known(name)
        return name in self.values

    def __getitem__(self, name: str) -> Setting:
        """The value to use. NotationError says why there is none, and what to do about it."""
        if self.usable(name):
            return self.values[name]
        waiting = self.offered.get(name)
        if waiting is None:
            raise NotationError(
                f"{self.name} does not settle {name}; set it in the overrides of the table"
            )
        raise NotationError(
            f"{self.name} does not settle {name}; {waiting.of} has {as_json(waiting.value)!r},"
            f" which can be used once {name} is listed in confirmed"
        )

    def unsettled(self, name: str) -> CodedText | None:
        """Why there is no value to use, and what to do about it; None where there is one."""
        if self.usable(name):
            return None
        waiting = self.offered.get(name)
        if waiting is None:
            return coded("rule_set_silent", rules=self.name, name=name)
        return coded(
            "rule_set_unconfirmed",
            rules=self.name,
            name=name,
            inherited_from=waiting.of,
            value=repr(as_json(waiting.value)),
        )

    def get(self, name: str, default: Setting | None = None) -> Setting | None:
        """The value to use, or ``default``. An unknown setting raises NotationError."""
        return self.values[name] if self.usable(name) else default

    def get_whole(self, name: str) -> int | None:
        """A whole number to use, or None where there is none or a word stands instead."""
        value = self.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def unconfirmed(self) -> tuple[str, ...]:
        """The settings that could be confirmed and are not."""
        return tuple(self.offered)

    def overrides(self) -> dict[str, Any]:
        """What the event and its club set, by full name, as JSON values."""
        return {
            name: as_json(value) for name, value in self.values.items() if name in self.overridden
        }

    def checksum(self) -> str:
        """SHA-256 in hexadecimal over the values, the same on every machine."""
        values = {name: as_json(value) for name, value in self.values.items()}
        text = json.dumps(values, separators=(",", ":"), sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def recorded(self) -> dict[str, Any]:
        """The fields of a game's first row that say by which rules it is played."""
        return {
            "rules": self.name,
            "overrides": self.overrides(),
            "confirmed": tuple(sorted(self.confirmed)),
            "rules_checksum": self.checksum(),
            "settings": {name: as_json(self.values.get(name)) for name in declared_settings()},
        }


def _known(name: str) -> Declared:
    try:
        return declared_settings()[name]
    except KeyError:
        raise UnknownSettingError(name) from None


def load_rule_set(
    name: str,
    *,
    overrides: Mapping[str, Any] = MappingProxyType({}),
    confirmed: Collection[str] = (),
    folder: Path | None = None,
) -> RuleSet:
    """The rule set of this name, or in this file of ``folder``, as an event uses it.

    ``overrides`` gives values by setting, as TOML or JSON has them; tables within tables stand for
    dots. ``confirmed`` names the settings whose offered values hold; the first part of a name
    stands for all of its group. A value that is set confirms what else is offered of its group: 5
    points of overtime are meant to count. NotationError names what is unknown or not allowed.
    """
    found = read_set(name, folder)
    agreed_ = agreed(confirmed, {**found.offered, **dict.fromkeys(found.confirmed)}, name)
    agreed_ |= of_same_groups(flat(overrides), found.offered)
    values = {
        **found.values,
        **{key: found.offered[key].value for key in agreed_ - found.confirmed},
    }
    try:
        own = {key: _known(key).setting(raw) for key, raw in flat(overrides).items()}
    except SettingError as fault:
        raise SettingError(f"overrides of {name}: {fault}", fault.name) from fault
    values |= own
    return RuleSet(
        name=found.name,
        title=found.title,
        source=found.source,
        base=found.base,
        values=MappingProxyType({key: values[key] for key in declared_settings() if key in values}),
        offered={key: waiting for key, waiting in found.offered.items() if key not in values},
        confirmed=agreed_ | found.confirmed,
        overridden=frozenset(own) | found.own,
    )


def recorded_rule_set(
    name: str,
    settings: Mapping[str, Any],
    *,
    overrides: Mapping[str, Any] = MappingProxyType({}),
    confirmed: Collection[str] = (),
) -> RuleSet:
    """The rules that a row names: the values in it, whatever a set of that name says by now.

    A setting that came later than the row, and every setting of a row from before ``settings``
    were recorded, is that of the named set. What this release does not know, or cannot read, is
    left out. NotationError where the row has no values and there is no set of that name.
    """
    declared = declared_settings()
    known = {key: raw for key, raw in settings.items() if key in declared}
    given = {key: raw for key, raw in known.items() if raw is not None}
    if len(known) < len(declared):
        found = _of_old(name, confirmed if not settings else ())
        given = {**_renamed(overrides), **given}
    elif name in rule_set_names():
        found = RuleSet(name=name, values={}, offered=read_set(name).offered)
    else:
        found = RuleSet(name=name, values={})
    values = {key: value for key, value in found.values.items() if known.get(key, 0) is not None}
    for key, raw in given.items():
        try:
            values[key] = declared[key].setting(raw)
        except NotationError:
            values.pop(key, None)  # open, as where a set is silent: the director is asked
    return RuleSet(
        name=name,
        title=found.title,
        base=found.base,
        values=MappingProxyType(values),
        offered={key: waiting for key, waiting in found.offered.items() if key not in values},
        confirmed=frozenset(confirmed) & set(declared) | found.confirmed,
        overridden=frozenset(_renamed(overrides)),
    )


def rules_of_game(started: GameStarted) -> RuleSet:
    """The rules that a game is played by, as its first row has them."""
    return recorded_rule_set(
        started.rules,
        started.settings,
        overrides=started.overrides,
        confirmed=started.confirmed,
    )


def _of_old(name: str, confirmed: Collection[str]) -> RuleSet:
    """The shipped set of an old row with what it confirms, as far as that is still a setting."""
    new = {name for old in confirmed for name in (*_RENAMED.get(old, (old,)), _procedure(old))}
    offered = load_rule_set(name).offered
    meant = {key for key in offered if key in new or key.partition(".")[0] in new}
    return load_rule_set(name, confirmed=sorted(meant))


def _procedure(old: str) -> str:
    """The procedure that a parameter of older rows is a part of by now, if of any."""
    group = old.partition(".")[0]
    return f"{_MERGED.get(group, group)}.procedure"


def _renamed(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The overrides of a row by the names of today, without those that are no setting any more."""
    named = {_RENAMED.get(old, (old,))[0]: raw for old, raw in overrides.items()}
    return {name: raw for name, raw in named.items() if name in declared_settings()}

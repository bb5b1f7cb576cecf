"""Rule sets as an event uses them: the settings that run, typed, from files and from records.

What a rule book says and what the program may use are two things: a value that one version of the
rules only has from an earlier one counts when somebody has confirmed it, and silence is not a
value. A game's record holds the values themselves, so that no later release changes an old game.
See docs/rules.md. Knows the domain's errors only.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.record import GameStarted
from recorder.domain.rules.core.parameters import Setting
from recorder.rulesets.rule_set import RuleSet
from recorder.rulesets.set_files import (
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
        own = {key: declared_settings()[key].setting(raw) for key, raw in flat(overrides).items()}
    except SettingError as fault:
        raise SettingError(f"overrides of {name}: {fault}", fault.name) from fault
    values |= own
    return replace(
        found,
        values=MappingProxyType({key: values[key] for key in declared_settings() if key in values}),
        offered={key: waiting for key, waiting in found.offered.items() if key not in values},
        confirmed=agreed_ | found.confirmed,
        overridden=frozenset(own) | found.overridden,
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

"""A rule set as an event uses it: the settings that have a value, and what may be confirmed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Setting
from recorder.rulesets.settings import UnknownSettingError, as_json, declared_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A value that another set has, and that a director may confirm for this one."""

    value: Setting
    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A rule set as an event uses it; ``values`` are the settings that have one.

    ``offered`` are values of other sets that nobody has confirmed, ``confirmed`` names those that
    somebody has, ``overridden`` those that the event or a file of the club sets itself. ``base``:
    the shipped set whose texts it goes by, empty where there is none.
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
        if name not in declared_settings():
            raise UnknownSettingError(name)
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

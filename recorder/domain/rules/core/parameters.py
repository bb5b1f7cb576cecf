"""The rule set in force, as the domain sees it.

What to ask the director where the rule set in force leaves something open.
"""

from collections.abc import Mapping
from typing import Protocol

from recorder.domain.errors import NotationError
from recorder.domain.notices import CodedText, coded

Setting = bool | int | float | str | tuple[int | str, ...] | Mapping[str, str]
"""The value of a parameter, as its type has it; lists are tuples."""


class Rules(Protocol):
    """Parameters by name; ``recorder.rulesets.RuleSet`` is one.

    A name that no rule set knows raises NotationError everywhere: it is a fault of the program.
    """

    @property
    def name(self) -> str:
        """The name of the set: ``wespa4``, or that of a club's file."""

    def __getitem__(self, name: str) -> Setting:
        """The value to use. NotationError says why there is none, and what to do about it."""

    def get(self, name: str, default: Setting | None = None) -> Setting | None:
        """The value to use, or ``default`` where the rule set does not settle it."""

    def get_whole(self, name: str) -> int | None:
        """A whole number to use, or None where there is none or a word stands instead."""

    def usable(self, name: str) -> bool:
        """Whether there is a value that needs no confirmation, or has it."""

    def unsettled(self, name: str) -> CodedText | None:
        """Why there is no value to use, and what to do about it; None where there is one."""


class _NoRuleSet:
    """No rule set: everything is open, so that what is usual is taken."""

    name = "none"

    def __getitem__(self, name: str) -> Setting:
        raise NotationError(f"no rule set is chosen that settles {name}")

    def get(self, name: str, default: Setting | None = None) -> Setting | None:  # noqa: ARG002 - the protocol's
        return default

    def get_whole(self, name: str) -> int | None:  # noqa: ARG002 - the protocol's
        return None

    def usable(self, name: str) -> bool:  # noqa: ARG002 - the protocol's
        return False

    def unsettled(self, name: str) -> CodedText:
        return coded("no_rule_set", name=name)


NASPA, WESPA = "naspa", "wespa"
"""The two schools of procedure: a setting that is called ``procedure`` names one."""

NO_RULE_SET: Rules = _NoRuleSet()
"""For events of which nobody said by which rules they are played."""


def ask(rules: Rules, name: str) -> tuple[CodedText, ...]:
    """The question that a parameter leaves open; none when the rule set settles it."""
    unsettled = rules.unsettled(name)
    return () if unsettled is None else (unsettled,)


def ask_all(rules: Rules, *names: str) -> tuple[CodedText, ...]:
    """The questions that some parameters leave open, in this order."""
    return tuple(question for name in names for question in ask(rules, name))


def listed(rules: Rules, name: str) -> tuple[str, ...]:
    """The words of a parameter that names several; none where it is open."""
    value = rules.get(name)
    return tuple(str(word) for word in value) if isinstance(value, tuple) else ()


def whole(rules: Rules, name: str) -> int:
    """The whole number of a parameter; NotationError says what is missing where it is open."""
    value = rules[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"{rules.name}: {name} is {value!r}, not a whole number")
    return value


def has_remedy(rules: Rules, name: str) -> bool:
    """Whether a procedure is NASPA's, which often is the only one with a remedy for a mishap."""
    return rules.get(name) == NASPA


def ask_remedy(rules: Rules, name: str, school: str = NASPA) -> tuple[CodedText, ...]:
    """The question what follows, where the procedure in force is not that of the school."""
    if rules.get(name) == school:
        return ()
    return ask(rules, name) or (coded("procedure_silent", rules=rules.name, name=name),)

"""The worked cases of the rulebook, by their numbers: what each module of cases registers."""

from collections.abc import Callable
from dataclasses import dataclass

from recorder.rulesets import RuleSet, load_rule_set, rule_set_names

_COUNTS = {"A": 26, "B": 16, "C": 37, "D": 14, "E": 13, "F": 27, "G": 35, "H": 9}
EXPECTED = tuple(
    f"{group}{number}" for group, count in _COUNTS.items() for number in range(1, count + 1)
)
"""Every case there is, 177 of them."""

MOST_SKIPPED = 10


@dataclass(frozen=True, slots=True)
class Case:
    """A case as a test; ``skipped`` says why it cannot be one."""

    check: Callable[[], None]
    skipped: str = ""


CASES: dict[str, Case] = {}


def case(number: str, *, skipped: str = "") -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register the check of a case; AssertionError at import when two claim a number."""

    def register(check: Callable[[], None]) -> Callable[[], None]:
        assert number in EXPECTED, f"there is no case {number}"
        assert number not in CASES, f"case {number} comes twice"
        CASES[number] = Case(check, skipped)
        return check

    return register


def in_force(name: str, *, confirmed: bool = True, **overrides: object) -> RuleSet:
    """A rule set as an event would use it; ``confirmed``: every inherited value holds.

    Dots in the names of overrides are written as two underscores.
    """
    bare = load_rule_set(name)
    values = {key.replace("__", "."): value for key, value in overrides.items()}
    return load_rule_set(name, overrides=values, confirmed=bare.unconfirmed() if confirmed else ())


ALL = tuple(map(in_force, rule_set_names()))
"""Every set that ships, with all that it has from others."""
_NAMED = {rules.name: rules for rules in ALL}
W1, HK, W4, PSA, NAS = (_NAMED[name] for name in ("wespa1", "wespa3_hk", "wespa4", "psa", "naspa"))

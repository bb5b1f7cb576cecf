"""The rule set in force, as the domain sees it."""

from collections.abc import Mapping
from typing import Protocol

Setting = bool | int | float | str | tuple[int | str, ...] | Mapping[str, str]
"""The value of a parameter, as its type has it; lists are tuples."""


class Rules(Protocol):
    """Parameters by name; ``recorder.rulesets.RuleSet`` is one.

    A name that no rule set knows raises NotationError everywhere: it is a fault of the program.
    """

    @property
    def name(self) -> str:
        """The short name: ``wespa1``, ``wespa3_hk``, ``wespa4``, ``psa`` or ``naspa``."""

    def __getitem__(self, name: str) -> Setting:
        """The value to use. NotationError says why there is none, and what to do about it."""

    def get(self, name: str, default: Setting | None = None) -> Setting | None:
        """The value to use, or ``default`` where the rule set does not settle it."""

    def get_whole(self, name: str) -> int | None:
        """A whole number to use, or None where there is none or a word stands instead."""

    def usable(self, name: str) -> bool:
        """Whether there is a value that needs no confirmation, or has it."""

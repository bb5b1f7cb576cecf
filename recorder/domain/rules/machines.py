"""The state machines that a game is stepped through, in one place, and the page that draws them.

A module with machines is named once, in ``_MODULES``; a test finds those that are missing. Knows
nothing of what the machines are about.
"""

from typing import Any

from recorder.domain.rules.core.machine import Machine, diagram
from recorder.domain.rules.placement import orientation

_MODULES = (orientation,)
MACHINES: tuple[Machine[Any, Any, Any], ...] = tuple(
    machine for module in _MODULES for machine in module.MACHINES
)
"""Every machine, in the order of the page."""

_INTRODUCTION = """\
# State machines

Drawn from the tables in `recorder/domain/rules/`, with `tilecast rules machines`; do not edit. Only
what every game is stepped through is a table: what follows from anything else that happens is a
procedure, with steps that sensors and directors tick. An arrow reads: what happens, in brackets on
what condition, in parentheses the entry of the rulebook that says so. Of several arrows with the
same name the first in the text whose condition holds is taken.
"""


def page() -> str:
    """docs/machines.md: for each machine a heading and a Mermaid diagram."""
    return _INTRODUCTION + "".join(
        f"\n## {machine.title}\n\n```mermaid\n{diagram(machine)}```\n" for machine in MACHINES
    )

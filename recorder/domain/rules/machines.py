"""All state machines of the rules in one place, and the page that draws them.

A module with machines is named once, in ``_MODULES``; a test finds those that are missing. Knows
nothing of what the machines are about.
"""

from typing import Any

from recorder.domain.rules import (
    blank_machine,
    challenge,
    ending_machine,
    exchange_machine,
    hold,
    orientation,
    overdraw_course,
    placement_machine,
    result_machines,
    start_machines,
    turn,
)
from recorder.domain.rules.machine import Machine, diagram

_MODULES = (
    start_machines,
    turn,
    hold,
    challenge,
    ending_machine,
    result_machines,
    placement_machine,
    orientation,
    blank_machine,
    exchange_machine,
    overdraw_course,
)
MACHINES: tuple[Machine[Any, Any, Any], ...] = tuple(
    machine for module in _MODULES for machine in module.MACHINES
)
"""Every machine, in the order of the page."""

_INTRODUCTION = """\
# State machines

Drawn from the tables in `recorder/domain/rules/`, with `tilecast rules machines`; do not edit. They
say what can follow what, and their conditions ask the same functions that the procedures come from.
A game on record is read from what sensors saw, without stepping through them. An arrow reads: what
happens, in brackets on what condition, in parentheses the entry of the rulebook that says so. Of
several arrows with the same name the first in the text whose condition holds is taken.
"""


def page() -> str:
    """docs/machines.md: for each machine a heading and a Mermaid diagram."""
    return _INTRODUCTION + "".join(
        f"\n## {machine.title}\n\n```mermaid\n{diagram(machine)}```\n" for machine in MACHINES
    )

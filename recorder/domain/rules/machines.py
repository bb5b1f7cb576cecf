"""All state machines of the rules in one place, and the page that draws them.

A module with machines is named once, in ``_MODULES``; a test finds those that are missing. Knows
nothing of what the machines are about.
"""

from typing import Any

from recorder.domain.rules.blanks import blanks
from recorder.domain.rules.challenge import challenge
from recorder.domain.rules.core.machine import Machine, diagram
from recorder.domain.rules.draw import overdraw
from recorder.domain.rules.ending import ending, result_slip
from recorder.domain.rules.exchange import exchange
from recorder.domain.rules.placement import orientation, placement
from recorder.domain.rules.start import start_machines
from recorder.domain.rules.turn import hold, turn

_MODULES = (
    start_machines,
    turn,
    hold,
    challenge,
    ending,
    result_slip,
    placement,
    orientation,
    blanks,
    exchange,
    overdraw,
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

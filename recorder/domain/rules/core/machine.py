"""State machines as tables: one row a transition, from which the diagrams are drawn too."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from recorder.domain.errors import RecorderError

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)
F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Guard(Generic[F]):
    """A condition on the facts, and its words for diagrams and logs."""

    words: str
    holds: Callable[[F], bool]


@dataclass(frozen=True, slots=True)
class Transition(Generic[S, E, F]):
    """From ``source``, ``on`` an event, to ``target``, if ``when`` holds for the facts.

    ``rule`` is the rulebook's entry. By position, for a table of them is read by its columns.
    """

    source: S
    on: E
    target: S
    rule: str
    when: Guard[F] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine(Generic[S, E, F]):
    """A table of transitions. ``F`` is the type of the facts that guards look at."""

    name: str
    title: str
    initial: S
    rows: tuple[Transition[S, E, F], ...]

    def row(self, state: S, event: E, facts: F) -> Transition[S, E, F] | None:
        """The first row that fits, None when the event means nothing in this state."""
        for row in self.rows:
            fits = row.source is state and row.on is event
            if fits and (row.when is None or row.when.holds(facts)):
                return row
        return None

    def next(self, state: S, event: E, facts: F) -> S:
        """The state after an event; RecorderError where the event cannot be."""
        row = self.row(state, event, facts)
        if row is None:
            raise RecorderError(f"{self.name}: {event} means nothing in {state}")
        return row.target

    def finals(self) -> tuple[S, ...]:
        """The states that nothing leads out of, in the order of the table."""
        sources = {row.source for row in self.rows}
        return tuple(dict.fromkeys(row.target for row in self.rows if row.target not in sources))


def diagram(machine: Machine[S, E, F]) -> str:
    """The machine as a Mermaid state diagram, its rows in order, guards in brackets."""
    lines = ["stateDiagram-v2", f"    [*] --> {_identifier(machine.initial)}"]
    for row in machine.rows:
        guard = f" [{row.when.words}]" if row.when else ""
        arrow = f"{_identifier(row.source)} --> {_identifier(row.target)}"
        lines.append(f"    {arrow} : {row.on}{guard} ({row.rule})")
    lines += [f"    {_identifier(state)} --> [*]" for state in machine.finals()]
    return "\n".join(lines) + "\n"


def _identifier(state: StrEnum) -> str:
    return str(state).replace(" ", "_").replace("-", "_")

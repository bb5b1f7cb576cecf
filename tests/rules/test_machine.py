"""Tables of transitions: what follows, what cannot be, and how they are drawn."""

from enum import StrEnum

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.rules.core.machine import Guard, Machine, Transition, diagram


class Door(StrEnum):
    """States of a door."""

    OPEN = "open"
    SHUT = "shut"
    GONE = "gone"


class Act(StrEnum):
    """What is done to it."""

    PUSH = "push"
    BREAK = "break"


DOOR: Machine[Door, Act, int] = Machine(
    name="door",
    title="A door",
    initial=Door.OPEN,
    rows=(
        Transition(Door.OPEN, Act.PUSH, Door.SHUT, "DOOR-1"),
        Transition(
            Door.SHUT, Act.BREAK, Door.GONE, "DOOR-2", Guard("force over 9", lambda f: f > 9)
        ),
    ),
)


def test_an_event_leads_on_where_its_guard_holds() -> None:
    """The first row that fits."""
    assert DOOR.next(Door.OPEN, Act.PUSH, 0) is Door.SHUT
    assert DOOR.next(Door.SHUT, Act.BREAK, 10) is Door.GONE
    assert DOOR.row(Door.SHUT, Act.BREAK, 9) is None
    assert DOOR.finals() == (Door.GONE,)


def test_an_event_that_cannot_be_names_machine_event_and_state() -> None:
    """Not an assertion, not silence."""
    with pytest.raises(RecorderError, match="door: push means nothing in shut"):
        DOOR.next(Door.SHUT, Act.PUSH, 0)


def test_the_diagram_shows_every_row() -> None:
    """With guard and rule."""
    assert diagram(DOOR) == (
        "stateDiagram-v2\n"
        "    [*] --> open\n"
        "    open --> shut : push (DOOR-1)\n"
        "    shut --> gone : break [force over 9] (DOOR-2)\n"
        "    gone --> [*]\n"
    )

"""The states of an illegal placement, from the press to what becomes of it (PLACE-2, PLACE-3)."""

from enum import StrEnum

from recorder.domain.rules.layings import Treatment
from recorder.domain.rules.machine import Machine, Transition


class PlacementState(StrEnum):
    """Where an illegal placement stands."""

    PRESSED = "pressed"
    BEFORE_DIRECTOR = "before the director"
    REPLIED = "replied"
    ENDED = "ended"
    ENDED_REPLIED = "ended after the reply"
    OFF = "off the board"
    ZEROED = "without score"
    STANDS = "stands"


class PlacementEvent(StrEnum):
    """What can happen to it."""

    CHALLENGED = "challenged"
    UPHELD = "upheld"
    REJECTED = "rejected"
    RIGHT_LOST = "right lost"
    ANNOUNCED = "announced"
    REPLY_PRESSED = "reply pressed"
    GAME_ENDED = "game ended"
    WINDOW_PASSED = "window passed"


def _must(way: Treatment) -> bool:
    return way is Treatment.MUST_ANNOUNCE


def _may(way: Treatment) -> bool:
    return way is Treatment.CHALLENGEABLE


_MUST, _MAY = "must be announced", "may be challenged"
_S, _E = PlacementState, PlacementEvent
PLACEMENT: Machine[PlacementState, PlacementEvent, Treatment] = Machine(
    name="placement",
    title="An illegal placement",
    initial=_S.PRESSED,
    rows=(
        Transition(
            source=_S.PRESSED, on=_E.CHALLENGED, target=_S.BEFORE_DIRECTOR, rule="PLACE-2",
            when=_may, label=_MAY,
        ),
        Transition(source=_S.BEFORE_DIRECTOR, on=_E.UPHELD, target=_S.OFF, rule="PLACE-2"),
        Transition(source=_S.BEFORE_DIRECTOR, on=_E.REJECTED, target=_S.PRESSED, rule="PLACE-2"),
        Transition(
            source=_S.PRESSED, on=_E.RIGHT_LOST, target=_S.STANDS, rule="HOLD-2",
            when=_may, label=_MAY,
        ),
        Transition(
            source=_S.PRESSED, on=_E.REPLY_PRESSED, target=_S.STANDS, rule="HOLD-2",
            when=_may, label=_MAY,
        ),
        Transition(
            source=_S.PRESSED, on=_E.ANNOUNCED, target=_S.OFF, rule="PLACE-2",
            when=_must, label=_MUST,
        ),
        Transition(
            source=_S.PRESSED, on=_E.REPLY_PRESSED, target=_S.REPLIED, rule="PLACE-2",
            when=_must, label=_MUST,
        ),
        Transition(source=_S.PRESSED, on=_E.GAME_ENDED, target=_S.ENDED, rule="PLACE-3"),
        Transition(source=_S.REPLIED, on=_E.ANNOUNCED, target=_S.ZEROED, rule="PLACE-2"),
        Transition(
            source=_S.REPLIED, on=_E.GAME_ENDED, target=_S.ENDED_REPLIED, rule="PLACE-3"
        ),
        Transition(
            source=_S.ENDED, on=_E.ANNOUNCED, target=_S.OFF, rule="PLACE-3",
            when=_must, label=_MUST,
        ),
        Transition(source=_S.ENDED_REPLIED, on=_E.ANNOUNCED, target=_S.ZEROED, rule="PLACE-3"),
        Transition(source=_S.ENDED, on=_E.WINDOW_PASSED, target=_S.STANDS, rule="PLACE-3"),
        Transition(
            source=_S.ENDED_REPLIED, on=_E.WINDOW_PASSED, target=_S.STANDS, rule="PLACE-3"
        ),
    ),
)  # fmt: skip
MACHINES = (PLACEMENT,)

"""The states of an illegal placement, from the press to what becomes of it (PLACE-2, PLACE-3)."""

from enum import StrEnum

from recorder.domain.rules.layings import Treatment
from recorder.domain.rules.machine import Guard, Machine, Transition


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


_MUST, _MAY = Guard("must be announced", _must), Guard("may be challenged", _may)
_S, _E = PlacementState, PlacementEvent
PLACEMENT: Machine[PlacementState, PlacementEvent, Treatment] = Machine(
    name="placement",
    title="An illegal placement",
    initial=_S.PRESSED,
    rows=(
        Transition(_S.PRESSED, _E.CHALLENGED, _S.BEFORE_DIRECTOR, "PLACE-2", _MAY),
        Transition(_S.BEFORE_DIRECTOR, _E.UPHELD, _S.OFF, "PLACE-2"),
        Transition(_S.BEFORE_DIRECTOR, _E.REJECTED, _S.PRESSED, "PLACE-2"),
        Transition(_S.PRESSED, _E.RIGHT_LOST, _S.STANDS, "HOLD-2", _MAY),
        Transition(_S.PRESSED, _E.REPLY_PRESSED, _S.STANDS, "HOLD-2", _MAY),
        Transition(_S.PRESSED, _E.ANNOUNCED, _S.OFF, "PLACE-2", _MUST),
        Transition(_S.PRESSED, _E.REPLY_PRESSED, _S.REPLIED, "PLACE-2", _MUST),
        Transition(_S.PRESSED, _E.GAME_ENDED, _S.ENDED, "PLACE-3"),
        Transition(_S.REPLIED, _E.ANNOUNCED, _S.ZEROED, "PLACE-2"),
        Transition(_S.REPLIED, _E.GAME_ENDED, _S.ENDED_REPLIED, "PLACE-3"),
        Transition(_S.ENDED, _E.ANNOUNCED, _S.OFF, "PLACE-3", _MUST),
        Transition(_S.ENDED_REPLIED, _E.ANNOUNCED, _S.ZEROED, "PLACE-3"),
        Transition(_S.ENDED, _E.WINDOW_PASSED, _S.STANDS, "PLACE-3"),
        Transition(_S.ENDED_REPLIED, _E.WINDOW_PASSED, _S.STANDS, "PLACE-3"),
    ),
)
MACHINES = (PLACEMENT,)

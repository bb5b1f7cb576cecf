"""The course of an overdraw, from the first suspicion to the restarted clock.

What a detection may lead to before anybody at the table has spoken (OVERDRAW-1, INT-2), what the
clock does while the opponent chooses (CLOCK-3), what follows when too many tiles are turned up
(OVERDRAW-6), and the whole as a machine. The numbers come from ``overdraw``.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Guard, Machine, Transition
from recorder.domain.rules.overdraw import OverdrawPlan, Way
from recorder.domain.rules.overdraw_steps import tiles
from recorder.domain.rules.procedure import Procedure, Step, Who, into_bag
from recorder.domain.rules.silence import Notice, Phase, route
from recorder.domain.rules.unsettled import ask


def detected(rules: Rules, *, surplus: int) -> Procedure:
    """What the director does when sensors count too many tiles and nobody has spoken.

    Whether the players are told is for ``silence``: where the order of discovery decides the
    procedure, a recorder that spoke first would change it.
    """
    routing = route(rules, Notice.RACK_OVER_SEVEN, Phase.PLAYING)
    step = Step(
        who=Who.DIRECTOR,
        act=f"{tiles(surplus)} too many: {routing.director} ({routing.why})",
        rule="OVERDRAW-1",
        tiles=surplus,
    )
    return Procedure(
        rule="OVERDRAW-1",
        title=f"{tiles(surplus)} too many, by the sensors",
        steps=(step,),
        open_questions=routing.open_questions,
    )


def choosing(rules: Rules, plan: OverdrawPlan, *, elapsed_s: float) -> Procedure:
    """What may be done while the opponent chooses, ``elapsed_s`` seconds after the start (CLOCK-3).

    No step while there is time, or where the set gives no limit.
    """
    rule = "CLOCK-3"
    if plan.seconds is None or elapsed_s < plan.seconds:
        left = None if plan.seconds is None else plan.seconds - elapsed_s
        title = "No limit to choose" if left is None else f"{left:g} s left to choose"
        return Procedure(rule=rule, title=title)
    steps: tuple[Step, ...] = ()
    if rules.get("overdraw.decision_overrun") == "opponent_clock_may_be_started":
        act = f"{plan.seconds} s are over: you may start the opponent's clock until it is decided"
        steps = (Step(who=Who.PLAYER, act=act, rule=rule),)
    return Procedure(
        rule=rule,
        title="The time to choose is over",
        steps=steps,
        open_questions=() if steps else ask(rules, "overdraw.decision_overrun"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TooManyShown:
    """``kept`` of the tiles shown stay by the overdrawer's choice.

    Of the ``blind`` others, face down, ``returned`` go back into the bag, unseen.
    """

    kept: int
    blind: int
    returned: int
    procedure: Procedure


def too_many_revealed(rules: Rules, plan: OverdrawPlan, *, shown: int) -> TooManyShown:
    """What follows when the opponent turned up more tiles than the plan allows (OVERDRAW-6).

    ``kept`` is 0 and a question is asked where the text gives no remedy.
    """
    rule = "OVERDRAW-6"
    extra = max(0, shown - plan.revealed)
    title = f"{tiles(shown)} shown, {plan.revealed} allowed"
    if not extra:
        return TooManyShown(
            kept=0, blind=0, returned=0, procedure=Procedure(rule=rule, title=title)
        )
    if questions := ask(rules, "overdraw.too_many_revealed"):
        open_ = Procedure(rule=rule, title=title, open_questions=questions)
        return TooManyShown(kept=0, blind=0, returned=0, procedure=open_)
    steps = (
        Step(
            who=Who.PLAYER,
            act=f"Choose {tiles(extra)} of those shown to keep",
            rule=rule,
            tiles=extra,
        ),
        Step(
            who=Who.PLAYER,
            act=f"Lay the other {plan.revealed} face down and mix them",
            rule=rule,
            tiles=plan.revealed,
        ),
        into_bag(
            Who.OPPONENT,
            f"Pick {tiles(plan.returned)} of them unseen for the bag, the rest for the player",
            plan.returned,
            rule,
        ),
    )
    return TooManyShown(
        kept=extra,
        blind=plan.revealed,
        returned=plan.returned,
        procedure=Procedure(rule=rule, title=title, steps=steps),
    )


class OverdrawState(StrEnum):
    """Where an overdraw stands."""

    DETECTED = "detected"
    ASKED = "asked"
    ALERTED = "alerted"
    CONFIRMED = "confirmed"
    POOL = "pool laid"
    REVEALED = "revealed"
    TOO_MANY = "too many revealed"
    TAKEN = "taken unseen"
    CHOSEN = "chosen"
    RETURNED = "returned"
    CLOSED = "closed"
    DISMISSED = "dismissed"


class OverdrawEvent(StrEnum):
    """What happens on the way. The ones of people are entered, or seen by sensors."""

    ONE_SOURCE = "one source says so"
    TWO_SOURCES = "two sources agree"
    SPOKEN = "somebody at the table says so"
    COUNTED = "tiles counted"
    LAID = "pool laid out"
    SHOWN = "tiles turned up"
    TAKEN = "opponent has taken tiles"
    KEPT = "overdrawer keeps the extra ones"
    CHOSEN = "opponent has chosen"
    BACK = "tiles in the bag"
    SCORED = "score corrected"
    RESTARTED = "clock restarted"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverdrawProgress:
    """What the guards look at: the plan, tiles turned up and back in the bag, tiles held."""

    plan: OverdrawPlan
    shown: int = 0
    back: int = 0
    rack: int | None = None


_Guard = Guard[OverdrawProgress]


def _way(words: str, way: Way) -> _Guard:
    return Guard(words, lambda facts: facts.plan.way is way)


_S, _E = OverdrawState, OverdrawEvent
_NONE = _way("no tile too many", Way.NOTHING)
_ZERO = _way("the opponent has replied", Way.SCORE_ZERO)
_UNSEEN = _way("few tiles in the bag, own turn", Way.HIDDEN)
_ENOUGH: _Guard = Guard(
    "no more than allowed",
    lambda facts: facts.shown <= facts.plan.revealed and facts.plan.way is not Way.HIDDEN,
)
_EXTRA: _Guard = Guard("more than allowed", lambda facts: facts.shown > facts.plan.revealed)
_ALL_BACK: _Guard = Guard("the surplus is back", lambda facts: facts.back == facts.plan.returned)
_FULL: _Guard = Guard(
    "the player holds the right number", lambda facts: facts.rack in (None, facts.plan.rack_after)
)

OVERDRAW: Machine[OverdrawState, OverdrawEvent, OverdrawProgress] = Machine(
    name="overdraw",
    title="An overdraw",
    initial=_S.DETECTED,
    rows=(
        Transition(_S.DETECTED, _E.ONE_SOURCE, _S.ASKED, "DRAW-2"),
        Transition(_S.DETECTED, _E.TWO_SOURCES, _S.ALERTED, "DRAW-2"),
        Transition(_S.ASKED, _E.TWO_SOURCES, _S.ALERTED, "DRAW-2"),
        Transition(_S.DETECTED, _E.SPOKEN, _S.CONFIRMED, "OVERDRAW-1"),
        Transition(_S.ASKED, _E.SPOKEN, _S.CONFIRMED, "OVERDRAW-1"),
        Transition(_S.ALERTED, _E.SPOKEN, _S.CONFIRMED, "OVERDRAW-1"),
        Transition(_S.DETECTED, _E.COUNTED, _S.DISMISSED, "OVERDRAW-1", _NONE),
        Transition(_S.DETECTED, _E.COUNTED, _S.CONFIRMED, "OVERDRAW-1"),
        Transition(_S.ASKED, _E.COUNTED, _S.DISMISSED, "OVERDRAW-1", _NONE),
        Transition(_S.ASKED, _E.COUNTED, _S.CONFIRMED, "OVERDRAW-1"),
        Transition(_S.ALERTED, _E.COUNTED, _S.DISMISSED, "OVERDRAW-1", _NONE),
        Transition(_S.ALERTED, _E.COUNTED, _S.CONFIRMED, "OVERDRAW-1"),
        Transition(_S.CONFIRMED, _E.COUNTED, _S.DISMISSED, "OVERDRAW-1", _NONE),
        Transition(_S.CONFIRMED, _E.SCORED, _S.CLOSED, "OVERDRAW-5", _ZERO),
        Transition(_S.CONFIRMED, _E.LAID, _S.POOL, "OVERDRAW-2"),
        Transition(_S.POOL, _E.TAKEN, _S.TAKEN, "OVERDRAW-4", _UNSEEN),
        Transition(_S.POOL, _E.SHOWN, _S.REVEALED, "OVERDRAW-2", _ENOUGH),
        Transition(_S.POOL, _E.SHOWN, _S.TOO_MANY, "OVERDRAW-6", _EXTRA),
        Transition(_S.REVEALED, _E.SHOWN, _S.REVEALED, "OVERDRAW-2", _ENOUGH),
        Transition(_S.REVEALED, _E.SHOWN, _S.TOO_MANY, "OVERDRAW-6", _EXTRA),
        Transition(_S.TOO_MANY, _E.KEPT, _S.REVEALED, "OVERDRAW-6"),
        Transition(_S.REVEALED, _E.CHOSEN, _S.CHOSEN, "OVERDRAW-2"),
        Transition(_S.TAKEN, _E.CHOSEN, _S.CHOSEN, "OVERDRAW-4"),
        Transition(_S.CHOSEN, _E.BACK, _S.RETURNED, "OVERDRAW-2", _ALL_BACK),
        Transition(_S.RETURNED, _E.RESTARTED, _S.CLOSED, "OVERDRAW-8", _FULL),
    ),
)
MACHINES: tuple[Machine[Any, Any, Any], ...] = (OVERDRAW,)

"""Set-up, late arrival, overtime and recount as tables of transitions.

The guards ask the functions that decide these things; the tables say what can follow what.
"""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.rules.force import Rules
from recorder.domain.rules.lateness import Late, late_time
from recorder.domain.rules.machine import Machine, Transition
from recorder.domain.rules.overtime import Limit, limit_state
from recorder.domain.rules.result_slip import RecountFacts, recount
from recorder.domain.rules.starting import TileCheck


class SetUp(StrEnum):
    """How far a table is before the first turn."""

    LAID_OUT = "tiles laid out"
    BARRED = "not armed"
    ARMED = "armed"
    ORDERED = "starter known"
    DRAWING = "starter draws"
    STARTED = "clock runs"


class SetUpEvent(StrEnum):
    """What happens before the first turn."""

    CHECK = "tiles checked"
    OVERRIDE = "director opens the gate"
    ORDER = "starter found"
    DRAW = "first tile out of the bag"
    CLOCK = "starter's clock started"


SET_UP: Machine[SetUp, SetUpEvent, TileCheck] = Machine(
    name="set-up",
    title="Set-up and start",
    initial=SetUp.LAID_OUT,
    rows=(
        Transition(
            source=SetUp.LAID_OUT, on=SetUpEvent.CHECK, target=SetUp.ARMED, rule="EQUIP-1",
            when=lambda check: check.armed, label="set complete",
        ),
        Transition(
            source=SetUp.LAID_OUT, on=SetUpEvent.CHECK, target=SetUp.BARRED, rule="EQUIP-1",
        ),
        Transition(
            source=SetUp.BARRED, on=SetUpEvent.CHECK, target=SetUp.ARMED, rule="EQUIP-1",
            when=lambda check: check.armed, label="set complete now",
        ),
        Transition(
            source=SetUp.BARRED, on=SetUpEvent.OVERRIDE, target=SetUp.ARMED, rule="EQUIP-1",
            when=lambda check: not check.by_rule, label="the rule set does not forbid to start",
        ),
        Transition(
            source=SetUp.ARMED, on=SetUpEvent.ORDER, target=SetUp.ORDERED, rule="START-1",
        ),
        Transition(
            source=SetUp.ORDERED, on=SetUpEvent.DRAW, target=SetUp.DRAWING, rule="START-3",
        ),
        Transition(
            source=SetUp.DRAWING, on=SetUpEvent.CLOCK, target=SetUp.STARTED, rule="START-3",
        ),
    ),
)  # fmt: skip


class Arrival(StrEnum):
    """Where a game stands whose player is late."""

    MISSING = "player missing, clock runs"
    CHOOSING = "may decline to play"
    PLAYING = "playing with what is left"
    DECLINED = "declined"
    FORFEITED = "forfeited"
    ASKED = "director asked"


class ArrivalEvent(StrEnum):
    """What happens then."""

    ARRIVE = "player arrives"
    EXPIRE = "time looked at"
    PLAY = "plays"
    DECLINE = "declines"


@dataclass(frozen=True, slots=True, kw_only=True)
class LateFacts:
    """The rules in force and the times of the late player."""

    rules: Rules
    late: Late


def _lost(facts: LateFacts) -> bool:
    return late_time(facts.rules, facts.late).forfeited is True


def _open(facts: LateFacts) -> bool:
    return late_time(facts.rules, facts.late).forfeited is None


def _may_decline(facts: LateFacts) -> bool:
    return late_time(facts.rules, facts.late).may_decline


ARRIVAL: Machine[Arrival, ArrivalEvent, LateFacts] = Machine(
    name="late arrival",
    title="A late arrival",
    initial=Arrival.MISSING,
    rows=(
        Transition(
            source=Arrival.MISSING, on=ArrivalEvent.EXPIRE, target=Arrival.FORFEITED,
            rule="LATE-4", when=_lost, label="assigned time used up",
        ),
        Transition(
            source=Arrival.MISSING, on=ArrivalEvent.EXPIRE, target=Arrival.ASKED,
            rule="LATE-4", when=_open, label="the text does not decide",
        ),
        Transition(
            source=Arrival.MISSING, on=ArrivalEvent.ARRIVE, target=Arrival.FORFEITED,
            rule="LATE-4", when=_lost, label="too late",
        ),
        Transition(
            source=Arrival.MISSING, on=ArrivalEvent.ARRIVE, target=Arrival.ASKED,
            rule="LATE-4", when=_open, label="the text does not decide",
        ),
        Transition(
            source=Arrival.MISSING, on=ArrivalEvent.ARRIVE, target=Arrival.CHOOSING,
            rule="LATE-4", when=_may_decline, label="less than the threshold left",
        ),
        Transition(
            source=Arrival.MISSING, on=ArrivalEvent.ARRIVE, target=Arrival.PLAYING, rule="LATE-2",
        ),
        Transition(
            source=Arrival.CHOOSING, on=ArrivalEvent.PLAY, target=Arrival.PLAYING, rule="LATE-4",
        ),
        Transition(
            source=Arrival.CHOOSING, on=ArrivalEvent.DECLINE, target=Arrival.DECLINED,
            rule="LATE-4",
        ),
    ),
)  # fmt: skip


class OvertimeEvent(StrEnum):
    """What happens to a player's time."""

    TICK = "time looked at"
    END = "game ends"


class Overtime(StrEnum):
    """Where a player's time stands."""

    IN_TIME = "in time"
    OVER = "in overtime"
    PENALISED = "penalty counted"
    LOST = "lost by overtime, director confirms"
    DONE = "ended in time"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverFacts:
    """The rules in force and whole seconds of overtime, 0 for none."""

    rules: Rules
    seconds: int


def _is_over(facts: OverFacts) -> bool:
    return limit_state(facts.rules, facts.seconds) in (Limit.OVER, Limit.NEAR)


def _is_lost(facts: OverFacts) -> bool:
    return limit_state(facts.rules, facts.seconds) is Limit.LOST


OVERTIME: Machine[Overtime, OvertimeEvent, OverFacts] = Machine(
    name="overtime",
    title="Overtime and its forfeit",
    initial=Overtime.IN_TIME,
    rows=(
        Transition(
            source=Overtime.IN_TIME, on=OvertimeEvent.TICK, target=Overtime.LOST, rule="END-7",
            when=_is_lost, label="past the limit",
        ),
        Transition(
            source=Overtime.IN_TIME, on=OvertimeEvent.TICK, target=Overtime.OVER, rule="END-6",
            when=_is_over, label="time used up",
        ),
        Transition(
            source=Overtime.IN_TIME, on=OvertimeEvent.END, target=Overtime.DONE, rule="END-6",
        ),
        Transition(
            source=Overtime.OVER, on=OvertimeEvent.TICK, target=Overtime.LOST, rule="END-7",
            when=_is_lost, label="past the limit",
        ),
        Transition(
            source=Overtime.OVER, on=OvertimeEvent.END, target=Overtime.PENALISED, rule="END-6",
        ),
    ),
)  # fmt: skip


class RecountState(StrEnum):
    """Where a recount stands."""

    AGREED = "scores agreed"
    RECOUNTING = "game counted again"
    REFUSED = "refused"
    ASKED = "director asked"
    STANDS = "score stands"
    CORRECTED = "score corrected"


class RecountEvent(StrEnum):
    """What happens to it."""

    ASK = "recount wanted"
    GRANT = "director grants it"
    REFUSE = "director refuses it"
    SAME = "same sum"
    OTHER = "other sum"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecountCase:
    """The rules in force and the facts of the request."""

    rules: Rules
    facts: RecountFacts


def _granted(case: RecountCase) -> bool:
    return recount(case.rules, case.facts).granted is True


def _refused(case: RecountCase) -> bool:
    return recount(case.rules, case.facts).granted is False


RECOUNT: Machine[RecountState, RecountEvent, RecountCase] = Machine(
    name="recount",
    title="A recount",
    initial=RecountState.AGREED,
    rows=(
        Transition(
            source=RecountState.AGREED, on=RecountEvent.ASK, target=RecountState.RECOUNTING,
            rule="END-10", when=_granted, label="a right to it",
        ),
        Transition(
            source=RecountState.AGREED, on=RecountEvent.ASK, target=RecountState.REFUSED,
            rule="END-10", when=_refused, label="no right to it",
        ),
        Transition(
            source=RecountState.AGREED, on=RecountEvent.ASK, target=RecountState.ASKED,
            rule="END-10",
        ),
        Transition(
            source=RecountState.ASKED, on=RecountEvent.GRANT, target=RecountState.RECOUNTING,
            rule="END-10",
        ),
        Transition(
            source=RecountState.ASKED, on=RecountEvent.REFUSE, target=RecountState.REFUSED,
            rule="END-10",
        ),
        Transition(
            source=RecountState.RECOUNTING, on=RecountEvent.SAME, target=RecountState.STANDS,
            rule="END-10",
        ),
        Transition(
            source=RecountState.RECOUNTING, on=RecountEvent.OTHER, target=RecountState.CORRECTED,
            rule="END-10",
        ),
    ),
)  # fmt: skip

MACHINES = (SET_UP, ARRIVAL, OVERTIME, RECOUNT)

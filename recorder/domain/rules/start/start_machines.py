"""Set-up, late arrival, overtime and recount as tables of transitions.

The guards ask the functions that decide these things; the tables say what can follow what.
"""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.rules.core.machine import Guard, Machine, Transition
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.ending.overtime import Limit, limit_state
from recorder.domain.rules.ending.result_slip import RecountFacts, recount
from recorder.domain.rules.start.lateness import Late, late_time
from recorder.domain.rules.start.starting import TileCheck


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


_COMPLETE: Guard[TileCheck] = Guard("set complete", lambda check: check.armed)
_COMPLETE_NOW: Guard[TileCheck] = Guard("set complete now", lambda check: check.armed)
_NOT_FORBIDDEN: Guard[TileCheck] = Guard(
    "the rule set does not forbid to start", lambda check: not check.by_rule
)

SET_UP: Machine[SetUp, SetUpEvent, TileCheck] = Machine(
    name="set-up",
    title="Set-up and start",
    initial=SetUp.LAID_OUT,
    rows=(
        Transition(SetUp.LAID_OUT, SetUpEvent.CHECK, SetUp.ARMED, "EQUIP-1", _COMPLETE),
        Transition(SetUp.LAID_OUT, SetUpEvent.CHECK, SetUp.BARRED, "EQUIP-1"),
        Transition(SetUp.BARRED, SetUpEvent.CHECK, SetUp.ARMED, "EQUIP-1", _COMPLETE_NOW),
        Transition(SetUp.BARRED, SetUpEvent.OVERRIDE, SetUp.ARMED, "EQUIP-1", _NOT_FORBIDDEN),
        Transition(SetUp.ARMED, SetUpEvent.ORDER, SetUp.ORDERED, "START-1"),
        Transition(SetUp.ORDERED, SetUpEvent.DRAW, SetUp.DRAWING, "START-3"),
        Transition(SetUp.DRAWING, SetUpEvent.CLOCK, SetUp.STARTED, "START-3"),
    ),
)


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


_LOST = Guard("assigned time used up", _lost)
_OPEN = Guard("the text does not decide", _open)
_TOO_LATE = Guard("too late", _lost)
_MAY_DECLINE = Guard("less than the threshold left", _may_decline)

ARRIVAL: Machine[Arrival, ArrivalEvent, LateFacts] = Machine(
    name="late arrival",
    title="A late arrival",
    initial=Arrival.MISSING,
    rows=(
        Transition(Arrival.MISSING, ArrivalEvent.EXPIRE, Arrival.FORFEITED, "LATE-4", _LOST),
        Transition(Arrival.MISSING, ArrivalEvent.EXPIRE, Arrival.ASKED, "LATE-4", _OPEN),
        Transition(Arrival.MISSING, ArrivalEvent.ARRIVE, Arrival.FORFEITED, "LATE-4", _TOO_LATE),
        Transition(Arrival.MISSING, ArrivalEvent.ARRIVE, Arrival.ASKED, "LATE-4", _OPEN),
        Transition(Arrival.MISSING, ArrivalEvent.ARRIVE, Arrival.CHOOSING, "LATE-4", _MAY_DECLINE),
        Transition(Arrival.MISSING, ArrivalEvent.ARRIVE, Arrival.PLAYING, "LATE-2"),
        Transition(Arrival.CHOOSING, ArrivalEvent.PLAY, Arrival.PLAYING, "LATE-4"),
        Transition(Arrival.CHOOSING, ArrivalEvent.DECLINE, Arrival.DECLINED, "LATE-4"),
    ),
)


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


_PAST_LIMIT = Guard("past the limit", _is_lost)
_USED_UP = Guard("time used up", _is_over)

OVERTIME: Machine[Overtime, OvertimeEvent, OverFacts] = Machine(
    name="overtime",
    title="Overtime and its forfeit",
    initial=Overtime.IN_TIME,
    rows=(
        Transition(Overtime.IN_TIME, OvertimeEvent.TICK, Overtime.LOST, "END-7", _PAST_LIMIT),
        Transition(Overtime.IN_TIME, OvertimeEvent.TICK, Overtime.OVER, "END-6", _USED_UP),
        Transition(Overtime.IN_TIME, OvertimeEvent.END, Overtime.DONE, "END-6"),
        Transition(Overtime.OVER, OvertimeEvent.TICK, Overtime.LOST, "END-7", _PAST_LIMIT),
        Transition(Overtime.OVER, OvertimeEvent.END, Overtime.PENALISED, "END-6"),
    ),
)


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


_GRANTED = Guard("a right to it", _granted)
_REFUSED = Guard("no right to it", _refused)

RECOUNT: Machine[RecountState, RecountEvent, RecountCase] = Machine(
    name="recount",
    title="A recount",
    initial=RecountState.AGREED,
    rows=(
        Transition(
            RecountState.AGREED, RecountEvent.ASK, RecountState.RECOUNTING, "END-10", _GRANTED
        ),
        Transition(RecountState.AGREED, RecountEvent.ASK, RecountState.REFUSED, "END-10", _REFUSED),
        Transition(RecountState.AGREED, RecountEvent.ASK, RecountState.ASKED, "END-10"),
        Transition(RecountState.ASKED, RecountEvent.GRANT, RecountState.RECOUNTING, "END-10"),
        Transition(RecountState.ASKED, RecountEvent.REFUSE, RecountState.REFUSED, "END-10"),
        Transition(RecountState.RECOUNTING, RecountEvent.SAME, RecountState.STANDS, "END-10"),
        Transition(RecountState.RECOUNTING, RecountEvent.OTHER, RecountState.CORRECTED, "END-10"),
    ),
)

MACHINES = (SET_UP, ARRIVAL, OVERTIME, RECOUNT)

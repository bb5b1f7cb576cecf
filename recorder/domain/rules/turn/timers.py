"""Every countdown of the rules as data: what starts it, how long it is, what ends it.

``timers`` tells which of them run, for screens to count down. Instants are milliseconds; whose
screen may show them is for others. The lengths are those of the rule set in force; where it has
none, there is no countdown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.rules.core.parameters import Rules, Setting
from recorder.domain.rules.turn.stops import REASON_WANTED_AFTER_S, STILL_STOPPED_AFTER_S


class TimerEvent(StrEnum):
    """What starts or ends a countdown: facts of clock, bag, scorer and director."""

    SCHEDULED = "games are due"
    ABSENT_CLOCK = "an absent player's clock started"
    ARRIVED = "the late player is there"
    SHUFFLE = "a player begins to shuffle"
    SHUFFLED = "the shuffle is over"
    PRESS = "press"
    TILE_OUT = "first tile out of the bag"
    HOLD = "hold"
    RELEASED = "words of acceptance"
    CHALLENGE = "challenge"
    BAG_KEPT = "the opponent keeps the bag"
    BAG_FREE = "the bag is free"
    REPLY = "the opponent's turn is complete"
    BACK = "a player is back, and a new tile was seen"
    PLAYED_OUT = "played out, clocks stopped"
    REACTED = "tiles revealed, hold or challenge"
    OVER = "end of the game"
    LOOSE_DEALT = "disconnected tiles dealt with"
    RECOUNT = "recount asked for"
    FINAL = "result final"
    CHOICE = "tiles to pick after an overdraw"
    CHOICE_LOW_BAG = "tiles to pick after an overdraw, bag low"
    CHOICE_EXCHANGE = "tiles to pick after a wrong exchange"
    CHOICE_ABSENT = "tiles to pick after a draw in absence"
    CHOICE_RETURN = "tiles to pick after an improper return"
    CHOICE_SPILL = "tiles to pick after a spill, bag low"
    CHOSEN = "tiles picked"
    OVERTIME = "overtime began"
    STOPPED = "both clocks stopped"
    REASON = "reason given"
    SETTLED = "cause of the stop settled"
    RUNNING = "a clock runs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """One countdown.

    It lasts the seconds of ``parameter``, less those of ``less``, or ``fixed`` seconds where it
    is the program's own, from ``start`` until one of ``ends``. ``only_if`` names a parameter and
    the value it must have, ``armed_by`` a moment without which the countdown is not there at all,
    ``unless_after`` one that must not have come before the start. ``then`` is what the end means.
    """

    name: str
    rule: str
    start: TimerEvent
    ends: tuple[TimerEvent, ...]
    then: str
    parameter: str = ""
    less: str = ""
    fixed: int = 0
    only_if: tuple[str, Setting] | None = None
    armed_by: TimerEvent | None = None
    unless_after: TimerEvent | None = None

    def seconds(self, rules: Rules) -> int | None:
        """How long it is by a rule set; None where there is no such countdown."""
        if self.only_if is not None and rules.get(self.only_if[0]) != self.only_if[1]:
            return None
        length = rules.get_whole(self.parameter) if self.parameter else self.fixed
        away = rules.get_whole(self.less) if self.less else 0
        if length is None or away is None or length <= away:
            return None
        return length - away


_CALLS = (TimerEvent.HOLD, TimerEvent.CHALLENGE, TimerEvent.REPLY)
_COURTESY_ENDS = (TimerEvent.RELEASED, TimerEvent.CHALLENGE, TimerEvent.TILE_OUT, TimerEvent.REPLY)


def _choice(name: str, rule: str, start: TimerEvent, parameter: str, then: str) -> Timer:
    return Timer(
        name=name, rule=rule, start=start, ends=(TimerEvent.CHOSEN,), then=then, parameter=parameter
    )


TIMERS: tuple[Timer, ...] = (
    Timer(
        name="grace for a late player",
        rule="LATE-2",
        start=TimerEvent.SCHEDULED,
        ends=(TimerEvent.ARRIVED, TimerEvent.ABSENT_CLOCK),
        then="the absent player's clock may be started",
        parameter="late.grace_s",
    ),
    Timer(
        name="time after which a late player may decline",
        rule="LATE-4",
        start=TimerEvent.ABSENT_CLOCK,
        ends=(TimerEvent.ARRIVED,),
        then="the late player may decline to play",
        parameter="timer.limit_s",
        less="late.optional_forfeit_below_s",
    ),
    Timer(
        name="time of an absent player",
        rule="LATE-4",
        start=TimerEvent.ABSENT_CLOCK,
        ends=(TimerEvent.ARRIVED,),
        then="the game is forfeited",
        parameter="timer.limit_s",
        only_if=("late.compulsory_forfeit", "assigned_time_expired"),
    ),
    Timer(
        name="time to arrive",
        rule="LATE-4",
        start=TimerEvent.SCHEDULED,
        ends=(TimerEvent.ARRIVED,),
        then="the game is forfeited, unless the director counts from the clock",
        parameter="timer.limit_s",
        only_if=("late.compulsory_forfeit", "not_arrived_within_1500s"),
    ),
    Timer(
        name="shuffle",
        rule="START-2",
        start=TimerEvent.SHUFFLE,
        ends=(TimerEvent.SHUFFLED,),
        then="the shuffle is long enough",
        parameter="start.shuffle_max_s",
    ),
    Timer(
        name="wait before the draw",
        rule="HOLD-6",
        start=TimerEvent.PRESS,
        ends=(TimerEvent.TILE_OUT, *_CALLS),
        then="the player may draw",
        parameter="hold.wait_before_draw_s",
        unless_after=TimerEvent.TILE_OUT,
    ),
    Timer(
        name="hold",
        rule="HOLD-3",
        start=TimerEvent.HOLD,
        ends=(TimerEvent.RELEASED, TimerEvent.CHALLENGE, TimerEvent.REPLY),
        then="the hold is over",
        parameter="hold.max_s",
    ),
    Timer(
        name="bag kept for a hold",
        rule="HOLD-3",
        start=TimerEvent.BAG_KEPT,
        ends=(TimerEvent.BAG_FREE, *_CALLS),
        then="the bag must be free",
        parameter="hold.guard_bag_s",
    ),
    Timer(
        name="courtesy draw, from the press",
        rule="HOLD-4",
        start=TimerEvent.PRESS,
        ends=_COURTESY_ENDS,
        then="the player may draw, the tiles apart",
        parameter="hold.courtesy_draw_after_s",
        only_if=("hold.courtesy_reference", "press_timer"),
        armed_by=TimerEvent.HOLD,
    ),
    Timer(
        name="courtesy draw, from the hold",
        rule="HOLD-4",
        start=TimerEvent.HOLD,
        ends=_COURTESY_ENDS,
        then="the player may draw, the tiles apart",
        parameter="hold.courtesy_draw_after_s",
        only_if=("hold.courtesy_reference", "hold_call"),
    ),
    Timer(
        name="hold or challenge after an unpressed draw",
        rule="HOLD-8",
        start=TimerEvent.TILE_OUT,
        ends=_CALLS,
        then="the play is accepted",
        parameter="hold.after_unpressed_draw_s",
        unless_after=TimerEvent.PRESS,
    ),
    Timer(
        name="hold or challenge after coming back",
        rule="LEAVE-1",
        start=TimerEvent.BACK,
        ends=_CALLS,
        then="the play is accepted",
        parameter="leave.after_return_hold_s",
    ),
    _choice(
        "picking after an overdraw",
        "OVERDRAW-2",
        TimerEvent.CHOICE,
        "overdraw.decision_s",
        "the chooser's clock may be started",
    ),
    _choice(
        "picking after an overdraw, bag low",
        "OVERDRAW-4",
        TimerEvent.CHOICE_LOW_BAG,
        "overdraw.decision_low_bag_s",
        "the time to choose is over",
    ),
    _choice(
        "picking after a wrong exchange",
        "EXCH-3",
        TimerEvent.CHOICE_EXCHANGE,
        "exchange.illegal.decision_s",
        "the time to choose is over",
    ),
    _choice(
        "picking after a draw in absence",
        "LEAVE-2",
        TimerEvent.CHOICE_ABSENT,
        "leave.drawn_while_absent_decision_s",
        "the time to choose is over",
    ),
    _choice(
        "picking after an improper return",
        "RETURN-1",
        TimerEvent.CHOICE_RETURN,
        "return_improper.decision_s",
        "the time to choose is over",
    ),
    _choice(
        "picking after a spill, bag low",
        "SPILL-2",
        TimerEvent.CHOICE_SPILL,
        "spill.low_bag_own_turn_decision_s",
        "the time to choose is over",
    ),
    Timer(
        name="reaction to a play-out, then the other clock",
        rule="END-2",
        start=TimerEvent.PLAYED_OUT,
        ends=(TimerEvent.REACTED, TimerEvent.OVER),
        then="the opponent's clock may be started",
        parameter="endgame.out_response_s",
        only_if=("endgame.out_silence", "opponents_clock_may_run"),
    ),
    Timer(
        name="reaction to a play-out, then the end",
        rule="END-2",
        start=TimerEvent.PLAYED_OUT,
        ends=(TimerEvent.REACTED, TimerEvent.OVER),
        then="the play is accepted and the game over",
        parameter="endgame.out_response_s",
        only_if=("endgame.out_silence", "play_accepted"),
    ),
    Timer(
        name="disconnected tiles at the end",
        rule="PLACE-3",
        start=TimerEvent.OVER,
        ends=(TimerEvent.LOOSE_DEALT, TimerEvent.FINAL),
        then="disconnected tiles stay",
        parameter="placement.after_end_window_s",
    ),
    Timer(
        name="asking for a recount",
        rule="END-10",
        start=TimerEvent.OVER,
        ends=(TimerEvent.RECOUNT, TimerEvent.FINAL),
        then="no recount any more",
        parameter="recount.request_within_s",
    ),
    Timer(
        name="overtime that loses the game",
        rule="END-7",
        start=TimerEvent.OVERTIME,
        ends=(TimerEvent.OVER,),
        then="the game is lost by overtime",
        parameter="overtime.forfeit_after_s",
    ),
    Timer(
        name="reason for a stop",
        rule="CLOCK-1",
        start=TimerEvent.STOPPED,
        ends=(TimerEvent.REASON, TimerEvent.RUNNING),
        then="the scorer is asked for the reason",
        fixed=REASON_WANTED_AFTER_S,
    ),
    Timer(
        name="clocks to run again",
        rule="CLOCK-4",
        start=TimerEvent.SETTLED,
        ends=(TimerEvent.RUNNING, TimerEvent.OVER),
        then="the director is told that both clocks stand",
        fixed=STILL_STOPPED_AFTER_S,
    ),
)
"""The countdowns of rulebook 0.5, and two of the program's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTimer:
    """A countdown that is on: over at ``until_ms``; it stays until something ends it.

    ``then`` says what may be done, or has happened, once it is over. Whether the last instant
    itself counts is for the functions of the rule (``courtesy_draw``, ``late_time``), not here.
    """

    name: str
    rule: str
    started_ms: int
    until_ms: int
    then: str

    def left_ms(self, now_ms: int) -> int:
        """Time left; 0 when it is over."""
        return max(0, self.until_ms - now_ms)

    def is_over(self, now_ms: int) -> bool:
        """Whether the time has run out."""
        return now_ms >= self.until_ms


def timers(rules: Rules, moments: Mapping[TimerEvent, int]) -> tuple[RunningTimer, ...]:
    """The countdowns that are on, the one that is over first coming first.

    ``moments``: when each thing happened last, as far as it belongs to the present turn or
    procedure; what belongs to an earlier one must be left out. A player in overtime whose clock
    was stopped between has ``OVERTIME`` moved by the stops.
    """
    on = [running for timer in TIMERS if (running := _running(rules, timer, moments)) is not None]
    return tuple(sorted(on, key=lambda timer: timer.until_ms))


def _running(rules: Rules, timer: Timer, moments: Mapping[TimerEvent, int]) -> RunningTimer | None:
    start, seconds = moments.get(timer.start), timer.seconds(rules)
    if start is None or seconds is None:
        return None
    if timer.armed_by is not None and timer.armed_by not in moments:
        return None
    before = None if timer.unless_after is None else moments.get(timer.unless_after)
    if before is not None and before <= start:
        return None
    armed = start if timer.armed_by is None else max(start, moments[timer.armed_by])
    if any(moments.get(end, armed - 1) >= armed for end in timer.ends):
        return None
    return RunningTimer(
        name=timer.name,
        rule=timer.rule,
        started_ms=start,
        until_ms=start + 1000 * seconds,
        then=timer.then,
    )

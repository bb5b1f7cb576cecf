"""Lateness: assigned time, the choice to decline, forfeits, with one player or both absent.

Instants are milliseconds of one clock, durations milliseconds too. When the director lets a clock
run is for the director; here is what follows from the instants.
"""

from dataclasses import dataclass

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import NASPA, WESPA, Rules, has_remedy
from recorder.domain.rules.core.procedure import DIRECTOR, Step

SECOND = 1000
_DECLINE_BELOW_S = {NASPA: 1500, WESPA: 900}
"""With less time than that left a late player may decline to play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """One player is late: when games were due, when that side's clock was started, and arrival.

    ``arrived_ms`` is when the player sat ready to play (LATE-1); None: not there yet at
    ``now_ms``. ``stood_ms``: for how long that side stood again in between. ``limit_ms``: what the
    clock began with, where it is not the rule set's time.
    """

    scheduled_ms: int
    clock_started_ms: int
    arrived_ms: int | None = None
    now_ms: int = 0
    stood_ms: int = 0
    limit_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LateTime:
    """What a late player is left with.

    ``assigned_ms`` is the time to set on the clock. ``may_decline``: the player may forfeit
    instead of playing. ``forfeited``: the game is lost without a choice; None: the director says.
    """

    assigned_ms: int
    may_decline: bool
    forfeited: bool | None
    open_questions: tuple[CodedText, ...] = ()


def late_time(rules: Rules, facts: Late) -> LateTime:
    """The time of a player who came late, or has not come yet (LATE-2, LATE-4).

    Assigned is the limit less what ran on the clock. "Below" is strict: with exactly the
    threshold left there is no choice.
    """
    at = facts.now_ms if facts.arrived_ms is None else facts.arrived_ms
    limit = _limit_ms(rules) if facts.limit_ms is None else facts.limit_ms
    below = _DECLINE_BELOW_S.get(str(rules.get("late.procedure")))
    assigned = limit - max(0, at - facts.clock_started_ms - facts.stood_ms)
    forfeited, questions = _forfeited(rules, facts.scheduled_ms, at, assigned)
    here = facts.arrived_ms is not None and forfeited is not True
    declines = here and below is not None and assigned < below * SECOND
    return LateTime(
        assigned_ms=max(0, assigned),
        may_decline=declines,
        forfeited=forfeited,
        open_questions=questions,
    )


def _limit_ms(rules: Rules) -> int:
    """Without a limit of its own the rule set cannot measure lateness; NotationError says so."""
    limit = rules["timer.limit_s"]
    assert isinstance(limit, int)
    return limit * SECOND


def _forfeited(
    rules: Rules, scheduled_ms: int, at: int, assigned: int
) -> tuple[bool | None, tuple[CodedText, ...]]:
    match rules.get("late.procedure"):
        case "wespa":
            return assigned <= 0, ()
        case "naspa":
            by_schedule = at - scheduled_ms > _limit_ms(rules)
            by_clock = assigned <= 0
            if by_schedule == by_clock:
                return by_schedule, ()
            return None, (coded("time_to_arrive_has_run_out_not_by_clock"),)
        case _:
            return None, (coded("when_late_player_lost_without"),)


def early_ms(rules: Rules, scheduled_ms: int, clock_started_ms: int) -> int:
    """By how much an absent player's clock was started too early; 0 where it was not (LATE-2)."""
    grace = rules.get_whole("late.grace_s") or 0
    return max(0, scheduled_ms + grace * SECOND - clock_started_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """A game lost by lateness: its margin in points and what the director may still do.

    ``steps`` are the director's choices.
    """

    margin: int | None
    steps: tuple[Step, ...] = ()
    open_questions: tuple[CodedText, ...] = ()


def forfeit(rules: Rules) -> Forfeit:
    """What a game lost by lateness counts, declined or never begun (LATE-4)."""
    margin = rules.get_whole("late.forfeit_margin")
    steps, questions = [], []
    if rules.get("late.forfeit_margin_raisable") is True:
        steps.append(DIRECTOR("raise_margin", "raise_margin_if_forfeit_made", "LATE-4"))
    if has_remedy(rules, "late.procedure"):
        steps.append(DIRECTOR("postpone", "postpone_game_instead_if_everybody", "LATE-4"))
    if margin is None:
        questions.append(coded("margin_game_lost_lateness"))
    return Forfeit(margin=margin, steps=tuple(steps), open_questions=tuple(questions))


@dataclass(frozen=True, slots=True, kw_only=True)
class BothLate:
    """Nobody was there: when the director started a clock, and the two arrivals in order.

    Who has not come yet arrives now. ``limit_ms``: what the clock began with, where it is not the
    rule set's time.
    """

    scheduled_ms: int
    clock_started_ms: int
    first_ms: int
    second_ms: int
    limit_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BothTimes:
    """The times of two late players, the one who came first before the other.

    ``assigned_ms`` is what to play with; ``deferred_ms`` is what is taken off each clock only at
    the end of the game.
    """

    assigned_ms: tuple[int, int]
    deferred_ms: tuple[int, int]
    open_questions: tuple[CodedText, ...] = ()


def both_times(rules: Rules, facts: BothLate) -> BothTimes:
    """The times of two players who both came late (LATE-3).

    With two sides, each is charged from the start of the clock to their own arrival, which takes
    the first player's share off what the second side shows. With one clock, the first arrival's
    share waits until the end of the game (``overtime.over_s``); the clock is taken to be restarted
    at once.
    """
    limit = _limit_ms(rules) if facts.limit_ms is None else facts.limit_ms
    arrivals = facts.first_ms, facts.second_ms
    first, second = (max(0, at - facts.clock_started_ms) for at in arrivals)
    assigned, deferred = (limit, limit), (0, 0)
    questions: list[CodedText] = []
    match rules.get("late.procedure"):
        case "wespa":
            assigned = limit - first, limit - (facts.second_ms - facts.first_ms) - first
        case "naspa":
            assigned, deferred = (limit, limit - second), (first, 0)
        case _:
            questions.append(coded("how_time_charged_when_nobody"))
    lost = [
        _forfeited(rules, facts.scheduled_ms, at, limit - (at - facts.clock_started_ms))
        for at in arrivals
    ]
    questions += (question for _, asked in lost for question in asked)
    if all(forfeited for forfeited, _ in lost) and not has_remedy(rules, "late.procedure"):
        questions.append(coded("how_game_recorded_both_lost"))
    return BothTimes(
        assigned_ms=(max(0, assigned[0]), max(0, assigned[1])),
        deferred_ms=deferred,
        open_questions=tuple(dict.fromkeys(questions)),
    )

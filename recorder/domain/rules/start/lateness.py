"""Lateness: assigned time, the choice to decline, forfeits, with one player or both absent.

Instants are milliseconds of one clock, durations milliseconds too. When the director lets a clock
run is for the director; here is what follows from the instants.
"""

from dataclasses import dataclass

from recorder.domain.game import Conceded
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
    forfeited, questions = _forfeited(rules, facts, at, assigned)
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
    rules: Rules, facts: Late, at: int, assigned: int
) -> tuple[bool | None, tuple[CodedText, ...]]:
    match rules.get("late.procedure"):
        case "wespa":
            return assigned <= 0, ()
        case "naspa":
            by_schedule = at - facts.scheduled_ms > _limit_ms(rules)
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

    def event(self, player: int) -> Conceded | None:
        """What the record gets when this player is the late one; None without a margin."""
        if self.margin is None:
            return None
        return Conceded(player=player, margin=self.margin, how="lateness")


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

    None: nobody, or nobody else, has come by ``now_ms``. ``limit_ms``: what the clock began with,
    where it is not the rule set's time.
    """

    scheduled_ms: int
    clock_started_ms: int
    first_ms: int | None = None
    second_ms: int | None = None
    now_ms: int = 0
    limit_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BothTimes:
    """The times of two late players, the one who came first before the other.

    ``displays_ms`` is what the two sides of the clock show when the second player comes;
    ``assigned_ms`` is what to play with; ``deferred_ms`` is what is taken off each clock only at
    the end of the game. ``forfeited`` shows who has lost by lateness, None for the director.
    """

    displays_ms: tuple[int, int]
    assigned_ms: tuple[int, int]
    deferred_ms: tuple[int, int]
    forfeited: tuple[bool, bool] | None
    open_questions: tuple[CodedText, ...] = ()


def both_times(rules: Rules, facts: BothLate) -> BothTimes:
    """The times of two players who both came late (LATE-3).

    With two sides, each is charged from the start of the clock to their own arrival, which takes
    the first player's share off what the second side shows. With one clock, the first arrival's
    share waits until the end of the game (``overtime.over_s``); the clock is taken to be restarted
    at once.
    """
    limit = _limit_ms(rules) if facts.limit_ms is None else facts.limit_ms
    first = facts.now_ms if facts.first_ms is None else facts.first_ms
    second = facts.now_ms if facts.second_ms is None else facts.second_ms
    gone = tuple(max(0, at - facts.clock_started_ms) for at in (first, second))
    match rules.get("late.procedure"):
        case "wespa":
            displays = limit - gone[0], limit - (second - first)
            assigned = displays[0], displays[1] - gone[0]
            deferred = 0, 0
            questions: tuple[CodedText, ...] = ()
        case "naspa":
            displays = limit - gone[0], limit - gone[1]
            assigned = limit, displays[1]
            deferred = gone[0], 0
            questions = ()
        case _:
            displays, assigned, deferred = (limit, limit), (limit, limit), (0, 0)
            questions = (coded("how_time_charged_when_nobody"),)
    lost = tuple(_lost(rules, facts, at) for at in (facts.first_ms, facts.second_ms))
    open_questions = [*questions, *(q for _, asked in lost for q in asked)]
    both = lost[0][0] and lost[1][0]
    if both and not has_remedy(rules, "late.procedure"):
        open_questions.append(coded("how_game_recorded_both_lost"))
    known = [forfeited for forfeited, _ in lost]
    return BothTimes(
        displays_ms=displays,
        assigned_ms=(max(0, assigned[0]), max(0, assigned[1])),
        deferred_ms=deferred,
        forfeited=None if None in known else (known[0] is True, known[1] is True),
        open_questions=tuple(dict.fromkeys(open_questions)),
    )


def _lost(
    rules: Rules, facts: BothLate, arrived: int | None
) -> tuple[bool | None, tuple[CodedText, ...]]:
    at = facts.now_ms if arrived is None else arrived
    limit = _limit_ms(rules) if facts.limit_ms is None else facts.limit_ms
    left = limit - (at - facts.clock_started_ms)
    alone = Late(scheduled_ms=facts.scheduled_ms, clock_started_ms=facts.clock_started_ms)
    return _forfeited(rules, alone, at, left)

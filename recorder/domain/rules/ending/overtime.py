"""Time used beyond the limit: what it costs, and when it loses the game (END-6, END-7, END-8).

Seconds are those of a clock's display: -0:01 is the first second of overtime, fractions do not
count. The limit is the time that the player was assigned, less than usual after a late start.
"""

from enum import StrEnum

from recorder.domain.game import TimePenalty
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, ask_all
from recorder.domain.rules.core.procedure import EITHER, Procedure
from recorder.domain.rules.ending.conclusions import Conclusion, conceded, rated_once_begun

ALARM_BEFORE_S = 60
"""How long before the limit of overtime the director is informed; a choice of this program."""


def over_s(left_ms: int, *, deferred_ms: int = 0) -> int:
    """Whole seconds of overtime that a display with this time left shows; 0 while there is none.

    ``deferred_ms``: time that a late start takes off at the end of the game (LATE-3).
    """
    return max(0, -(left_ms - deferred_ms)) // 1000


_LEAST_MARGIN = 100
"""WESPA: a game lost by overtime is lost by so much at least; NASPA: by a point."""
CHARGING = ("overtime.starts_at_s", "overtime.points", "overtime.period_s", "overtime.rounding")
Prices = tuple[tuple[int, int], ...]
"""``(second, points)``: from that second of overtime on a player has lost so many points."""
_PRICED_S = 3600
"""After so much overtime nothing more is charged where no overtime loses the game."""


def overtime_prices(rules: Rules) -> Prices | None:
    """What overtime costs, second by second, in rising order; None where the rules leave it open.

    The only place that computes it: frames carry this table to every screen. Overtime that loses
    the game costs what it had cost by then, however long the clock ran on (END-7).
    """
    first = rules.get_whole("overtime.starts_at_s")
    points = rules.get_whole("overtime.points")
    period_s = rules.get_whole("overtime.period_s")
    rounding = rules.get("overtime.rounding")
    if first is None or points is None or period_s is None or rounding is None:
        return None
    if not points:
        return ()
    begins = 1 if rounding == "started" else period_s
    prices: dict[int, int] = {}
    for periods, second in enumerate(range(begins, _last_priced_s(rules) + 1, period_s), 1):
        prices[max(second, first)] = points * periods
    return tuple(prices.items())


def _last_priced_s(rules: Rules) -> int:
    """Up to which second of overtime the points grow."""
    limit = rules.get_whole("overtime.forfeit_after_s")
    loses = limit is not None and rules.usable("overtime.forfeit_comparison")
    return min(limit, _PRICED_S) if limit is not None and loses else _PRICED_S


def points_lost(prices: Prices, seconds: int) -> int:
    """What so many seconds of overtime cost by a table of prices."""
    return max((points for second, points in prices if second <= seconds), default=0)


def overtime_points(rules: Rules, seconds: int) -> int | None:
    """What so many seconds of overtime cost; None where the rule set in force does not say."""
    prices = overtime_prices(rules)
    return None if prices is None else points_lost(prices, seconds)


def time_penalties(rules: Rules, over: tuple[int, int]) -> Procedure:
    """The penalties of both players for their seconds of overtime at the end (END-6).

    Not looked at: whether the game is lost by it (``limit_state``).
    """
    questions = ask_all(rules, *CHARGING) if any(over) else ()
    events = tuple(
        TimePenalty(seat, points)
        for seat, seconds in enumerate(over)
        if (points := overtime_points(rules, seconds))
    )
    return Procedure(
        "END-6",
        coded("overtime"),
        steps=(EITHER("read_clocks", "read_both_displays_before_anything", "END-6"),),
        events=events,
        open_questions=questions,
    )


def left_running(rules: Rules, *, at_end_s: int, shown_s: int) -> tuple[CodedText, ...]:
    """What is open about a clock that ran on after the end (END-8), where it makes a difference.

    ``at_end_s``: overtime when the game ended, by the camera or the log; ``shown_s``: on the
    display in the end.
    """
    same = overtime_points(rules, at_end_s) == overtime_points(rules, shown_s)
    return () if same else ask(rules, "overtime.left_running")


class Limit(StrEnum):
    """How near a player is to losing by overtime; LOST waits for the director."""

    WITHIN = "within_the_time"
    OVER = "overtime"
    NEAR = "near_the_limit_of_overtime"
    LOST = "lost_by_overtime_to_be_confirmed"


def limit_state(rules: Rules, seconds: int) -> Limit:
    """Where so many seconds of overtime stand; a limit that is open is never passed (END-7)."""
    limit = rules.get_whole("overtime.forfeit_after_s")
    comparison = rules.get("overtime.forfeit_comparison")
    if seconds <= 0:
        return Limit.WITHIN
    if limit is None or comparison is None or seconds < limit - ALARM_BEFORE_S:
        return Limit.OVER
    lost = seconds >= limit if comparison == "ge" else seconds > limit
    return Limit.LOST if lost else Limit.NEAR


def overtime_forfeit(
    rules: Rules, scores: tuple[int, int], offender: int, *, others_over_s: int = 0
) -> Conclusion:
    """The result when ``offender`` loses by overtime (END-7).

    ``scores`` are those of the moment, before time penalties; ``others_over_s`` is the
    opponent's own overtime. Tiles on the racks are left out. W1 and PSA set a margin, NAS two
    scores, and where it leaves a tie it does not say what follows. Overtime of a player who was
    never there is LATE-4, not this.
    """
    limit = rules.get_whole("overtime.forfeit_after_s")
    fine = None if limit is None else overtime_points(rules, limit)
    others = overtime_points(rules, others_over_s)
    way = rules.get("overtime.forfeit_margin")
    names = ("overtime.forfeit_margin", "overtime.forfeit_after_s")
    questions = ask_all(rules, *names, *CHARGING)
    if fine is None or others is None or way is None:
        return Conclusion(how="overtime", rule="END-7", open_questions=questions)
    own, other = scores[offender] - fine, scores[1 - offender] - others
    if way == "larger_of_margin_with_penalty_and_100":
        margin = max(other - own, _LEAST_MARGIN)
    else:
        if own == other:
            questions = (*questions, coded("deduction_leaves_tie_text_not", score=own + 1))
        other = max(other, own + 1)
        margin = other - own
    return Conclusion(
        how="overtime",
        rule="END-7",
        scores=(own, other) if offender == 0 else (other, own),
        margin=margin,
        rated=rated_once_begun(rules),
        events=conceded(offender, margin, "overtime", questions),
        open_questions=questions,
    )

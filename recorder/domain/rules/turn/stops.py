"""Clocks that stand still or fall silent: the reasons, who must hear of it, what is forbidden then.

The reason is what the scorer or the director keys in. All findings are for the director.
"""

from collections.abc import Iterable

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, has_remedy, listed
from recorder.domain.rules.core.procedure import Finding, Procedure, Step, Who

REASON_WANTED_AFTER_S = 60
"""After so long without a reason the scorer is reminded; a choice of this program (CLOCK-1)."""
FORBIDDEN_WHILE_STOPPED = (
    "study_rack",
    "study_board",
    "track_tiles",
    "adjust_tiles_except_misorientation_or_alignment",
)
"""NASPA: what nobody may do while both clocks stand."""
STILL_STOPPED_AFTER_S = 30
"""So long a clock may stand after the cause is settled; a choice of this program (CLOCK-4)."""


def stop_reason(rules: Rules, reason: str) -> Finding:
    """Whether both clocks may be stopped for this reason (CLOCK-1).

    ``reason`` is one of the words of ``clock.stop_reasons`` or ``clock.stops_by_other_rules``, or
    any other word, such as ``score_check``. What is not listed goes to the director, who may find
    a rule for it all the same; so does everything where the list is not known.
    """
    named = {*listed(rules, "clock.stop_reasons"), *listed(rules, "clock.stops_by_other_rules")}
    if reason in named:
        return Finding(rule="CLOCK-1", text=coded("clocks_stopped", reason=reason), alarm=False)
    text = coded("clocks_stopped_unlisted", reason=reason)
    known = rules.usable("clock.stop_reasons")
    question = () if known else (coded("rule_sets_list_reasons_not"),)
    return Finding(rule="CLOCK-1", text=text, open_questions=question)


def reason_wanted(*, stopped_ms: int, now_ms: int, reason: str = "") -> Finding | None:
    """The reminder that nobody has said why the clocks stand (CLOCK-1)."""
    seconds = (now_ms - stopped_ms) // 1000
    if reason or seconds < REASON_WANTED_AFTER_S:
        return None
    return Finding(rule="CLOCK-1", text=coded("clocks_stopped_nobody_said_why", seconds=seconds))


def still_stopped(rules: Rules, *, settled_ms: int, now_ms: int) -> Finding | None:
    """A clock that stands although its cause was settled; who watches may have to say so (CLOCK-4).

    ``settled_ms``: when the challenge, the ruling or whatever it was had ended.
    """
    seconds = (now_ms - settled_ms) // 1000
    if seconds < STILL_STOPPED_AFTER_S:
        return None
    text = coded("both_clocks_stand_settled_ago", seconds=seconds)
    if has_remedy(rules, "observer.procedure"):
        text = coded("whoever_watches_must_say_once", what=text)
    return Finding(rule="CLOCK-4", text=text)


def wrong_side(rules: Rules) -> Finding:
    """The clock of the player who is not thinking runs: for the log, whatever the set (CLOCK-4)."""
    text = coded("wrong_sides_clock_runs")
    if has_remedy(rules, "observer.procedure"):
        text = coded("nobody_who_watches_may_say", what=text)
    return Finding(rule="CLOCK-4", text=text, alarm=False)


def acts_while_stopped(rules: Rules, acts: Iterable[str]) -> Finding | None:
    """Acts while both clocks stood that the rule set forbids then (CLOCK-2).

    ``acts`` in the words of ``FORBIDDEN_WHILE_STOPPED``; where the set forbids none, nothing.
    """
    found = [act for act in acts if act in FORBIDDEN_WHILE_STOPPED]
    if not found or not has_remedy(rules, "observer.procedure"):
        return None
    return Finding(rule="CLOCK-2", text=coded("while_stopped", acts=", ".join(found)), alarm=False)


def lost_timer(rules: Rules) -> Procedure:
    """What follows when a timer fell silent (EQUIP-6); both times are the clock's to reckon on."""
    acts: dict[object, tuple[tuple[str, Who, CodedText], ...]] = {
        "director_may_adjust": (("set_clock", Who.DIRECTOR, coded("set_one_both_times_seems")),),
        "stop_both_write_times_replace_director_assigns": (
            ("stop_clock", Who.EITHER, coded("stop_timer_write_down_once")),
            ("replace_timer", Who.DIRECTOR, coded("timer_replaced")),
            ("set_clock", Who.DIRECTOR, coded("set_both_times_players_whoever")),
        ),
        "pause_director_replace": (
            ("stop_clock", Who.EITHER, coded("pause_clock")),
            ("replace_timer", Who.DIRECTOR, coded("timer_replaced")),
        ),
    }
    steps = acts.get(rules.get("timer.malfunction"), ())
    return Procedure(
        "EQUIP-6",
        coded("timer_failed"),
        steps=tuple(Step(who, code, act, "EQUIP-6") for code, who, act in steps),
        open_questions=ask(rules, "timer.malfunction"),
    )

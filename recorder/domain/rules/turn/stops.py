"""Clocks that stand still or fall silent: the reasons, who must hear of it, what is forbidden then.

The reason is what the scorer or the director keys in. All findings are for the director.
"""

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, listed
from recorder.domain.rules.core.procedure import Finding, Procedure, Step, Who

REASON_WANTED_AFTER_S = 60
"""After so long without a reason the scorer is reminded; a choice of this program (CLOCK-1)."""
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

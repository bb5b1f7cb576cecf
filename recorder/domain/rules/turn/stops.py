"""Clocks that stand still or fall silent: the reasons, who must hear of it, what is forbidden then.

The reason is what the scorer or the director keys in. All findings are for the director.
"""

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import Rules, listed
from recorder.domain.rules.core.procedure import Finding

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

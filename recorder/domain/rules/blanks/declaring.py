"""How a blank is declared under a rule set: what is said and written, and until when (BLANK-1).

For the director's page, and to tell what a sensor may expect to see before the press.
"""

from dataclasses import dataclass

from recorder.domain.notices import coded
from recorder.domain.rules.blanks.slip import OWN_SHEETS
from recorder.domain.rules.core.parameters import Rules, ask
from recorder.domain.rules.core.procedure import Procedure, Step, Who

_WRITING = {
    "oral_plus_neutral_sheet": coded("write_letter_sheet_both_players"),
    OWN_SHEETS: coded("write_letter_your_own_score"),
    "oral_plus_result_slip": coded("write_letter_result_slip"),
    "circled_or_capital_on_neutral_sheet": coded("circle_letter_write_capital_slip"),
    "circled_or_capital_on_slip": coded("circle_letter_write_capital_show"),
}
_OPPONENT = {
    "ensure_recorded_may_neutralise": ("check_letter", coded("see_written_clock_may_stopped")),
    "ensure_and_copy_may_neutralise": ("copy_letter", coded("see_written_copy_your_own")),
    "may_demand": ("ask_for_letter", coded("ask_if_not_declared")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaring:
    """How a letter is declared.

    ``on_slip``: a sensor over the slip can see it; else only the scorer can key it.
    ``before_press``: the deadline is the press itself, not the completion of the turn.
    """

    procedure: Procedure
    on_slip: bool
    before_press: bool


def declaring(rules: Rules) -> Declaring:
    """What players do to declare a blank (BLANK-1)."""
    medium = str(rules.get("blank.medium", ""))
    steps = []
    if medium.startswith("oral_plus"):
        act = coded("say_letter_not_word")
        steps.append(Step(Who.PLAYER, "say_letter", act, "BLANK-1"))
    if medium in _WRITING:
        act = _WRITING[medium]
        steps.append(Step(Who.PLAYER, "write_letter", act, "BLANK-1", done_when="mark"))
    duty = str(rules.get("blank.duty_of_opponent", ""))
    if duty in _OPPONENT:
        code, act = _OPPONENT[duty]
        steps.append(Step(Who.OPPONENT, code, act, "BLANK-1"))
    return Declaring(
        procedure=Procedure(
            "BLANK-1",
            coded("declaring_blank"),
            steps=tuple(steps),
            open_questions=(*ask(rules, "blank.medium"), *ask(rules, "blank.deadline")),
        ),
        on_slip=bool(medium) and medium != OWN_SHEETS,
        before_press=rules.get("blank.deadline") == "before_press",
    )

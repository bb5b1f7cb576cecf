"""Incidents with the result slip, and with a game that is not played."""

from dashboard.incidents.ends import concluded
from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, check, choice, number, who, words
from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.conclusions import annotation_avoided, nobody_came
from recorder.domain.rules.ending.result_slip import (
    SlipFacts,
    SlipState,
    is_final,
    may_tell_difference,
    slip_change,
)
from recorder.wire import Json

_STATES = [[state.value, state.value] for state in SlipState]
_SAYS = {True: "yes", False: "no", None: "you say"}


def _fields(now: Situation) -> list[Json]:
    scores = " ".join(map(str, now.state.scores))
    return [
        choice("state", "How far the slip is", _STATES, SlipState.SIGNED.value),
        words("written", "Scores on the slip", scores),
        words("agreed", "Scores that the players agreed on", scores),
        check("both", "Both players want it changed"),
        check("unfair", "One refuses, and that is unfair"),
    ]


def _plan(now: Situation, answers: Answers) -> IncidentPlan:
    first, second = now.state.scores
    state = SlipState(answers.text("state"))
    facts = SlipFacts(
        state=state,
        written=answers.pair("written"),
        agreed=answers.pair("agreed"),
        computed=(first, second),
        both_agree=answers.yes("both"),
        refusal_unfair=answers.yes("unfair"),
    )
    found = slip_change(now.rules, facts)
    wrong = "nothing" if found.difference is None else found.difference.value
    return IncidentPlan(
        procedure=Procedure(
            rule="END-9", title=coded("result_slip"), open_questions=found.open_questions
        ),
        numbers=(
            ("by the record", f"{first}-{second}"),
            ("wrong with it", wrong),
            ("it is changed", _SAYS[found.changed]),
            ("scores that hold", f"{found.scores[0]}-{found.scores[1]}"),
            ("why", found.why),
            ("final", _SAYS[is_final(now.rules, state)]),
            ("you may be told now", _SAYS[may_tell_difference(now.rules, state)]),
        ),
    )


def _avoided(now: Situation, answers: Answers) -> IncidentPlan:
    earlier = answers.whole("earlier")
    found = annotation_avoided(now.rules, answers.player(), earlier=earlier)
    return concluded(now, found, coded("player_refuses_recorded"))


def _nobody(now: Situation, _: Answers) -> IncidentPlan:
    return concluded(now, nobody_came(now.rules), coded("neither_player_came"))


SLIP_INCIDENTS = (
    Incident(name="result_slip", fields=_fields, plan=_plan),
    Incident(
        name="not_recorded",
        fields=lambda now: [
            who("Who refuses", now.last_player),
            number("earlier", "How often that player did so before", 0),
        ],
        plan=_avoided,
    ),
    Incident(name="nobody_came", fields=lambda _: [], plan=_nobody),
)

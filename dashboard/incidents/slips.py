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
from recorder.texts.forms import by_you, form
from recorder.wire import Json

_STATES = [[state.value, state.value] for state in SlipState]


def _fields(now: Situation) -> list[Json]:
    scores = " ".join(map(str, now.state.scores))
    return [
        choice("state", form("how_far_slip"), _STATES, SlipState.SIGNED.value),
        words("written", form("scores_slip"), scores),
        words("agreed", form("scores_players_agreed"), scores),
        check("both", form("both_players_want_changed")),
        check("unfair", form("one_refuses_unfair")),
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
            (form("by_record"), f"{first}-{second}"),
            (form("wrong"), wrong),
            (form("changed"), by_you(found.changed)),
            (form("scores_hold"), f"{found.scores[0]}-{found.scores[1]}"),
            (form("why_answer"), found.why),
            (form("final"), by_you(is_final(now.rules, state))),
            (form("you_may_told_now"), by_you(may_tell_difference(now.rules, state))),
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
            who(form("who_refuses"), now.last_player),
            number("earlier", form("how_often_player_did_so"), 0),
        ],
        plan=_avoided,
    ),
    Incident(name="nobody_came", fields=lambda _: [], plan=_nobody),
)

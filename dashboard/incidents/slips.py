"""Incidents with a game that is not played, or not recorded."""

from dashboard.incidents.ends import concluded
from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, number, who
from recorder.domain.notices import coded
from recorder.domain.rules.ending.conclusions import annotation_avoided, nobody_came
from recorder.texts.forms import form


def _avoided(now: Situation, answers: Answers) -> IncidentPlan:
    earlier = answers.whole("earlier")
    found = annotation_avoided(now.rules, answers.player(), earlier=earlier)
    return concluded(now, found, coded("player_refuses_recorded"))


def _nobody(now: Situation, _: Answers) -> IncidentPlan:
    return concluded(now, nobody_came(now.rules), coded("neither_player_came"))


SLIP_INCIDENTS = (
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

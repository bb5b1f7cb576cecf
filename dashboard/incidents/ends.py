"""Incidents around the end of a game (play-out, six zeros, overtime, given up), and any other."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, acts_of, number, who, words
from recorder.domain.notices import CodedText, coded, in_words
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.conclusions import Conclusion, annotation_avoided, nobody_came
from recorder.texts.forms import form


def concluded(now: Situation, found: Conclusion, title: CodedText) -> IncidentPlan:
    """A result by rule: its margin, the scores, whether it is rated, the orders for the record."""
    numbers: list[tuple[str, object]] = []
    if found.margin is not None:
        numbers.append((form("margin"), found.margin))
    if found.scores is not None:
        numbers.append((form("result"), f"{found.scores[0]}-{found.scores[1]}"))
    if found.rated is not None:
        numbers.append((form("rated"), form("yes") if found.rated else form("no")))
    procedure = Procedure(
        found.rule, title, events=found.events, open_questions=found.open_questions
    )
    return IncidentPlan(
        procedure=procedure,
        player=found.loser,
        numbers=tuple(numbers),
        acts=acts_of(now, found.events),
    )


def _other(_: Situation, answers: Answers) -> IncidentPlan:
    said = answers.text("what")
    title = in_words(said) if said else coded("another_incident")
    question = coded("see_what_program_knows")
    return IncidentPlan(
        procedure=Procedure(answers.text("rule"), title, open_questions=(question,))
    )


def _avoided(now: Situation, answers: Answers) -> IncidentPlan:
    earlier = answers.whole("earlier")
    found = annotation_avoided(now.rules, answers.player(), earlier=earlier)
    return concluded(now, found, coded("player_refuses_recorded"))


def _nobody(now: Situation, _: Answers) -> IncidentPlan:
    return concluded(now, nobody_came(now.rules), coded("neither_player_came"))


END_INCIDENTS = (
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

OTHER = Incident(
    name="other",
    fields=lambda _: [words("what", form("what_happened")), words("rule", form("rule"))],
    plan=_other,
)
"""What no form is about, in words."""

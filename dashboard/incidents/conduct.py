"""Incidents with how players behave at the table: how tiles are drawn, scores compared."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, answered, check, known, who
from recorder.domain.notices import coded
from recorder.domain.rules.draw.drawing import DrawSeen, improper_draw, manner
from recorder.domain.rules.placement.scores import score_correctable
from recorder.domain.rules.turn.scorekeeping import (
    score_check,
    stop_for_scores,
    total_is_due,
    unwritten_at_end,
)
from recorder.texts.forms import by_rules, form


def _draw_seen(now: Situation, answers: Answers) -> IncidentPlan:
    below = answers.known("at_eyes")
    seen = DrawSeen(
        hand_full=answers.known("full"),
        below_eyes=None if below is None else not below,
        shown=answers.known("shown"),
    )
    how = IncidentPlan(procedure=manner(now.rules), way=coded("how_tiles_drawn"))
    return IncidentPlan(
        procedure=improper_draw(now.rules, seen), player=answers.player(), alternatives=(how,)
    )


def _scores(now: Situation, answers: Answers) -> IncidentPlan:
    on_turn = answers.player() != now.last_player
    stop = stop_for_scores(
        now.rules,
        discrepancy=answers.yes("differ"),
        unwritten=answers.yes("unwritten"),
        bag=now.bag,
    )
    correct = score_correctable(
        now.rules, signed=answers.yes("signed"), final=answers.yes("handed_in")
    )
    plan = answered(coded("scores_may_compared_now"), score_check(on_turn=on_turn))
    due = total_is_due(now.rules, bag=now.bag)
    return IncidentPlan(
        procedure=plan.procedure,
        player=answers.player(),
        way=plan.way,
        numbers=(*plan.numbers, (form("running_total_must_written"), by_rules(due))),
        alternatives=(
            answered(coded("clocks_may_stopped"), stop),
            answered(coded("wrong_score_may_still_put"), correct),
            IncidentPlan(procedure=unwritten_at_end(now.rules), way=coded("scores_lack_end")),
        ),
    )


CONDUCT_INCIDENTS = (
    Incident(
        name="improper_draw",
        fields=lambda now: [
            who(form("who_drew"), now.last_player),
            known("full", form("hand_tiles_went_into_bag")),
            known("at_eyes", form("bag_held_eye_level")),
            known("shown", form("empty_hand_shown")),
        ],
        plan=_draw_seen,
    ),
    Incident(
        name="scores",
        fields=lambda now: [
            who(form("who_asks"), 1 - now.last_player),
            check("differ", form("two_sheets_differ")),
            check("unwritten", form("opponent_not_written_scores")),
            check("signed", form("result_signed")),
            check("handed_in", form("handed_in")),
        ],
        plan=_scores,
    ),
)

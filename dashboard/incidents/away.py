"""Incidents with a player who is not at the table, and with how players behave at it."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import (
    Incident,
    IncidentPlan,
    answered,
    check,
    known,
    number,
    remedied,
    who,
    words,
)
from recorder.domain.errors import NotationError
from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.draw.drawing import DrawSeen, improper_draw, manner
from recorder.domain.rules.placement.scores import score_correctable
from recorder.domain.rules.turn.absent import (
    AbsentFacts,
    coming_back,
    drawn_while_absent,
    leaving,
    may_hold_until,
    waiting_draws,
)
from recorder.domain.rules.turn.infractions import Infraction, RemedyTaken, minor_infractions
from recorder.domain.rules.turn.scorekeeping import (
    score_check,
    stop_for_scores,
    total_is_due,
    unwritten_at_end,
)
from recorder.domain.tiles import RACK_SIZE
from recorder.texts.forms import by_rules, form
from recorder.wire import Json


def _leaving(now: Situation, answers: Answers) -> IncidentPlan:
    procedure = leaving(now.rules, emergency=answers.yes("emergency"))
    return IncidentPlan(procedure=procedure, player=answers.player())


def _back_fields(now: Situation) -> list[Json]:
    away = 1 - now.last_player
    held = [now.rack_count(player) for player in (away, 1 - away)]
    missing = [0 if count is None else max(0, RACK_SIZE - count) for count in held]
    return [
        who(form("who_away"), away),
        number("own", form("tiles_player_lacks"), missing[0]),
        number("others", form("tiles_opponent_lacks"), missing[1]),
    ]


def _back(now: Situation, answers: Answers) -> IncidentPlan:
    player = answers.player()
    missing = (answers.whole("own", RACK_SIZE), answers.whole("others", RACK_SIZE))
    racks = [RACK_SIZE, RACK_SIZE]
    racks[player], racks[1 - player] = (RACK_SIZE - count for count in missing)
    order = [1 - player, player]
    draws = waiting_draws(bag=now.bag, racks=racks, order=order)
    numbers: list[tuple[str, object]] = [
        (form("draws", name=now.name(who_draws)), draw.drawn)
        for who_draws, draw in zip(order, draws, strict=True)
    ]
    until_ms = may_hold_until(now.rules, started_ms=0)
    if until_ms is not None:
        numbers.append((form("may_hold_challenge"), f"{until_ms // 1000} s"))
    return IncidentPlan(
        procedure=coming_back(now.rules, missing=missing), player=player, numbers=tuple(numbers)
    )


def _drew_alone(now: Situation, answers: Answers) -> IncidentPlan:
    facts = AbsentFacts(
        kept=answers.whole("kept"),
        drawn=answers.whole("drawn"),
        returner_played=answers.yes("played"),
    )
    found = drawn_while_absent(now.rules, facts)
    numbers: list[tuple[str, object]] = [
        (form("rack"), found.held),
        (form("shown"), found.exposed),
        (form("back_into_bag"), found.returned),
        (form("drawn_again"), found.redrawn),
    ]
    if found.seconds is not None:
        numbers.append((form("seconds"), found.seconds))
    if found.challenge_waits:
        numbers.append((form("challenge"), form("only_after")))
    return IncidentPlan(procedure=found.procedure, player=answers.player(), numbers=tuple(numbers))


def _drew_alone_fields(now: Situation) -> list[Json]:
    kept, drawn, _ = now.before_draw
    return [
        who(form("who_stayed_drew"), now.last_player),
        number("kept", form("tiles_kept_rack"), kept),
        number("drawn", form("tiles_drawn"), drawn),
        check("played", form("player_who_came_back_played")),
    ]


def _turns(answers: Answers, name: str) -> list[int]:
    try:
        return sorted(map(int, answers.text(name).split()))
    except ValueError:
        raise NotationError(f"{name}: numbers of turns are needed, as in 3 7") from None


def _infractions(now: Situation, answers: Answers) -> IncidentPlan:
    named = [Infraction(turn, "pointed out", pointed_out=True) for turn in _turns(answers, "turns")]
    taken = [RemedyTaken(turn) for turn in _turns(answers, "remedied")]
    found = minor_infractions(now.rules, sorted([*named, *taken], key=lambda noted: noted.turn))
    base = Procedure(
        rule="INFR-1", title=coded("minor_infractions"), open_questions=found.open_questions
    )
    remedy = () if found.remedy is None else (remedied(found.remedy, player=answers.player()),)
    return IncidentPlan(
        procedure=base,
        player=answers.player(),
        numbers=(
            (form("count"), found.number),
            (form("enough_after_turn"), found.turn or form("not_yet")),
        ),
        alternatives=remedy,
    )


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
    plan = answered(coded("scores_may_compared_now"), score_check(now.rules, on_turn=on_turn))
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


AWAY_INCIDENTS = (
    Incident(
        name="leaving",
        fields=lambda now: [
            who(form("who_leaves_table"), now.last_player),
            check("emergency", form("emergency")),
        ],
        plan=_leaving,
    ),
    Incident(name="back", fields=_back_fields, plan=_back),
    Incident(name="drew_alone", fields=_drew_alone_fields, plan=_drew_alone),
    Incident(
        name="infractions",
        fields=lambda now: [
            who(form("whose_mistakes"), now.last_player),
            words("turns", form("turns_which_one_pointed_out"), hint=form("such_3_7_9")),
            words("remedied", form("turns_after_which_opponent_got")),
        ],
        plan=_infractions,
    ),
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

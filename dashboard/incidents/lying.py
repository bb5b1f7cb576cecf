"""Incidents with tiles on the board: knocked, askew, face down, of nobody, objected to wrongly."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, choice, who, words
from recorder.domain.board import Square, name_across, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.placement.orientation import askew_tile, face_down_tile
from recorder.domain.rules.placement.placement import rule_on_orphans, wrong_objection
from recorder.texts.forms import form

_HUNDRED = 100


def _squares(answers: Answers, name: str) -> list[Square]:
    return [parse_square(square)[0] for square in answers.text(name).upper().split()]


def _askew(now: Situation, answers: Answers) -> IncidentPlan:
    given = answers.text("shares").upper().split()
    if not given or len(given) % 2:
        raise NotationError("shares: squares with their percentages are needed, as in 8H 60 8I 40")
    try:
        shares = {
            parse_square(square)[0]: int(share) / _HUNDRED
            for square, share in zip(given[::2], given[1::2], strict=True)
        }
    except ValueError as fault:
        raise NotationError(f"shares: {fault}") from fault
    found = askew_tile(now.rules, shares)
    where = "undecided" if found.square is None else name_across(found.square)
    return IncidentPlan(
        procedure=Procedure(
            "ORIENT-3",
            coded("tile_lies_across_several_squares"),
            open_questions=found.open_questions,
        ),
        player=now.last_player,
        numbers=(
            (form("lies"), where),
            (form("share"), f"{round(_HUNDRED * found.share)} %"),
            (form("look_yourself"), form("yes") if found.look else form("no")),
        ),
    )


def _face_down(now: Situation, answers: Answers) -> IncidentPlan:
    squares = _squares(answers, "square")
    if not squares:
        raise NotationError("square: which square, as in 8H, is needed")
    return IncidentPlan(procedure=face_down_tile(now.rules, squares[0]), player=now.last_player)


def _objection(now: Situation, answers: Answers) -> IncidentPlan:
    found = wrong_objection(now.rules)
    points = form("rules_do_not_say") if found.points is None else found.points
    return IncidentPlan(
        procedure=Procedure(
            "PLACE-2", coded("objection_legal_placement"), open_questions=found.open_questions
        ),
        player=answers.player(),
        numbers=((form("costs"), points),),
    )


def _orphans(now: Situation, _: Answers) -> IncidentPlan:
    procedure = rule_on_orphans(now.rules, now.state.board).procedure
    found = "some" if procedure.steps or procedure.open_questions else "none"
    return IncidentPlan(procedure=procedure, numbers=((form("tiles_touch_nothing"), found),))


LYING_INCIDENTS = (
    Incident(
        name="askew",
        fields=lambda _: [
            words("shares", form("its_share_each_square_percent"), hint=form("shares_example"))
        ],
        plan=_askew,
    ),
    Incident(
        name="face_down",
        fields=lambda now: [
            choice(
                "square",
                form("which_tile"),
                [[name, name] for name in now.squares_of_last_play] or [["", form("no_play_yet")]],
                next(iter(now.squares_of_last_play), ""),
            )
        ],
        plan=_face_down,
    ),
    Incident(
        name="objection",
        fields=lambda now: [who(form("who_objected"), 1 - now.last_player)],
        plan=_objection,
    ),
    Incident(name="orphans", fields=lambda _: [], plan=_orphans),
)

"""Incidents with the clock: pressed by accident or not at all, stopped, silent, left running."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import (
    Incident,
    IncidentPlan,
    check,
    choice,
    in_minutes,
    noted,
    number,
    who,
    words,
)
from recorder.domain.notices import coded
from recorder.domain.reading.clock import ClockState
from recorder.domain.rules.core.parameters import listed
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.overtime import left_running
from recorder.domain.rules.turn.hold import unpressed_draw
from recorder.domain.rules.turn.inquiry import TurnTimes, press_and_draw
from recorder.domain.rules.turn.press import (
    PressedBack,
    bag_visit,
    completed,
    draw_delay,
    pressed_back,
    restart,
)
from recorder.domain.rules.turn.stops import (
    acts_while_stopped,
    lost_timer,
    reason_wanted,
    still_stopped,
    stop_reason,
    wrong_side,
)
from recorder.texts.forms import form, valued
from recorder.wire import Json

_ACCURACY_MS = 500
"""Times that a director tells are never nearer than that."""
_MOST_S = 100_000


def _sent_back(now: Situation, answers: Answers) -> IncidentPlan:
    facts = PressedBack(
        board_changed=answers.yes("changed"), blank_undeclared=answers.yes("undeclared")
    )
    what, procedure = pressed_back(now.rules, facts)
    return IncidentPlan(
        procedure=procedure, player=answers.player(), numbers=((form("it_is"), valued(what)),)
    )


def _no_press_fields(now: Situation) -> list[Json]:
    empty = form("empty_not_seen")
    return [
        who(form("whose_turn"), now.last_player),
        number("announced_s", form("seconds_turn_until_score_said"), "", empty),
        number("pressed_s", form("seconds_until_clock_pressed"), "", empty),
        number("hand_s", form("seconds_until_hand_went_into"), "", empty),
        number("tile_s", form("seconds_until_first_tile_out"), "", empty),
        number("due", form("tiles_player_may_draw"), now.tiles_played),
    ]


def _no_press(now: Situation, answers: Answers) -> IncidentPlan:
    at_s = [
        answers.maybe(f"{name}_s", _MOST_S) for name in ("announced", "pressed", "hand", "tile")
    ]
    announced, pressed, hand, tile = (None if s is None else 1000 * s for s in at_s)
    times = TurnTimes(announced_ms=announced, pressed_ms=pressed, hand_ms=hand, tile_out_ms=tile)
    found = completed(now.rules, times, due=answers.whole("due"))
    order = press_and_draw(times, accuracy_ms=_ACCURACY_MS)
    numbers: list[tuple[str, object]] = [
        (form("complete"), valued(found.by)),
        (form("order"), order.sentence),
    ]
    if found.window_until_ms is not None:
        numbers.append((form("hold_challenge_until"), in_minutes(found.window_until_ms)))
    if pressed is not None and tile is not None and tile > pressed:
        waited = draw_delay(now.rules, press_ms=pressed, first_tile_out_ms=tile)
        numbers.append((form("found"), waited.text))
    if found.finding is not None:
        numbers.append((form("found"), found.finding.text))
    return IncidentPlan(
        procedure=Procedure(
            rule="TURN-4",
            title=coded("turn_not_pressed_once"),
            open_questions=found.open_questions,
        ),
        player=answers.player(),
        numbers=tuple(numbers),
        alternatives=(
            IncidentPlan(procedure=unpressed_draw(now.rules), way=coded("tiles_were_drawn")),
        ),
    )


def _stop_fields(now: Situation) -> list[Json]:
    known = listed(now.rules, "clock.stop_reasons") or ()
    reasons = [[reason, reason.replace("_", " ")] for reason in known]
    return [
        who(form("whose_turn_is"), 1 - now.last_player),
        choice("reason", form("why"), [["", form("nobody_said")], *reasons], ""),
        number("stands_s", form("seconds_which_clock_stood"), 0),
        number("settled_s", form("seconds_since_its_cause_settled"), "", form("empty_not")),
        words("acts", form("what_done_meanwhile"), hint=form("words_rule_set_such_tracking")),
        check("wrong", form("wrong_players_clock_ran_before")),
    ]


def _stop(now: Situation, answers: Answers) -> IncidentPlan:
    reason, stands_ms = answers.text("reason"), 1000 * answers.whole("stands_s", _MOST_S)
    settled_s = answers.maybe("settled_s", _MOST_S)
    again = restart(now.rules, on_turn=answers.player())
    starts = "either" if again.either else form("procedure_says")
    if again.player is not None:
        starts = now.name(again.player)
    plan = noted(
        coded("clock_stopped"),
        "CLOCK-1",
        [
            stop_reason(now.rules, reason) if reason else None,
            reason_wanted(stopped_ms=0, now_ms=stands_ms, reason=reason),
            None
            if settled_s is None
            else still_stopped(now.rules, settled_ms=0, now_ms=1000 * settled_s),
            acts_while_stopped(now.rules, answers.text("acts").split()),
            wrong_side(now.rules) if answers.yes("wrong") else None,
        ],
    )
    asked = (*plan.procedure.open_questions, *again.open_questions)
    return IncidentPlan(
        procedure=Procedure(rule="CLOCK-1", title=plan.procedure.title, open_questions=asked),
        player=answers.player(),
        numbers=(*plan.numbers, (form("starts_clock_again"), starts)),
    )


def _timer(now: Situation, answers: Answers) -> IncidentPlan:
    clock = now.frame["clock"]
    first, second = now.started.starts_ms if clock is None else clock["remaining_ms"]
    runs = answers.text("runs")
    state = ClockState((first, second), int(runs) if runs else None, 0, 0)
    found = lost_timer(now.rules, state, now_ms=1000 * answers.whole("silent_s", _MOST_S))
    numbers = [
        (f"{now.name(player)}: {what}", in_minutes(times[player]))
        for what, times in (
            (form("last_told"), found.confirmed_ms),
            (form("reckoned"), found.reckoned_ms),
        )
        for player in (0, 1)
    ]
    return IncidentPlan(procedure=found.procedure, numbers=tuple(numbers))


def _timer_fields(now: Situation) -> list[Json]:
    players = [["", "nobody's"], *([str(player), now.name(player)] for player in (0, 1))]
    return [
        choice("runs", form("whose_clock_ran"), players, str(1 - now.last_player)),
        number("silent_s", form("seconds_from_its_last_word"), 0),
    ]


def _left_on(now: Situation, answers: Answers) -> IncidentPlan:
    found = left_running(
        now.rules,
        at_end_s=answers.whole("at_end_s", _MOST_S),
        shown_s=answers.whole("shown_s", _MOST_S),
    )
    points = (found.points_at_end, found.points_shown, found.points)
    names = (form("end_game"), form("by_display"), form("what_counts"))
    numbers = [
        (name, form("open") if some is None else some)
        for name, some in zip(names, points, strict=True)
    ]
    return IncidentPlan(
        procedure=Procedure(
            rule="END-8",
            title=coded("clock_ran_after_end"),
            open_questions=found.open_questions,
        ),
        player=answers.player(),
        numbers=tuple(numbers),
    )


def _left_on_fields(now: Situation) -> list[Json]:
    worse = 0 if now.over_s(0) >= now.over_s(1) else 1
    return [
        who(form("whose_clock"), worse),
        number("at_end_s", form("seconds_overtime_when_game_ended"), 0),
        number("shown_s", form("seconds_overtime_display"), now.over_s(worse)),
    ]


def _bag(now: Situation, answers: Answers) -> IncidentPlan:
    found = bag_visit(
        now.rules,
        before=float(answers.whole("before")),
        after=float(answers.whole("after")),
        said_count=answers.yes("said"),
    )
    return noted(coded("hand_bag"), "TURN-12", [found])


CLOCK_INCIDENTS = (
    Incident(
        name="sent_back",
        fields=lambda now: [
            who(form("who_laid_blank"), now.last_player),
            check("undeclared", form("blank_no_letter_yet"), value=True),
            check("changed", form("opponent_laid_tiles")),
        ],
        plan=_sent_back,
    ),
    Incident(name="no_press", fields=_no_press_fields, plan=_no_press),
    Incident(name="stopped", fields=_stop_fields, plan=_stop),
    Incident(name="timer_lost", fields=_timer_fields, plan=_timer),
    Incident(name="left_running", fields=_left_on_fields, plan=_left_on),
    Incident(
        name="hand_in_bag",
        fields=lambda now: [
            number("before", form("tiles_bag_before"), now.bag, form("by_record")),
            number("after", form("tiles_bag_after"), now.bag),
            check("said", form("player_said_they_were_counting")),
        ],
        plan=_bag,
    ),
)

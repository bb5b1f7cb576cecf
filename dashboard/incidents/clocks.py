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
)
from recorder.domain.notices import coded
from recorder.domain.reading.clock import ClockState
from recorder.domain.rules.turn.press import PressedBack, bag_visit, pressed_back
from recorder.domain.rules.turn.stops import lost_timer
from recorder.frames.desk import IncidentField
from recorder.texts.forms import form, valued

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


def _timer(now: Situation, answers: Answers) -> IncidentPlan:
    clock = now.frame["clock"]
    first, second = now.started.starts_ms if clock is None else clock["remaining_ms"]
    runs = answers.text("runs")
    last = ClockState((first, second), int(runs) if runs else None, 0, 0)
    reckoned = last.remaining_at(1000 * answers.whole("silent_s", _MOST_S))
    numbers = [
        (f"{now.name(player)}: {what}", in_minutes(times[player]))
        for what, times in ((form("last_told"), last.remaining_ms), (form("reckoned"), reckoned))
        for player in (0, 1)
    ]
    return IncidentPlan(procedure=lost_timer(now.rules), numbers=tuple(numbers))


def _timer_fields(now: Situation) -> list[IncidentField]:
    players = [["", "nobody's"], *([str(player), now.name(player)] for player in (0, 1))]
    return [
        choice("runs", form("whose_clock_ran"), players, str(1 - now.last_player)),
        number("silent_s", form("seconds_from_its_last_word"), 0),
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
    Incident(name="timer_lost", fields=_timer_fields, plan=_timer),
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

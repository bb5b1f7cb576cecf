"""Incidents around the end of a game (play-out, six zeros, overtime, given up), and any other."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import (
    Incident,
    IncidentPlan,
    acts_of,
    check,
    number,
    who,
    words,
)
from recorder.domain.errors import NotationError
from recorder.domain.notices import CodedText, coded, in_words
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.conclusions import (
    Conclusion,
    annotation_avoided,
    left_for_good,
    no_show,
    nobody_came,
    resignation,
)
from recorder.domain.rules.ending.ending import (
    EndReason,
    rack_points,
    racks_deducted,
    tiles_of_the_other,
)
from recorder.domain.rules.ending.overtime import limit_state, overtime_forfeit, time_penalties
from recorder.domain.rules.ending.six_zeros import six_zeros, zero_run
from recorder.texts.forms import form, valued
from recorder.wire import Json


def _tiles(answers: Answers, name: str, now: Situation) -> str:
    """Letters of tiles, ``?`` for a blank."""
    found = answers.text(name).upper().replace(" ", "")
    wrong = [
        letter for letter in found if letter not in now.state.tile_set.letters and letter != "?"
    ]
    if wrong:
        raise NotationError(f"{name}: {' '.join(wrong)} is no tile of this set")
    return found


def _out_fields(now: Situation) -> list[Json]:
    return [
        who(form("who_out"), now.about_player),
        words("tiles", form("tiles_left_other_rack"), tiles_of_the_other(now.state) or ""),
    ]


def _out(now: Situation, answers: Answers) -> IncidentPlan:
    player = answers.player()
    procedure = rack_points(
        now.rules, out=player, tiles=_tiles(answers, "tiles", now), tile_set=now.state.tile_set
    )
    return IncidentPlan(procedure=procedure, player=player, acts=acts_of(now, procedure.events))


def _zeros_fields(now: Situation) -> list[Json]:
    return [
        check(
            "declared",
            form("player_claimed_end"),
            value=now.known.get("declared") is True,
        ),
        words("rack0", form("tiles_rack", name=now.name(0)), now.rack_letters(0)),
        words("rack1", form("tiles_rack", name=now.name(1)), now.rack_letters(1)),
        number("bag", form("tiles_bag"), now.bag),
    ]


def _zeros(now: Situation, answers: Answers) -> IncidentPlan:
    events = [entry.event for entry in now.held]
    found = six_zeros(now.rules, zero_run(events), declared=answers.yes("declared"))
    procedure = racks_deducted(
        now.rules,
        EndReason.SIX_ZEROS,
        (_tiles(answers, "rack0", now) or None, _tiles(answers, "rack1", now) or None),
        now.state.tile_set,
        state=now.state,
        bag=answers.whole("bag", 200),
    )
    needed = "open" if found.needed is None else found.needed
    numbers = (
        (form("state"), valued(found.state)),
        (form("in_row"), found.counted),
        (form("needed"), needed),
    )
    return IncidentPlan(
        procedure=procedure,
        numbers=numbers,
        acts=acts_of(now, procedure.events),
        questions=found.open_questions,
    )


def _over_fields(now: Situation) -> list[Json]:
    return [
        number(
            f"over{player}",
            form("whole_seconds_overtime", name=now.name(player)),
            now.over_s(player),
        )
        for player in (0, 1)
    ]


def _over(now: Situation, answers: Answers) -> IncidentPlan:
    over = (answers.whole("over0", 100_000), answers.whole("over1", 100_000))
    procedure = time_penalties(now.rules, over)
    numbers = tuple(
        (now.name(player), valued(limit_state(now.rules, seconds)))
        for player, seconds in enumerate(over)
    )
    return IncidentPlan(procedure=procedure, numbers=numbers, acts=acts_of(now, procedure.events))


def _lost_fields(now: Situation) -> list[Json]:
    worse = now.player_or(0 if now.over_s(0) >= now.over_s(1) else 1)
    return [
        who(form("who_loses_overtime"), worse),
        number("others", form("whole_seconds_opponents_overtime"), now.over_s(1 - worse)),
    ]


def _lost(now: Situation, answers: Answers) -> IncidentPlan:
    player = answers.player()
    others = answers.whole("others", 100_000)
    found = overtime_forfeit(now.rules, now.state.scores, player, others_over_s=others)
    return concluded(now, found, coded("game_lost_overtime"))


_GIVING_UP = {
    "emergency": "emergency",
    "permitted": "director_permits_it",
    "left": "player_left_without_word",
}


def _given_up_fields(now: Situation) -> list[Json]:
    return [
        who(form("who_gives_up"), now.player_or(1 - now.last_player)),
        *(
            check(name, form(label), value=now.known.get(name) is True)
            for name, label in _GIVING_UP.items()
        ),
    ]


def _given_up(now: Situation, answers: Answers) -> IncidentPlan:
    player = answers.player()
    scores = now.state.scores
    if answers.yes("left"):
        return concluded(now, left_for_good(now.rules, scores, player), coded("player_left_good"))
    found = resignation(
        now.rules,
        scores,
        player,
        emergency=answers.yes("emergency"),
        permitted=answers.yes("permitted"),
    )
    return concluded(now, found, coded("player_resigns"))


def _absent(now: Situation, answers: Answers) -> IncidentPlan:
    return concluded(now, no_show(now.rules, answers.player()), coded("player_never_came"))


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
        rule=found.rule, title=title, events=found.events, open_questions=found.open_questions
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
        procedure=Procedure(rule=answers.text("rule"), title=title, open_questions=(question,))
    )


def _avoided(now: Situation, answers: Answers) -> IncidentPlan:
    earlier = answers.whole("earlier")
    found = annotation_avoided(now.rules, answers.player(), earlier=earlier)
    return concluded(now, found, coded("player_refuses_recorded"))


def _nobody(now: Situation, _: Answers) -> IncidentPlan:
    return concluded(now, nobody_came(now.rules), coded("neither_player_came"))


END_INCIDENTS = (
    Incident(name="out", fields=_out_fields, plan=_out),
    Incident(name="zeros", fields=_zeros_fields, plan=_zeros),
    Incident(name="over", fields=_over_fields, plan=_over),
    Incident(name="lost", fields=_lost_fields, plan=_lost),
    Incident(name="given_up", fields=_given_up_fields, plan=_given_up),
    Incident(
        name="absent",
        fields=lambda now: [who(form("who_never_came"), now.player_or(1 - now.last_player))],
        plan=_absent,
    ),
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

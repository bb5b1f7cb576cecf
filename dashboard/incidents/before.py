"""Incidents before the first play: the tiles, who starts, the first clock, who comes late."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import (
    Incident,
    IncidentPlan,
    acts_of,
    check,
    in_minutes,
    known,
    number,
    who,
    words,
)
from recorder.domain.errors import NotationError
from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.draw.foreign import surplus_letters
from recorder.domain.rules.start.lateness import (
    BothLate,
    Late,
    LateTime,
    both_times,
    drawn_before_both,
    forfeit,
    late_time,
    wrong_display,
)
from recorder.domain.rules.start.starting import (
    FirstClock,
    check_tiles,
    draw_for_start,
    first_clock,
    second_drew_first,
    set_up,
    unclocked_ms,
)
from recorder.texts.forms import by_director, form
from recorder.wire import Json

_CLOCK_MS = 10_000
"""An instant for the start of the clock; acts that came before it lie a second earlier."""


def _set_up(now: Situation, _: Answers) -> IncidentPlan:
    return IncidentPlan(procedure=set_up(now.rules), player=0)


def _tiles_fields(_: Situation) -> list[Json]:
    hint = form("word_each_full_square_blank")
    return [words("blocks", form("tiles_they_lie"), hint=hint)]


def _tiles(now: Situation, answers: Answers) -> IncidentPlan:
    state = now.state
    blocks = answers.text("blocks").upper().split()
    found = check_tiles(now.rules, blocks, state.tile_set, started=bool(now.held))
    racks = [letters for letters in map(now.rack_letters, (0, 1)) if letters]
    seen = surplus_letters(state.tile_set, state.board.cells, racks)
    numbers: list[tuple[str, object]] = [(form("tiles"), found.total)]
    numbers += [(form("missing", face=face), count) for face, count in found.missing]
    numbers += [(form("too_many", face=face), count) for face, count in found.surplus]
    numbers += [(form("table_too_many", face=face), count) for face, count in seen.items()]
    numbers += [
        (form("game_may_begin"), form("yes") if found.armed else form("no")),
        (form("found"), found.text),
    ]
    gate = () if found.armed or found.by_rule else (coded("you_may_let_game_begin"),)
    return IncidentPlan(
        procedure=Procedure(rule="EQUIP-1", title=coded("tiles_are_checked"), open_questions=gate),
        numbers=tuple(numbers),
    )


def _start_draw(now: Situation, answers: Answers) -> IncidentPlan:
    first, second = (answers.text(name).upper().split() for name in ("first", "second"))
    if not first or len(first) != len(second):
        raise NotationError("second: a tile for each that the first player drew is needed")
    drawn = list(zip(first, second, strict=True))
    found = draw_for_start(now.rules, drawn, now.state.tile_set)
    starts = form("both_draw_again") if found.player is None else now.name(found.player)
    back = "either" if found.returned_by is None else now.name(found.returned_by)
    return IncidentPlan(
        procedure=Procedure(
            rule="START-1", title=coded("drawn_start"), open_questions=found.open_questions
        ),
        numbers=(
            (form("starts"), starts),
            (form("tiles_out"), found.tiles_out),
            (form("puts_them_back"), back),
        ),
    )


def _first_clock_fields(now: Situation) -> list[Json]:
    return [
        who(form("who_goes_first"), 0 if not now.held else now.held[0].event.player),
        known("drawn", form("first_tile_out_before_clock")),
        known("seen", form("had_its_face_been_seen")),
        check("own", form("starters_own_clock_started"), value=True),
        check("second", form("second_player_drew_first")),
    ]


def _first_clock(now: Situation, answers: Answers) -> IncidentPlan:
    facts = FirstClock(
        clock_started_ms=_CLOCK_MS,
        first_tile_out_ms=_before_clock(answers.known("drawn")),
        face_seen_ms=_before_clock(answers.known("seen")),
        own_side=answers.yes("own"),
        starter=answers.player(),
    )
    procedure = first_clock(now.rules, facts)
    numbers: list[tuple[str, object]] = []
    if unclocked_ms(facts):
        numbers.append((form("without_clock"), form("from_first_tile_until_ran")))
    if answers.yes("second"):
        out_of_turn = second_drew_first(now.rules, starter_drew=answers.known("drawn") is True)
        numbers.append((form("found"), out_of_turn.text))
    return IncidentPlan(
        procedure=procedure,
        player=answers.player(),
        numbers=tuple(numbers),
        acts=acts_of(now, procedure.events),
    )


def _before_clock(was: bool | None) -> int | None:  # noqa: FBT001  an answer, not a switch
    if was is None:
        return None
    return _CLOCK_MS - 1000 if was else _CLOCK_MS + 1000


def _late_fields(_: Situation) -> list[Json]:
    return [
        who(form("who_late"), 1),
        number("clock_s", form("seconds_from_time_set_until"), 0),
        number(
            "arrived_s", form("seconds_until_player_sat_ready"), "", form("empty_not_there_yet")
        ),
        number("now_s", form("seconds_until_now"), 0),
        number("shown_s", form("seconds_clock_shows"), "", form("held_against_rules")),
        number("drawn", form("tiles_drawn_before_both_were"), 0),
    ]


def _late(now: Situation, answers: Answers) -> IncidentPlan:
    player, arrived_s = answers.player(), answers.maybe("arrived_s")
    facts = Late(
        scheduled_ms=0,
        clock_started_ms=1000 * answers.whole("clock_s", 100_000),
        arrived_ms=None if arrived_s is None else 1000 * arrived_s,
        now_ms=1000 * answers.whole("now_s", 100_000),
        limit_ms=now.started.starts_ms[player],
    )
    found = late_time(now.rules, facts)
    shown_s = answers.maybe("shown_s")
    wrong = (
        None
        if shown_s is None
        else wrong_display(found.assigned_ms, 1000 * shown_s, side=now.name(player))
    )
    early = answers.whole("drawn")
    extra = [drawn_before_both(now.rules, tiles=early)] if early else []
    seen = [finding for finding in (*found.findings, wrong, *extra) if finding is not None]
    return IncidentPlan(
        procedure=Procedure(
            rule="LATE-2", title=coded("late_arrival"), open_questions=found.open_questions
        ),
        player=player,
        numbers=(*_late_numbers(found), *((form("found"), finding.text) for finding in seen)),
        alternatives=(_forfeited(now, player),),
    )


def _late_numbers(found: LateTime) -> tuple[tuple[str, object], ...]:
    return (
        (form("time_play"), in_minutes(found.assigned_ms)),
        (form("may_decline_play"), "yes" if found.may_decline else "no"),
        (form("lost_without_choice"), by_director(found.forfeited)),
    )


def _forfeited(now: Situation, player: int) -> IncidentPlan:
    lost = forfeit(now.rules)
    event = lost.event(player)
    events = () if event is None else (event,)
    return IncidentPlan(
        procedure=Procedure(
            rule="LATE-4",
            title=coded("lost_lateness"),
            steps=lost.steps,
            open_questions=lost.open_questions,
        ),
        player=player,
        way=coded("game_lost_or_player_declines"),
        acts=acts_of(now, events),
    )


def _both_fields(_: Situation) -> list[Json]:
    return [
        number("clock_s", form("seconds_from_time_set_until_clock"), 0),
        number("first_s", form("seconds_until_first_player_sat"), "", form("empty_not_there")),
        number("second_s", form("seconds_until_second_one_did"), "", form("empty_not_there")),
        number("now_s", form("seconds_until_now"), 0),
    ]


def _both(now: Situation, answers: Answers) -> IncidentPlan:
    came = [answers.maybe(name) for name in ("first_s", "second_s")]
    first_ms, second_ms = (None if seconds is None else 1000 * seconds for seconds in came)
    facts = BothLate(
        scheduled_ms=0,
        clock_started_ms=1000 * answers.whole("clock_s", 100_000),
        first_ms=first_ms,
        second_ms=second_ms,
        now_ms=1000 * answers.whole("now_s", 100_000),
        limit_ms=now.started.starts_ms[0],
    )
    found = both_times(now.rules, facts)
    numbers: list[tuple[str, object]] = []
    for place, name in enumerate((form("who_came_first"), form("who_came_second"))):
        numbers += [
            (form("clock_shows", name=name), in_minutes(found.displays_ms[place])),
            (form("time_of_player", name=name), in_minutes(found.assigned_ms[place])),
        ]
        if found.deferred_ms[place]:
            numbers.append((form("off_end", name=name), in_minutes(found.deferred_ms[place])))
        if found.forfeited is not None:
            numbers.append((form("lost", name=name), by_director(found.forfeited[place])))
    return IncidentPlan(
        procedure=Procedure(
            rule="LATE-3", title=coded("both_players_late"), open_questions=found.open_questions
        ),
        numbers=tuple(numbers),
    )


BEFORE_INCIDENTS = (
    Incident(name="late", fields=_late_fields, plan=_late),
    Incident(name="both_late", fields=_both_fields, plan=_both),
    Incident(name="set_up", fields=lambda _: [], plan=_set_up),
    Incident(name="tiles_checked", fields=_tiles_fields, plan=_tiles),
    Incident(
        name="start_draw",
        fields=lambda _: [
            words("first", form("tiles_first_player_one_each")),
            words("second", form("tiles_second_player")),
        ],
        plan=_start_draw,
    ),
    Incident(name="first_clock", fields=_first_clock_fields, plan=_first_clock),
)

"""Incidents before the first play: the tiles, who starts, the first clock, who comes late."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import (
    KNOWN,
    Incident,
    IncidentPlan,
    acts_of,
    check,
    choice,
    in_minutes,
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
from recorder.wire import Json

_CLOCK_MS = 10_000
"""An instant for the start of the clock; acts that came before it lie a second earlier."""
_LOST = {True: "yes", False: "no", None: "the director says"}


def _set_up(now: Situation, _: Answers) -> IncidentPlan:
    return IncidentPlan(procedure=set_up(now.rules), player=0)


def _tiles_fields(_: Situation) -> list[Json]:
    hint = "a word for each full square; ? a blank, _ a tile whose face nobody saw"
    return [words("blocks", "The tiles as they lie", hint=hint)]


def _tiles(now: Situation, answers: Answers) -> IncidentPlan:
    state = now.state
    blocks = answers.text("blocks").upper().split()
    found = check_tiles(now.rules, blocks, state.tile_set, started=bool(now.held))
    racks = [letters for letters in map(now.rack_letters, (0, 1)) if letters]
    seen = surplus_letters(state.tile_set, state.board.cells, racks)
    numbers: list[tuple[str, object]] = [("tiles", found.total)]
    numbers += [(f"missing {face}", count) for face, count in found.missing]
    numbers += [(f"too many {face}", count) for face, count in found.surplus]
    numbers += [(f"on the table too many {face}", count) for face, count in seen.items()]
    numbers += [("the game may begin", "yes" if found.armed else "no"), ("found", found.text)]
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
    starts = "both draw again" if found.player is None else now.name(found.player)
    back = "either" if found.returned_by is None else now.name(found.returned_by)
    return IncidentPlan(
        procedure=Procedure(
            rule="START-1", title=coded("drawn_start"), open_questions=found.open_questions
        ),
        numbers=(("starts", starts), ("tiles out", found.tiles_out), ("puts them back", back)),
    )


def _first_clock_fields(now: Situation) -> list[Json]:
    return [
        who("Who goes first", 0 if not now.held else now.held[0].event.player),
        choice("drawn", "Was the first tile out before the clock ran?", KNOWN, "unknown"),
        choice("seen", "Had its face been seen before?", KNOWN, "unknown"),
        check("own", "The starter's own clock was started", value=True),
        check("second", "The second player drew first"),
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
        numbers.append(("without a clock", "from the first tile until it ran"))
    if answers.yes("second"):
        out_of_turn = second_drew_first(now.rules, starter_drew=answers.known("drawn") is True)
        numbers.append(("found", out_of_turn.text))
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
        who("Who is late", 1),
        number("clock_s", "Seconds from the time set until that clock ran", 0),
        number("arrived_s", "Seconds until the player sat ready", "", "empty: not there yet"),
        number("now_s", "Seconds until now", 0),
        number("shown_s", "Seconds that the clock shows", "", "to be held against the rules"),
        number("drawn", "Tiles drawn before both were there", 0),
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
        numbers=(*_late_numbers(found), *(("found", finding.text) for finding in seen)),
        alternatives=(_forfeited(now, player),),
    )


def _late_numbers(found: LateTime) -> tuple[tuple[str, object], ...]:
    return (
        ("time to play with", in_minutes(found.assigned_ms)),
        ("may decline to play", "yes" if found.may_decline else "no"),
        ("lost without a choice", _LOST[found.forfeited]),
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
        number("clock_s", "Seconds from the time set until a clock ran", 0),
        number("first_s", "Seconds until the first player sat ready", "", "empty: not there"),
        number("second_s", "Seconds until the second one did", "", "empty: not there"),
        number("now_s", "Seconds until now", 0),
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
    for place, name in enumerate(("who came first", "who came second")):
        numbers += [
            (f"{name}: the clock shows", in_minutes(found.displays_ms[place])),
            (f"{name}: time to play with", in_minutes(found.assigned_ms[place])),
        ]
        if found.deferred_ms[place]:
            numbers.append((f"{name}: off at the end", in_minutes(found.deferred_ms[place])))
        if found.forfeited is not None:
            numbers.append((f"{name}: lost", _LOST[found.forfeited[place]]))
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
            words("first", "Tiles of the first player, one for each draw"),
            words("second", "Tiles of the second player"),
        ],
        plan=_start_draw,
    ),
    Incident(name="first_clock", fields=_first_clock_fields, plan=_first_clock),
)

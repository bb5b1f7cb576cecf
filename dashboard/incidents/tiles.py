"""Incidents with tiles: too many, too few, out of order, spilled."""

import itertools

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import (
    Incident,
    IncidentPlan,
    check,
    choice,
    known,
    number,
    who,
)
from recorder.domain.game import Penalty
from recorder.domain.notices import coded
from recorder.domain.orders import Act, EntryName, Insert
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.overdraw import (
    FoundBy,
    OverdrawFacts,
    OverdrawPlan,
    choosing,
    detected,
    overdraw,
    too_many_revealed,
)
from recorder.domain.rules.draw.underdraw import (
    OutOfOrderFacts,
    UnderdrawFacts,
    out_of_order,
    underdraw,
)
from recorder.domain.tiles import RACK_SIZE
from recorder.texts import load_catalogue
from recorder.texts.forms import form
from recorder.wire import Json

_FOUND_BY = {way.name.lower(): way for way in FoundBy}


def _draw_fields(now: Situation) -> list[Json]:
    kept, drawn, bag = now.before_draw
    counted = form("racks_sensor_tells") if now.rack_count(now.about_player) is not None else ""
    if "drawn" in now.known or now.surplus is not None:
        counted = form("by_record")
    return [
        number("kept", form("tiles_kept_rack_before_draw"), kept),
        number("drawn", form("tiles_drawn"), drawn, counted),
        number("bag", form("tiles_bag_before_draw"), bag, form("by_record")),
    ]


def _draw(answers: Answers) -> Draw:
    most = 200
    return Draw(
        kept=answers.whole("kept", most),
        bag=answers.whole("bag", most),
        drawn=answers.whole("drawn", most),
    )


def _overdraw_fields(now: Situation) -> list[Json]:
    found = [[way, load_catalogue().text("found_by", way)] for way in _FOUND_BY]
    return [
        who(form("who_drawn_too_many"), now.about_player),
        choice("found_by", form("who_spoke_first"), found, _found_by(now)),
        *_draw_fields(now),
        known("touched", form("new_tile_touched_rack"), now.told("mixed")),
        known("beside", form("does_new_tile_lie_beside"), now.told("mixed", "no")),
        check(
            "own_turn",
            form("found_overdrawers_own_turn"),
            value=now.standing is not None and now.is_on_turn(now.about_player),
        ),
        check(
            "concealed",
            form("overdrawer_knew_hid"),
            value=now.known.get("concealed") is True,
        ),
    ]


def _found_by(now: Situation) -> str:
    said = now.known.get("found_by")
    return next((name for name, way in _FOUND_BY.items() if said in (name, way.value)), "player")


def _overdraw(now: Situation, answers: Answers) -> IncidentPlan:
    return _of_overdraw(now, overdraw(now.rules, _overdraw_facts(answers)))


def _overdraw_facts(answers: Answers) -> OverdrawFacts:
    return OverdrawFacts(
        player=answers.player(),
        draw=_draw(answers),
        found_by=_FOUND_BY.get(answers.text("found_by"), FoundBy.PLAYER),
        touched_rack=answers.known("touched"),
        beside_old=answers.known("beside"),
        own_turn=answers.yes("own_turn"),
        concealed=answers.yes("concealed"),
    )


def _counted(now: Situation, answers: Answers) -> IncidentPlan:
    procedure = detected(now.rules, surplus=answers.whole("surplus"))
    return IncidentPlan(procedure=procedure, player=answers.player())


def _choosing(now: Situation, answers: Answers) -> IncidentPlan:
    """While the opponent chooses: more tiles turned up than allowed, or the time is over."""
    plan = overdraw(now.rules, _overdraw_facts(answers))
    late = choosing(now.rules, plan, elapsed_s=float(answers.whole("elapsed_s", 100_000)))
    on_time = IncidentPlan(procedure=late, player=plan.player, way=coded("time_choose"))
    shown = answers.whole("shown")
    if shown <= plan.revealed:
        return on_time
    found = too_many_revealed(now.rules, plan, shown=shown)
    return IncidentPlan(
        procedure=found.procedure,
        player=plan.player,
        way=coded("too_many_tiles_were_turned"),
        numbers=(
            (form("stay_choice"), found.kept),
            (form("face_down_beside_them"), found.blind),
            (form("those_into_bag"), found.returned),
        ),
        alternatives=(on_time,),
    )


def _of_overdraw(now: Situation, found: OverdrawPlan) -> IncidentPlan:
    numbers: list[tuple[str, object]] = [
        (form("surplus"), found.surplus),
        (form("pool"), found.pool),
        (form("shown"), found.revealed),
        (form("back_into_bag"), found.returned),
        (form("rack_then"), found.rack_after),
    ]
    if found.seconds is not None:
        numbers.append((form("seconds_choose"), found.seconds))
    acts: tuple[Act, ...] = ()
    if found.score_change and now.held:
        last = now.held[-1]
        event = Penalty(found.player, -found.score_change, found.procedure.rule)
        acts = (Insert(after=EntryName(last.row, last.part), event=event),)
    mixed = "overdraw_way_mixed" if found.mixed else "overdraw_way_apart"
    return IncidentPlan(
        procedure=found.procedure,
        player=found.player,
        way=coded(mixed, way=found.way.value),
        numbers=tuple(numbers),
        acts=acts,
        alternatives=tuple(_of_overdraw(now, plan) for plan in found.alternatives),
    )


def _underdraw_fields(now: Situation) -> list[Json]:
    player = now.about_player
    racks = [now.rack_count(side) for side in (0, 1)]
    held = [RACK_SIZE if count is None else count for count in racks]
    return [
        who(form("who_drawn_too_few"), player),
        *_draw_fields(now),
        number("rack0", form("tiles_held_now", name=now.name(0)), held[0]),
        number("rack1", form("tiles_held_now", name=now.name(1)), held[1]),
        number("bag_now", form("tiles_bag_now"), now.bag),
        number("turns", form("turns_completed_since_draw"), 0),
        check(
            "emptied",
            form("opponent_emptied_bag_since"),
            value=now.known.get("late") is True,
        ),
        number("emptied_drawn", form("tiles_opponent_drew"), 0),
        known("mixed", form("were_those_mixed_opponents_rack")),
    ]


def _underdraw(now: Situation, answers: Answers) -> IncidentPlan:
    player = answers.player()
    # Only the order of draw, presses and discovery counts; minutes stand for it.
    turns = answers.whole("turns", 50)
    others = itertools.cycle((1 - player, player))
    presses = tuple((60_000 * (at + 1), next(others)) for at in range(turns))
    facts = UnderdrawFacts(
        player=player,
        draw=_draw(answers),
        short_ms=0,
        found_ms=60_000 * (turns + 1),
        racks=(answers.whole("rack0", 200), answers.whole("rack1", 200)),
        bag=answers.whole("bag_now", 200),
        emptied_ms=30_000 if answers.yes("emptied") else None,
        emptied_drawn=answers.whole("emptied_drawn", 200),
        emptied_mixed=answers.known("mixed"),
        presses=presses,
    )
    found = underdraw(now.rules, facts)
    numbers = (
        (form("from_bag"), found.drawn),
        (form("from_opponent"), found.given),
        (form("into_bag_first"), found.back),
        (form("held", name=now.name(0)), found.racks[0]),
        (form("held", name=now.name(1)), found.racks[1]),
    )
    return IncidentPlan(procedure=found.procedure, player=player, numbers=numbers)


def _order_fields(now: Situation) -> list[Json]:
    return [
        who(form("who_drew_too_early"), now.player_or(1 - now.last_player)),
        *_draw_fields(now),
        number("due", form("tiles_other_draw_first"), now.count("due", now.tiles_played)),
        check("mixed", form("new_tiles_lie_rack"), value=True),
    ]


def _order(now: Situation, answers: Answers) -> IncidentPlan:
    facts = OutOfOrderFacts(
        player=answers.player(),
        draw=_draw(answers),
        due=answers.whole("due"),
        mixed=answers.yes("mixed"),
    )
    found = out_of_order(now.rules, facts)
    ways = (_of_overdraw(now, found.overdraw),) if found.overdraw is not None else ()
    numbers = (
        (form("back_into_bag"), found.returned),
        (form("other_draws"), found.opponent_draws),
        (form("early_player_draws"), found.then),
        (form("bag"), found.bag_after),
    )
    return IncidentPlan(
        procedure=found.procedure,
        player=facts.player,
        way=coded("order"),
        numbers=numbers,
        alternatives=ways,
    )


TILE_INCIDENTS = (
    Incident(name="overdraw", fields=_overdraw_fields, plan=_overdraw),
    Incident(
        name="counted",
        fields=lambda now: [
            who(form("whose_rack"), now.about_player),
            number("surplus", form("tiles_too_many_sensors"), max(1, now.surplus or 1)),
        ],
        plan=_counted,
    ),
    Incident(
        name="choosing",
        fields=lambda now: [
            *_overdraw_fields(now),
            number("shown", form("tiles_opponent_turned_up"), 0),
            number("elapsed_s", form("seconds_since_opponent_may_choose"), 0),
        ],
        plan=_choosing,
    ),
    Incident(name="underdraw", fields=_underdraw_fields, plan=_underdraw),
    Incident(name="out_of_order", fields=_order_fields, plan=_order),
)

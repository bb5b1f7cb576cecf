"""Incidents with tiles: too many, too few, out of order, spilled."""

import itertools

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import (
    KNOWN,
    Incident,
    IncidentPlan,
    check,
    choice,
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
from recorder.domain.rules.draw.spills import SpillFacts, spill
from recorder.domain.rules.draw.underdraw import (
    OutOfOrderFacts,
    UnderdrawFacts,
    out_of_order,
    underdraw,
)
from recorder.domain.tiles import RACK_SIZE
from recorder.wire import Json

_FOUND = [[way.value, way.value] for way in FoundBy]


def _draw_fields(now: Situation) -> list[Json]:
    kept, drawn, bag = now.before_draw
    counted = "as the rack's sensor tells" if now.rack_count(now.about_player) is not None else ""
    if "drawn" in now.known or now.surplus is not None:
        counted = "by the record"
    return [
        number("kept", "Tiles kept on the rack before the draw", kept),
        number("drawn", "Tiles drawn", drawn, counted),
        number("bag", "Tiles in the bag before the draw", bag, "by the record"),
    ]


def _draw(answers: Answers) -> Draw:
    most = 200
    return Draw(
        kept=answers.whole("kept", most),
        bag=answers.whole("bag", most),
        drawn=answers.whole("drawn", most),
    )


def _overdraw_fields(now: Situation) -> list[Json]:
    return [
        who("Who has drawn too many", now.about_player),
        choice("found_by", "Who spoke first", _FOUND, _found_by(now)),
        *_draw_fields(now),
        choice("touched", "Has a new tile touched the rack?", KNOWN, now.told("mixed")),
        choice("beside", "Does a new tile lie beside old ones?", KNOWN, now.told("mixed", "no")),
        check(
            "own_turn",
            "It was found on the overdrawer's own turn",
            value=now.standing is not None and now.is_on_turn(now.about_player),
        ),
        check(
            "concealed",
            "The overdrawer knew and hid it",
            value=now.known.get("concealed") is True,
        ),
    ]


def _found_by(now: Situation) -> str:
    said = now.known.get("found_by")
    return next((way.value for way in FoundBy if said == way.value), FoundBy.PLAYER.value)


def _overdraw(now: Situation, answers: Answers) -> IncidentPlan:
    return _of_overdraw(now, overdraw(now.rules, _overdraw_facts(answers)))


def _overdraw_facts(answers: Answers) -> OverdrawFacts:
    return OverdrawFacts(
        player=answers.player(),
        draw=_draw(answers),
        found_by=FoundBy(answers.text("found_by")),
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
            ("stay by choice", found.kept),
            ("face down beside them", found.blind),
            ("of those into the bag", found.returned),
        ),
        alternatives=(on_time,),
    )


def _of_overdraw(now: Situation, found: OverdrawPlan) -> IncidentPlan:
    numbers: list[tuple[str, object]] = [
        ("surplus", found.surplus),
        ("in the pool", found.pool),
        ("shown", found.revealed),
        ("back into the bag", found.returned),
        ("on the rack then", found.rack_after),
    ]
    if found.seconds is not None:
        numbers.append(("seconds to choose", found.seconds))
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
        who("Who has drawn too few", player),
        *_draw_fields(now),
        number("rack0", f"{now.name(0)}: tiles held now", held[0]),
        number("rack1", f"{now.name(1)}: tiles held now", held[1]),
        number("bag_now", "Tiles in the bag now", now.bag),
        number("turns", "Turns completed since that draw", 0),
        check(
            "emptied",
            "The opponent has emptied the bag since",
            value=now.known.get("late") is True,
        ),
        number("emptied_drawn", "Tiles that the opponent drew then", 0),
        choice("mixed", "Were those mixed with the opponent's rack?", KNOWN, "unknown"),
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
        ("from the bag", found.drawn),
        ("from the opponent", found.given),
        ("into the bag first", found.back),
        (f"held then by {now.name(0)}", found.racks[0]),
        (f"held then by {now.name(1)}", found.racks[1]),
    )
    return IncidentPlan(procedure=found.procedure, player=player, numbers=numbers)


def _order_fields(now: Situation) -> list[Json]:
    return [
        who("Who drew too early", now.player_or(1 - now.last_player)),
        *_draw_fields(now),
        number("due", "Tiles that the other was to draw first", now.count("due", now.tiles_played)),
        check("mixed", "New tiles lie with the rack", value=True),
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
        ("back into the bag", found.returned),
        ("the other draws", found.opponent_draws),
        ("then the early player draws", found.then),
        ("in the bag then", found.bag_after),
    )
    return IncidentPlan(
        procedure=found.procedure,
        player=facts.player,
        way=coded("order"),
        numbers=numbers,
        alternatives=ways,
    )


def _spill_fields(now: Situation) -> list[Json]:
    return [
        who("Who held the bag", now.about_player),
        number("bag", "Tiles in the bag before", now.count("bag", now.bag), "by the record"),
        number("spilled", "Tiles that fell out", now.tiles_noticed or 1),
        check("drawing", "Somebody was drawing", value=True),
        number("due", "Tiles still to be drawn", now.tiles_played),
        check(
            "own_turn",
            "It was that player's turn",
            value=now.standing is None or now.is_on_turn(now.about_player),
        ),
    ]


def _spill(now: Situation, answers: Answers) -> IncidentPlan:
    facts = SpillFacts(
        player=answers.player(),
        bag=answers.whole("bag", 200),
        spilled=answers.whole("spilled", 200),
        due=answers.whole("due", 200) if answers.yes("drawing") else None,
        own_turn=answers.yes("own_turn"),
    )
    found = spill(now.rules, facts)
    numbers = (
        ("are the draw", found.drawn),
        ("still to draw", found.still_due),
        ("back into the bag", found.returned),
    )
    return IncidentPlan(procedure=found.procedure, player=facts.player, numbers=numbers)


TILE_INCIDENTS = (
    Incident(name="overdraw", fields=_overdraw_fields, plan=_overdraw),
    Incident(
        name="counted",
        fields=lambda now: [
            who("On whose rack", now.about_player),
            number("surplus", "Tiles too many by the sensors", max(1, now.surplus or 1)),
        ],
        plan=_counted,
    ),
    Incident(
        name="choosing",
        fields=lambda now: [
            *_overdraw_fields(now),
            number("shown", "Tiles that the opponent has turned up", 0),
            number("elapsed_s", "Seconds since the opponent may choose", 0),
        ],
        plan=_choosing,
    ),
    Incident(name="underdraw", fields=_underdraw_fields, plan=_underdraw),
    Incident(name="order", fields=_order_fields, plan=_order),
    Incident(name="spill", fields=_spill_fields, plan=_spill),
)

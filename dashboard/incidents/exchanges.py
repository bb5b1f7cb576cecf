"""How an exchange and a pass go act by act, and the order of old and new tiles."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, number, who
from recorder.domain.game import Exchanged
from recorder.domain.notices import coded
from recorder.domain.rules.exchange.exchange import (
    draw_due,
    exchange_course,
    exchange_steps,
    old_tiles_first,
    pass_steps,
)
from recorder.domain.tiles import RACK_SIZE
from recorder.frames.desk import IncidentField
from recorder.texts.forms import form


def _fields(now: Situation) -> list[IncidentField]:
    last = now.held[-1].event if now.held else None
    player = last.player if isinstance(last, Exchanged) else 1 - now.last_player
    held = now.rack_count(player)
    return [
        who(form("who_exchanges"), player),
        number("count", form("tiles_number"), last.count if isinstance(last, Exchanged) else 1),
        number("rack", form("tiles_rack_before"), RACK_SIZE if held is None else held),
        number("bag", form("tiles_bag_before"), now.bag, form("by_record")),
    ]


def _plan(now: Situation, answers: Answers) -> IncidentPlan:
    count, rack = answers.whole("count", RACK_SIZE), answers.whole("rack", 2 * RACK_SIZE)
    due, asked = draw_due(now.rules, rack=rack, laid=count)
    course = exchange_course(now.rules, count=count, bag=answers.whole("bag"), rack=rack)
    numbers: list[tuple[str, object]] = [(form("tiles_draw"), form("open") if due is None else due)]
    numbers += [(form("act", at=at), stage.act) for at, stage in enumerate(course, 1)]
    return IncidentPlan(
        procedure=exchange_steps(now.rules, count=count),
        player=answers.player(),
        way=coded("an_exchange"),
        numbers=tuple(numbers),
        questions=asked,
        alternatives=(
            IncidentPlan(procedure=old_tiles_first(now.rules), way=coded("old_tiles_went_first")),
            IncidentPlan(procedure=pass_steps(now.rules), way=coded("pass")),
        ),
    )


EXCHANGE_INCIDENTS = (Incident(name="exchange", fields=_fields, plan=_plan),)

"""Procedures as states of a table: opened with their facts, ticked by sensors, over when right."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from recorder.domain.notices import in_words
from recorder.domain.orders import BeginProcedure, CloseProcedure, Order
from recorder.domain.procedures.found import Found, standing
from recorder.domain.record import ProcedureOver, ProcedureStands
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.rulings.procedures import procedure_runs
from recorder.domain.standing_procedures import StandingProcedure
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario

pytestmark = pytest.mark.slow

EIGHT_TILES = """
rules naspa
sensors clock camera counters scale box
draw 1 7
+5
draw 2 7
+5
start
+25
lay 8F CATER
+3
press 1
+6
draw 1 6
+4
stop
+3
return 1 1
+3
rack 1 7
+2
go 2
+3
"""


def _rows(text: str) -> list[ProcedureStands | ProcedureOver]:
    store = MemoryEventLog()
    play_through(parse_scenario(text, "a test"), store=store)
    says = [row.says for row in store.read_from(1)]
    return [said for said in says if isinstance(said, ProcedureStands | ProcedureOver)]


def _done(procedure: StandingProcedure) -> list[str]:
    return [step.code for step in procedure.steps if step.done]


def test_an_overdraw_stands_in_the_log_with_its_draw():
    """Two tiles were kept of seven, six drawn where five were due: nobody is asked for it."""
    first, *_ = _rows(EIGHT_TILES)
    assert isinstance(first, ProcedureStands)
    procedure = first.procedure
    assert (procedure.code, procedure.player) == ("overdraw", 0)
    said = {name: procedure.facts[name] for name in ("tiles", "kept", "drawn", "bag", "mixed")}
    assert said == {"tiles": 1, "kept": 2, "drawn": 6, "bag": 86, "mixed": True}
    by = {step.code: step.by for step in procedure.steps}
    assert (by["lay_face_down"], by["choose_to_keep"], by["stop_clock"]) == (0, 1, None)


def test_sensors_tick_what_they_see_and_the_procedure_ends_when_all_is_right():
    """The clock stands, then the tile is in the bag; the row after the last tick is its end."""
    rows = _rows(EIGHT_TILES)
    ticked = [_done(row.procedure) for row in rows if isinstance(row, ProcedureStands)]
    assert ticked[0] == []
    assert ["stop_clock"] in ticked
    assert isinstance(rows[-1], ProcedureOver)


def test_what_a_director_says_joins_what_the_recorder_knows():
    """Who spoke first no sensor knows; under WESPA the whole rack is shown then."""
    order = 'stop\ndirector procedure {"code": "overdraw", "found_by": "opponent"}\n'
    rows = _rows(EIGHT_TILES.replace("naspa", "wespa1").replace("stop\n", order))
    stood = [row.procedure for row in rows if isinstance(row, ProcedureStands)]
    own, taken_up = stood[0], stood[-1]
    assert own.key != taken_up.key
    assert taken_up.facts["found_by"] == "opponent"
    assert "show_rack" in [step.code for step in taken_up.steps]
    keys = {row.key for row in rows if isinstance(row, ProcedureOver)}
    assert keys == {own.key, taken_up.key}


def _order(kind: str, **data: object) -> str:
    return f"director {kind} {json.dumps(data)}\n"


def _before_the_end(orders: str) -> str:
    """The eighth tile as it is found, then orders."""
    return EIGHT_TILES.partition("stop\n")[0] + orders + "+1\n"


def test_two_directors_who_take_a_procedure_up_at_once_go_on_with_one():
    """Each begins it before hearing of the other; the ticks of both hold."""
    key = next(row.procedure.key for row in _rows(EIGHT_TILES) if isinstance(row, ProcedureStands))
    begin = _order("procedure.begin", key=key, code="overdraw", facts={"player": 1}, steps=7)
    ticks = [_order("procedure.step", key=key, step=at) for at in (1, 2)]
    stood = [
        row.procedure
        for row in _rows(_before_the_end(begin + ticks[0] + begin + ticks[1]))
        if isinstance(row, ProcedureStands)
    ]
    assert {known.key for known in stood} == {key}
    assert [at for at, step in enumerate(stood[-1].steps) if step.done] == [1, 2]


def test_what_opens_again_has_another_key_than_what_a_director_has_closed():
    """An order about the first can not be taken for one about the second."""
    found = Found(code="spill", group=12, procedure=Procedure("DRAW-1", in_words("")))
    begun = [Order(id="o", who="Ann", act=BeginProcedure(key="spill-12", code="spill"))]
    closed = [*begun, Order(id="p", who="Ann", act=CloseProcedure(key="spill-12"))]
    for orders, key in (([], "spill-12"), (begun, "spill-12"), (closed, "spill-12.2")):
        given = [Ruling(seq=row, at_ms=0, order=order) for row, order in enumerate(orders, 1)]
        facts: Any = SimpleNamespace(runs=procedure_runs(given))
        assert standing(found, None, facts).key == key

"""Procedures as states of a table: opened with their facts, ticked by sensors, over when right."""

from recorder.domain.procedures.standing import StandingProcedure
from recorder.domain.record import ProcedureOver, ProcedureStands
from recorder.log.port import MemoryEventLog
from recorder.scenario.play import play_through
from recorder.scenario.text.grammar import parse_scenario

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
    """What the log of a scenario says of procedures, in order."""
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

"""Forms opened from a procedure that stands: what the recorder has worked out is in them."""

from pathlib import Path
from typing import Any

import pytest

from dashboard.incidents.facts import Situation, situation
from dashboard.incidents.plan import plan_of
from dashboard.web.incidents import catalogue, incidents, start_of
from recorder.domain.errors import NotationError
from recorder.domain.procedures.standing import StandingProcedure
from recorder.domain.record import ProcedureOver, ProcedureStands
from recorder.log.port import MemoryEventLog, Row
from recorder.scenario.play import play_through
from recorder.scenario.text.grammar import parse_scenario

pytestmark = pytest.mark.slow  # plays whole scenarios

EVERY = incidents()
SCENARIOS = Path(__file__).parents[1] / "scenarios"
OVERDRAWN = """
rules wespa1
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
"""
CHALLENGED = """
rules wespa4
override challenge.default double
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
say 2 challenge
stop
+3
"""
PASSES = "+9\nsay 1 pass\npress 1\n+9\nsay 2 pass\npress 2\n"
SIX_ZEROS = "rules naspa\nstart\n" + 3 * PASSES


def played(text: str) -> list[Row]:
    """The log of a scenario."""
    store = MemoryEventLog()
    play_through(parse_scenario(text, "a test"), store=store)
    return list(store.read_from(1))


def stands(rows: list[Row], code: str) -> StandingProcedure:
    """The procedure of a code as it was told last."""
    said = [row.says for row in rows]
    assert not any(isinstance(one, ProcedureOver) and code in one.key for one in said)
    every = [one.procedure for one in said if isinstance(one, ProcedureStands)]
    return [procedure for procedure in every if procedure.code == code][-1]


def form(now: Situation) -> tuple[str, dict[str, Any]]:
    """The form with which a director starts, filled in."""
    name = start_of(now)
    fields = next(incident for incident in EVERY if incident.name == name).fields(now)
    return name, {field["name"]: field["value"] for field in fields}


def test_an_overdraw_is_asked_for_no_fact_that_the_record_has() -> None:
    """Player, draw, and where the tiles lie stand in the form as they stand in the procedure."""
    rows = played(OVERDRAWN)
    procedure = stands(rows, "overdraw")
    now = situation(rows, 1, procedure=procedure.key)
    name, facts = form(now)
    known = {one: str(procedure.facts[one]) for one in ("kept", "drawn", "bag")}
    assert (name, facts["player"]) == ("overdraw", "0")
    assert {one: facts[one] for one in known} == known == {"kept": "2", "drawn": "6", "bag": "86"}
    assert (facts["touched"], facts["own_turn"]) == ("yes", False)
    plan = plan_of(EVERY, name, now, facts)
    assert dict(plan["numbers"])["surplus"] == procedure.facts["tiles"]
    assert [step["code"] for step in plan["steps"]] == [step.code for step in procedure.steps]
    with pytest.raises(NotationError, match="does not stand open"):
        situation(rows, 1, procedure="another")


def test_a_challenge_is_about_the_turn_that_was_challenged() -> None:
    """Its play, its words, the tiles still to be drawn; the verdict is the director's to give."""
    rows = played(CHALLENGED)
    now = situation(rows, 1, procedure=stands(rows, "challenge").key)
    name, facts = form(now)
    assert (name, facts["words"], facts["due"]) == ("challenge", "CATER", "5")
    plan = plan_of(EVERY, name, now, facts | {"verdict": "good"})
    (order,) = plan["orders"]
    assert order["act"]["data"]["turn_lost"] is True


def scenario(name: str, until: str) -> list[Row]:
    """The log of a scenario of the clauses, until something is told."""
    (file,) = SCENARIOS.glob(f"{name}.*naspa*.scn")
    text, _, _ = file.read_text().partition(f"\nexpect told {until}")
    return played(text.replace("rules wespa1\n", "rules naspa\n"))


SETTLED = [  # the scenario, until what is told; the procedure; the orders that end it
    ("017_second_q", "foreign_tile", "foreign_tile", [["order.insert"]]),
    ("045_courtesy_tiles_kept", "courtesy", "courtesy", [[]]),
    ("051_loose_tile", "loose_tile", "loose_tile", [[]]),
    ("052_left_in_bag_out_stays", "left_in_bag", "left_in_bag", [[]]),
    ("054_improper_return", "improper_return", "improper_return", [[]]),
    ("060_clean", "illegal_exchange", "illegal_exchange", [["order.correct"]]),
    ("062_nothing_laid_open", "exchange_nothing", "exchange_number", 2 * [["order.correct"]]),
    ("075_one_too_many", "wrong_removal", "wrong_removal", [["order.clock"]]),
]


@pytest.mark.parametrize(("name", "until", "code", "orders"), SETTLED)
def test_a_procedure_ends_as_the_recorder_has_worked_it_out(
    name: str, until: str, code: str, orders: list[list[str]]
) -> None:
    """Every way has a ruling under its rule; the orders are those that the record still needs."""
    rows = scenario(name, until)
    now = situation(rows, 1, procedure=stands(rows, code).key)
    assert start_of(now) == ""
    plan = catalogue((), now)["plan"]
    ways = [plan, *plan["alternatives"]]
    assert [[order["act"]["type"] for order in way["orders"]] for way in ways] == orders
    assert all(way["rule"] and way["ruling"] for way in ways)


def test_time_that_a_rule_gives_is_on_the_clock_of_who_gets_it() -> None:
    """The challenger has lost 5 s since the tiles came off wrongly, and gets 60."""
    rows = scenario("075_one_too_many", "wrong_removal")
    now = situation(rows, 1, procedure=stands(rows, "wrong_removal").key)
    (order,) = catalogue((), now)["plan"]["orders"]
    left_ms = now.frame["clock"]["remaining_ms"]
    assert order["act"]["data"] == {"player": 0, "left_ms": left_ms[0] + 60_000}


def test_a_notice_names_the_form_that_it_is_filled_into() -> None:
    """Six zeros that may be claimed are a notice alone; the page need not know which form."""
    rows = played(SIX_ZEROS)
    notices = [row for row in rows if row.body.get("type") == "table.notice"]
    (told,) = [row for row in notices if row.body["data"]["code"] == "six_zero"]
    assert start_of(situation(rows, 1, told.seq)) == "zeros"
    assert start_of(situation(rows, 1)) == ""

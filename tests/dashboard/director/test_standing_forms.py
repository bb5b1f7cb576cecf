"""Forms opened from a procedure that stands: what the recorder has worked out is in them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dashboard.incidents.facts import situation
from dashboard.web.incidents import catalogue, start_of
from dashboard.woogles.kept import MirrorState
from dashboard.woogles.routes import mirror_needs
from recorder.domain.errors import NotationError
from recorder.domain.notices import Notice, TableNotice
from recorder.domain.procedures.named import BEGUN_ROUTING
from recorder.domain.record import ProcedureOver, ProcedureStands
from recorder.domain.standing_procedures import StandingProcedure
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from recorder.log.port import Row
from recorder.projections.needs import needs
from recorder.projections.notices import notice_as_json
from recorder.projections.timeline import Timeline
from recorder.texts import load_catalogue
from recorder.tilesets import load_tile_set
from recorder.wire.rows import MESSAGE_REFUSED_TYPE
from recorder.word_lists import load_word_list
from tests.cases import first_of

pytestmark = pytest.mark.slow  # plays whole scenarios

SCENARIOS = Path(__file__).parents[2] / "scenarios"
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
    store = MemoryEventLog()
    play_through(parse_scenario(text, "a test"), store=store)
    return list(store.read_from(1))


def stands(rows: list[Row], code: str) -> StandingProcedure:
    stand: dict[str, StandingProcedure] = {}
    for row in rows:
        match row.says:
            case ProcedureStands(procedure=procedure):
                stand[procedure.key] = procedure
            case ProcedureOver(key=key):
                del stand[key]
    (found,) = [procedure for procedure in stand.values() if procedure.code == code]
    return found


def ways(rows: list[Row], code: str) -> list[dict[str, Any]]:
    """The ways in which a procedure can end, as the page gets them."""
    now = situation(rows, 1, procedure=stands(rows, code).key)
    assert start_of(now) == ""
    plan = catalogue(now)["plan"]
    return [plan, *plan["alternatives"]]


def test_an_overdraw_is_asked_for_no_fact_that_the_record_has() -> None:
    """Player, draw and where the tiles lie are the procedure's; it ends with one click."""
    rows = played(OVERDRAWN)
    procedure = stands(rows, "overdraw")
    known = {one: procedure.facts[one] for one in ("kept", "drawn", "bag", "tiles", "mixed")}
    assert known == {"kept": 2, "drawn": 6, "bag": 86, "tiles": 1, "mixed": True}
    (plan,) = ways(rows, "overdraw")
    assert (plan["rule"], plan["orders"], plan["goes_on"]) == ("OVERDRAW-2", [], False)
    assert "8 tiles in the pool" in plan["ruling"]
    with pytest.raises(NotationError, match="is no longer open"):
        situation(rows, 1, procedure="another")


def test_what_only_the_director_sees_of_an_overdraw_changes_its_steps() -> None:
    """More turned up than allowed, and more time taken: steps come after those that are ticked."""
    begin = 'director procedure.begin {"key": "o", "code": "overdraw", "steps": 7'
    text = OVERDRAWN.replace("wespa1", "naspa")
    usual = [step.code for step in stands(played(text), "overdraw").steps]
    rows = played(text + begin + ', "facts": {"turned_up": 5}, "done": [0, 1]}\n+2\n')
    more = [step.code for step in stands(rows, "overdraw").steps]
    assert more == [*usual, "choose_to_keep", "lay_face_down", "return_unseen"]
    slow = begin + '}\n+1\ndirector procedure.time {"key": "o", "step": 3}\n+16\nrack 2 7\n+1\n'
    late = stands(played(text + slow), "overdraw")
    assert [step.code for step in late.steps] == [*usual, "start_clock"]
    told = played(text + begin + ', "facts": {"found_by": "sensor"}}\n+2\n')
    assert [step.code for step in stands(told, "overdraw").steps] == ["tell_players"]


def test_a_challenge_ends_with_its_verdict_and_what_that_costs() -> None:
    """Its words and the cost are the record's; tiles and clock stay to be seen to."""
    rows = played(CHALLENGED)
    assert stands(rows, "challenge").facts["challenged"] == "CATER"
    stays, off, *_ = ways(rows, "challenge")
    (order,) = stays["orders"]
    assert order["act"]["data"]["turn_lost"] is True
    assert order["label"].startswith("8F CATER +14 challenged: stands")
    assert "the challenger loses a turn" in stays["ruling"]
    assert [one["act"]["data"]["outcome"] for one in off["orders"]] == ["off"]
    assert (stays["goes_on"], off["goes_on"]) == (True, True)


def test_the_dashboards_word_list_says_which_verdict_comes_first(tmp_path: Path) -> None:
    """One verdict for all words; it is shown, and the director gives it or another."""
    rows = played(CHALLENGED)
    now = situation(rows, 1, procedure=stands(rows, "challenge").key)
    for listed, first in (("CATER", "stands"), ("OTHER", "off")):
        (tmp_path / "words.txt").write_text(listed + "\n")
        plan = catalogue(now, load_word_list(tmp_path / "words.txt", load_tile_set("english")))[
            "plan"
        ]
        (order,) = plan["orders"]
        assert order["act"]["data"]["outcome"] == first
        assert len(plan["numbers"]) == 1


def test_the_second_wrong_challenge_costs_more_where_the_rules_say_so() -> None:
    """The first of a player is free by the system; the record knows that there was one."""
    text = CHALLENGED.replace("challenge.default double", "challenge.default dingle")
    first = ways(played(text), "challenge")[0]["orders"][0]["act"]["data"]
    again = (
        "verdict good\n+1\ngo 2\n+9\nlay H7=A H9=E\n+2\npress 2\n+9\ndraw 2 2\n+2\n"
        "lay K8=S\n+3\npress 1\n+4\nsay 2 challenge\nstop\n+3\n"
    )
    second = ways(played(text + again), "challenge")[0]["orders"][0]["act"]["data"]
    assert (first["turn_lost"], second["turn_lost"]) == (False, True)


def scenario(name: str, until: str) -> list[Row]:
    """The log of a scenario of the clauses, until something is reported."""
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


@pytest.mark.parametrize(("name", "until", "code", "orders"), first_of(4, SETTLED))
def test_a_procedure_ends_as_the_recorder_has_worked_it_out(
    name: str, until: str, code: str, orders: list[list[str]]
) -> None:
    """Every way has a ruling under its rule; the orders are those that the record still needs."""
    rows = scenario(name, until)
    now = situation(rows, 1, procedure=stands(rows, code).key)
    assert start_of(now) == ""
    plan = catalogue(now)["plan"]
    ways = [plan, *plan["alternatives"]]
    assert [[order["act"]["type"] for order in way["orders"]] for way in ways] == orders
    assert all(way["rule"] and way["ruling"] for way in ways)


def test_a_notice_names_the_form_that_it_is_filled_into() -> None:
    """Six zeros that may be claimed are a notice alone; the page need not know which form."""
    rows = played(SIX_ZEROS)
    notices = [row for row in rows if row.body.get("type") == "table.notice"]
    (told,) = [row for row in notices if row.body["data"]["code"] == "six_zero"]
    assert start_of(situation(rows, 1, told.seq)) == "six_zero"
    assert start_of(situation(rows, 1)) == ""


def test_whatever_needs_the_director_is_one_kind_of_thing() -> None:
    """A procedure with its steps, a lost camera, a message that was refused; the urgent first."""
    rows = played(CHALLENGED + "lose camera\n+1\n")
    story = Timeline(1)
    for row in rows:
        story.advance(row)
    refused: Any = {
        **story.items()[-1], "type": MESSAGE_REFUSED_TYPE, "refused": "unfit", "text": "cam-9: no",
    }  # fmt: skip
    found = needs([refused], story.procedures(), story.standing(), story.devices())
    assert [(one["kind"], one["asks"]) for one in found] == [
        ("open", True), ("lost", False), ("refused", False),
    ]  # fmt: skip
    procedure, lost, message = found
    assert procedure["code"] == "challenge"
    assert procedure["steps"] == [0, len(story.standing()[0]["steps"])] or procedure["steps"][0]
    assert procedure["procedure"] == story.standing()[0]["key"]
    assert lost["code"] == "device_lost"
    assert (message["text"], message["row"]) == ("cam-9: no", refused["seq"])
    there = {"key": "k", "what": "score", "turn": 4, "ours": "20", "theirs": "22", "choices": []}
    (elsewhere,) = mirror_needs(MirrorState(game="g", table=1, difference=there))
    assert (elsewhere["code"], elsewhere["asks"]) == ("mirror_score", True)
    assert set(elsewhere) == set(procedure)
    assert mirror_needs(MirrorState(game="g", table=1)) == []


def test_what_is_as_likely_is_offered_beside_it() -> None:
    """Both remedies at even odds; none where a sensor may be wrong, or another number."""
    notice = TableNotice(
        ref=1, refs=(1,), code=Notice.SPILL, player=0, routing=BEGUN_ROUTING,
        numbers={"level": "alert", "tiles": 4, "sure": "even", "other": "overdraw"},
    )  # fmt: skip
    for other, offered in (("overdraw", "overdraw"), ("sensor_error", ""), ("another_number", "")):
        told = replace(notice, numbers={**notice.numbers, "other": other})
        item: Any = {
            "seq": 9, "at": 1, "type": "notice.given", "text": "", "doubt": None, "group": 1,
            "superseded_by": None, "notice": notice_as_json(told, load_catalogue()),
        }  # fmt: skip
        (found,) = needs([item], [], [], {})
        assert (found["begins"], found["instead"]) == ("spill", offered)

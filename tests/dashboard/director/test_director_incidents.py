"""Incidents worked out from the record: forms filled in, plans by the rules in force."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import recorder.domain.procedures
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.incidents.begun import BEGUN, begun_as_json
from dashboard.incidents.facts import Answers, held_entries, situation
from dashboard.web.incidents import incidents
from recorder.domain.errors import NotationError
from recorder.domain.game import Exchanged, Passed
from recorder.domain.instruments import BagWeighed, CountEstimate
from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.projections import timeline
from recorder.rulesets import rule_set_names
from recorder.texts import load_catalogue
from tests.dashboard.table_writer import TableWriter
from tests.dashboard.test_app import wait_until

KEY = "director-key-1"
BASE = "http://127.0.0.1:8015"

Ask = Callable[..., Any]


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    """A table's record, open for writing."""
    return write_table(1_000_000)


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    """Asks a dashboard as its director: the forms, or with a name the plan.

    It is started with the first question, and has read by then what was recorded before it.
    """
    with ExitStack() as running:

        @cache
        def director() -> TestClient:
            access = Access(director_token=KEY, commentator_token="commentator-1")
            app = create_app(Settings(log=tmp_path / "log.db", access=access))
            client = running.enter_context(TestClient(app, base_url=BASE))
            client.get(f"/enter/{KEY}")
            wait_until(client, "following")
            return client

        def asked(
            name: str = "", facts: dict[str, Any] | None = None, code: int = 200, notice: int = 0
        ) -> Any:
            if not name:
                answer = director().get("/api/table/1/incidents", params={"notice": notice})
                return {one["name"]: one for one in answer.json()["incidents"]}
            answer = director().post(f"/api/table/1/incident/{name}", json=facts)
            assert answer.status_code == code, answer.text
            return answer.json()

        yield asked


def filled(form: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A form's answers as it comes, with some of them otherwise."""
    return {one["name"]: one.get("value", "") for one in form["fields"]} | more


def order(plan: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The only order of a plan."""
    (only,) = plan["orders"]
    return only["act"]["type"], only["act"]["data"]


def test_what_is_begun_asks_only_for_what_the_record_lacks(table: TableWriter) -> None:
    """No field that the order does not know; with a scale below the bag nobody counts tiles."""
    table.start(rules="naspa")
    table.play(0, "8D ZEPHYR")
    fields = {one["name"]: filled(one) for one in begun_as_json(situation(table.rows, 1))}
    assert set(fields) | {"slip_leftover"} == set(WORKED_OUT)
    assert all(set(names) <= set(WORKED_OUT[code]) for code, names in fields.items())
    assert fields["illegal_exchange"] == fields["wrong_verdict"] == {}
    assert fields["improper_return"] == {"player": "0", "tiles": "1"}
    table.observe(
        BagWeighed(
            grams=81.0, spread_g=0.1, settled=True, tiles=CountEstimate(count=81, probability=0.9)
        ),
        "scale-1",
    )
    weighed = {one["name"]: filled(one) for one in begun_as_json(situation(table.rows, 1))}
    assert weighed["improper_return"] == {"player": "0"}
    assert weighed["left_in_bag"] == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["exchange", "not_recorded", "nobody_came", "timer_lost"])
@pytest.mark.parametrize("rules", rule_set_names())
def test_every_form_gives_a_plan_as_it_comes(
    table: TableWriter, ask: Ask, name: str, rules: str
) -> None:
    """In every rule set: steps or numbers, or a question that says what is open."""
    table.start(rules=rules)
    table.play(0, "8D ZEPHYR")
    plan = ask(name, filled(ask()[name]))
    assert plan["title"]
    assert plan["steps"] or plan["questions"] or plan["numbers"]


def test_answers_that_cannot_be_are_named(table: TableWriter, ask: Ask) -> None:
    """The field and what it needs; an incident that there is not."""
    table.start(rules="naspa")
    table.play(0, "8D ZEPHYR")
    facts = filled(ask()["exchange"])
    assert "count" in ask("exchange", facts | {"count": "-1"}, code=422)["detail"]
    assert "rack" in ask("exchange", facts | {"rack": "99"}, code=422)["detail"]
    assert "no incident" in ask("nothing", {}, code=422)["detail"]
    with pytest.raises(NotationError, match="text"):
        Answers({"text": 3}).text("text")


def test_entries_stand_where_they_were_corrected(table: TableWriter) -> None:
    """A correction of a correction keeps the place of the first row in the game."""
    table.start()
    first = table.play(0, "8D ZEPHYR")
    table.record(Passed(1))
    second = table.correct(first.seq, Passed(0))
    third = table.correct(second.seq, Exchanged(0, 3))
    held = held_entries(timeline(table.rows))
    assert [(one["entry"], one["type"]) for one in held] == [
        (third.seq, "game.exchanged"),
        (table.rows[2].seq, "game.passed"),
    ]


def test_every_incident_has_a_name_in_the_catalogue() -> None:
    """And the catalogue names none but those and what the record begins by itself."""
    named = {one.name for one in incidents()} | set(BEGUN)
    rooms = Path(recorder.domain.procedures.__file__).parent.rglob("*.py")
    begun = {code for room in rooms for code in re.findall(r'"([a-z_]+)"', room.read_text("utf-8"))}
    texts = set(load_catalogue().as_json()["procedure"])
    assert named <= texts
    assert texts - named <= begun

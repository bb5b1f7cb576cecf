"""Incidents worked out from the record: forms filled in, plans by the rules in force."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import recorder.domain.procedures
from dashboard.incidents.begun import OTHER, begun_as_json
from dashboard.incidents.facts import situation
from recorder.domain.game import Exchanged, Passed
from recorder.domain.instruments import BagWeighed, CountEstimate
from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.texts import load_catalogue
from tests.dashboard.table_writer import TableWriter


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    """A table's record, open for writing."""
    return write_table(1_000_000)


def filled(form: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A form's answers as it comes, with some of them otherwise."""
    return {one["name"]: one.get("value", "") for one in form["fields"]} | more


def test_what_is_begun_asks_only_for_what_the_record_lacks(table: TableWriter) -> None:
    """No field that the order does not know; with a scale below the bag nobody counts tiles."""
    table.start(rules="naspa")
    table.play(0, "8D ZEPHYR")
    fields = {one["name"]: filled(one) for one in begun_as_json(situation(table.rows, 1))}
    assert set(fields) == set(WORKED_OUT)
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


def test_every_field_has_a_label_and_no_label_is_left_over() -> None:
    """One table has the names, the catalogue their words: of a procedure, else of the name."""
    own = {(code, name): f"{code}_{name}" for code, names in WORKED_OUT.items() for name in names}
    labels = set(load_catalogue().as_json()["asked"])
    shared = {name.rstrip("01") for (_, name), key in own.items() if key not in labels}
    assert labels == shared | (labels & set(own.values()))


def test_entries_stand_where_they_were_corrected(table: TableWriter) -> None:
    """A correction of a correction keeps the place of the first row in the game."""
    table.start()
    first = table.play(0, "8D ZEPHYR")
    table.record(Passed(1))
    second = table.correct(first.seq, Passed(0))
    third = table.correct(second.seq, Exchanged(0, 3))
    held = situation(table.rows, 1).held
    assert [(entry.name.row, entry.event) for entry in held] == [
        (third.seq, Exchanged(0, 3)),
        (table.rows[2].seq, Passed(1)),
    ]


def test_every_incident_has_a_name_in_the_catalogue() -> None:
    """And the catalogue names none but those and what the record begins by itself."""
    named = {OTHER, *WORKED_OUT}
    rooms = Path(recorder.domain.procedures.__file__).parent.rglob("*.py")
    begun = {code for room in rooms for code in re.findall(r'"([a-z_]+)"', room.read_text("utf-8"))}
    texts = set(load_catalogue().as_json()["procedure"])
    assert named <= texts
    assert texts - named <= begun

"""docs/schema says what the readers take: for those who build devices in another language."""

import json
import re
from typing import Any

import jsonschema
import pytest

from recorder.declared.codec import Json
from recorder.wire.control import encode
from recorder.wire.envelope import encode_envelope
from recorder.wire.events import EVENT_TYPES, STARTED, encode_event
from recorder.wire.observations import OBSERVATION_TYPES, encode_observation
from recorder.wire.orders import ORDER_TYPES, encode_order
from recorder.wire.row_heads import STARTED_TYPE
from tests.recorder.wire import wire_samples as samples
from tests.recorder.wire.test_wire_docs import DOCS
from tests.recorder.wire.test_wire_orders import ORDERS
from tests.recorder.wire.wire_schema import FOLDER, schemas, written

SCHEMAS = schemas()
TYPED = [
    *map(encode_observation, samples.OBSERVATIONS),
    *map(encode_event, samples.EVENTS),
    *map(encode_order, ORDERS),
    ("game.started", STARTED.write(samples.STARTED)),
    *((type(one).__name__, json.loads(encode(one))) for one in samples.CONTROLS),
    ("Envelope", json.loads(encode_envelope(samples.envelope()))),
]


def _fits(name: str, data: Any) -> bool:
    validator = jsonschema.Draft202012Validator(SCHEMAS[name])
    return bool(validator.is_valid(json.loads(json.dumps(data))))


def test_the_published_schemas_are_those_of_the_readers():
    """A message has changed? ``make schema`` makes them again."""
    published = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}
    assert published == {name: written(schema) for name, schema in SCHEMAS.items()}


@pytest.mark.slow
def test_there_is_a_schema_of_every_message():
    """Of observations, events, orders, messages around the record, and the envelope."""
    names = {*OBSERVATION_TYPES, *EVENT_TYPES, STARTED_TYPE, "Envelope"}
    names |= set(ORDER_TYPES)
    assert names | {kind.__name__ for kind in samples.READERS} <= set(SCHEMAS)
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(("name", "data"), TYPED, ids=[name for name, _ in TYPED])
def test_every_sample_fits_its_schema(name: str, data: Json):
    """Also with a field that the schema does not know: a later release may add some."""
    assert _fits(name, data)
    assert _fits(name, {**data, "later": 1})


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("Envelope", {"v": 2}),
        ("Envelope", {"seq": 0}),
        ("Envelope", {"boot": "xyz"}),
        ("clock.press", {"left_ms": 1.5}),
        ("clock.press", {"running": "left"}),
        ("bag.weight", {"taken": {"count": 1}}),
        ("slip.seen", {"entries": [{"mark": "ugly"}]}),
        ("rack.count", {"confidence": 2}),
        ("Heartbeat", {"outbox": -1}),
        ("game.played", {"player": 2}),
    ],
)
def test_what_the_readers_refuse_the_schemas_refuse(name: str, change: dict[str, Any]):
    """As far as a schema can say it."""
    data = dict(TYPED)[name]
    assert _fits(name, data)
    assert not _fits(name, {**data, **change})


@pytest.mark.parametrize("name", sorted({name for name, _ in TYPED}))
def test_no_schema_does_without_what_a_reader_needs(name: str):
    """Each required field left out is refused."""
    data = dict(TYPED)[name]
    for field in SCHEMAS[name]["required"]:
        assert not _fits(name, {key: value for key, value in data.items() if key != field})


def test_every_example_of_the_page_fits():
    """The JSON in docs/wire.md is what a builder copies."""
    blocks = re.findall(r"```json\n(.*?)```", DOCS, re.DOTALL)
    assert blocks
    for block in blocks:
        document = json.loads(block)
        if "dev" not in document:
            continue
        assert _fits("Envelope", document)
        if document["type"] in SCHEMAS:
            assert _fits(document["type"], document["data"])

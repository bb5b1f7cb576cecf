"""docs/wire.md names every topic, message type and field there is."""

import json
import re

import pytest

from recorder.declared.codec import Json
from recorder.wire.control import Control, Presence, encode
from recorder.wire.events import STARTED, encode_event
from recorder.wire.observations import encode_observation
from recorder.wire.topics import Audience, DownChannel, UpChannel
from tests.documents import document
from tests.recorder.wire import wire_samples as samples

DOCS = document("wire")


def section(heading: str) -> str:
    """The text below a heading, up to the next one."""
    pattern = rf"^#+ [^\n]*`{re.escape(heading)}`[^\n]*$(.*?)(?=^#|\Z)"
    found = re.search(pattern, DOCS, re.MULTILINE | re.DOTALL)
    assert found, f"docs/wire.md has no heading with `{heading}`"
    return found[1]


TOPICS = [
    *(f"up/<device>/{channel.value}" for channel in UpChannel),
    *(f"down/<device>/{channel.value}" for channel in DownChannel),
    *(f"{audience.value}/table/<n>/" for audience in Audience),
    "sys/recorder/<id>/state",
]


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_is_described(topic: str):
    """Somebody who builds a device finds each topic."""
    assert f"tc/v1/<venue>/{topic}" in DOCS


TYPED = [
    *map(encode_observation, samples.OBSERVATIONS),
    *map(encode_event, samples.EVENTS),
    ("game.started", STARTED.write(samples.STARTED)),
]


@pytest.mark.parametrize(("type_name", "data"), TYPED, ids=[name for name, _ in TYPED])
def test_every_field_of_every_type_is_described(type_name: str, data: Json):
    text = section(type_name)
    assert [name for name in data if f"`{name}`" not in text] == []


@pytest.mark.parametrize("message", samples.CONTROLS, ids=lambda m: type(m).__name__)
def test_every_field_of_every_control_message_is_described(message: Control):
    text = section(type(message).__name__)
    fields = set(json.loads(encode(message))) - {"v"}
    assert [name for name in sorted(fields) if f"`{name}`" not in text] == []


def test_every_state_is_described():
    """Each word that a device or recorder may say of itself."""
    text = section("DeviceState")
    assert [word.value for word in Presence if f"`{word.value}`" not in text] == []

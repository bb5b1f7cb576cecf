"""Topics and messages: what goes out comes back, what is malformed is named."""

import json
from typing import Any

import pytest

from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError
from recorder.wire import control, events
from recorder.wire.control import Control, DeviceConfig, encode
from recorder.wire.envelope import decode_envelope, encode_envelope
from recorder.wire.events import (
    EVENT_TYPES,
    decode_event,
    encode_event,
)
from recorder.wire.observations import OBSERVATION_TYPES, decode_observation, encode_observation
from tests.recorder.wire.wire_samples import (
    BOOT,
    CONTROLS,
    EV,
    EVENTS,
    OBSERVATIONS,
    READERS,
    STARTED,
    envelope,
)


def test_there_is_a_sample_of_every_type():
    """The lists above leave none out, so the tests over them are complete."""
    assert {encode_observation(o)[0] for o in OBSERVATIONS} == set(OBSERVATION_TYPES)
    assert {encode_event(e)[0] for e in EVENTS} == set(EVENT_TYPES)
    assert {type(message) for message in CONTROLS} == set(READERS)


@pytest.mark.parametrize("message", CONTROLS, ids=lambda m: type(m).__name__)
def test_control_messages_come_back_as_they_went(message: Control):
    """Optional fields that are not known stay unknown."""
    assert READERS[type(message)](encode(message)) == message


def test_an_envelope_comes_back_as_it_went():
    """The key is device, boot and number."""
    sent = envelope()
    payload = encode_envelope(sent)
    assert json.loads(payload)["t"] == 1500123
    received = decode_envelope(EV, payload)
    assert received == sent
    assert received.key == ("clock-07", BOOT, 421)


WRONG_ENVELOPES = [
    pytest.param({"v": 2}, "v must be 1", id="another version"),
    pytest.param({"v": ...}, "v is missing", id="no version"),
    pytest.param({"dev": "clock-08"}, "dev is 'clock-08'", id="under another's name"),
    pytest.param({"dev": "Clock 07"}, "dev must be", id="no name"),
    pytest.param({"boot": "xyz"}, "boot must be", id="boot"),
    pytest.param({"seq": 0}, "seq must be", id="number zero"),
    pytest.param({"seq": 2**53}, "seq must be", id="number too large"),
    pytest.param({"t": -1}, "t must be", id="negative time"),
    pytest.param({"type": "press"}, "type must be", id="type without a family"),
    pytest.param({"data": []}, "data must be an object", id="data is an array"),
]


@pytest.mark.parametrize(("change", "fault"), WRONG_ENVELOPES)
def test_a_wrong_envelope_is_named(change: dict[str, Any], fault: str):
    """The complaint names the device and the field."""
    values = {**json.loads(encode_envelope(envelope())), **change}
    values = {name: value for name, value in values.items() if value is not ...}
    with pytest.raises(DeviceError, match=rf"^clock-07 event: {fault}"):
        decode_envelope(EV, json.dumps(values).encode())


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        pytest.param(b"", "not JSON", id="empty"),
        pytest.param(b"\xff\xfe", "not JSON", id="not UTF-8"),
        pytest.param(b"[1]", "expected a JSON object", id="array"),
        pytest.param(b'{"v":1,"v":1}', "stands twice", id="key twice"),
        pytest.param(b'{"v":NaN}', "NaN", id="NaN"),
        pytest.param(b'{"v":["\\ud800"]}', "half a character", id="half a character"),
        pytest.param(b"[" * 60_000, "not JSON", id="deep nesting"),
        pytest.param(b'{"v":' + b"1" * 6000 + b"}", "not JSON", id="endless number"),
        pytest.param(b" " * 65_537, "at most 65536", id="too long"),
    ],
)
def test_what_is_no_json_object_is_refused(payload: bytes, fault: str):
    """No payload makes the reader fail in another way than by DeviceError."""
    with pytest.raises(DeviceError, match=fault):
        decode_envelope(EV, payload)


def test_an_event_too_long_cannot_be_made():
    """The device hears of it, not the recorder."""
    with pytest.raises(DeviceError, match="do not fit"):
        encode_envelope(envelope(data={"text": "x" * 65_536}))


def _changed(sample: tuple[str, Json], **change: Any) -> tuple[str, Json]:
    return sample[0], {**sample[1], **change}


SAMPLES = {name: (name, data) for name, data in map(encode_observation, OBSERVATIONS[::-1])}
SEEN, NOT_SEEN = SAMPLES["board.seen"], SAMPLES["board.not_seen"]
PRESS, CHANGE, SAID = SAMPLES["clock.press"], SAMPLES["clock.change"], SAMPLES["table.announced"]
RACK, COUNT = SAMPLES["rack.seen"], SAMPLES["rack.count"]
WEIGHT, SLIP = SAMPLES["bag.weight"], SAMPLES["slip.seen"]
NO_LETTER = {"mark": "letter", "letter": "", "confidence": 1, "marked": ""}


@pytest.mark.parametrize(
    ("sample", "fault"),
    [
        pytest.param(("clock.prss", {}), "unknown observation type 'clock.prss'", id="type"),
        pytest.param(_changed(PRESS, side="left"), "side must be L or R", id="unknown side"),
        pytest.param(_changed(CHANGE, act="boom"), "act must be one of pause", id="act"),
        pytest.param(_changed(RACK, letters="AEIaST"), "letters must be", id="a small letter"),
        pytest.param(_changed(RACK, letters="AEIOUAEIO"), "letters must be", id="nine tiles"),
        pytest.param(_changed(RACK, slots="AEI?S"), "slots must be", id="slots of other letters"),
        pytest.param(_changed(RACK, slots=".AEI?ST"), "slots must be", id="a gap before the tiles"),
        pytest.param(_changed(RACK, count=7), r"count must be .* 6\.\.6", id="another count"),
        pytest.param(_changed(COUNT, count=7), r"count must be .* 6\.\.6", id="other than places"),
        pytest.param(_changed(WEIGHT, taken={"count": 1}), "probability is missing", id="half"),
        pytest.param(
            _changed(SLIP, entries=[NO_LETTER]), "letter must be a letter", id="no letter"
        ),
        pytest.param(_changed(SAID, say="hold"), "say must be one of exchange", id="unknown word"),
        pytest.param(_changed(SAID, count=8), r"count must be .* 1\.\.7", id="eight exchanged"),
        pytest.param(_changed(SAID, say="pass"), r"count must be .* 0\.\.0", id="pass of 7"),
        pytest.param(
            _changed(SAID, say="bonus", count=101), r"count must be .* 1\.\.100", id="bonus of 101"
        ),
        pytest.param(_changed(SEEN, squares="!!"), "not base64", id="costs not base64"),
        pytest.param(_changed(SEEN, squares="AAAA"), "not base64 of zlib", id="costs not zlib"),
        pytest.param(_changed(SEEN, corners=[[1, 2]] * 3), "corners must be", id="corners"),
        pytest.param(_changed(SEEN, picture="../x"), "picture must be", id="picture"),
    ],
)
def test_a_wrong_observation_is_named(sample: tuple[str, Json], fault: str):
    """The complaint names the field and what was expected."""
    with pytest.raises(DeviceError, match=fault):
        decode_observation(*sample)


def test_square_costs_unpack_no_further_than_needed():
    """A packed gigabyte of zeros is refused without being unpacked."""
    import base64
    import zlib

    bomb = base64.b64encode(zlib.compress(bytes(10_000_000), 9)).decode()
    assert len(bomb) < 20_000
    with pytest.raises(DeviceError, match="must unpack to 7200 bytes"):
        decode_observation(*_changed(SEEN, squares=bomb))


PLAYED = encode_event(EVENTS[0])


@pytest.mark.parametrize(
    ("sample", "fault"),
    [
        pytest.param(("game.plaid", {}), "unknown event type 'game.plaid'", id="type"),
        pytest.param(_changed(PLAYED, player=2), "player must be", id="third player"),
        pytest.param(_changed(PLAYED, position="8P"), "position must be", id="off the board"),
        pytest.param(_changed(PLAYED, position="99A"), "game.played: ", id="row 99"),
        pytest.param(_changed(PLAYED, word="F1"), "word must be", id="digit in the word"),
        pytest.param(("game.exchanged", {"player": 0, "count": 0}), "count must be", id="count"),
    ],
)
def test_a_wrong_game_event_is_named(sample: tuple[str, Json], fault: str):
    """The complaint names the field and what was expected."""
    with pytest.raises(DeviceError, match=fault):
        decode_event(*sample)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"players": ["Ann"]}, "players"),
        ({"players": ["Ann", "Bob\n"]}, "players"),
        ({"starts_ms": [1500000, -1]}, "starts_ms"),
        ({"table": 0}, "table"),
        ({"game": "../x"}, "game"),
        ({"left_player": 2}, "left_player"),
        ({"tile_set": "English"}, "tile_set"),
        ({"rules_checksum": "0123"}, "rules_checksum"),
        ({"words": ["our list", "0123"]}, "words"),
        ({"confirmed": "overtime"}, "confirmed"),
        ({"overrides": ["challenge.default"]}, "overrides"),
        ({"overrides": {"not a name": 1}}, "overrides"),
    ],
)
def test_a_wrong_game_start_is_named(change: dict[str, Any], fault: str):
    data = events.STARTED.write(STARTED)
    with pytest.raises(DeviceError, match=rf"^game\.started: {fault} must be"):
        events.STARTED.read({**data, **change})


@pytest.mark.parametrize("message", CONTROLS, ids=lambda m: type(m).__name__)
def test_a_control_message_of_another_version_is_refused(message: Control):
    """A device that speaks version 2 is not half understood."""
    values = {**json.loads(encode(message)), "v": 2}
    with pytest.raises(DeviceError, match="v must be 1"):
        READERS[type(message)](json.dumps(values).encode())


@pytest.mark.parametrize("message", CONTROLS, ids=lambda m: type(m).__name__)
def test_every_field_of_a_control_message_is_checked(message: Control):
    """Whatever field holds an array of arrays instead, the reader says which."""
    values = json.loads(encode(message))
    for name in values:
        with pytest.raises(DeviceError, match=rf"{name} must be"):
            READERS[type(message)](json.dumps({**values, name: [[]]}).encode())


def test_a_control_message_has_its_limit():
    """16 KiB are plenty for settings."""
    config = DeviceConfig(table=1, role="clock", settings={"x": "y" * 20_000})
    with pytest.raises(DeviceError, match=str(control.MOST_CONTROL_BYTES)):
        encode(config)

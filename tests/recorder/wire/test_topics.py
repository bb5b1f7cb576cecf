"""Topics: spelt and read in one place, unknown and misspelt ones refused."""

import pytest

from recorder.domain.errors import DeviceError, RecorderError
from recorder.wire.envelope import Envelope, decode_envelope, encode_envelope
from recorder.wire.topics import (
    Audience,
    Down,
    DownChannel,
    RecorderTopic,
    Table,
    Up,
    UpChannel,
    parse_topic,
)

TOPICS = {
    "tc/v1/main/up/clock-07/ev": Up("main", "clock-07", UpChannel.EVENT),
    "tc/v1/main/up/cam-1/raw/thumb": Up("main", "cam-1", UpChannel.RAW, "thumb"),
    "tc/v1/main/down/cam-1/ack": Down("main", "cam-1", DownChannel.ACK),
    "tc/v1/main/pub/table/12/state": Table("main", Audience.PUBLIC, 12, "state"),
    "tc/v1/main/int/table/9999/alert": Table("main", Audience.INTERNAL, 9999, "alert"),
    "tc/v1/main/sys/recorder/r1/state": RecorderTopic("main", "r1"),
}


@pytest.mark.parametrize("text", TOPICS)
def test_topics_are_spelt_and_read_in_one_place(text: str):
    """Building and parsing are each other's inverse."""
    assert str(TOPICS[text]) == text
    assert parse_topic(text) == TOPICS[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tc/v1/main",
        "tc/v2/main/up/clock-07/ev",
        "tc/v1/main/up/clock-07/event",
        "tc/v1/main/up/Clock/ev",
        "tc/v1/main/up//ev",
        "tc/v1/main/up/clock-07/raw",
        "tc/v1/main/up/clock-07/ev/x",
        "tc/v1/main/down/clock-07/ev",
        "tc/v1/main/pub/table/0/state",
        "tc/v1/main/pub/table/012/state",
        "tc/v1/main/pub/table/10000/state",
        "tc/v1/main/sys/recorder/r1/other",
        "tc/v1/main/up/+/ev",
        "tc/v1/main/up/" + "x" * 33 + "/ev",
        "/tc/v1/main/up/clock-07/ev",
    ],
)
def test_a_foreign_topic_is_refused(text: str):
    """Whatever is not ours is named in the complaint."""
    with pytest.raises(DeviceError, match="topic"):
        parse_topic(text)


def test_a_topic_cannot_be_built_from_a_bad_name():
    """A wildcard or a slash in a name of ours is a mistake of ours."""
    for name in ("+", "a/b", "", "Ä"):
        with pytest.raises(RecorderError):
            str(Up("main", name, UpChannel.EVENT))
    with pytest.raises(RecorderError):
        str(Table("main", Audience.PUBLIC, 0, "state"))


@pytest.mark.parametrize("topic", ["tc/v1/main/up/clock-07/state", "tc/v1/main/pub/table/1/state"])
def test_an_event_on_a_topic_that_carries_none_is_refused(topic: str):
    """State is not an event, and nobody else's topic is a device's."""
    event = Envelope(dev="clock-07", boot="0000abcd", seq=1, t_ms=1, type="clock.press", data={})
    with pytest.raises(DeviceError, match="carries no events"):
        decode_envelope(topic, encode_envelope(event))

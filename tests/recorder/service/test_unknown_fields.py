"""What of an event no field of its type takes is kept short, and its sender named."""

import json
from typing import Any

import pytest

from recorder.domain.limits import MOST_UNKNOWN_BYTES
from recorder.service.incoming.admission import Admission, MessageRefusedError, Refusal

TOPIC = "tc/v1/main/up/clock-1/ev"
PRESSED = {"side": "R", "left_ms": 9, "right_ms": 9, "running": "L"}


def event(**more: Any) -> bytes:
    """A press with fields of its sender's invention."""
    said = {"v": 1, "dev": "clock-1", "boot": "0a0a0a0a", "seq": 7, "t": 5}
    return json.dumps({**said, "type": "clock.press", "data": {**PRESSED, **more}}).encode()


def test_a_little_more_is_kept_for_a_later_release() -> None:
    admitted = Admission({"clock-1": "mqtt-clock"}).admit(TOPIC, event(battery=97))
    assert admitted.data["battery"] == 97


@pytest.mark.parametrize("junk", ["x" * 60_000, ["x"] * 2_000, {"a": "y" * MOST_UNKNOWN_BYTES}])
def test_much_more_is_refused_with_its_senders_name(junk: object) -> None:
    """Its number is dealt with, so that it does not stop its own device."""
    admission = Admission({"clock-1": "mqtt-clock"})
    with pytest.raises(MessageRefusedError, match=r"clock-1: clock\.press with") as refused:
        admission.admit(TOPIC, event(x=junk))
    assert (refused.value.reason, refused.value.key) == (
        Refusal.MALFORMED,
        ("clock-1", "0a0a0a0a", 7),
    )


def test_what_is_long_and_cannot_be_read_counts_as_unknown() -> None:
    """A field of another type hides nothing."""
    admission = Admission({"clock-1": "mqtt-clock"})
    with pytest.raises(MessageRefusedError, match="fields that are not its own"):
        admission.admit(TOPIC, event(left_ms="x" * 9_000))

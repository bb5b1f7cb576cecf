"""What scales, rack counters, slips and time comparisons may not say."""

from typing import Any

import pytest

from recorder.domain.errors import DeviceError
from recorder.wire.observations import decode_observation, encode_observation
from tests.recorder.wire.wire_samples import OBSERVATIONS

EMPTY_ROW = {"mark": "empty", "letter": "", "confidence": 1, "marked": ""}
SAMPLES = dict(map(encode_observation, OBSERVATIONS[::-1]))


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        pytest.param("rack.count", {"side": "N"}, "side must be L or R", id="nobody's rack"),
        pytest.param("rack.count", {"count": 7}, r"count must be .* 6\.\.6", id="another count"),
        pytest.param("rack.count", {"places": "##x"}, "places must be", id="unknown place"),
        pytest.param("bag.weight", {"grams": "9"}, "grams must be a number", id="text"),
        pytest.param("bag.weight", {"spread_g": -1}, "spread_g must be", id="negative spread"),
        pytest.param("bag.weight", {"settled": 1}, "settled must be true", id="settled 1"),
        pytest.param("bag.weight", {"taken": {"count": 1}}, "probability is missing", id="half"),
        pytest.param(
            "bag.weight",
            {"tiles": {"count": -1, "probability": 1, "alternatives": []}},
            r"count must be .* 0\.\.200",
            id="less than no tiles",
        ),
        pytest.param(
            "bag.weight",
            {"tiles": {"count": 1, "probability": 1, "alternatives": [[1.5, 0.1]]}},
            "alternatives must be",
            id="half a tile",
        ),
        pytest.param("bag.returned", {"away_ms": -1}, "away_ms must be", id="before it left"),
        pytest.param("bag.lifted", {"grams": True}, "grams must be", id="grams true"),
        pytest.param("slip.seen", {"entries": {}}, "entries must be an array", id="no array"),
        pytest.param("slip.seen", {"entries": [EMPTY_ROW] * 9}, "at most 8", id="nine blanks"),
        pytest.param(
            "slip.seen",
            {"entries": [{"mark": "letter", "letter": "", "confidence": 1, "marked": ""}]},
            "letter must be a letter",
            id="a letter that is none",
        ),
        pytest.param(
            "slip.seen",
            {"entries": [{"mark": "empty", "letter": "A", "confidence": 1, "marked": ""}]},
            "letter must be a letter",
            id="a letter on an empty row",
        ),
        pytest.param("slip.seen", {"picture": "x"}, "picture must be", id="picture"),
        pytest.param("time.sync", {"reference": "sun"}, "reference must be", id="reference"),
        pytest.param("time.sync", {"error_ms": -1}, "error_ms must be", id="error"),
        pytest.param("clock.doubt", {"fault": "ugly"}, "fault must be one of drift", id="fault"),
        pytest.param("clock.doubt", {"detail": 7}, "detail must be", id="no code"),
    ],
)
def test_a_wrong_reading_is_named(name: str, change: dict[str, Any], fault: str):
    """The complaint names the field and what was expected."""
    with pytest.raises(DeviceError, match=fault):
        decode_observation(name, {**SAMPLES[name], **change})

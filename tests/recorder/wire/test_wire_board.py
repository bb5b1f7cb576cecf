"""What looks carry beside their squares: messages of earlier versions, and malformed ones."""

from typing import Any

import pytest

from recorder.domain.errors import DeviceError
from recorder.domain.observations import BoardSeen, RackSeen
from recorder.wire.observations import decode_observation, encode_observation
from tests.recorder.wire.wire_samples import OBSERVATIONS

BOARD = next(seen for seen in OBSERVATIONS if isinstance(seen, BoardSeen) and seen.changes)
RACK = next(seen for seen in OBSERVATIONS if isinstance(seen, RackSeen) and seen.doubtful)
CHANGE = {"square": 7, "was": ".", "now": "A", "confidence": 0.9}


def test_looks_from_before_changes_were_told_are_read():
    """A log of an earlier version has neither changes nor hidden squares."""
    type_name, data = encode_observation(BOARD)
    new = {"since", "changes", "hidden", "moving", "letters_turned", "turned_tiles"}
    old = {k: v for k, v in data.items() if k not in new}
    seen = decode_observation(type_name, old)
    assert isinstance(seen, BoardSeen)
    assert seen.squares == BOARD.squares
    assert (seen.since, seen.changes, seen.hidden, seen.moving) == ("", (), (), False)
    assert (seen.letters_turned, seen.turned_tiles) == (None, ())


def test_racks_from_before_doubts_were_told_are_read():
    """The least certain tile is known, which one it is is not."""
    type_name, data = encode_observation(RACK)
    del data["doubtful"]
    seen = decode_observation(type_name, data)
    assert isinstance(seen, RackSeen)
    assert (seen.letters, seen.doubtful) == (RACK.letters, ())


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("changes", [{**CHANGE, "square": 225}], "square"),
        ("changes", [{**CHANGE, "now": "AB"}], "now"),
        ("changes", [{**CHANGE, "confidence": 1.5}], "confidence"),
        ("changes", [CHANGE] * 226, "changes"),
        ("hidden", [225], "hidden"),
        ("hidden", [-1], "hidden"),
        ("moving", 1, "moving"),
        ("since", 7, "since"),
        ("letters_turned", 45, "letters_turned"),
        ("letters_turned", 360, "letters_turned"),
        ("turned_tiles", [{"square": 225, "degrees": 180}], "square"),
        ("turned_tiles", [{"square": 7, "degrees": 0}], "degrees"),
    ],
)
def test_a_malformed_addition_is_refused_by_its_field(field: str, value: Any, named: str):
    """What is there has to be right, though it need not be there."""
    type_name, data = encode_observation(BOARD)
    with pytest.raises(DeviceError, match=named):
        decode_observation(type_name, {**data, field: value})


def test_a_doubt_about_a_tile_that_is_not_there_is_refused():
    type_name, data = encode_observation(RACK)
    with pytest.raises(DeviceError, match="doubtful"):
        decode_observation(type_name, {**data, "doubtful": [len(RACK.letters) + 1]})

"""A message is its dataclass: what the codec makes of types, limits and defaults."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.declared.codec import Codec, RuleFault
from recorder.domain.errors import DeviceError
from recorder.domain.limits import AtMost, FreeText, Like, Long, OneOf, Within
from recorder.wire.events import decode_event, encode_event
from recorder.wire.observations import decode_observation, encode_observation
from recorder.wire.orders import decode_order, encode_order
from tests.recorder.wire.test_wire_orders import ORDERS
from tests.recorder.wire.wire_samples import EVENTS, OBSERVATIONS, through_json

pytestmark = pytest.mark.slow


class Colour(StrEnum):
    """For the samples below."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """An object inside another one."""

    letter: Annotated[str, Like("[A-Z]")]
    points: Annotated[int, Within(0, 10)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Its fields stand in the object it belongs to."""

    row: int
    col: int = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One field of every kind."""

    count: int
    share: Annotated[float, Within(0, 1)]
    name: Annotated[str, Long(1, 5)]
    colour: Annotated[Colour, OneOf((Colour.RED,), "red")]
    spot: Spot
    seen: bool
    at_ms: int = 0
    grams: float | None
    angle: Annotated[int, OneOf((0, 90), "0 or 90")] = 0
    tiles: Annotated[tuple[Tile, ...], AtMost(2)] = ()
    pair: tuple[int, FreeText] = (1, "one")
    facts: Mapping[str, int | FreeText | bool] = field(default_factory=dict)
    home: Spot | None = None
    last: Tile | None = None

    @property
    def total(self) -> int:
        return sum(tile.points for tile in self.tiles)


def twice(sample: Sample) -> RuleFault | None:
    """A rule: red comes with a name of its own."""
    if sample.name != "blue":
        return None
    return RuleFault("name", "another name than blue", sample.name)


def same(tile: Tile) -> RuleFault | None:
    """A rule of the inner object."""
    return RuleFault("points", "less with a Z", tile.points) if tile.letter == "Z" else None


SAMPLE: Codec[Sample] = Codec(
    Sample,
    "sample",
    renamed={"at_ms": "t"},
    spared=["angle", "pair", "facts", "last"],
    inline={"spot": Codec(Spot), "home": Codec(Spot, renamed={"row": "y", "col": "x"})},
    derived=["total"],
    types={Tile: Codec(Tile, rule=same)},
    rule=twice,
)
PLAIN: dict[str, Any] = {
    "count": 3,
    "share": 0.5,
    "name": "Ann",
    "colour": "red",
    "seen": True,
    "t": 9,
    "grams": None,
    "tiles": [{"letter": "A", "points": 4}],
    "row": 2,
    "total": 4,
}
FULL = Sample(
    count=3,
    share=0.5,
    name="Ann",
    colour=Colour.RED,
    seen=True,
    at_ms=9,
    grams=2.0,
    angle=90,
    pair=(2, "b\n"),
    facts={"a": 1, "b": "x", "c": True},
    tiles=(Tile(letter="A"), Tile(letter="B", points=3)),
    spot=Spot(row=2, col=3),
    home=Spot(row=4),
    last=Tile(letter="C"),
)


def test_a_value_comes_back_as_it_went():
    """With everything in it, and with nothing that need not be."""
    assert SAMPLE.read(through_json(SAMPLE.write(FULL))) == FULL
    told = SAMPLE.read(PLAIN)
    assert SAMPLE.read(through_json(SAMPLE.write(told))) == told
    assert (told.at_ms, told.home, told.spot, told.pair) == (9, None, Spot(row=2), (1, "one"))


def test_only_what_is_spared_is_left_out():
    """All other fields are written, at their defaults too; null is written where it may be."""
    assert SAMPLE.write(SAMPLE.read(PLAIN)) == {**PLAIN, "col": 7}


def test_null_is_the_same_as_nothing_where_there_is_a_default():
    told = SAMPLE.read({**PLAIN, "t": None, "tiles": [], "total": 0, "last": None, "col": None})
    assert (told.at_ms, told.tiles, told.last, told.spot.col) == (0, (), None, 7)
    with pytest.raises(DeviceError, match=r"^sample: count must be .*, got None"):
        SAMPLE.read({**PLAIN, "count": None})


def test_unknown_fields_are_ignored_even_where_they_bear_a_name_of_ours():
    """A later release may add some; none gets into the value by the name of a Python field."""
    told = SAMPLE.read({**PLAIN, "later": 1, "home": 5, "at_ms": "x", "spot": []})
    assert told == SAMPLE.read(PLAIN)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"count": True}, "sample: count must be a whole number 0..9007199254740991, got True"),
        ({"count": 1.0}, "sample: count must be a whole number 0..9007199254740991, got 1.0"),
        ({"count": 2**53}, "sample: count must be a whole number"),
        ({"count": 10**400}, "sample: count must be a whole number"),
        ({"share": 1.5}, "sample: share must be a number 0..1, got 1.5"),
        ({"share": True}, "sample: share must be a number 0..1, got True"),
        ({"share": 10**400}, "sample: share must be a number 0..1"),
        ({"grams": float("inf")}, "sample: grams must be a number, got inf"),
        ({"name": ""}, "sample: name must be printable text of 1..5 characters, got ''"),
        ({"name": "a\nb"}, "sample: name must be printable text"),
        ({"name": "\ud800"}, "sample: name must be printable text"),
        ({"name": "a\u202eb"}, "sample: name must be printable text"),
        ({"name": "blue"}, "sample: name must be another name than blue, got 'blue'"),
        ({"colour": "blue"}, "sample: colour must be red, got 'blue'"),
        ({"colour": 1}, "sample: colour must be red, got 1"),
        ({"seen": 1}, "sample: seen must be true or false, got 1"),
        ({"angle": 45}, "sample: angle must be 0 or 90, got 45"),
        ({"angle": 90.0}, "sample: angle must be 0 or 90, got 90.0"),
        ({"angle": False}, "sample: angle must be 0 or 90, got False"),
        ({"tiles": {}}, "sample: tiles must be an array of at most 2 objects, got {}"),
        ({"tiles": [1]}, "sample: tiles must be an array of at most 2 objects, got [1]"),
        ({"tiles": [{"letter": "A"}] * 3}, "sample: tiles must be an array of at most 2 objects"),
        ({"tiles": [{}]}, "sample tiles: letter is missing (expected text like [A-Z])"),
        ({"tiles": [{"letter": "a"}]}, "sample tiles: letter must be text like [A-Z], got 'a'"),
        ({"tiles": [{"letter": "A\n"}]}, "sample tiles: letter must be text like [A-Z]"),
        ({"tiles": [{"letter": "Z"}]}, "sample tiles: points must be less with a Z, got 1"),
        ({"last": {"letter": "Q", "points": 11}}, "sample last: points must be a whole number"),
        ({"last": 3}, "sample: last must be an object, got 3"),
        ({"pair": [1]}, "sample: pair must be a pair of whole numbers and texts, got [1]"),
        ({"facts": {"a": 1.5}}, "sample: facts must be an object"),
        ({"facts": []}, "sample: facts must be an object, got []"),
        ({"row": -1}, "sample: row must be a whole number"),
        ({"x": 3}, "sample: y is missing (expected a whole number 0..9007199254740991)"),
        ({"total": 5}, "sample: total must be a whole number 4..4, got 5"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], fault: str):
    """The innermost object, its field, what was wanted, what came."""
    with pytest.raises(DeviceError) as err:
        SAMPLE.read({**PLAIN, **change})
    assert str(err.value).startswith(fault)


@pytest.mark.parametrize("name", sorted(set(PLAIN) - {"t", "tiles"}))
def test_what_is_missing_is_named(name: str):
    """Every field without a default has to be there."""
    with pytest.raises(DeviceError, match=rf"^sample: {name} is missing"):
        SAMPLE.read({key: value for key, value in PLAIN.items() if key != name})


def test_a_type_that_no_message_has_is_refused_when_it_is_declared():
    """Rather than read without a check."""

    @dataclass(frozen=True, slots=True)
    class Odd:
        data: bytes

    with pytest.raises(TypeError, match="no message has"):
        _ = Codec(Odd, "odd").fields


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
MESSAGES = [
    *((decode_observation, *encode_observation(one)) for one in OBSERVATIONS),
    *((decode_event, *encode_event(one)) for one in EVENTS),
    *((decode_order, *encode_order(one)) for one in ORDERS),
]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(MESSAGES), st.integers(0, 20), JSON)
def test_whatever_stands_in_a_field_nothing_but_a_complaint_comes(
    message: tuple[Any, str, dict[str, Any]], at: int, value: Any
):
    """A value, or DeviceError; never another exception."""
    decode, type_name, data = message
    name = sorted(data)[at % len(data)] if data else "x"
    with suppress(DeviceError):
        decode(type_name, {**through_json(data), name: value})

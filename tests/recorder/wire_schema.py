"""JSON Schema of every message, drawn from the readers themselves: docs/schema.

``make schema`` writes the files anew. Each reader is run on the samples
with a reader of fields that notes what it is asked for; so the schema cannot say anything else than
the code, but for rules that tie fields together, which are in words in docs/wire.md.
"""

import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from recorder import wire
from recorder.wire import control, envelope, events, observations, orders, sensors
from recorder.wire.fields import BIGGEST_INTEGER, Fields
from tests.recorder import wire_samples as samples
from tests.recorder.test_wire_orders import ORDERS

FOLDER = Path(__file__).parents[2] / "docs" / "schema"
DRAFT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


class _Traced(dict[str, Any]):
    """An object that a reader was given, the schema that its reading adds to, the how manieth."""

    def __init__(self, value: wire.Json, schema: Schema) -> None:
        super().__init__(value)
        schema[_OBJECTS] += 1
        self.schema, self.number = schema, schema[_OBJECTS]


_OBJECTS, _READ = " objects", " read"
"""While tracing: how many objects were read with a schema, and in which of them each field."""


def _object() -> Schema:
    return {"type": "object", "properties": {}, _OBJECTS: 0, _READ: {}}


def _finished(schema: Any) -> Any:
    """The schema without the notes of tracing: required is what was read in every object."""
    if isinstance(schema, list):
        return [_finished(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _finished(one) for key, one in schema.items() if key not in (_OBJECTS, _READ)}
    if _OBJECTS in schema:
        times = schema[_OBJECTS]
        plain["required"] = [name for name, seen in schema[_READ].items() if len(seen) == times]
    return plain


class TracingFields(Fields):
    """Reads like ``Fields`` and notes each question in a schema."""

    __slots__ = ("_maybe", "_number", "_schema")
    root: _Traced
    """What stands for an object that came from nowhere: a message as a whole."""

    def __init__(self, value: object, where: str) -> None:
        super().__init__(value, where)
        traced = value if isinstance(value, _Traced) else TracingFields.root
        self._schema, self._number = traced.schema, traced.number
        self._maybe: set[str] = set()

    def has(self, name: str) -> bool:
        """See ``Fields``."""
        self._maybe.add(name)
        return super().has(name)

    def text(self, name: str, *, least: int = 0, most: int = 200) -> str:
        """See ``Fields``."""
        self._note(name, {"type": "string", "minLength": least, "maxLength": most})
        return super().text(name, least=least, most=most)

    def matching(self, name: str, pattern: re.Pattern[str]) -> str:
        """See ``Fields``."""
        # A letter, to Python; other languages' \W knows no umlauts.
        plain = pattern.pattern.replace(r"[^\W\d_]", "[A-Za-zÄÖÜäöü]")
        plain = plain.replace(r"[^\W\d_", "[A-Za-zÄÖÜäöü")
        self._note(name, {"type": "string", "pattern": f"^(?:{plain})$"})
        return super().matching(name, pattern)

    def integer(self, name: str, low: int = 0, high: int = BIGGEST_INTEGER) -> int:
        """See ``Fields``."""
        # A range of one value is a count that follows from another field.
        ends = (0, BIGGEST_INTEGER) if low == high else (low, high)
        if name == "v":
            self._note(name, {"const": wire.VERSION})
        else:
            self._note(name, {"type": "integer", "minimum": ends[0], "maximum": ends[1]})
        return super().integer(name, low, high)

    def number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float:
        """See ``Fields``."""
        ends = {"minimum": low, "maximum": high}
        finite = {key: end for key, end in ends.items() if math.isfinite(end)}
        self._note(name, {"type": "number", **finite})
        return super().number(name, low, high)

    def flag(self, name: str) -> bool:
        """See ``Fields``."""
        self._note(name, {"type": "boolean"})
        return super().flag(name)

    def choice(self, name: str, kinds: type[Any]) -> Any:
        """See ``Fields``."""
        assert issubclass(kinds, StrEnum)
        self._note(name, {"enum": [kind.value for kind in kinds]})
        return super().choice(name, kinds)

    def object(self, name: str) -> wire.Json:
        """See ``Fields``."""
        noted = self._note(name, _object())
        return _Traced(super().object(name), noted)

    def texts(self, name: str, *, count: int | None = None, most: int = 200) -> tuple[str, ...]:
        """See ``Fields``."""
        self._note(name, _array({"type": "string", "maxLength": most}, count))
        return super().texts(name, count=count, most=most)

    def integers(self, name: str, *, count: int | None = None) -> tuple[int, ...]:
        """See ``Fields``."""
        self._note(name, _array({"type": "integer"}, count))
        return super().integers(name, count=count)

    def points(self, name: str, *, count: int) -> tuple[tuple[float, float], ...]:
        """See ``Fields``."""
        self._note(name, _array(_array({"type": "number"}, 2), count))
        return super().points(name, count=count)

    def pairs(self, name: str, *, most: int) -> tuple[tuple[float, float], ...]:
        """See ``Fields``."""
        self._note(name, {**_array(_array({"type": "number"}, 2), None), "maxItems": most})
        return super().pairs(name, most=most)

    def objects(self, name: str, *, most: int) -> tuple[wire.Json, ...]:
        """See ``Fields``."""
        noted = self._note(name, {**_array(_object(), None), "maxItems": most})
        return tuple(_Traced(one, noted["items"]) for one in super().objects(name, most=most))

    def _note(self, name: str, asked: Schema) -> Schema:
        properties = self._schema["properties"]
        if name not in self._maybe:
            self._schema[_READ].setdefault(name, set()).add(self._number)
        before: Schema | None = properties.get(name)
        if before is None:
            properties[name] = before = asked
        elif "minimum" in before and "minimum" in asked:
            before["minimum"] = min(before["minimum"], asked["minimum"])
            before["maximum"] = max(before["maximum"], asked["maximum"])
        if name in self._maybe and "type" in before and isinstance(before["type"], str):
            before["type"] = [before["type"], "null"]
        elif name in self._maybe and "enum" in before and None not in before["enum"]:
            before["enum"].append(None)
        return before


def _array(items: Schema, count: int | None) -> Schema:
    ends = {} if count is None else {"minItems": count, "maxItems": count}
    return {"type": "array", "items": items, **ends}


@contextmanager
def _tracing() -> Iterator[None]:
    modules = (control, envelope, events, observations, orders, sensors)
    for module in modules:
        module.Fields = TracingFields  # type: ignore[attr-defined, misc]
    try:
        yield
    finally:
        for module in modules:
            module.Fields = Fields  # type: ignore[attr-defined, misc]


def schemas() -> dict[str, Schema]:
    """The schema of every message by the name of its file."""
    found: dict[str, Schema] = {}
    with _tracing():
        for name, data in map(wire.encode_observation, samples.OBSERVATIONS):
            _trace(found, name, lambda n=name, d=data: wire.decode_observation(n, d))
        for name, data in map(wire.encode_event, samples.EVENTS):
            _trace(found, name, lambda n=name, d=data: wire.decode_event(n, d))
        name, data = wire.encode_started(samples.STARTED)
        _trace(found, name, lambda: wire.decode_started(data))
        for name, data in map(wire.encode_order, ORDERS):
            _trace(found, name, lambda n=name, d=data: wire.decode_order(n, d))
        for message in samples.CONTROLS:
            payload, read = wire.encode(message), samples.READERS[type(message)]
            _trace(found, type(message).__name__, lambda r=read, p=payload: r(p))
        sent = wire.encode_envelope(samples.envelope())
        _trace(found, "Envelope", lambda: wire.decode_envelope(samples.EV, sent))
    return {
        name: {"$schema": DRAFT, "title": name, **_finished(schema)}
        for name, schema in sorted(found.items())
    }


def _trace(found: dict[str, Schema], name: str, read: Any) -> None:
    TracingFields.root = _Traced({}, found.setdefault(name, _object()))
    read()


def written(schema: Schema) -> str:
    """The text of a file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the folder anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name, schema in schemas().items():
        (FOLDER / f"{name}.json").write_text(written(schema), encoding="utf-8")


if __name__ == "__main__":
    main()

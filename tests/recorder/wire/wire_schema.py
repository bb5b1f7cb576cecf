"""JSON Schema of every message, drawn from what reads it: docs/schema.

``make schema`` writes the files again (``tests.write_schema``). pydantic derives them from the very
schemas that its core checks messages with; what ties fields together is in words, in docs/wire.md.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from recorder.declared.codec import Codec
from recorder.declared.field_types import PRINTABLE
from recorder.wire import (
    control,
    envelope,
    event_orders,
    events,
    notices,
    observations,
    orders,
    rows,
)
from recorder.wire.envelope import VERSION
from recorder.wire.row_heads import STARTED_TYPE

FOLDER = Path(__file__).parents[3] / "docs" / "schema"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
ROWS: Mapping[str, Codec[Any]] = {
    "row.recorded": rows.RECORDED,
    "row.corrected": rows.CORRECTED,
    rows.NOTICE_OVER_TYPE: rows.NOTICE_OVER,
    rows.ORDER_REFUSED.where: rows.ORDER_REFUSED,
    rows.ORDER_REPEATED.where: rows.ORDER_REPEATED,
    rows.MESSAGE_REFUSED_TYPE: rows.MESSAGE_REFUSED,
}

Schema = dict[str, Any]


class _Generator(GenerateJsonSchema):
    """Says what is so for readers in any language: no titles, no defaults, null for what may be."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - none has one
        """A field's name is its name."""
        return False

    def str_schema(self, schema: core_schema.StringSchema) -> Schema:
        """Patterns in the dialect of JSON Schema; that a text is printable is in words."""
        found: Schema = super().str_schema(schema)
        pattern = found.pop("pattern", PRINTABLE)
        if pattern != PRINTABLE:
            # A letter, to us; other languages' \W knows no umlauts.
            plain = pattern.replace(r"[^\W\d_]", "[A-Za-zÄÖÜäöü]")
            found["pattern"] = plain.replace(r"[^\W\d_", "[A-Za-zÄÖÜäöü")
        return found

    def chain_schema(self, schema: core_schema.ChainSchema) -> Schema:
        """What is let through by the last step that looks at JSON."""
        steps = [step for step in schema["steps"] if step["type"] != "function-plain"]
        return self.generate_inner(steps[-1])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Schema:
        """What may be left out may be null, too."""
        inner = schema["schema"]
        if inner["type"] == "nullable":
            return self.generate_inner(inner)
        return _or_null(self.generate_inner(inner))

    def nullable_schema(self, schema: core_schema.NullableSchema) -> Schema:
        return _or_null(self.generate_inner(schema["schema"]))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> Schema:
        """An object without the name of its class."""
        found: Schema = super().dataclass_schema(schema)
        found.pop("title", None)
        if schema["schema"].get("extra_behavior") == "forbid":
            found["additionalProperties"] = False
        return found


def _or_null(schema: Schema) -> Schema:
    if "const" in schema:
        return {"enum": [schema["const"], None]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None], "type": [schema["type"], "null"]}
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return schema


def of_codec(codec: Codec[Any], *, v: bool = False) -> Schema:
    """The schema of an object as the codec reads it; with ``v`` also of its version."""
    own: Schema = _Generator().generate(codec.own)
    found = {name: one for name, one in own["properties"].items() if name not in codec.inline}
    needed = [name for name in own.get("required", ()) if name not in codec.inline]
    for name, inside in codec.inline.items():
        part = of_codec(inside)
        found |= part["properties"]
        needed += part["required"] if name in codec.required else []
    for name in codec.derived:
        found[name] = {"type": "integer", "minimum": 0}
        needed.append(name)
    if v:
        found, needed = {"v": {"const": VERSION}, **found}, ["v", *needed]
    about = {key: own[key] for key in ("description", "$defs") if key in own}
    closed = {"additionalProperties": False} if codec.is_closed else {}
    return {**about, "type": "object", "properties": found, "required": needed, **closed}


def _of_order(codec: Codec[Any], about: Codec[Any] = orders.HEAD) -> Schema:
    head, own = of_codec(about), of_codec(codec)
    return {
        **own,
        "properties": {**head["properties"], **own["properties"]},
        "required": [*head["required"], *own["required"]],
    }


def titled(found: Mapping[str, Schema]) -> dict[str, Schema]:
    return {
        name: {"$schema": DRAFT, "title": name, **schema} for name, schema in sorted(found.items())
    }


def schemas() -> dict[str, Schema]:
    typed = {**observations.OBSERVATION_TYPES, **events.EVENT_TYPES, **ROWS}
    found = {name: of_codec(codec) for name, codec in typed.items()}
    found[STARTED_TYPE] = of_codec(events.STARTED)
    found |= {name: _of_order(codec) for name, codec in orders.ORDER_TYPES.items()}
    found |= {
        name: _of_order(codec, event_orders.EVENT_HEAD)
        for name, codec in event_orders.EVENT_ORDER_TYPES.items()
    }
    found |= {kind.__name__: of_codec(codec, v=True) for kind, codec in control.CONTROLS.items()}
    found["Envelope"] = of_codec(envelope.ENVELOPE, v=True)
    found["OrderReply"] = of_codec(orders.REPLY, v=True)
    found[rows.NOTICE_TYPE] = _of_notice()
    return titled(found)


def _of_notice() -> Schema:
    """Turn and rows of a notice stand in its row."""
    found = of_codec(notices.NOTICE)
    for name in ("ref", "refs"):
        del found["properties"][name]
        found["required"].remove(name)
    return found


def written(schema: Schema) -> str:
    """The text of a file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"

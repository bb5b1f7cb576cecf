"""The types of messages for the pages' scripts, drawn from their declarations: messages.d.ts.

Made of the same JSON Schemas that docs/schema publishes, so that reader, schema and script agree.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from recorder.wire import control
from recorder.wire.control import Ack, Command
from recorder.wire.events import EVENT_TYPES
from recorder.wire.observations import OBSERVATION_TYPES
from recorder.wire.orders import ORDER_TYPES
from tests.recorder.wire.wire_schema import Schema, of_codec

FILE = Path(__file__).parents[1] / "dashboard" / "static" / "js" / "shared" / "messages.d.ts"
HEAD = """\
/**
 * Messages as Python declares them; `make schema` writes this file, nobody else. What a key means
 * and what its limits are is in docs/wire.md and docs/schema. What may be left out may be null too.
 * What pages are drawn from is not a message: frames.d.ts has it.
 */
"""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def text() -> str:
    parts = [
        _record("Observations", OBSERVATION_TYPES, "What devices say, by type."),
        _record("GameEvents", EVENT_TYPES, "Events of the game, by type."),
        _record("Acts", ORDER_TYPES, "What orders of a director say, by type."),
        _interface("Ack", of_codec(control.CONTROLS[Ack])),
        _interface("Command", of_codec(control.CONTROLS[Command])),
    ]
    return HEAD + "".join(f"\n{part}\n" for part in parts)


def _record(name: str, codecs: Mapping[str, Any], about: str) -> str:
    """One interface, with the data of each type of message."""
    lines = (f"  {json.dumps(key)}: {typed(of_codec(codec))};" for key, codec in codecs.items())
    return "\n".join([f"/** {about} */", f"export interface {name} {{", *lines, "}"])


def _interface(name: str, schema: Schema) -> str:
    about = " ".join(schema["description"].replace("``", "`").split())
    keys = (f"  {key};" for key in _keys(schema))
    return "\n".join([f"/** {about} */", f"export interface {name} {{", *keys, "}"])


def typed(schema: Schema) -> str:
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return _either(map(typed, schema[union]))
    kinds = schema.get("type", [])
    return _either(
        _of_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)
    )


def _either(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types)) or "any"


def _of_kind(kind: str, schema: Schema) -> str:
    return _PLAIN.get(kind) or _HOLDING[kind](schema)


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(typed, schema['prefixItems']))}]"
    held = typed(schema.get("items", {}))
    return f"({held})[]" if "|" in held else f"{held}[]"


def _object(schema: Schema) -> str:
    if "properties" in schema:
        return "{ " + "; ".join(_keys(schema)) + " }" if schema["properties"] else "{}"
    values = [*schema.get("patternProperties", {}).values()]
    held = values[0] if values else schema.get("additionalProperties")
    return f"Record<string, {typed(held) if isinstance(held, dict) else 'any'}>"


def _keys(schema: Schema) -> list[str]:
    """``name: type``, with a question mark where it may be left out."""
    needed = set(schema.get("required", ()))
    return [
        f"{name}{'' if name in needed else '?'}: {typed(held)}"
        for name, held in schema["properties"].items()
    ]


_HOLDING: Mapping[str, Callable[[Schema], str]] = {"array": _array, "object": _object}

"""What changed between two models, as small as it can be told, and how a page puts it together.

A change names its keys. A plain key holds the new value whole. A key that ends in ``/`` holds the
changes inside: of an object by key, of a list by place (``+``: what was added at its end), of a
string of the same length by the place from which characters are overwritten. Whatever cannot be
told so, or not shorter, is sent whole. Pure; ``static/js/shared/delta.js`` is its other half.
"""

import json
from collections.abc import Mapping
from typing import Any

from recorder.wire import Json

_WHOLE = object()
_BASIC_PLANE = 0x10000


def changes_between(before: Json, after: Json) -> Json:
    """The changes that make ``after`` of ``before``; a key that is gone is told as null."""
    changes: Json = {}
    for key, value in after.items():
        if key not in before:
            changes[key] = value
        elif before[key] != value:
            changes |= _told(key, before[key], value)
    return changes | {key: None for key in before if key not in after}


def applied(value: Any, changes: Mapping[str, Any]) -> Any:
    """The value with its changes, as a page makes it; the one given stays as it is."""
    if isinstance(value, str):
        for at, text in changes.items():
            start = int(at)
            value = value[:start] + text + value[start + len(text) :]
        return value
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    for key, change in changes.items():
        if key == "+":
            copy.extend(change)
            continue
        inside = key.endswith("/")
        name: Any = key[:-1] if inside else key
        place = int(name) if isinstance(copy, list) else name
        copy[place] = applied(copy[place], change) if inside else change
    return copy


def _told(key: str, before: Any, after: Any) -> Json:
    """The change of one key: inside it where that is shorter, else whole."""
    inside = _inside(before, after)
    if inside is _WHOLE or _size({f"{key}/": inside}) >= _size({key: after}):
        return {key: after}
    return {f"{key}/": inside}


def _inside(before: Any, after: Any) -> Any:
    if isinstance(before, dict) and isinstance(after, dict):
        return _of_object(before, after)
    if isinstance(before, list) and isinstance(after, list):
        return _of_list(before, after)
    if isinstance(before, str) and isinstance(after, str):
        return _of_text(before, after)
    return _WHOLE


def _of_object(before: Json, after: Json) -> Any:
    names = before.keys() | after.keys()
    if before.keys() - after.keys() or any(str(name).endswith(("/", "+")) for name in names):
        return _WHOLE
    told: Json = {}
    for key, value in after.items():
        if key not in before:
            told[key] = value
        elif before[key] != value:
            told |= _told(key, before[key], value)
    return told


def _of_list(before: list[Any], after: list[Any]) -> Any:
    if len(after) < len(before):
        return _WHOLE
    told: Json = {}
    for at, (was, now) in enumerate(zip(before, after, strict=False)):
        if was != now:
            told |= _told(str(at), was, now)
    return told | ({"+": after[len(before) :]} if len(after) > len(before) else {})


def _of_text(before: str, after: str) -> Any:
    """Runs of changed characters by their place; only where a page counts characters as we do."""
    if len(before) != len(after) or any(ord(one) >= _BASIC_PLANE for one in before + after):
        return _WHOLE
    told: Json = {}
    start = None
    for at, (was, now) in enumerate(zip(before, after, strict=True)):
        if was == now:
            start = None
        elif start is None:
            start = str(at)
            told[start] = now
        else:
            told[start] += now
    return told


def _size(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False))

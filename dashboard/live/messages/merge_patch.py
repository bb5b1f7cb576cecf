"""JSON Merge Patch (RFC 7396): what changed between two models, and how a page applies it.

A null in a patch takes a key away, so a value cannot become null: no object that a page is sent has
a key without a value, ``without_nulls`` leaves them out. Lists are replaced whole, with whatever is
in them. A patch does not tell the order of keys: where that matters, a snapshot is due. Pure;
``static/js/shared/merge-patch.js`` is the page's half.
"""

from collections.abc import Mapping
from typing import Any

from recorder.declared.codec import Json


def without_nulls(model: Mapping[str, Any]) -> Json:
    """A model as pages are sent it: without the keys that are null; lists stay as they are."""
    return {key: _bare(value) for key, value in model.items() if value is not None}


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """What changed, for a page that has ``without_nulls(before)``; empty where nothing did."""
    patch: Json = {key: None for key, was in before.items() if was is not None and key not in after}
    for key, value in after.items():
        was = before.get(key)
        if was == value:
            continue
        if isinstance(was, dict) and isinstance(value, dict):
            patch |= {key: inside} if (inside := merge_patch(was, value)) else {}
        else:
            patch[key] = _bare(value)
    return patch


def patched(target: Any, patch: Any) -> Any:
    """The target with the patch applied, as RFC 7396 says; the one given stays as it is."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = patched(merged.get(key), value)
    return merged


def _bare(value: Any) -> Any:
    return without_nulls(value) if isinstance(value, dict) else value

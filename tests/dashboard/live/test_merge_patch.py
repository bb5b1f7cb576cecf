"""Changes as JSON Merge Patch (RFC 7396): put together they are what pages are sent."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.live.messages.merge_patch import merge_patch, patched, without_nulls
from recorder.declared.codec import Json

pytestmark = pytest.mark.slow

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)
MODELS = st.dictionaries(st.sampled_from("abc"), VALUES)
EXAMPLES: tuple[tuple[Any, Any, Any], ...] = (
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
)
"""Of RFC 7396, Appendix A: target, patch, result."""


@settings(max_examples=30)
@given(MODELS, MODELS)
def test_a_patch_makes_the_one_of_the_other(before: Json, after: Json) -> None:
    """Whatever the two models are; what a model gives as null, no page has."""
    kept = copy.deepcopy(before)
    assert patched(without_nulls(before), merge_patch(before, after)) == without_nulls(after)
    assert before == kept


@pytest.mark.parametrize(("target", "patch", "result"), EXAMPLES)
def test_a_patch_is_applied_as_the_standard_says(target: Any, patch: Any, result: Any) -> None:
    """The page's half is held to the same examples in ``tests/browser/overlays``."""
    assert patched(target, patch) == result

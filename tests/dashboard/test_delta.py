"""Changes are small, and put together they are the whole."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.live.delta import applied, changes_between
from recorder.wire import Json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)
MODELS = st.dictionaries(st.sampled_from("abc"), VALUES)


@settings(max_examples=60)
@given(MODELS, MODELS)
def test_changes_make_the_one_of_the_other(before: Json, after: Json) -> None:
    """Whatever the two models are; what is gone is null on the page."""
    kept = copy.deepcopy(before)
    gone = {key: None for key in before if key not in after}
    assert applied(before, changes_between(before, after)) == {**after, **gone}
    assert before == kept


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"b": 3}),
        ({"a": 1}, {}, {"a": None}),
        (
            {"tiles": {"A": 9, "B": 2, "C": 2, "D": 4}, "n": 1},
            {"tiles": {"A": 8, "B": 2, "C": 2, "D": 4}, "n": 1},
            {"tiles/": {"A": 8}},
        ),
        (
            {"board": ["." * 15] * 15},
            {"board": ["." * 15] * 7 + ["...ZEPHYR......"] + ["." * 15] * 7},
            {"board/": {"7/": {"3": "ZEPHYR"}}},
        ),
        (
            {"scores": [[0, 10, 0], [1, 10, 12]]},
            {"scores": [[0, 10, 0], [1, 10, 12], [0, 30, 12]]},
            {"scores/": {"+": [[0, 30, 12]]}},
        ),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}, {"a": {"x": 1}}),
        ({"a": "short"}, {"a": "longer than that"}, {"a": "longer than that"}),
    ],
)
def test_changes_are_told_as_short_as_they_can_be(before: Json, after: Json, changes: Json) -> None:
    """Inside where that is shorter, whole where it is not or cannot be."""
    assert changes_between(before, after) == changes

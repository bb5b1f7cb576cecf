"""A gap that parts the tiles and may hide a blank is one; nothing else becomes a tile."""

import numpy as np
import pytest

from devices.vision.geometry.pose import Floats
from devices.vision.squares.joined_tiles import joined_by_blanks
from recorder.domain.observations import SEEN

ROWS = (*["." * 15] * 7, "...TA.LE.......", *["." * 15] * 7)
GAP = 7 * 15 + 5
BLANK = SEEN.index("?")


def seen(rows: tuple[str, ...], blank: float) -> Floats:
    """A sure look, but that the gap is a blank by this probability."""
    chances = np.full((225, len(SEEN)), 1e-6)
    for square, symbol in enumerate("".join(rows)):
        chances[square, SEEN.index(symbol)] = 1.0
    chances[GAP, BLANK] = blank
    logs: Floats = np.log(chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)
    return logs.reshape(15, 15, len(SEEN))


@pytest.mark.parametrize(
    ("rows", "blank", "blanks", "is_filled"),
    [
        pytest.param(ROWS, 0.02, 2, True, id="the tiles hang together by it alone"),
        pytest.param(ROWS, 0.0003, 2, False, id="it surely is bare"),
        pytest.param(ROWS, 0.02, 0, False, id="the set has no blank left"),
        pytest.param((*ROWS[:8], "....NIL........", *ROWS[9:]), 0.3, 2, False, id="all touch"),
    ],
)
def test_a_gap_is_told_as_a_blank_where_it_joins(
    rows: tuple[str, ...], blank: float, blanks: int, *, is_filled: bool
):
    """No other square changes, and the blank stays doubtful."""
    before = seen(rows, blank)
    after = joined_by_blanks(before, blanks)
    changed = np.flatnonzero((after != before).reshape(225, -1).any(axis=1))
    assert changed.tolist() == ([GAP] if is_filled else [])
    if is_filled:
        chances = np.exp(after.reshape(225, -1)[GAP])
        assert chances[BLANK] == pytest.approx(0.8, abs=0.01)
        assert chances.sum() == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("elsewhere", "sure", "gives_way"),
    [
        pytest.param("...?...........", 0.89, True, id="an unsure blank that joins nothing"),
        pytest.param("...?...........", 0.99, False, id="a sure one"),
        pytest.param(".......?.......", 0.89, True, id="an unsure one at the end of a word"),
    ],
)
def test_the_last_blank_of_a_set_lies_where_it_joins(
    elsewhere: str, sure: float, *, gives_way: bool
):
    """Both squares are doubtful then: the one that is filled, and the one that is bare."""
    before = seen(ROWS, 0.01).reshape(225, -1)
    square = (7 if elsewhere[7] == "?" else 2) * 15 + elsewhere.index("?")
    before[square] = np.log(1e-6)
    before[square, BLANK] = np.log(sure)
    before[square, SEEN.index(".")] = np.log(1 - sure)
    after = np.exp(joined_by_blanks(before.reshape(15, 15, -1), 1).reshape(225, -1))
    best = [SEEN[int(after[place].argmax())] for place in (GAP, square)]
    assert best == (["?", "."] if gives_way else [".", "?"])
    if gives_way:
        assert after[[GAP, square]].max(axis=1) == pytest.approx(0.8, abs=0.01)

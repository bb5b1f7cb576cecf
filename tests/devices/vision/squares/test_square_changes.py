"""What is new and what is gone between two looks, on opinions made by hand."""

import numpy as np
import pytest

from devices.vision.squares.changes import LogProbs, changes_since, covered_squares, remembered
from recorder.domain.observations import SEEN
from recorder.domain.tile_text import read_tile


def _look(shown: dict[int, str], sure: float = 0.98) -> LogProbs:
    """A board that is empty but for these squares, each symbol as probable as ``sure``."""
    rest = np.log((1.0 - sure) / (len(SEEN) - 1))
    log_probs = np.full((225, len(SEEN)), rest, np.float32)
    for square in range(225):
        log_probs[square, SEEN.index(shown.get(square, "."))] = np.log(sure)
    return log_probs.reshape(15, 15, -1)


@pytest.mark.parametrize(
    ("was", "now"),
    [(".", "A"), ("A", "."), ("A", "Ä"), (".", "?")],
    ids=["new", "gone", "other", "blank"],
)
def test_a_change_says_what_was_and_what_is(was: str, now: str):
    """One square, with the probability of both looks together."""
    (change,) = changes_since(_look({7: was}), _look({7: now}))
    assert (change.square, str(change.was), str(change.now)) == (7, was, now)
    assert 0.9 < change.confidence <= 0.98


def test_an_unsure_look_makes_an_unsure_change():
    """A smudge that may be a tile is reported, and told to be unsure."""
    smudge = _look({})
    smudge[0, 7] = np.log(1e-4)
    smudge[0, 7, [0, 2]] = np.log([0.45, 0.5])
    (change,) = changes_since(_look({}), smudge)
    assert 0.4 < change.confidence < 0.6


def test_a_covered_square_has_no_change_and_keeps_what_was_known():
    """A hand comes over a tile and goes; what was laid under it is reported then."""
    before = remembered(None, _look({7: "A", 8: "B"}))
    hand = _look({7: "#", 8: "#", 9: "#"})
    assert covered_squares(hand) == (7, 8, 9)
    assert changes_since(before, hand) == ()
    known = remembered(before, hand)
    after = _look({7: "A", 9: "C"})
    assert [(c.square, c.was, c.now) for c in changes_since(known, after)] == [
        (8, read_tile("B"), read_tile(".")),
        (9, read_tile("."), read_tile("C")),
    ]


def test_a_square_that_was_covered_from_the_start_is_not_new():
    """Nobody knows what was there before the hand."""
    before = remembered(None, _look({7: "#"}))
    assert changes_since(before, _look({7: "A"})) == ()

"""What a network says is weighed by the tile set: letters, values, and letters of other sets."""

import numpy as np
import pytest

from devices.vision.squares.net import CLASSES, FOREIGN, VALUES, Knowledge, Opinion, _SetWeights
from recorder.domain.observations import SEEN
from recorder.tilesets import load_tile_set

KNOWN = Knowledge((*SEEN, "Ł", "CH", FOREIGN))


def _scores(labels: dict[str, float]) -> np.ndarray:
    """Outputs of a network that gives these chances."""
    scores = np.full((1, KNOWN.outputs), -12.0, np.float32)
    for label, chance in labels.items():
        scores[0, KNOWN.labels.index(label)] = np.log(chance)
    return scores


def _valued(tile_set: str, labels: dict[str, float], value: int | None = None) -> np.ndarray:
    """Log chances of a tile with these letters on which this value, or none for sure, is seen."""
    weights = _SetWeights(KNOWN, load_tile_set(tile_set))
    seen = np.full((1, VALUES), -8.0 if value is not None else 0.0, np.float32)
    if value is not None:
        seen[0, value] = 0.0
    return weights.with_values(weights.weighed(_scores(labels)).log_chances, seen)


def _letter(log_chances: np.ndarray, symbol: str) -> float:
    assert log_chances.shape == (1, CLASSES)
    return float(np.exp(log_chances[0, SEEN.index(symbol)]))


def _chance(opinion: Opinion, symbol: str) -> float:
    return float(np.exp(opinion.log_chances[0, SEEN.index(symbol)]))


@pytest.mark.parametrize(
    ("letters", "value", "right"),
    [("QO", 10, "Q"), ("QO", 1, "O"), ("BR", 1, "R"), ("CG", 2, "G"), ("VY", 4, None)],
)
def test_the_printed_value_decides_between_like_letters(
    letters: str, value: int, right: str | None
):
    """A glyph that may be either is the letter whose value is printed; equal values decide none."""
    first, second = letters
    chances = _valued("english", {first: 0.5, second: 0.5}, value)
    if right is None:
        assert _letter(chances, first) == pytest.approx(_letter(chances, second), abs=0.01)
    else:
        assert _letter(chances, right) > 0.93


def test_a_value_that_nobody_can_read_changes_nothing():
    """Without a legible digit the glyph alone counts."""
    chances = _valued("english", {"Q": 0.3, "O": 0.7})
    assert _letter(chances, "O") == pytest.approx(0.7, abs=0.02)


def test_values_are_those_of_the_events_set():
    letters = {"Z": 0.5, "N": 0.5}
    assert _letter(_valued("german", letters, 3), "Z") > 0.9
    assert abs(_letter(_valued("english", letters, 3), "Z") - 0.5) < 0.05


@pytest.mark.parametrize("label", ["CH", FOREIGN, "Ł", "Ö"])
def test_a_clear_letter_of_another_set_is_a_tile_in_doubt(label: str):
    """It is reported neither as a sure letter nor as a bare square."""
    english = _SetWeights(KNOWN, load_tile_set("english"))
    opinion = english.weighed(_scores({label: 0.99, "L": 0.005, "O": 0.005}))
    assert opinion.foreign[0] > 0.9
    assert np.exp(opinion.log_chances[0]).max() < 0.85
    assert _chance(opinion, ".") < 0.01


def test_a_smudge_that_looks_a_little_like_an_accent_is_no_doubt():
    """An O with a fleck over it stays an O where the set has no Ö."""
    english = _SetWeights(KNOWN, load_tile_set("english"))
    opinion = english.weighed(_scores({"Ö": 0.1, "O": 0.9}))
    assert _chance(opinion, "O") > 0.97


def test_a_network_that_names_nothing_knows_the_symbols():
    """Files from before names were written are read as they were meant."""
    plain = Knowledge()
    scores = np.full((1, plain.outputs), -9.0, np.float32)
    scores[0, SEEN.index("K")] = 0.0
    assert _chance(_SetWeights(plain, load_tile_set("english")).weighed(scores), "K") > 0.99

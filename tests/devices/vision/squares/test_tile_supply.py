"""The tile supply of the whole board against the opinion about one square."""

import numpy as np
import pytest

from devices.vision.squares.tile_supply import within_supply
from recorder.domain.observations import SEEN
from recorder.tilesets import load_tile_set

ENGLISH = load_tile_set("english")
Beliefs = list[dict[str, float]]


def opinions(beliefs: Beliefs) -> np.ndarray:
    """Log probabilities of a board whose first squares are believed so; the rest is empty."""
    chances = np.full((225, len(SEEN)), 1e-6)
    chances[:, 0] = 1.0
    for square, belief in enumerate(beliefs):
        chances[square] = 1e-6
        for symbol, probability in belief.items():
            chances[square, SEEN.index(symbol)] = probability
    chances /= chances.sum(axis=1, keepdims=True)
    return np.log(chances).astype(np.float32).reshape(15, 15, -1)


def shown(log_probs: np.ndarray) -> str:
    """The likeliest symbols of the first row."""
    return "".join(SEEN[index] for index in log_probs[0].argmax(axis=1))


def test_the_least_certain_of_three_bs_is_an_e() -> None:
    """English has two B; the unsure one takes its next best reading, and stays doubtful."""
    seen = opinions([{"B": 0.99}, {"B": 0.55, "E": 0.44}, {"B": 0.98}])
    settled = within_supply(seen, ENGLISH)
    assert shown(settled).startswith("BEB.")
    assert np.exp(settled[0, 1].max()) < 0.8


def test_what_is_sure_stays_though_the_set_has_no_such_tile() -> None:
    """Three sure Q are for people to look at: a foreign tile, or another set."""
    settled = within_supply(opinions([{"Q": 0.9999}] * 3), ENGLISH)
    assert shown(settled).startswith("QQQ.")


def test_a_third_blank_on_a_bare_square_is_no_blank() -> None:
    """The commonest slip of the eyes: an empty square taken for a blank."""
    seen = opinions([{"?": 0.9}, {"?": 0.95}, {"?": 0.6, ".": 0.39}])
    assert shown(within_supply(seen, ENGLISH)).startswith("??.")


@pytest.mark.parametrize("letters", ["AEIOU", "BB", "ZQJX"])
def test_a_board_within_the_supply_is_left_alone(letters: str) -> None:
    seen = opinions([{letter: 0.5, "N": 0.45} for letter in letters])
    assert np.array_equal(within_supply(seen, ENGLISH), seen)

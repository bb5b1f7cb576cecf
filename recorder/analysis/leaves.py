"""A rule of thumb for the tiles that stay on a rack; no substitute for a simulation.

Points by tile, a deduction for doubles and for too many vowels or consonants. The figures are
round ones of our own, in the range that published tables agree on; they order plays of similar
score, nothing else.
"""

from collections import Counter
from collections.abc import Collection

from recorder.domain.tiles import BLANK, Tile, Tiles

_BLANK_POINTS = 24.0
_DOUBLE_POINTS = -3.0
_IMBALANCE_POINTS = -2.5
_LETTER_POINTS = {
    "S": 7.0, "E": 2.5, "R": 1.5, "N": 1.0, "T": 1.0, "L": 0.5, "A": 0.5, "I": -0.5, "D": 0.5,
    "C": 0.5, "H": 1.0, "M": 0.5, "P": 0.0, "G": -1.5, "B": -1.5, "F": -2.0, "O": -1.5, "K": -2.0,
    "Y": -1.0, "W": -3.5, "J": -2.0, "X": 2.5, "Z": 3.5, "U": -4.0, "V": -5.5, "Q": -7.0,
}  # fmt: skip


def leave_points(leave: Tiles, vowels: Collection[Tile]) -> float:
    """What the tiles that are kept are worth, in points, 0 for none; ``vowels`` are the set's."""
    counts = Counter(leave)
    points = _BLANK_POINTS * counts[BLANK]
    letters = [letter for letter in counts if letter is not BLANK]
    for letter in letters:
        points += _LETTER_POINTS.get(letter.label, -1.0) * min(counts[letter], 2)
        points += _DOUBLE_POINTS * (counts[letter] - 1)
    open_ones = sum(counts[letter] for letter in letters if letter in vowels)
    consonants = sum(counts[letter] for letter in letters) - open_ones
    return points + _IMBALANCE_POINTS * max(0, abs(open_ones - consonants) - 1)

"""Which of the four sides of the board is up.

The premium layout looks the same from all sides, so only tiles tell: how the letters stand, and,
where an earlier look is known, on which squares there were tiles. Pure arrays; margins in nats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from devices.vision.geometry.pose import Floats
from devices.vision.squares.net import LETTER_CLASSES
from devices.vision.squares.squares import SquareReading
from recorder.domain.board import SIZE
from recorder.domain.observations import COVERED_SYMBOL, EMPTY_SYMBOL, SEEN

_LETTER_CAP = 3.0
"""One odd letter (a smudge, an N that is a Z) must not outweigh three good ones."""
_SIDES = 4
_SURE_FROM = 0.7
"""Chance from which a letter is sure enough from one side to have a vote; at 1 it has all of it."""
_TILE_CAP = 2.5
_STAY_BONUS = 0.5
"""Nothing speaks: the side that was up stays up."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """``pose.rotated(quarter_turns)`` has the letters upright.

    ``margin`` is how much better (nats) than the next best side, 0 for an empty board; ``letters``
    is how much letters alone speak for each side, seen from the side that is up.
    """

    quarter_turns: int
    margin: float
    letters: tuple[float, ...] = (0.0,) * 4


def orient(
    readings: Mapping[int, SquareReading], earlier: Sequence[str] | None = None
) -> Orientation:
    """The side that is up, from readings of all squares.

    ``readings`` holds at least the reading 0 of a pose, and may hold those of the pose after
    1, 2, 3 quarter turns: they see the same letters from another side, and only those letters
    vote then that are sure from one side. ``earlier`` are the 15 rows of an earlier look that was
    upright. It counts by its tiles' places only, so it must be of the same game.
    """
    evidence: Floats
    if len(readings) == _SIDES:
        evidence = sure_evidence(readings)
    else:
        votes = [np.roll(letter_evidence(reading), by) for by, reading in readings.items()]
        evidence = np.mean(votes, axis=0)
    letters = evidence
    if earlier is not None:
        evidence = evidence + place_evidence(readings[0], earlier)
    decided = evidence + np.array([_STAY_BONUS, 0.0, 0.0, 0.0])
    turns = int(np.argmax(decided))
    margin = float(evidence[turns] - np.delete(evidence, turns).max())
    seen = tuple(float(nats) for nats in np.roll(letters, -turns))
    return Orientation(turns, max(margin, 0.0), seen)


def letters_seen(reading: SquareReading) -> float:
    """How many squares show a letter, whichever way it stands (an expected number)."""
    turns = reading.turns.reshape(-1, 4)[reading.read.ravel()]
    return float(np.exp(np.logaddexp.reduce(turns, axis=1)).sum())


def letter_evidence(reading: SquareReading) -> Floats:
    """How much the letters speak for each of four quarter turns, in nats as [4], best 0."""
    turns = reading.turns.reshape(-1, 4).astype(np.float64)
    any_way = np.logaddexp.reduce(turns, axis=1, keepdims=True)
    relative = turns - any_way
    relative -= relative.max(axis=1, keepdims=True)
    weight = np.exp(any_way) * reading.read.reshape(-1, 1)
    total = (np.maximum(relative, -_LETTER_CAP) * weight).sum(axis=0)
    result: Floats = total - total.max()
    return result


def sure_evidence(readings: Mapping[int, SquareReading]) -> Floats:
    """How much letters that are sure from one side speak for each side, in nats as [4], best 0.

    Print, glare and smudges look a little like letters from every side: they are sure from none,
    and many of them outvoted a word otherwise. Letters that the tile set does not have vote too.
    """
    sides = np.stack(
        [np.rot90(_sure_of_a_letter(readings[by]), -by) for by in range(_SIDES)]
    ).reshape(_SIDES, -1)
    best = sides.max(axis=0)
    relative = np.maximum(sides - best, -_LETTER_CAP)
    sure = np.clip((np.exp(best) - _SURE_FROM) / (1.0 - _SURE_FROM), 0.0, 1.0)
    total: Floats = (relative * sure).sum(axis=1)
    result: Floats = total - total.max()
    return result


def _sure_of_a_letter(reading: SquareReading) -> Floats:
    """How sure each square is of one letter, of the set or of none, as log chances [15, 15]."""
    known = reading.log_probs[..., LETTER_CLASSES].max(axis=-1)
    sure: Floats = np.maximum(known, np.log(reading.foreign + np.float32(1e-9)))
    return sure


def place_evidence(reading: SquareReading, earlier: Sequence[str]) -> Floats:
    """How much the places of an earlier look's tiles speak for each quarter turn, [4], best 0."""
    log_probs = reading.log_probs.astype(np.float64)
    away = [SEEN.index(EMPTY_SYMBOL), SEEN.index(COVERED_SYMBOL)]
    is_tile = np.log1p(-np.minimum(np.exp(log_probs[..., away]).sum(axis=-1), 1 - 1e-6))
    is_empty = log_probs[..., away[0]]
    unread = ~reading.read
    is_tile[unread] = is_empty[unread] = 0.0
    had_tile = np.array([tile not in ".#" for tile in earlier]).reshape(SIZE, SIZE)
    was_empty = np.array([tile == EMPTY_SYMBOL for tile in earlier]).reshape(SIZE, SIZE)
    total = np.zeros(4)
    for quarter_turns in range(4):
        tile = np.rot90(is_tile, quarter_turns)
        empty = np.rot90(is_empty, quarter_turns)
        gone = np.maximum(tile[had_tile], -_TILE_CAP).sum()
        # New tiles come every turn, so a tile on a once empty square says less.
        come = 0.4 * np.maximum(empty[was_empty], -_TILE_CAP).sum()
        total[quarter_turns] = gone + come
    result: Floats = total - total.max()
    return result


def upright_in_picture(homography: Floats) -> int:
    """The quarter turns after which the board's top lies nearest to the picture's top."""
    middle = np.array([SIZE / 2, SIZE / 2, 1.0])
    best, best_turns = -np.inf, 0
    for quarter_turns in range(4):
        angle = quarter_turns * np.pi / 2
        top = np.array([np.sin(angle), -np.cos(angle), 0.0])
        here, there = homography @ middle, homography @ (middle + top)
        step = there[:2] / there[2] - here[:2] / here[2]
        climb = -step[1] / np.hypot(*step)
        if climb > best + 1e-9:
            best, best_turns = climb, quarter_turns
    return best_turns

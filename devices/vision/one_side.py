"""One side up for a whole series of looks at a board: all of them decide, not the first few tiles.

A look by itself may take few or worn letters for upright the wrong way round, and the looks after
it stay with that. Seen together the letters of all looks say which side is up.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from devices.pictures import Image
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Floats, quarter_turns_between
from devices.vision.look import BoardReading
from recorder.domain.board import SIZE
from recorder.domain.observations import COVERED_SYMBOL, EMPTY_SYMBOL

_SURE = 5.0
"""Nats by which the letters of all looks must speak against a side that was read."""
_SAME_PLACE = 2.5
"""Nats for a tile that lies, or does not lie, where one lay in the look before."""
_CAMERA_STAYS = 6.0
"""And for a board that was not turned between two looks."""


def turns_to_one_side(looks: Sequence[BoardReading]) -> list[int]:
    """For each look (all found) the quarter turns of its pose after which all have one side up.

    As a rule none: looks whose sides differ are those of a board that is turned on its table, of
    which each shows its letters upright.
    """
    if not looks:
        return []
    ways = [0]
    for before, look in pairwise(looks):
        ways.append((ways[-1] + _turned_between(before, look)) % 4)
    # The first look's side is the common frame: there a look's quarter q lies at q - its way.
    total: Floats = np.zeros(4)
    for look, way in zip(looks, ways, strict=True):
        total += np.roll(look.sides, -way)
    up = int(np.argmax(total))
    frames = [(up + way) % 4 for way in ways]
    margin = float(total[up] - np.delete(total, up).max())
    return frames if margin >= _SURE else [0] * len(looks)


def _turned_between(before: BoardReading, look: BoardReading) -> int:
    """The quarter turns of a look's pose that bring its tiles to those of the look before."""
    assert before.pose is not None
    assert look.pose is not None
    there = np.array(before.symbols).reshape(SIZE, SIZE)
    here = np.array(look.symbols).reshape(SIZE, SIZE)
    was_tile = (there != EMPTY_SYMBOL) & (there != COVERED_SYMBOL)
    scores: Floats = np.zeros(4)
    for turns in range(4):
        is_gone = was_tile & (np.rot90(here, turns) == EMPTY_SYMBOL)
        scores[turns] = -_SAME_PLACE * np.count_nonzero(is_gone)
    scores[quarter_turns_between(look.pose, before.pose)] += _CAMERA_STAYS
    return int(scores.argmax())


def read_from_side(
    eyes: Eyes, image: Image, look: BoardReading, quarter_turns: int
) -> BoardReading:
    """The picture of a look read again from another side; as it was where letters contradict."""
    assert look.pose is not None
    corners = look.pose.rotated(quarter_turns).corners()
    again = eyes.read(image, corners=corners, reference=look.reference)
    return replace(again, turned=look.turned) if again.found and not again.turned else look

"""Looks that do not go on from the board so far: of another table, a replay, or after a slip.

Another picture goes by. Where a few squares of the board stay bare in look after look, no tile ever
lay there: shade on a premium square was taken for one, and everything after it was left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.notices import coded
from recorder.domain.reading.turn_ends.split_looks import SplitLook, SplitTurn, Squares

FOR_GOOD_MS = 10_000
"""Squares that are bare for so long, and in several looks, are so for good."""
LEFT_OUT = coded("looks_left_out")
"""The doubt of the turn with which a game goes on: what was shown before it was left out."""


@dataclass(frozen=True, slots=True)
class OffBoardLooks:
    """The first of the looks that do not go on, and the board's squares that all show bare."""

    first: SplitLook
    bare: Squares

    def with_one_more(self, missing: Squares) -> "OffBoardLooks":
        """After another look, in which these squares of the board are bare."""
        return OffBoardLooks(self.first, self.bare & missing)

    def were_slips(self, look: SplitLook, missing: Squares, turns: Sequence[SplitTurn]) -> bool:
        """Whether the squares that a look shows bare never had a tile: of no turn are they most.

        A replay, or a board of a while ago, misses whole plays.
        """
        if look.at_ms - self.first.at_ms < FOR_GOOD_MS or not missing or missing != self.bare:
            return False
        return all(2 * len(turn.squares & missing) <= len(turn.squares) for turn in turns)

"""The best plays for a known rack, for the commentator: every play on a board, by its score.

All words are tried at once, as arrays: first those that rack and any one line can give, then line
by line where they fit the tiles that lie there, then the tiles exactly. Says what the list of words
makes possible; knows no strategy but a rule of thumb for what is kept.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recorder.analysis.layings import Layings, Places, lay, places
from recorder.analysis.leaves import leave_points
from recorder.analysis.lines import BoardLine, board_lines
from recorder.analysis.vocabulary import Vocabulary
from recorder.domain.board import Board, Direction
from recorder.domain.plays import Placement
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import BLANK, EMPTY, Tile, Tiles, TileSet, as_blank, unnamed


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play that the rack can make: its points, what stays on the rack, and both weighed.

    ``worth`` is ``score`` and the rule of thumb for the leave, in points; the best come first.
    """

    placement: Placement
    score: int
    leave: Tiles
    worth: float


class PlayFinder:
    """Finds plays with the words of one list; build it once, ask it for every turn.

    ``words`` are in the notation of letter tiles (``CA[LL]E``). Memory: about 120 bytes a word.
    """

    def __init__(self, words: Iterable[str], tile_set: TileSet) -> None:
        self._tile_set = tile_set
        self._words = words if isinstance(words, frozenset) else frozenset(words)
        self.vocabulary = Vocabulary.of(self._words, tile_set)

    def best(self, board: Board, rack: Tiles, most: int = 10) -> list[RankedPlay]:
        """The best plays for a rack (letter tiles and ``BLANK``), at most so many.

        Empty when there is none, which may be for want of a list that fits. Not checked: whether
        the rack can be, given the board.
        """
        lines = board_lines(board, self._tile_set, self._is_word)
        counts = Counter(rack)
        on_rack = np.array([counts[letter] for letter in self._tile_set.letters])
        where = self._places(lines, on_rack, counts[BLANK])
        if not most or not len(where[0]):
            return []
        plays = lay(self.vocabulary, lines, where, on_rack, counts[BLANK], self._tile_set)
        if not len(plays.scores):
            return []
        leaves = self._leaves(plays, on_rack, counts[BLANK])
        worth = plays.scores + np.array([points for _, points in leaves])
        # Plays of the same worth as the last that is asked for decide by their names.
        least = np.partition(worth, -min(most, len(worth)))[-min(most, len(worth))]
        found = [
            RankedPlay(
                self._placement(plays, lines, int(play)),
                int(plays.scores[play]),
                leaves[play][0],
                float(worth[play]),
            )
            for play in np.flatnonzero(worth >= least)
        ]
        found.sort(key=lambda play: (-play.worth, str(play.placement)))
        return found[:most]

    def _is_word(self, tiles: Tiles) -> bool:
        return write_tiles(map(unnamed, tiles)) in self._words

    def _within_reach(
        self, lines: list[BoardLine], on_rack: NDArray[np.int64], blanks: int
    ) -> NDArray[np.intp]:
        """The words that need no tile but those of the rack and of the line that has most of it."""
        tallies = [_tally(line, len(on_rack)) for line in lines]
        best_line = np.max([np.zeros_like(on_rack), *tallies], axis=0)
        most_lying = max((int(tally.sum()) for tally in tallies), default=0)
        words = self.vocabulary
        near = words.lacking(on_rack + best_line) <= blanks
        return np.flatnonzero(near & (words.lacking(on_rack) <= blanks + most_lying))

    def _places(self, lines: list[BoardLine], on_rack: NDArray[np.int64], blanks: int) -> Places:
        """Word, line and start of everything that fits a line, and may come from the rack."""
        near = self._within_reach(lines, on_rack, blanks)
        lacking = self.vocabulary.lacking_letters(on_rack)[near]
        tiles = int(on_rack.sum()) + blanks
        found = [(np.zeros(0, np.intp),) * 3]
        for number, line in enumerate(lines):
            lying = np.uint32((1 << np.flatnonzero(_tally(line, len(on_rack)))).sum())
            among = near[np.bitwise_count(lacking & ~lying) <= blanks]
            words, starts = places(line, self.vocabulary, among, tiles)
            found.append((words, np.full(len(words), number, np.intp), starts))
        of_word, of_line, begun = (np.concatenate(part) for part in zip(*found, strict=True))
        return of_word, of_line, begun

    def _leaves(
        self, plays: Layings, on_rack: NDArray[np.int64], blanks: int
    ) -> list[tuple[Tiles, float]]:
        """What stays on the rack after each play, and what that is worth."""
        letters = self._tile_set.letters
        held = np.flatnonzero(on_rack)
        blanks_left = blanks - plays.blank.sum(axis=1)
        left = np.column_stack([on_rack[held] - plays.used[:, held], blanks_left])
        kinds, which = np.unique(left, axis=0, return_inverse=True)
        order = sorted(range(len(held)), key=lambda index: letters[held[index]])
        found: list[Tiles] = [
            (
                *(letters[held[i]] for i in order for _ in range(kind[i])),
                *([BLANK] * int(kind[-1])),
            )
            for kind in kinds
        ]
        vowels = frozenset(self._tile_set.vowels)
        leaves = [(tiles, leave_points(tiles, vowels)) for tiles in found]
        return [leaves[kind] for kind in which.ravel()]

    def _placement(self, plays: Layings, lines: list[BoardLine], play: int) -> Placement:
        line, words = lines[plays.lines[play]], self.vocabulary
        word = words.letters[: words.lengths[plays.words[play]], plays.words[play]]
        tiles: list[Tile] = []
        for place, number in enumerate(word):
            letter = self._tile_set.letters[number]
            tile = as_blank(letter) if plays.blank[play, place] else letter
            tiles.append(tile if plays.new[play, place] else EMPTY)
        is_row = line.squares[1] == line.squares[0] + 1
        direction = Direction.ACROSS if is_row else Direction.DOWN
        return Placement(line.squares[plays.starts[play]], direction, tuple(tiles))


def _tally(line: BoardLine, alphabet: int) -> NDArray[np.int64]:
    """How often each letter lies on a line."""
    lying = line.cells[(line.cells >= 0) & (line.cells < alphabet)]
    return np.bincount(lying, minlength=alphabet)

"""Where words can be laid on the lines of a board, and what each of these plays scores.

Works on many words at once. Places are ``(word, line, start)``; blanks go where they cost least.
"""

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from recorder.analysis.lines import EMPTY_CELL, BoardLine
from recorder.analysis.vocabulary import SHORTEST, Vocabulary
from recorder.domain.board import SIZE
from recorder.domain.scoring import BINGO_POINTS
from recorder.domain.tiles import RACK_SIZE, TileSet

_PAIRS = [(start, end) for start in range(SIZE) for end in range(start + SHORTEST, SIZE + 1)]
_STARTS = np.array([start for start, _ in _PAIRS])
_ENDS = np.array([end for _, end in _PAIRS])
_LENGTHS = _ENDS - _STARTS
_PLACES = np.arange(SIZE)
_CELLS = np.uint32(1) << np.arange(SIZE, dtype=np.uint32)
_ANY_CELL = np.uint32(0xFFFFFFFF)
_SIFT_AFTER = (0, 2, 5)
_HEAVY = 1 << 20


Places = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]
"""The number of a word, of a line, and of the cell of the line where the word begins."""


@dataclass(frozen=True, slots=True)
class Layings:
    """Plays as arrays, one row each: which word on which line from which cell, and its worth.

    ``new`` and ``blank`` say of each place in the word whether a tile is laid there, and a blank;
    ``used`` how many tiles of each letter it takes from the rack as letters.
    """

    words: NDArray[np.intp]
    lines: NDArray[np.intp]
    starts: NDArray[np.intp]
    new: NDArray[np.bool_]
    blank: NDArray[np.bool_]
    used: NDArray[np.int64]
    scores: NDArray[np.int64]


def places(
    line: BoardLine, words: Vocabulary, among: NDArray[np.intp], tiles: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which words of ``among`` fit the line at which cells, rack aside: words and starts.

    A word fits where it meets the letters that lie there, makes crossing words that are words,
    ends free, joins the position and needs 1 to ``tiles`` tiles.
    """
    # A bit for each cell at which a letter may stand; shifted, for each start of the word.
    fitting = np.zeros(words.padding + 1, np.uint32)
    letters = np.arange(words.padding, dtype=np.uint32)
    for cell, lies in enumerate(line.cells):
        if lies == EMPTY_CELL:
            fitting[:-1] |= ((line.allowed[cell] >> letters) & 1) << np.uint32(cell)
        elif lies < words.padding:
            fitting[lies] |= _CELLS[cell]
    fitting[-1] = _ANY_CELL
    starts = _start_bits(line, tiles)[words.lengths[among]]
    for place in range(SIZE):
        if place in _SIFT_AFTER or not len(among):
            left = starts != 0
            among, starts = among[left], starts[left]
        starts &= (fitting >> np.uint32(place))[words.letters[place, among]]
    rows, cells = np.nonzero(starts[:, None] & _CELLS)
    return among[rows], cells


def _start_bits(line: BoardLine, tiles: int) -> NDArray[np.uint32]:
    """For each length of a word, a bit for each cell where such a word can begin."""
    taken = line.cells != EMPTY_CELL
    taken_before = np.concatenate([[0], np.cumsum(taken)])
    joined_before = np.concatenate([[0], np.cumsum(line.anchored)])
    walled = np.concatenate([taken, [False]])
    new = _LENGTHS - (taken_before[_ENDS] - taken_before[_STARTS])
    can = (new > 0) & (new <= tiles) & (joined_before[_ENDS] > joined_before[_STARTS])
    can &= ~walled[_ENDS] & ~walled[_STARTS - 1]
    bits = np.bincount(_LENGTHS[can], weights=1 << _STARTS[can], minlength=SIZE + 1)
    return bits.astype(np.uint32)


def lay(
    words: Vocabulary,
    lines: list[BoardLine],
    where: Places,
    rack: NDArray[np.int64],
    blanks: int,
    tile_set: TileSet,
) -> Layings:
    """The plays at these places (word, line, start) that the rack has the tiles for, scored."""
    of_word, of_line, starts = where
    letters = words.letters[:, of_word].T
    at = np.minimum(starts[:, None] + _PLACES, SIZE - 1)
    inside = letters != words.padding
    new = inside & (np.stack([line.cells for line in lines])[of_line[:, None], at] == EMPTY_CELL)
    row, place = np.nonzero(new)
    width = words.padding
    flat = np.bincount(row * width + letters[row, place], minlength=len(letters) * width)
    need = flat.reshape(len(letters), width)
    lacking = np.maximum(need - rack, 0)
    kept = np.flatnonzero(lacking.sum(axis=1) <= blanks)
    of_word, of_line, starts, letters, at = (
        of_word[kept], of_line[kept], starts[kept], letters[kept], at[kept]
    )  # fmt: skip
    inside, new, lacking = inside[kept], new[kept], lacking[kept]
    cells = _Cells.under(lines, of_line, at)
    blank = _blanks(letters, new, lacking, cells, blanks)
    values = np.array([*map(tile_set.value, tile_set.letters), 0])[letters]
    return Layings(
        words=of_word,
        lines=of_line,
        starts=starts,
        new=new,
        blank=blank,
        used=need[kept] - lacking,
        scores=_scores(np.where(new & ~blank, values, 0), new, inside & ~new, cells),
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """Of each place of each play: factors, points of the crossing word (-1 none), tile there."""

    letter_factors: NDArray[np.int64]
    word_factors: NDArray[np.int64]
    cross: NDArray[np.int64]
    values: NDArray[np.int64]

    @classmethod
    def under(
        cls, lines: list[BoardLine], of_line: NDArray[np.intp], at: NDArray[np.intp]
    ) -> "_Cells":
        where = (of_line[:, None], at)
        return cls(
            np.array([line.letter_factors for line in lines])[where],
            np.array([line.word_factors for line in lines])[where],
            np.array([line.cross for line in lines])[where],
            np.array([line.values for line in lines])[where],
        )


def _factors(new: NDArray[np.bool_], cells: _Cells) -> NDArray[np.int64]:
    """The word factor of each play: the product of those under new tiles."""
    under = np.where(new, cells.word_factors, 1)
    product: NDArray[np.int64] = reduce(np.multiply, under.T)
    return product


def _blanks(
    letters: NDArray[np.int8],
    new: NDArray[np.bool_],
    lacking: NDArray[np.int64],
    cells: _Cells,
    blanks: int,
) -> NDArray[np.bool_]:
    """Which of the new tiles are blanks: a point counts least, for each missing letter."""
    chosen = np.zeros_like(new)
    left = lacking.copy()
    for _ in range(blanks):
        rows = np.flatnonzero(left.any(axis=1))
        if not len(rows):
            break
        letter = (left[rows] > 0).argmax(axis=1)
        crossed = np.where(cells.cross[rows] >= 0, cells.word_factors[rows], 0)
        factor = _factors(new, cells)[rows]
        weight = cells.letter_factors[rows] * (factor[:, None] + crossed)
        free = new[rows] & ~chosen[rows] & (letters[rows] == letter[:, None])
        chosen[rows, np.where(free, weight, _HEAVY).argmin(axis=1)] = True
        left[rows, letter] -= 1
    return chosen


def _scores(
    values: NDArray[np.int64],
    new: NDArray[np.bool_],
    old: NDArray[np.bool_],
    cells: _Cells,
) -> NDArray[np.int64]:
    """The points of each play (SCORE-1 to SCORE-3); ``values`` of new tiles, 0 elsewhere."""
    laid = values * cells.letter_factors
    main = (laid + np.where(old, cells.values, 0)).sum(axis=1) * _factors(new, cells)
    crossing = np.where(new & (cells.cross >= 0), (cells.cross + laid) * cells.word_factors, 0)
    bingo = np.where(new.sum(axis=1) == RACK_SIZE, BINGO_POINTS, 0)
    scores: NDArray[np.int64] = main + crossing.sum(axis=1) + bingo
    return scores

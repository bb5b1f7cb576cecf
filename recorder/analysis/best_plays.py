"""The best plays for a known rack, for the commentator: every play on a board, by its score.

All words are tried against all lines at once, as arrays: first those whose letters rack and line
can give, then where their letters meet the tiles that lie there, then the rest exactly. Says what
the list of words makes possible; knows no strategy but a rule of thumb for what is kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recorder.analysis.leaves import leave_points
from recorder.analysis.lines import EMPTY_CELL, BoardLine, board_lines
from recorder.domain.board import SIZE, Board, Direction
from recorder.domain.plays import Placement
from recorder.domain.scoring import BINGO_POINTS
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, TileSet

SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that the rack can make: its points, what stays on the rack, and both weighed.

    ``worth`` is ``score`` and the rule of thumb for the leave, in points; the best come first.
    """

    placement: Placement
    score: int
    leave: str
    worth: float


@dataclass(frozen=True, slots=True)
class _Words:
    """All words of one length: letter numbers, a bit for each letter, how often it is in there."""

    letters: NDArray[np.int8]
    bits: NDArray[np.uint32]
    counts: NDArray[np.int8]

    def only(self, chosen: NDArray[np.bool_]) -> "_Words":
        """Some of them."""
        return _Words(self.letters[chosen], self.bits[chosen], self.counts[chosen])


class PlayFinder:
    """Finds plays with the words of one list; build it once, ask it for every turn.

    ``words`` are capital letters of the tile set. Memory: about 40 bytes a word.
    """

    def __init__(self, words: Iterable[str], tile_set: TileSet) -> None:
        self._tile_set = tile_set
        self._words = frozenset(words)
        number = {letter: index for index, letter in enumerate(tile_set.letters)}
        by_length: dict[int, list[list[int]]] = {}
        for word in sorted(self._words):
            if SHORTEST <= len(word) <= SIZE and number.keys() >= set(word):
                by_length.setdefault(len(word), []).append([number[letter] for letter in word])
        self._by_length = {
            length: _words(rows, len(tile_set.letters))
            for length, rows in sorted(by_length.items())
        }

    def best(self, board: Board, rack: str, most: int = 10) -> list[Candidate]:
        """The best plays for a rack (capital letters and ``"?"``), at most so many.

        Empty when there is none, which may be for want of a list that fits. Not checked: whether
        the rack can be, given the board.
        """
        found = [
            Candidate(placement, score, leave, score + leave_points(leave))
            for placement, score, leave in self._plays(board, rack)
        ]
        found.sort(key=lambda play: (-play.worth, str(play.placement)))
        return found[:most]

    def _plays(self, board: Board, rack: str) -> Iterator[tuple[Placement, int, str]]:
        counts = Counter(rack)
        lines = board_lines(board, self._tile_set, self._is_word)
        near = self._within_reach(counts, board)
        for line in lines:
            for length, words in near.items():
                for start, row in _fits(line, length, words, counts, self._tile_set):
                    yield from self._laid(line, start, row, counts)

    def _is_word(self, text: str) -> bool:
        return text.upper() in self._words

    def _within_reach(self, rack: Counter[str], board: Board) -> dict[int, _Words]:
        """The words that need no letter but those of rack and board, and blanks for the rest."""
        have = _bits(self._tile_set, rack) | _bits(self._tile_set, set(board.cells.upper()))
        near = {}
        for length, words in self._by_length.items():
            lacking = np.bitwise_count(words.bits & ~have)
            near[length] = words.only(lacking <= rack[BLANK])
        return near

    def _laid(
        self, line: BoardLine, start: int, row: NDArray[np.int8], rack: Counter[str]
    ) -> Iterator[tuple[Placement, int, str]]:
        """The play of a word at a place, its blanks where they cost least."""
        letters = self._tile_set.letters
        word = [letters[index] for index in row]
        new = [at for at in range(len(word)) if line.cells[start + at] == EMPTY_CELL]
        need = Counter(word[at] for at in new)
        blanks = set[int]()
        for letter, count in (need - rack).items():
            weights = _weights(line, start, new)
            places = sorted((at for at in new if word[at] == letter), key=weights.__getitem__)
            blanks |= set(places[:count])
        score = self._score(line, start, word, new, blanks)
        text = "".join(_tile(at, word, new, blanks) for at in range(len(word)))
        left = rack - Counter(BLANK if at in blanks else word[at] for at in new)
        leave = "".join(sorted(left.elements(), key=_rack_order))
        is_row = line.squares[1] == line.squares[0] + 1
        direction = Direction.ACROSS if is_row else Direction.DOWN
        yield Placement(line.squares[start], direction, text), score, leave

    def _score(
        self, line: BoardLine, start: int, word: list[str], new: list[int], blanks: set[int]
    ) -> int:
        points, factor, crossing = 0, 1, 0
        laid = set(new)
        for at, letter in enumerate(word):
            cell = start + at
            if at not in laid:
                points += line.values[cell]
                continue
            value = 0 if at in blanks else self._tile_set.value(letter)
            value *= line.letter_factors[cell]
            points += value
            factor *= line.word_factors[cell]
            if line.cross[cell] >= 0:
                crossing += (line.cross[cell] + value) * line.word_factors[cell]
        return points * factor + crossing + (BINGO_POINTS if len(new) == RACK_SIZE else 0)


def _words(rows: list[list[int]], alphabet: int) -> _Words:
    letters = np.array(rows, np.int8)
    bits = np.bitwise_or.reduce(np.uint32(1) << letters.astype(np.uint32), axis=1)
    counts = np.zeros((len(rows), alphabet), np.int8)
    for column in letters.T:
        counts[np.arange(len(rows)), column] += 1
    return _Words(letters, bits, counts)


def _bits(tile_set: TileSet, tiles: Iterable[str]) -> np.uint32:
    present = set(tiles)
    return np.uint32(sum(1 << i for i, letter in enumerate(tile_set.letters) if letter in present))


def _fits(
    line: BoardLine, length: int, words: _Words, rack: Counter[str], tile_set: TileSet
) -> Iterator[tuple[int, NDArray[np.int8]]]:
    """Where on a line which words can be laid: over its tiles, beside others, from the rack."""
    alphabet = len(tile_set.letters)
    on_line = {tile_set.letters[cell] for cell in line.cells if 0 <= cell < alphabet}
    have = _bits(tile_set, rack) | _bits(tile_set, on_line)
    words = words.only(np.bitwise_count(words.bits & ~have) <= rack[BLANK])
    on_rack = np.array([rack[letter] for letter in tile_set.letters], np.int8)
    everything = on_rack + _tally(line.cells, alphabet)
    words = words.only(np.maximum(words.counts - everything, 0).sum(axis=1) <= rack[BLANK])
    if not len(words.letters):
        return
    for start in _starts(line, length, sum(rack.values())):
        cells = line.cells[start : start + length]
        over = np.arange(len(words.letters))
        for at in range(length):
            if cells[at] != EMPTY_CELL:
                over = over[words.letters[over, at] == cells[at]]
            elif line.cross[start + at] >= 0:
                lettered = words.letters[over, at].astype(np.uint32)
                over = over[(line.allowed[start + at] >> lettered) & 1 == 1]
            if not len(over):
                break
        if len(over):
            have_too = on_rack + _tally(cells, alphabet)
            lacking = np.maximum(words.counts[over] - have_too, 0).sum(axis=1)
            for row in words.letters[over[lacking <= rack[BLANK]]]:
                yield start, row


def _tally(cells: NDArray[np.int8], alphabet: int) -> NDArray[np.int8]:
    """How often each letter lies on some cells."""
    lying = cells[(cells >= 0) & (cells < alphabet)]
    return np.bincount(lying, minlength=alphabet).astype(np.int8)


def _starts(line: BoardLine, length: int, tiles: int) -> list[int]:
    """The cells where a word of this length can begin: it joins, ends free, needs 1 to 7 tiles."""
    starts = []
    taken = line.cells != EMPTY_CELL
    for start in range(SIZE - length + 1):
        end = start + length
        new = length - int(taken[start:end].sum())
        ends_free = (start == 0 or not taken[start - 1]) and (end == SIZE or not taken[end])
        if ends_free and 0 < new <= tiles and line.anchored[start:end].any():
            starts.append(start)
    return starts


def _weights(line: BoardLine, start: int, new: list[int]) -> dict[int, int]:
    """How much a point of a tile counts at each new place: where a blank costs least."""
    factor = 1
    for at in new:
        factor *= line.word_factors[start + at]
    return {
        at: line.letter_factors[start + at]
        * (factor + (line.word_factors[start + at] if line.cross[start + at] >= 0 else 0))
        for at in new
    }


def _tile(at: int, word: list[str], new: list[int], blanks: set[int]) -> str:
    if at not in new:
        return EMPTY
    return word[at].lower() if at in blanks else word[at]


def _rack_order(tile: str) -> tuple[bool, str]:
    """Letters by the alphabet, blanks last."""
    return tile == BLANK, tile

"""Every play in positions near the end of a game, found quickly again and again.

Few tiles are left then, so few words can still be laid: those are kept, and with them what was
found on each line. A line that a play does not touch is never searched twice.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from recorder.analysis.vocabulary import Vocabulary
from recorder.domain.board import SIZE, STANDARD_PREMIUMS, Board, Direction, Square
from recorder.domain.plays import Placement
from recorder.domain.scoring import BINGO_POINTS
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, Tile, Tiles, TileSet, as_blank, unnamed

_FREE, _UNKNOWN = 255, 254
_LETTER_FACTORS = [premium.letter for premium in STANDARD_PREMIUMS]
_WORD_FACTORS = [premium.word for premium in STANDARD_PREMIUMS]
_ROWS = [range(at * SIZE, (at + 1) * SIZE) for at in range(SIZE)]
_COLUMNS = [range(at, SIZE * SIZE, SIZE) for at in range(SIZE)]
_SQUARES = _ROWS + _COLUMNS
"""The squares of each line: 15 rows, then 15 columns."""

Numbers = tuple[int, ...]
"""A rack by the numbers of its letters, sorted; one more than the last letter's is a blank."""
_Crossing = tuple[int, int]
"""A bit for each letter that a cell takes, and the points of the crossing word, -1 for none."""


class LatePlay(NamedTuple):
    """``laid``: squares with letter, and 1 for a blank that plays it; ``left``: what stays."""

    score: int
    line: int
    start: int
    end: int
    laid: tuple[tuple[int, int, int], ...]
    left: Numbers


@dataclass(slots=True, eq=False)
class _Line:
    """A row or column in one state; ``plays`` on it as they were found, by rack."""

    number: int
    cells: bytes
    values: bytes
    crossings: tuple[_Crossing, ...]
    plays: dict[Numbers, list[LatePlay]] = field(default_factory=dict)


class Position(NamedTuple):
    """A board by the numbers of its letters and what its tiles count, with all its lines."""

    cells: bytes
    values: bytes
    lines: tuple[_Line, ...]


class _Word(dict[int, "_Word"]):
    """Words by their next letter; ``ends``: one ends here."""

    __slots__ = ("ends",)

    def __init__(self) -> None:
        super().__init__()
        self.ends = False


class LatePlays:
    """The plays from a board on, for all who share ``tiles``: everything that is not on it."""

    def __init__(
        self, words: Vocabulary, tile_set: TileSet, board: Board, tiles: Counter[Tile]
    ) -> None:
        self._letters = tile_set.letters
        self._numbers = {letter: at for at, letter in enumerate(tile_set.letters)}
        self._blank = len(self._letters)
        self._points = [*map(tile_set.value, tile_set.letters), 0]
        cells = bytes(
            _FREE if tile is EMPTY else self._numbers.get(unnamed(tile), _UNKNOWN)
            for tile in board.cells
        )
        values = bytes(map(tile_set.value, board.cells))
        listed = _reachable(words, cells, tiles, tile_set)
        self._root, self._listed = _Word(), frozenset(listed)
        for word in listed:
            at = self._root
            for letter in word:
                at = at.setdefault(letter, _Word())
            at.ends = True
        self._fits: dict[tuple[bytes, bytes], int] = {}
        self._lines: dict[object, _Line] = {}
        crossings = (
            tuple(self._crossing(cells, values, line, sq) for sq in squares)
            for line, squares in enumerate(_SQUARES)
        )
        lines = tuple(
            self._line(line, cells, values, crossing) for line, crossing in enumerate(crossings)
        )
        self.start = Position(cells, values, lines)

    def rack(self, tiles: Tiles) -> Numbers:
        """Tiles as the numbers that plays go by."""
        return tuple(sorted(self._numbers.get(tile, self._blank) for tile in tiles))

    def points(self, rack: Numbers) -> int:
        """What the tiles of a rack count."""
        return sum(self._points[letter] for letter in rack)

    def plays(self, position: Position, rack: Numbers) -> list[LatePlay]:
        """All plays; a tile that makes two words is one play."""
        found: dict[object, LatePlay] = {}
        for line in position.lines:
            plays = line.plays.get(rack)
            if plays is None:
                plays = line.plays[rack] = self._on_line(line, rack)
            for play in plays:
                found[play.laid] = play
        return list(found.values())

    def placement(self, play: LatePlay) -> Placement:
        """A play as it is written."""
        squares = _SQUARES[play.line][play.start : play.end]
        laid = {
            sq: as_blank(self._letters[letter]) if is_blank else self._letters[letter]
            for sq, letter, is_blank in play.laid
        }
        direction = Direction.ACROSS if play.line < SIZE else Direction.DOWN
        word = tuple(laid.get(sq, EMPTY) for sq in squares)
        return Placement(Square(squares[0]), direction, word)

    def _on_line(self, line: _Line, rack: Numbers) -> list[LatePlay]:
        """All plays along a line with a rack."""
        return _Walk(line, rack, self._root, self._points).found

    def after(self, position: Position, play: LatePlay) -> Position:
        """The position with a play laid: the lines that it touches are others."""
        cells, values = bytearray(position.cells), bytearray(position.values)
        for sq, letter, is_blank in play.laid:
            cells[sq] = letter
            values[sq] = 0 if is_blank else self._points[letter]
        touched: dict[int, list[int]] = {}
        for sq, _, _ in play.laid:
            row, col = divmod(sq, SIZE)
            for line, at, across in ((row, col, _COLUMNS[col]), (SIZE + col, row, _ROWS[row])):
                touched.setdefault(line, []).append(at)
                # Where the crossing word ends, other letters fit now.
                place = row if line < SIZE else col
                for way in (-1, 1):
                    end = place + way
                    while 0 <= end < SIZE and cells[across[end]] != _FREE:
                        end += way
                    if 0 <= end < SIZE:
                        touched.setdefault(end if line < SIZE else SIZE + end, []).append(at)
        new_cells, new_values, lines = bytes(cells), bytes(values), list(position.lines)
        for line, places in touched.items():
            crossings = list(lines[line].crossings)
            for at in places:
                crossings[at] = self._crossing(new_cells, new_values, line, _SQUARES[line][at])
            lines[line] = self._line(line, new_cells, new_values, tuple(crossings))
        return Position(new_cells, new_values, tuple(lines))

    def _line(
        self, number: int, cells: bytes, values: bytes, crossings: tuple[_Crossing, ...]
    ) -> _Line:
        """A line in one state: the same object for the same state."""
        at = _SQUARES[number]
        part = slice(at.start, at.stop, at.step)
        key = (number, cells[part], values[part], crossings)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = _Line(*key)
        return line

    def _crossing(self, cells: bytes, values: bytes, line: int, sq: int) -> _Crossing:
        """What fits a square by the word that crosses a line there; a taken square takes none."""
        if cells[sq] != _FREE:
            return 0, -1
        row, col = divmod(sq, SIZE)
        along, place = (_COLUMNS[col], row) if line < SIZE else (_ROWS[row], col)
        begin, end = place, place + 1
        while begin and cells[along[begin - 1]] != _FREE:
            begin -= 1
        while end < SIZE and cells[along[end]] != _FREE:
            end += 1
        if end - begin == 1:
            return -1, -1
        crossed = [along[at] for at in range(begin, end) if at != place]
        before = bytes(cells[along[at]] for at in range(begin, place))
        after = bytes(cells[along[at]] for at in range(place + 1, end))
        fits = self._fits.get((before, after))
        if fits is None:
            letters = range(len(self._letters))
            fits = sum(
                1 << letter
                for letter in letters
                if before + bytes([letter]) + after in self._listed
            )
            self._fits[before, after] = fits
        return fits, sum(values[at] for at in crossed)


class _Walk:
    """Lays words along one line, letter by letter; ``found`` are the plays."""

    def __init__(self, line: _Line, rack: Numbers, words: _Word, points: list[int]) -> None:
        self._line, self._points, self._blank = line, points, len(points) - 1
        self._squares = _SQUARES[line.number]
        self._is_free = [cell == _FREE for cell in line.cells] + [True]
        self._held, self._start = dict(Counter(rack)), 0
        self._laid: list[tuple[int, int, int]] = []
        self.found: list[LatePlay] = []
        joins = [
            not free or crossed >= 0
            for free, (_, crossed) in zip(self._is_free, line.crossings, strict=False)
        ]
        for start in range(SIZE) if any(joins) else ():
            if start and not self._is_free[start - 1]:
                continue
            # From afar the rack does not reach the tiles that lie there.
            joint = next((at for at in range(start, SIZE) if joins[at]), SIZE)
            if joint < SIZE and joint - start < len(rack) + (not self._is_free[joint]):
                self._start = start
                self._go(start, words, 0, (0, 1, 0))

    def _go(self, at: int, word: _Word, joined: int, score: tuple[int, int, int]) -> None:
        """``score``: points of the word, its factor, points of the words that cross it."""
        if word.ends and joined and self._laid and self._is_free[at]:
            self._take(at, score)
        if at == SIZE:
            return
        if self._is_free[at]:
            self._lay(at, word, joined, score)
        elif (there := word.get(self._line.cells[at])) is not None:
            main, factor, cross = score
            self._go(at + 1, there, 1, (main + self._line.values[at], factor, cross))

    def _lay(self, at: int, word: _Word, joined: int, score: tuple[int, int, int]) -> None:
        sq, (fits, crossed), held = self._squares[at], self._line.crossings[at], self._held
        main, factor, cross = score
        for tile, count in held.items():
            if not count:
                continue
            is_blank = tile == self._blank
            value = self._points[tile] * _LETTER_FACTORS[sq]
            also = (crossed + value) * _WORD_FACTORS[sq] if crossed >= 0 else 0
            after = main + value, factor * _WORD_FACTORS[sq], cross + also
            held[tile] -= 1
            for letter in word if is_blank else (tile,):
                if letter in word and fits >> letter & 1:
                    self._laid.append((sq, letter, is_blank))
                    self._go(at + 1, word[letter], joined or crossed >= 0, after)
                    self._laid.pop()
            held[tile] += 1

    def _take(self, end: int, score: tuple[int, int, int]) -> None:
        main, factor, cross = score
        bonus = BINGO_POINTS if len(self._laid) == RACK_SIZE else 0
        left = tuple(sorted(tile for tile, count in self._held.items() for _ in range(count)))
        where = self._line.number, self._start, end
        self.found.append(LatePlay(main * factor + cross + bonus, *where, tuple(self._laid), left))


def _reachable(
    words: Vocabulary, cells: bytes, tiles: Counter[Tile], tile_set: TileSet
) -> list[bytes]:
    """The words that the tiles of both racks and of any one line can spell, as letter numbers."""
    held = np.array([tiles[letter] for letter in tile_set.letters])
    near = np.zeros(len(words.lengths), np.bool_)
    for squares in _SQUARES:
        lying = Counter(cells[sq] for sq in squares)
        line = np.array([lying[letter] for letter in range(len(held))])
        near |= words.lacking(held + line) <= tiles[BLANK]
    return [
        words.letters[: words.lengths[word], word].astype(np.uint8).tobytes()
        for word in np.flatnonzero(near)
    ]

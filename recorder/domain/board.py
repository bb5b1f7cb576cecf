"""The board: squares and their names, premium squares, and a position of tiles.

A square is a number 0..224 counted along the rows as the letters are read. A name that starts
with the number reads across (``8H``), one that starts with the letter reads down (``H8``).
A board accepts any arrangement of tiles; whether one could come from play is asked elsewhere.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import NewType, Self

from recorder.domain.errors import NotationError
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import EMPTY, Tile, Tiles

SIZE = 15
SQUARES = SIZE * SIZE
COLUMNS = "ABCDEFGHIJKLMNO"

Square = NewType("Square", int)

_NAME = re.compile(r"(?:(?P<row>1[0-5]|[1-9])(?P<col>[A-O])|(?P<col2>[A-O])(?P<row2>1[0-5]|[1-9]))")


class Direction(StrEnum):
    """How a word lies on the board."""

    ACROSS = "across"
    DOWN = "down"

    @property
    def step(self) -> int:
        """How much the square's number grows from one letter to the next."""
        return 1 if self is Direction.ACROSS else SIZE

    @property
    def other(self) -> "Direction":
        """The direction of the cross words."""
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS


class Premium(Enum):
    """What a square does to the tile laid on it, as (letter factor, word factor)."""

    NONE = (1, 1)
    DOUBLE_LETTER = (2, 1)
    TRIPLE_LETTER = (3, 1)
    DOUBLE_WORD = (1, 2)
    TRIPLE_WORD = (1, 3)

    @property
    def letter(self) -> int:
        """The factor for the tile's own value."""
        return self.value[0]

    @property
    def word(self) -> int:
        """The factor for the whole word."""
        return self.value[1]


def square(row: int, col: int) -> Square:
    """The square in a row and column, both counted from 0; NotationError off the board."""
    if not (0 <= row < SIZE and 0 <= col < SIZE):
        raise NotationError(f"no such square: row {row}, column {col} (both are 0..14)")
    return Square(row * SIZE + col)


def row_of(sq: Square) -> int:
    """The row of a square, 0 for the row named 1."""
    return sq // SIZE


def col_of(sq: Square) -> int:
    """The column of a square, 0 for the column named A."""
    return sq % SIZE


def name_across(sq: Square) -> str:
    """The name of a square where a word reads across.

    >>> name_across(Square(112))
    '8H'
    """
    return f"{row_of(sq) + 1}{COLUMNS[col_of(sq)]}"


def name_down(sq: Square) -> str:
    """The name of a square where a word reads down.

    >>> name_down(Square(112))
    'H8'
    """
    return f"{COLUMNS[col_of(sq)]}{row_of(sq) + 1}"


def parse_square(name: str) -> tuple[Square, Direction]:
    """The square and the direction that a name stands for; NotationError if it is none.

    >>> parse_square("H8") == (112, Direction.DOWN)
    True
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise NotationError(f"invalid square: {name!r} (write 8H for across, H8 for down)")
    if match["row"]:
        return square(int(match["row"]) - 1, COLUMNS.index(match["col"])), Direction.ACROSS
    return square(int(match["row2"]) - 1, COLUMNS.index(match["col2"])), Direction.DOWN


def along(sq: Square, direction: Direction, steps: int) -> Square | None:
    """The square some steps further (back when negative) in the same line; None off the board."""
    row, col = row_of(sq), col_of(sq)
    if direction is Direction.ACROSS:
        col += steps
    else:
        row += steps
    return Square(row * SIZE + col) if 0 <= row < SIZE and 0 <= col < SIZE else None


def line_from(sq: Square, direction: Direction, length: int) -> tuple[Square, ...]:
    """The squares of a line from a square on, in reading order, without those off the board."""
    if direction is Direction.ACROSS:
        return _ALL_SQUARES[sq : min(sq + length, sq - sq % SIZE + SIZE)]
    return _ALL_SQUARES[sq : sq + length * SIZE : SIZE]


def _around(sq: Square) -> tuple[Square, ...]:
    around = (along(sq, direction, step) for direction in Direction for step in (-1, 1))
    return tuple(near for near in around if near is not None)


_ALL_SQUARES = tuple(Square(number) for number in range(SQUARES))
_NEIGHBOURS = tuple(_around(sq) for sq in _ALL_SQUARES)


def neighbours(sq: Square) -> tuple[Square, ...]:
    """The two to four squares that share an edge with a square."""
    return _NEIGHBOURS[sq]


_SIGNS = {
    "=": Premium.TRIPLE_WORD,
    "-": Premium.DOUBLE_WORD,
    '"': Premium.TRIPLE_LETTER,
    "'": Premium.DOUBLE_LETTER,
    " ": Premium.NONE,
}
_UPPER_HALF = (
    "=  '   =   '  =",
    ' -   "   "   - ',
    "  -   ' '   -  ",
    "'  -   '   -  '",
    "    -     -    ",
    ' "   "   "   " ',
    "  '   ' '   '  ",
)
_MIDDLE = "=  '   -   '  ="

STANDARD_PREMIUMS: tuple[Premium, ...] = tuple(
    _SIGNS[sign] for row in (*_UPPER_HALF, _MIDDLE, *reversed(_UPPER_HALF)) for sign in row
)
"""The premium of every square on the standard board, 225 of them (EQUIP-3)."""

CENTRE = Square(112)
"""8H: a double word, and where the first play belongs (PLACE-1)."""


@dataclass(frozen=True, slots=True)
class Board:
    """The tiles on the 225 squares, row by row.

    >>> board = EMPTY_BOARD.place({CENTRE: Tile("A")})
    >>> board[CENTRE], board.is_empty, len(board.occupied())
    (Tile('A'), False, 1)
    """

    cells: Tiles
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.cells) != SQUARES:
            raise NotationError(f"a board has {SQUARES} squares, got {len(self.cells)} tiles")
        object.__setattr__(self, "_hash", hash(self.cells))

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def from_rows(cls, rows: Sequence[str]) -> Self:
        """The board written as 15 rows of 15 tiles; NotationError names a wrong row."""
        if len(rows) != SIZE:
            raise NotationError(f"a board has {SIZE} rows, got {len(rows)}")
        lines = [read_tiles(row) for row in rows]
        for number, (row, line) in enumerate(zip(rows, lines, strict=True), start=1):
            if len(line) != SIZE:
                raise NotationError(f"row {number} has {len(line)} tiles, not {SIZE}: {row!r}")
        return cls(tuple(tile for line in lines for tile in line))

    def rows(self) -> tuple[str, ...]:
        """The 15 rows in the notation of tiles, top row first; ``from_rows`` reads them."""
        return tuple(map(write_tiles, self.lines()))

    def lines(self) -> tuple[Tiles, ...]:
        """The 15 rows, top row first."""
        return tuple(self.cells[start : start + SIZE] for start in range(0, SQUARES, SIZE))

    def __getitem__(self, sq: Square) -> Tile:
        return self.cells[sq]

    def place(self, tiles: Mapping[Square, Tile]) -> Self:
        """The board with these tiles laid on it, whatever was there before."""
        cells = list(self.cells)
        for sq, tile in tiles.items():
            cells[sq] = tile
        return type(self)(tuple(cells))

    def remove(self, squares: Iterable[Square]) -> Self:
        """The board with these squares cleared."""
        return self.place(dict.fromkeys(squares, EMPTY))

    def has_tile(self, sq: Square) -> bool:
        """Whether a tile lies on the square."""
        return self.cells[sq] is not EMPTY

    @property
    def is_empty(self) -> bool:
        """Whether no tile lies on the board."""
        return self.cells == _NOTHING

    def occupied(self) -> tuple[Square, ...]:
        """The squares with a tile, in the order of their numbers."""
        return tuple(Square(sq) for sq, tile in enumerate(self.cells) if tile is not EMPTY)

    def __str__(self) -> str:
        return "\n".join(self.rows())


_NOTHING: Tiles = (EMPTY,) * SQUARES
EMPTY_BOARD = Board(_NOTHING)

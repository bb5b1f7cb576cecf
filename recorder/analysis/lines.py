"""One line of the board, as the search for plays needs it.

A line is a row or a column. For every empty square: which letters the crossing word allows, and
what that word counts besides the new tile. Letters are numbers 0.. in the order of the tile set.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recorder.domain.board import CENTRE, SIZE, STANDARD_PREMIUMS, Board, Square
from recorder.domain.tiles import EMPTY, Tile, Tiles, TileSet, unnamed

EMPTY_CELL = -1
UNKNOWN_CELL = 63
"""A blank whose letter nobody knows: no word fits over it."""
ANY_LETTER = np.uint32(0xFFFFFFFF)
_LETTER_FACTORS = tuple(premium.letter for premium in STANDARD_PREMIUMS)
_WORD_FACTORS = tuple(premium.word for premium in STANDARD_PREMIUMS)


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A row or a column: ``squares`` in reading order, and what is known of each of its 15 cells.

    ``cells`` the letter that lies there or -1; ``allowed`` a bit for each letter that the crossing
    word lets in; ``cross`` the points of the crossing word's other tiles, -1 where there is none;
    ``values`` the points of the tile that lies there (0 for a blank); ``anchored`` whether a play
    over this cell joins the position.
    """

    squares: tuple[Square, ...]
    cells: NDArray[np.int8]
    allowed: NDArray[np.uint32]
    cross: tuple[int, ...]
    values: tuple[int, ...]
    anchored: NDArray[np.bool_]
    letter_factors: tuple[int, ...]
    word_factors: tuple[int, ...]


def board_lines(board: Board, tile_set: TileSet, valid: Callable[[Tiles], bool]) -> list[BoardLine]:
    """All lines over which some play can lie, rows first."""
    rows = [tuple(Square(row * SIZE + col) for col in range(SIZE)) for row in range(SIZE)]
    columns = [tuple(Square(row * SIZE + col) for row in range(SIZE)) for col in range(SIZE)]
    lines = [_line(board, squares, SIZE, tile_set, valid) for squares in rows]
    lines += [_line(board, squares, 1, tile_set, valid) for squares in columns]
    return [line for line in lines if line.anchored.any()]


def _line(
    board: Board,
    squares: tuple[Square, ...],
    step: int,
    tile_set: TileSet,
    valid: Callable[[Tiles], bool],
) -> BoardLine:
    """``step`` is the way from a square to the next one of its crossing word."""
    number = {letter: index for index, letter in enumerate(tile_set.letters)}
    cells, allowed, cross, values, anchored = [], [], [], [], []
    for sq in squares:
        tile = board[sq]
        before, after = _run(board, sq, -step), _run(board, sq, step)
        crossed = tile is EMPTY and bool(before or after)
        cells.append(EMPTY_CELL if tile is EMPTY else number.get(unnamed(tile), UNKNOWN_CELL))
        values.append(0 if tile is EMPTY else tile_set.value(tile))
        allowed.append(_allowed(before, after, tile_set, valid) if crossed else ANY_LETTER)
        cross.append(sum(map(tile_set.value, before + after)) if crossed else -1)
        anchored.append(tile is not EMPTY or crossed or (board.is_empty and sq == CENTRE))
    return BoardLine(
        squares=squares,
        cells=np.array(cells, np.int8),
        allowed=np.array(allowed, np.uint32),
        cross=tuple(cross),
        values=tuple(values),
        anchored=np.array(anchored),
        letter_factors=_LETTER_FACTORS[squares[0] : squares[-1] + 1 : squares[1] - squares[0]],
        word_factors=_WORD_FACTORS[squares[0] : squares[-1] + 1 : squares[1] - squares[0]],
    )


def _run(board: Board, sq: Square, step: int) -> Tiles:
    """The tiles next to a square along its crossing word, in reading order; step -15, -1, 1, 15."""
    tiles: list[Tile] = []
    at = sq + step
    same_row = abs(step) == 1
    while 0 <= at < SIZE * SIZE and (not same_row or at // SIZE == sq // SIZE):
        if board[Square(at)] is EMPTY:
            break
        tiles.append(board[Square(at)])
        at += step
    return tuple(tiles if step > 0 else reversed(tiles))


def _allowed(
    before: Tiles, after: Tiles, tile_set: TileSet, valid: Callable[[Tiles], bool]
) -> np.uint32:
    """A bit for every letter that makes a word between these tiles."""
    bits = 0
    for index, letter in enumerate(tile_set.letters):
        if valid((*before, letter, *after)):
            bits |= 1 << index
    return np.uint32(bits)

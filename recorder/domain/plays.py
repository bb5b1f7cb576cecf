"""Placements: which tiles a play lays where, how it is written, and what is wrong with it.

A placement that breaks a rule is still a value: it stands until somebody challenges it, so it
can be written and scored. ``Fault`` flags say what is wrong (PLACE-1, PLACE-2). Whether the words
are acceptable is no question of this module: a phony is not a fault.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag, auto
from functools import lru_cache

from recorder.domain.board import (
    CENTRE,
    SIZE,
    Board,
    Direction,
    Square,
    col_of,
    line_from,
    name_across,
    name_down,
    neighbours,
    parse_square,
    row_of,
)
from recorder.domain.errors import NotationError
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import EMPTY, RACK_SIZE, Tile, Tiles, TileSet, face, unseen


@dataclass(frozen=True, slots=True)
class Placement:
    """A word laid from a start square; ``EMPTY`` in the word stands for a tile already there.

    >>> placement = parse_placement("8D FI.NS")
    >>> str(placement), placement.position, len(placement.new_tiles())
    ('8D FI.NS', '8D', 4)
    """

    start: Square
    direction: Direction
    word: Tiles

    @property
    def position(self) -> str:
        """The start square's name; it shows the direction too (``8D`` across, ``D8`` down)."""
        across = self.direction is Direction.ACROSS
        return name_across(self.start) if across else name_down(self.start)

    def squares(self) -> tuple[Square, ...]:
        """The squares under the word; those beyond the edge of the board are left out."""
        return line_from(self.start, self.direction, len(self.word))

    def new_tiles(self) -> dict[Square, Tile]:
        """The tiles laid by this play, by square, without those beyond the edge of the board."""
        return dict(_new_tiles(self))

    def __str__(self) -> str:
        return f"{self.position} {write_tiles(self.word)}"


@lru_cache(maxsize=1024)
def _new_tiles(placement: Placement) -> tuple[tuple[Square, Tile], ...]:
    """The tiles of a play are asked for at every word of a sensor."""
    pairs = zip(placement.squares(), placement.word, strict=False)
    return tuple((sq, tile) for sq, tile in pairs if tile is not EMPTY)


def parse_placement(text: str, tile_set: TileSet | None = None) -> Placement:
    """The placement written as ``8D FI.NS`` or ``8D CA[LL]E``; NotationError when it is none.

    With a tile set ``8D CALLE`` is read by its labels, the longest first. Not checked: whether it
    fits a board, or the letters the set.
    """
    position, _, word = text.partition(" ")
    start, direction = parse_square(position)
    try:
        tiles = read_tiles(word, tile_set)
    except NotationError as err:
        raise NotationError(f"invalid word in placement {text!r}: {err}") from err
    if not tiles:
        raise NotationError(f"invalid word in placement {text!r} (letters, '?' and '.' only)")
    return Placement(start, direction, tiles)


def run_through(board: Board, sq: Square, direction: Direction) -> tuple[Square, ...]:
    """The unbroken line of tiles through a square, the square itself included, in reading order."""
    cells, step = board.cells, direction.step
    low = sq - sq % SIZE if direction is Direction.ACROSS else sq % SIZE
    high = low + SIZE * step
    first, after = sq, sq + step
    while first - step >= low and cells[first - step] is not EMPTY:
        first = Square(first - step)
    while after < high and cells[after] is not EMPTY:
        after += step
    return line_from(first, direction, (after - first) // step)


def _line_of(board: Board, tiles: Mapping[Square, Tile]) -> Direction | None:
    """The direction the tiles lie in; None when they lie in no single line."""
    if len(tiles) == 1:
        only = next(iter(tiles))
        across = len(run_through(board, only, Direction.ACROSS))
        down = len(run_through(board, only, Direction.DOWN))
        return Direction.DOWN if across == 1 < down else Direction.ACROSS
    if len({row_of(sq) for sq in tiles}) == 1:
        return Direction.ACROSS
    if len({col_of(sq) for sq in tiles}) == 1:
        return Direction.DOWN
    return None


def placement_of(board: Board, tiles: Mapping[Square, Tile]) -> Placement:
    """The one way to write the laying of some tiles on a board (the board before the play).

    The direction is the tiles' line; a single tile reads across unless it makes a word
    only down. The word is the whole main word; a gap between the
    tiles shows as ``EMPTY`` too. NotationError when there is no tile, when a tile would lie on
    another, or when they are in no single line: such a laying has no notation.
    """
    if not tiles:
        raise NotationError("a placement needs at least one tile")
    taken = [name_across(sq) for sq in tiles if board.has_tile(sq)]
    if taken:
        raise NotationError(f"already occupied: {', '.join(taken)}")
    direction = _line_of(board, tiles)
    if direction is None:
        names = ", ".join(name_across(sq) for sq in sorted(tiles))
        raise NotationError(f"tiles are not in one line: {names}")
    after = board.place(tiles)
    first = run_through(after, min(tiles), direction)[0]
    last = run_through(after, max(tiles), direction)[-1]
    line = range(first, last + 1, direction.step)
    return Placement(first, direction, tuple(tiles.get(Square(sq), EMPTY) for sq in line))


def placement_in_line(board: Board, tiles: Mapping[Square, Tile]) -> Placement | None:
    """The same, or None where there is no way to write it: tiles in no single line, or none."""
    try:
        return placement_of(board, tiles)
    except NotationError:
        return None


class Fault(IntFlag):
    """What is wrong with a placement; none of it makes the play impossible to record.

    The names follow PLACE-2; in brackets its codes.
    """

    NONE = 0
    NO_TILES = auto()
    ONE_TILE_FIRST = auto()  # P-ONE
    NOT_IN_LINE = auto()  # P-LINE
    GAP = auto()  # P-GAP, P-TWO
    NOT_CONNECTED = auto()  # P-DISC
    NOT_THROUGH_CENTRE = auto()  # P-CENTRE
    OCCUPIED = auto()
    OFF_BOARD = auto()  # P-OFF
    TOO_MANY_TILES = auto()  # P-OVER
    NOT_IN_SUPPLY = auto()


def laying_faults(board: Board, tiles: Mapping[Square, Tile], tile_set: TileSet) -> Fault:
    """What is wrong with laying these tiles on the board in one turn, in line or not."""
    if not tiles:
        return Fault.NO_TILES
    after = board.place(tiles)
    faults = _joining_faults(board, tiles) | _line_faults(after, tiles)
    if any(board.has_tile(sq) for sq in tiles):
        faults |= Fault.OCCUPIED
    if len(tiles) > RACK_SIZE:
        faults |= Fault.TOO_MANY_TILES
    left = unseen(tile_set, after.cells)
    if any(left[face(tile)] < 0 for tile in tiles.values()):
        faults |= Fault.NOT_IN_SUPPLY
    return faults


def _joining_faults(board: Board, tiles: Mapping[Square, Tile]) -> Fault:
    """Whether the tiles join what is there; on an empty board, whether they open the game."""
    if board.is_empty:
        alone = Fault.ONE_TILE_FIRST if len(tiles) == 1 else Fault.NONE
        return alone | (Fault.NONE if CENTRE in tiles else Fault.NOT_THROUGH_CENTRE)
    joined = any(board.has_tile(near) for sq in tiles for near in neighbours(sq))
    return Fault.NONE if joined else Fault.NOT_CONNECTED


def _line_faults(after: Board, tiles: Mapping[Square, Tile]) -> Fault:
    """Whether the tiles are in one line without a gap; ``after`` is the board with them on it."""
    direction = _line_of(after, tiles)
    if direction is None:
        return Fault.NOT_IN_LINE
    unbroken = set(tiles) <= set(run_through(after, min(tiles), direction))
    return Fault.NONE if unbroken else Fault.GAP


def placement_faults(board: Board, placement: Placement, tile_set: TileSet) -> Fault:
    """What is wrong with a placement, given the board before it (``Fault.NONE`` when nothing is).

    Beyond what ``laying_faults`` says: a word over the edge is OFF_BOARD, a ``"."`` on an empty
    square is a GAP.
    """
    tiles = placement.new_tiles()
    faults = laying_faults(board, tiles, tile_set)
    squares = placement.squares()
    if len(squares) < len(placement.word):
        faults |= Fault.OFF_BOARD
    for sq, tile in zip(squares, placement.word, strict=False):
        if tile is EMPTY and not board.has_tile(sq):
            faults |= Fault.GAP
    return faults

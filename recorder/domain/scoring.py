"""What a play scores: the words it forms and their points (SCORE-1 to SCORE-3).

Only the board before the play, the placement and the tile set matter. Nothing here asks whether
the play is legal or its words acceptable: an illegal play is scored as if it were legal, because
it stands when nobody challenges it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from recorder.domain.board import STANDARD_PREMIUMS, Board, Direction, Square, col_of
from recorder.domain.plays import Placement, run_through
from recorder.domain.tiles import RACK_SIZE, Tile, Tiles, TileSet

BINGO_POINTS = 50


@dataclass(frozen=True, slots=True)
class FormedWord:
    """A word on the board after a play."""

    tiles: Tiles
    squares: tuple[Square, ...]


def words_formed(board: Board, placement: Placement) -> tuple[FormedWord, ...]:
    """The words of two letters or more that a play makes, the main word first.

    ``board`` is the board before the play. A single tile that touches nothing makes a word of
    one letter. Tiles with a gap between them make one word each side of it.
    """
    return _words(board, placement.new_tiles(), placement.direction)


def words_laid(board: Board, tiles: Mapping[Square, Tile]) -> tuple[FormedWord, ...]:
    """The same for tiles in any squares, in line or not.

    Several tiles of which none touches another, or an earlier one, make no word at all.
    """
    down = len({col_of(sq) for sq in tiles}) == 1 and len(tiles) > 1
    words = _words(board, tiles, Direction.DOWN if down else Direction.ACROSS)
    alone = len(tiles) > 1 and len(words) == 1 and len(words[0].squares) == 1
    return () if alone else words


def _words(board: Board, tiles: Mapping[Square, Tile], main: Direction) -> tuple[FormedWord, ...]:
    after = board.place(tiles)
    lines = [run_through(after, sq, main) for sq in tiles]
    lines += [run_through(after, sq, main.other) for sq in tiles]
    runs = tuple(dict.fromkeys(lines))
    words = tuple(run for run in runs if len(run) > 1) or runs[:1]
    return tuple(FormedWord(tuple(after[sq] for sq in run), run) for run in words)


def word_points(word: FormedWord, new: frozenset[Square] | set[Square], tile_set: TileSet) -> int:
    """The points of one word; premiums count only under the new tiles (SCORE-1)."""
    points, factor = 0, 1
    for sq, tile in zip(word.squares, word.tiles, strict=True):
        premium = STANDARD_PREMIUMS[sq]
        value = tile_set.value(tile)
        if sq in new:
            value *= premium.letter
            factor *= premium.word
        points += value
    return points * factor


def score(
    board: Board, placement: Placement, tile_set: TileSet, *, bingo: int = BINGO_POINTS
) -> int:
    """The points of a play, bingo included, as if it were legal.

    ``bingo`` is added when a whole rack is laid (SCORE-3). Blanks count nothing,
    but word premiums under them do (SCORE-2).
    """
    words = words_formed(board, placement)
    return _points(placement.new_tiles(), words, tile_set, bingo)


def laying_points(
    board: Board, tiles: Mapping[Square, Tile], tile_set: TileSet, *, bingo: int = BINGO_POINTS
) -> int:
    """The points of tiles in any squares, as if it were a legal play: of every word they make."""
    words = words_laid(board, tiles)
    return _points(tiles, words, tile_set, bingo)


def _points(
    tiles: Mapping[Square, Tile], words: tuple[FormedWord, ...], tile_set: TileSet, bingo: int
) -> int:
    new = set(tiles)
    points = sum(word_points(word, new, tile_set) for word in words)
    return points + (bingo if len(new) == RACK_SIZE else 0)

"""Words and tiles of orders as the board has them, or why they cannot be meant."""

from collections.abc import Iterable
from dataclasses import replace

from recorder.domain.board import Board, name_across
from recorder.domain.orders import EntryName
from recorder.domain.plays import Placement
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import EMPTY, Tile, Tiles, TileSet, unnamed


def on_board(placement: Placement, board: Board, tile_set: TileSet, where: EntryName) -> Placement:
    """The placement with ``EMPTY`` where the board has its letter; RefusedError if it differs.

    Anyone who gives an order may write the word in full, and labels of several letters plainly.
    """
    placement = replace(placement, word=_longest_labels(placement.word, tile_set))
    squares = placement.squares()
    if len(squares) < len(placement.word):
        raise OrderRefusedError("off_the_board", entry=where.number, play=str(placement))
    check_letters((tile for tile in placement.word if tile is not EMPTY), tile_set)
    word: list[Tile] = []
    for sq, tile in zip(squares, placement.word, strict=True):
        there = board[sq]
        if there is EMPTY and tile is EMPTY:
            raise OrderRefusedError(
                "no_tile_there",
                entry=where.number,
                play=str(placement),
                square=name_across(sq),
            )
        if EMPTY not in (there, tile) and tile is not there and unnamed(tile) is not unnamed(there):
            raise OrderRefusedError(
                "other_letter_there",
                entry=where.number,
                play=str(placement),
                square=name_across(sq),
                there=str(there),
                letter=str(tile),
            )
        word.append(tile if there is EMPTY else EMPTY)
    if all(tile is EMPTY for tile in word):
        raise OrderRefusedError("all_there", entry=where.number, play=str(placement))
    return replace(placement, word=tuple(word))


def _longest_labels(tiles: Tiles, tile_set: TileSet) -> Tiles:
    """What was typed, where nobody marks a label of several letters: the longest is meant."""
    return read_tiles(write_tiles(tiles), tile_set)


def tiles_worth(points: int, tiles: Tiles, tile_set: TileSet) -> Tiles:
    """The tiles left of a player: single letters, or labels of several where their points say so.

    ``points`` are their value, or twice that.
    """
    longest = _longest_labels(tiles, tile_set)
    fitting = (
        rack
        for rack in (tiles, longest)
        if all(map(tile_set.has, rack))
        and points in (tile_set.points(rack), 2 * tile_set.points(rack))
    )
    return next(fitting, longest)


def check_letters(tiles: Iterable[Tile], tile_set: TileSet) -> None:
    """OrderRefusedError for letters that the set does not have."""
    if strange := sorted({tile for tile in tiles if not tile_set.has(tile)}):
        letters = " ".join(map(str, strange))
        raise OrderRefusedError("no_such_tile", set=tile_set.name, letters=letters)

"""Words and tiles of orders as the board has them, or why they cannot be meant."""

from dataclasses import replace

from recorder.domain.board import Board, name_across
from recorder.domain.orders import EntryName
from recorder.domain.plays import Placement
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.tiles import BLANK, EMPTY, TileSet


def on_board(placement: Placement, board: Board, tile_set: TileSet, where: EntryName) -> Placement:
    """The placement with ``"."`` where the board has its letter; RefusedError where it has another.

    Whoever gives an order may write the word in full.
    """
    squares = placement.squares()
    if len(squares) < len(placement.word):
        raise OrderRefusedError("off_the_board", entry=where.number, play=str(placement))
    check_letters(placement.word.replace(EMPTY, ""), tile_set)
    word = ""
    for sq, tile in zip(squares, placement.word, strict=True):
        there = board[sq]
        if there == EMPTY and tile == EMPTY:
            raise OrderRefusedError(
                "no_tile_there",
                entry=where.number,
                play=str(placement),
                square=name_across(sq),
            )
        if there != EMPTY and tile not in (EMPTY, there) and tile.upper() != there.upper():
            raise OrderRefusedError(
                "other_letter_there",
                entry=where.number,
                play=str(placement),
                square=name_across(sq),
                there=there,
                letter=tile,
            )
        word += EMPTY if there != EMPTY else tile
    if not word.strip(EMPTY):
        raise OrderRefusedError("all_there", entry=where.number, play=str(placement))
    return replace(placement, word=word)


def check_letters(tiles: str, tile_set: TileSet) -> None:
    """OrderRefusedError for letters that the set does not have."""
    known = {BLANK, *tile_set.letters, *tile_set.letters.lower()}
    if strange := sorted(set(tiles) - known):
        raise OrderRefusedError("no_such_tile", set=tile_set.name, letters=" ".join(strange))

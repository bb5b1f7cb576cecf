"""Placements, how they are written, and what is wrong with them."""

import pytest

from recorder.domain.board import EMPTY_BOARD, Board, Square, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.plays import (
    Fault,
    laying_faults,
    parse_placement,
    placement_faults,
    placement_of,
)
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import Tile
from recorder.tilesets import load_tile_set

ENGLISH = load_tile_set("english")


def laid(text: str, board: Board = EMPTY_BOARD) -> Board:
    return board.place(parse_placement(text).new_tiles())


def at(**tiles: str) -> dict[Square, Tile]:
    """Tiles by square name, written ``_8H="A"``."""
    return {parse_square(name[1:])[0]: read_tile(tile) for name, tile in tiles.items()}


@pytest.mark.parametrize("text", ["8D", "8D ", "FISH 8D", "8D FI5H", "16D FISH", "8D FI SH"])
def test_what_is_no_placement_is_refused(text: str) -> None:
    """NotationError, never an index error."""
    with pytest.raises(NotationError):
        parse_placement(text)


def test_the_main_word_takes_in_tiles_at_both_ends() -> None:
    """S and RE at a word already there are written with it."""
    board = laid("8F PLAY")
    assert str(placement_of(board, at(_8J="S"))) == "8F ....S"
    assert str(placement_of(board, at(_8E="S", _8D="I"))) == "8D IS...."


def test_a_single_tile_reads_across_unless_it_makes_a_word_only_down() -> None:
    """However long the down word is; across too when the tile stands alone."""
    assert str(placement_of(laid("8H OWE"), at(_9H="N"))) == "H8 .N"
    both = laid("J5 OAT", laid("9G ON"))
    assert str(placement_of(both, at(_9I="E"))) == "9G ..E"
    longer_down = laid("I5 TON", laid("8G SO"))
    assert str(placement_of(longer_down, at(_8I="E"))) == "8G ..E"
    assert str(placement_of(EMPTY_BOARD, at(_8H="A"))) == "8H A"


def test_a_gap_is_written_and_flagged() -> None:
    """8G, 8H and 8J with 8I empty: P-GAP."""
    tiles = at(_8G="C", _8H="A", _8J="T")
    assert str(placement_of(EMPTY_BOARD, tiles)) == "8G CA.T"
    assert laying_faults(EMPTY_BOARD, tiles, ENGLISH) == Fault.GAP
    assert placement_faults(EMPTY_BOARD, parse_placement("8G CA.T"), ENGLISH) == Fault.GAP


def test_tiles_that_no_notation_can_tell_are_refused_with_their_squares() -> None:
    with pytest.raises(NotationError, match="8H, 9I"):
        placement_of(EMPTY_BOARD, at(_8H="A", _9I="B"))
    with pytest.raises(NotationError, match="already occupied: 8H"):
        placement_of(laid("8H AB"), at(_8H="A", _8I="B"))
    with pytest.raises(NotationError, match="needs at least one tile"):
        placement_of(EMPTY_BOARD, {})


@pytest.mark.parametrize(
    ("before", "text", "faults"),
    [
        ("", "8D FISH", Fault.NOT_THROUGH_CENTRE),
        ("", "8E FISH", Fault.NONE),
        ("", "8H A", Fault.ONE_TILE_FIRST),
        ("8H AB", "1A CAT", Fault.NOT_CONNECTED),
        ("8H AB", "9G CAT", Fault.NONE),
        ("8H AB", "8H CAT", Fault.OCCUPIED),
        ("8H AB", "8H ..FGHIJKL", Fault.OFF_BOARD),
        ("8H AB", "H6 XY.CDEFGH", Fault.TOO_MANY_TILES),
        ("8H AB", "8H ...T", Fault.NOT_CONNECTED | Fault.GAP),
        ("8H AB", "8H ..", Fault.NO_TILES),
        ("8H ZB", "H8 .OZ", Fault.NOT_IN_SUPPLY),
        ("8H AB", "H8 .Ä", Fault.NOT_IN_SUPPLY),
    ],
)
def test_each_fault_of_a_placement_is_named(before: str, text: str, faults: Fault) -> None:
    """PLACE-2: the kinds of wrong placement, each on its own where it can be."""
    board = laid(before) if before else EMPTY_BOARD
    assert placement_faults(board, parse_placement(text), ENGLISH) == faults

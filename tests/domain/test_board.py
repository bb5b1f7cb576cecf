"""Squares, premiums, positions."""

from collections import Counter

import pytest

from recorder.domain.board import (
    CENTRE,
    STANDARD_PREMIUMS,
    Board,
    Direction,
    Premium,
    Square,
    name_across,
    name_down,
    neighbours,
    parse_square,
    square,
)
from recorder.domain.errors import NotationError
from recorder.domain.tile_text import read_tiles


def test_every_square_is_read_back_from_both_its_names() -> None:
    """Number first reads across, letter first reads down."""
    for number in range(225):
        sq = Square(number)
        assert parse_square(name_across(sq)) == (sq, Direction.ACROSS)
        assert parse_square(name_down(sq)) == (sq, Direction.DOWN)
    assert name_across(square(14, 0)) == "15A"


@pytest.mark.parametrize("name", ["", "16A", "0A", "A0", "P1", "8h", "88", "HH", "8H ", "08H"])
def test_what_is_no_square_is_refused_with_its_text(name: str) -> None:
    """The message quotes what was written."""
    with pytest.raises(NotationError, match="invalid square"):
        parse_square(name)


def test_the_standard_board_has_its_premiums_and_all_its_symmetries() -> None:
    """8 triple words, 17 double words with the centre, 12 triple and 24 double letters."""
    assert Counter(STANDARD_PREMIUMS) == {
        Premium.TRIPLE_WORD: 8,
        Premium.DOUBLE_WORD: 17,
        Premium.TRIPLE_LETTER: 12,
        Premium.DOUBLE_LETTER: 24,
        Premium.NONE: 164,
    }
    assert STANDARD_PREMIUMS[CENTRE] is Premium.DOUBLE_WORD
    for row in range(15):
        for col in range(15):
            here = STANDARD_PREMIUMS[row * 15 + col]
            assert here is STANDARD_PREMIUMS[col * 15 + row]
            assert here is STANDARD_PREMIUMS[(14 - row) * 15 + col]


def test_a_row_of_the_wrong_length_is_named() -> None:
    with pytest.raises(NotationError, match="row 3 has 14"):
        Board.from_rows(["." * 15, "." * 15, "." * 14, *["." * 15] * 12])
    with pytest.raises(NotationError, match="225"):
        Board(read_tiles(""))


def test_a_corner_has_two_neighbours_and_no_row_wraps_round() -> None:
    """The end of a row does not touch the start of the next."""
    assert set(neighbours(Square(14))) == {13, 29}
    assert set(neighbours(CENTRE)) == {111, 113, 97, 127}

"""What is wrong with the shape of a laying, in the codes of the record."""

import pytest

from recorder.domain.board import EMPTY_BOARD, Board, Square, parse_square
from recorder.domain.laying_faults import can_be_two_plays, shape_faults
from recorder.domain.plays import parse_placement
from tests.domain.test_random_layings import random_games

CATER = EMPTY_BOARD.place(parse_placement("8F CATER").new_tiles())


def faults(board: Board, names: str) -> str:
    """The codes for tiles on these squares."""
    squares = tuple(Square(parse_square(name)[0]) for name in names.split())
    return " ".join(shape_faults(board.occupied(), squares))


@pytest.mark.parametrize(
    ("squares", "codes"),
    [
        ("K4 K5 K6 K7 K8", ""),
        ("K8", ""),
        ("K4 K5 K6 K7 K8 C11", "not_in_line not_touching"),
        ("K8 K9 L9", "not_in_line"),
        ("K4 K5 K7 K8", "gap not_touching"),
        ("F7 F10", "gap not_touching"),
        ("C12 D12 E12 F12", "not_touching"),
        ("C12", "not_touching"),
        ("G7 G9 K8 K9", "two_plays"),
        ("G7 G9 C12 D12 E12", "two_plays not_touching"),
        ("K9 L10 M11", "diagonal not_touching"),
        ("J9 I10 H11", "diagonal not_touching"),
        ("K7 L6", "diagonal not_touching"),
        ("O7 A9", "not_in_line not_touching"),
        ("K1 K2 K3 K4 K5 K6 K7 K8", "over_seven"),
    ],
)
def test_what_is_wrong_beside_a_word_on_the_board(squares: str, codes: str) -> None:
    """Every shape beside 8F CATER, with the most telling fault first."""
    assert faults(CATER, squares) == codes


@pytest.mark.parametrize(
    ("squares", "codes"),
    [
        ("G8 H8 I8", ""),
        ("F7 G7 H7", "off_centre"),
        ("H8", "one_tile"),
        ("A1", "off_centre one_tile"),
        ("H8 I9", "diagonal"),
        ("G8 H8 J8", "gap"),
    ],
)
def test_what_is_wrong_with_a_first_play(squares: str, codes: str) -> None:
    """An empty board asks for the centre and for two tiles."""
    assert faults(EMPTY_BOARD, squares) == codes


def test_no_laying_by_the_rules_has_a_fault() -> None:
    """Whatever is laid in a line that joins what is there."""
    tried = 0
    for board, placement in random_games():
        assert shape_faults(board.occupied(), tuple(placement.new_tiles())) == ()
        tried += 1
    assert tried > 100


@pytest.mark.parametrize(
    ("squares", "plays"),
    [
        ("K8 C11", 1),
        ("K8 F9", 2),
        ("K8 K9 L9", 2),
        ("J4 J5 J6 J7 F9 F10", 2),
        ("F9 F10 G10 H10 H11", 1),
        ("K8", 1),
    ],
)
def test_tiles_in_two_lines_may_be_two_plays_after_one_another(squares: str, plays: int) -> None:
    """Each touches what lies there, or the other of the two."""
    new = tuple(Square(parse_square(name)[0]) for name in squares.split())
    assert can_be_two_plays(CATER.occupied(), new) == (plays == 2)

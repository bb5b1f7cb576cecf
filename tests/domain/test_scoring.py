"""The worked examples of the rulebook, and what a word is."""

import pytest

from recorder.domain.board import EMPTY_BOARD
from recorder.domain.plays import parse_placement
from recorder.domain.scoring import score
from recorder.tilesets import load_tile_set
from tests.boards import board_of

ENGLISH, GERMAN = load_tile_set("english"), load_tile_set("german")


@pytest.mark.parametrize(
    ("before", "text", "points"),
    [
        ([], "8D QUALM", 52),
        (["8D QUALM"], "9F BOY", 23),
        ([], "8D TRAINER", 66),
        (["8D TRAINER"], "8C S.......S", 9),
        ([], "1H fOX", 27),
        ([], "1H FOX", 39),
        ([], "8D qUALM", 12),
        ([], "8D QUALm", 46),
        ([], "8G at", 0),
        ([], "7F CAT", 6),
        (["7F CAT"], "H7 .HE", 12),
    ],
)
def test_worked_examples_of_the_rulebook(before: list[str], text: str, points: int) -> None:
    """SCORE-1, SCORE-2 and PLACE-4, each with the figure given there."""
    assert score(board_of(*before), parse_placement(text), ENGLISH) == points


@pytest.mark.parametrize(
    ("through", "text", "points"),
    [("F1 E", "1A TRAIN.RS", 131), ("D1 I", "1A TRA.NERS", 122), ("H5 N", "5D TRAI.ERS", 82)],
)
def test_a_bingo_through_a_letter_counts_seven_new_tiles(
    through: str, text: str, points: int
) -> None:
    """SCORE-3: the letter played through does not count, nor does its premium."""
    assert score(board_of(through), parse_placement(text), ENGLISH) == points


def test_six_tiles_are_no_bingo_even_in_a_long_word() -> None:
    """SCORE-4: the bonus needs exactly seven tiles."""
    board = board_of("8D QUALM")
    assert score(board, parse_placement("8B AB.....IN"), ENGLISH) < 50
    assert score(EMPTY_BOARD, parse_placement("8D TRAINER"), ENGLISH, bingo=0) == 16

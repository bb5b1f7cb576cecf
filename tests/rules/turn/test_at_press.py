"""What is noticed at a press, and that a clean play raises nothing."""

import pytest

from recorder.domain.notices import Notice
from recorder.domain.rules.placement.at_press import notice_at_press
from recorder.domain.rules.placement.layings import Laying
from tests.boards import board_of
from tests.rules.case_book import ALL, W1
from tests.rules.laid import ENGLISH, laying, tiles

BOARD = board_of("8D QUALM", "9F BOY")


PLAYS = [
    (laying("D8 QUALM"), None, Notice.ILLEGAL_PLACEMENT, 5),
    (laying("8D QUALM"), 57, Notice.SCORE_ANNOUNCED, 5),
    (
        Laying(before=BOARD, tiles=tiles(A1="A", B1="T")),
        None,
        Notice.ILLEGAL_PLACEMENT,
        2,
    ),
    (
        Laying(before=BOARD, tiles=tiles(D7="A", I9="E")),
        None,
        Notice.ILLEGAL_PLACEMENT,
        2,
    ),
    (laying("8H AEINRSTE"), None, Notice.ILLEGAL_PLACEMENT, 0),
]


@pytest.mark.parametrize(
    ("laid", "announced", "notice", "squares"), PLAYS, ids=[p[2].name for p in PLAYS]
)
def test_each_fault_is_noticed_once(
    laid: Laying, announced: int | None, notice: Notice, squares: int
) -> None:
    """With its squares and its values."""
    for rules in ALL:
        (found,) = notice_at_press(rules, ENGLISH, laid, announced)
        code, where, numbers = found
        assert (code, len(where)) == (notice, squares)
        assert (numbers.get("fault") is None) is (notice is not Notice.ILLEGAL_PLACEMENT)


def test_an_announced_score_of_no_play_is_not_compared() -> None:
    """Tiles in no line have no score; that they lie so is reported."""
    laid = Laying(before=BOARD, tiles=tiles(D7="A", I9="E"))
    (found,) = notice_at_press(W1, ENGLISH, laid, 9)
    assert found[0] is Notice.ILLEGAL_PLACEMENT

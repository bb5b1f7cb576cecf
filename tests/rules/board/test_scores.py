"""Scores by the rule set in force, and what an announced sum hides."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.board import EMPTY_BOARD, Direction, Square
from recorder.domain.plays import Placement
from recorder.domain.rules.placement.scores import laying_score, play_score
from recorder.domain.scoring import score
from recorder.domain.tiles import Tile
from tests.boards import board_of
from tests.rules.case_book import NAS, W1, in_force
from tests.rules.laid import ENGLISH, QUALM, scored

PLACEMENTS = st.builds(
    Placement,
    st.integers(0, 224).map(Square),
    st.sampled_from(Direction),
    st.text("AEINRSTQZe", min_size=1, max_size=7),
)


@given(placement=PLACEMENTS, opened=st.booleans())
def test_the_words_add_up_to_what_the_game_scores(placement: Placement, *, opened: bool) -> None:
    """Word by word or at once: the same points, wherever the tiles lie."""
    board = board_of(*QUALM) if opened else EMPTY_BOARD
    if any(board.has_tile(square) for square in placement.new_tiles()):
        return
    assert play_score(W1, board, placement, ENGLISH) == score(board, placement, ENGLISH)


def test_the_bonus_is_the_rule_sets() -> None:
    """An event can have another one; an open one is that of the box rules."""
    event = in_force("naspa", score__bingo_bonus=40)
    assert scored(event, "8D TRAINE") == scored(NAS, "8D TRAINE")
    assert scored(event, "8D TRAINER") == scored(NAS, "8D TRAINER") - 10
    bare = in_force("wespa3_hk", confirmed=False)
    assert scored(bare, "8D TRAINER") == scored(NAS, "8D TRAINER")


def test_tiles_that_make_no_word_have_no_score() -> None:
    apart = {Square(0): Tile("A"), Square(100): Tile("T")}
    assert laying_score(W1, EMPTY_BOARD, apart, ENGLISH) is None
    assert laying_score(W1, EMPTY_BOARD, {Square(1): Tile("A")}, ENGLISH) == 1

"""Scores by the rule set in force, and what an announced sum hides."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.board import EMPTY_BOARD, Direction, Square
from recorder.domain.plays import Placement
from recorder.domain.rules.placement.scores import (
    check_announced,
    play_score,
)
from recorder.domain.scoring import score
from tests.rules.case_book import HK, NAS, W1, in_force
from tests.rules.laid import ENGLISH, QUALM, board_of, scored
from tests.rules.said import said

PLACEMENTS = st.builds(
    Placement,
    st.integers(0, 224).map(Square),
    st.sampled_from(Direction),
    st.text("AEINRSTQZe", min_size=1, max_size=7),
)


@given(placement=PLACEMENTS, opened=st.booleans())
def test_the_words_add_up_to_what_the_game_scores(placement: Placement, *, opened: bool) -> None:
    """Word by word or at once: the same points, wherever the tiles lie."""
    board = board_of(QUALM) if opened else EMPTY_BOARD
    if any(board.has_tile(square) for square in placement.new_tiles()):
        return
    assert play_score(W1, board, placement, ENGLISH).total == score(board, placement, ENGLISH)


def test_the_bonus_is_the_rule_sets() -> None:
    """An event can have another one."""
    event = in_force("naspa", score__bingo_bonus=40)
    assert scored(event, "8D TRAINE").bonus == 0
    assert scored(event, "8D TRAINER").bonus == 40


def test_an_unconfirmed_bonus_is_counted_and_asked_about() -> None:
    """The game goes on by the box rules; the director is informed."""
    bare = in_force("wespa3_hk", confirmed=False)
    play = scored(bare, "8D TRAINER")
    assert play.bonus == 50
    assert any("bingo_bonus" in said(question) for question in play.open_questions)
    assert not scored(HK, "8D TRAINER").open_questions


def test_an_announced_score_is_the_players_own_affair() -> None:
    """SCORE-4 takes a wrong bonus off; any other difference is only reported."""
    play = scored(NAS, "9F PARENT", QUALM)
    right = check_announced(NAS, play, 21)
    assert (right.difference, right.correction) == (0, 0)
    assert said(right.title) == "The announced score is right"
    wrong = check_announced(NAS, play, 31)
    assert (wrong.difference, wrong.correction) == (10, 0)
    bingo = scored(NAS, "8D TRAINER")
    assert check_announced(NAS, bingo, bingo.total + 50).correction == 0
    assert check_announced(HK, play, 71).correction == -50

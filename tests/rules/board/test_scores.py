"""Scores by the rule set in force, and what an announced sum hides."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.board import EMPTY_BOARD, Direction, Square
from recorder.domain.plays import Placement
from recorder.domain.rules.placement.scores import (
    check_announced,
    play_score,
    score_correctable,
    tiles_due,
)
from recorder.domain.scoring import score
from tests.rules.case_book import HK, NAS, PSA, W1, W4, in_force
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
    """An event can have another one, for another number of tiles."""
    event = in_force("naspa", score__bingo_bonus=40, score__bingo_tiles=6)
    assert scored(event, "8D TRAINE").bonus == 40
    assert scored(event, "8D TRAINER").bonus == 0


def test_an_unconfirmed_bonus_is_counted_and_asked_about() -> None:
    """The game goes on by the box rules; the director is told."""
    bare = in_force("wespa3_hk", confirmed=False)
    play = scored(bare, "8D TRAINER")
    assert play.bonus == 50
    assert any("bingo_bonus" in said(question) for question in play.open_questions)
    assert not scored(HK, "8D TRAINER").open_questions


def test_two_word_premiums_are_asked_about_where_they_are_not_confirmed() -> None:
    """NASPA does not say that they multiply."""
    bare = in_force("naspa", confirmed=False)
    play = scored(bare, "5D TRAI.ERS", ["H5 N"])
    assert play.total == 82
    assert any("multipl" in said(question) for question in play.open_questions)
    assert not scored(bare, "8D TRAINER").open_questions


def test_what_this_program_cannot_count_is_said() -> None:
    """Blanks with a value, premiums that count again: told with the plays that they touch."""
    event = in_force("wespa1", score__blank_value=1, score__premiums_once=False)
    assert any("blank_value" in said(one) for one in scored(event, "8D qUALM").open_questions)
    later = scored(event, "8C S.......S", ["8D TRAINER"])
    assert any("premiums_once" in said(one) for one in later.open_questions)
    assert not scored(event, "8D QUALM").open_questions


def test_until_when_a_score_is_put_right() -> None:
    """TURN-10: until both have signed, or until the result is final."""
    for rules in (W1, PSA, W4):
        assert score_correctable(rules, signed=False, final=False).allowed
        assert score_correctable(rules, signed=True, final=False).allowed is False
    assert score_correctable(NAS, signed=True, final=False).allowed
    assert score_correctable(NAS, signed=True, final=True).allowed is False
    assert score_correctable(HK, signed=False, final=False).allowed is None


def test_an_event_can_spend_the_centre() -> None:
    """PLACE-4 the other way: the centre then counts plain for whoever comes later."""
    event = in_force("wespa1", placement__centre_missed_stands_dws=False)
    assert scored(event, "H7 .HE", ["7F CAT"]).total == 6
    assert scored(event, "8D QUALM").total == 52
    unsettled = in_force("wespa3_hk", confirmed=False)
    assert any(
        "centre" in said(one) for one in scored(unsettled, "H7 .HE", ["7F CAT"]).open_questions
    )


def test_an_announced_score_is_the_players_own_affair() -> None:
    """SCORE-4 takes a wrong bonus off; any other difference is only told."""
    play = scored(NAS, "9F PARENT", QUALM)
    right = check_announced(NAS, play, 21)
    assert (right.difference, right.correction) == (0, 0)
    assert said(right.procedure.title) == "The announced score is right"
    wrong = check_announced(NAS, play, 31)
    assert (wrong.difference, wrong.correction) == (10, 0)
    bingo = scored(NAS, "8D TRAINER")
    assert check_announced(NAS, bingo, bingo.total + 50).correction == 0
    silent = check_announced(HK, play, 71)
    assert silent.correction == -50
    assert silent.procedure.for_director


@given(kept=st.integers(0, 9), bag=st.integers(0, 100))
def test_nobody_draws_beyond_a_full_rack_or_an_empty_bag(kept: int, bag: int) -> None:
    """DRAW-2."""
    due = tiles_due(kept, bag)
    assert 0 <= due <= bag
    assert kept + due <= max(kept, 7)

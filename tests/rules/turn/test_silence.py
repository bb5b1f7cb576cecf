"""Who is informed of what: the whole matrix, and what holds for every notice."""

import pytest

from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import Manner, Notice, Phase, Release
from recorder.domain.rules.core.disclosure import route
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4

TELL, ALERT, SHOW = Manner.TELL_PLAYERS, Manner.ALERT, Manner.SHOW
LOOK_UP, WITHHELD = Manner.LOOK_UP, Manner.WITHHELD
MATRIX = {  # the manner in naspa and in each other set, while the game is played
    (TELL, ALERT): """
        loose_tile spill tile_moved tile_gone changed_after_press wrong_removal clock_stopped""",
    (TELL, SHOW): "earlier_moved not_touching overdraw over_seven",
    (ALERT, ALERT): """
        absent challenge_unsettled device_contradicts device_lost doubtful_ruling fact_in_dispute
        foreign_tile improper_return late no_look other_board overtime_lost overtime_near_limit
        suspected_cheating""",
    (SHOW, SHOW): """
        accidental_press after_end blank_changed blank_spoken_otherwise board_cleared
        counts_disagree courtesy_mixed courtesy_not_returned diagonal doubtful_reading
        drawn_in_absence drawn_too_early_on_hold drawn_while_waiting gap no_clock not_in_line
        one_tile out_of_order play_after_end set_incomplete six_zero slip_leftover
        slip_word_not_played tile_turned two_plays wrong_way_round""",
    (WITHHELD, SHOW): "score_announced",
    (WITHHELD, LOOK_UP): "clock_wrong_way",
    (LOOK_UP, LOOK_UP): """
        bag_count best_play blank_late blank_spoken_only blank_unnamed drawn_before_press
        exchange_nothing_laid exchange_number flash_draw illegal_exchange left_in_bag not_pressed
        off_centre phony play_out rack_letters score_not_announced slip_unclear tile_face_down
        underdraw""",
}
EACH = [(code, *manners) for manners, codes in MATRIX.items() for code in codes.split()]


@pytest.mark.parametrize(("code", "naspa", "others"), EACH, ids=[row[0] for row in EACH])
def test_the_matrix(code: str, naspa: Manner, others: Manner) -> None:
    """INT-2, row by row; of an illegal placement by what is wrong with it."""
    is_fault = code in set(LayingFault)
    notice = Notice.ILLEGAL_PLACEMENT if is_fault else Notice(code)
    fault = code if is_fault else ""
    assert route(NAS, notice, Phase.PLAYING, fault).director is naspa
    for rules in (W1, PSA, HK, W4):
        assert route(rules, notice, Phase.PLAYING, fault).director is others, rules.name


def test_the_matrix_has_everything_that_can_be_noticed() -> None:
    """Every code and every fault of a placement stands in it once."""
    codes = sorted(code for code, _, _ in EACH)
    placement = Notice.ILLEGAL_PLACEMENT
    assert codes == sorted([*(one.value for one in Notice if one is not placement), *LayingFault])


@pytest.mark.parametrize("notice", Notice)
@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_nothing_leaves_the_directors_page_unasked(rules: RuleSet, notice: Notice) -> None:
    """During play only NASPA's duties reach the players; no page shows a finding by itself."""
    told = route(rules, notice, Phase.PLAYING)
    assert told.players is (
        told.director is TELL or (rules is NAS and notice is Notice.FACT_IN_DISPUTE)
    )
    assert not told.players or rules is NAS
    assert told.public in (Release.NEVER, Release.PUBLISHED, Release.SEALED)
    assert told.why
    assert told.rule


@pytest.mark.parametrize(
    "notice", [Notice.RACK_LETTERS, Notice.BAG_COUNT, Notice.BEST_PLAY, Notice.PHONY]
)
@pytest.mark.parametrize("phase", Phase)
def test_what_helps_a_player_never_reaches_one(notice: Notice, phase: Phase) -> None:
    """INT-1, in any phase, under any rules."""
    for rules in ALL:
        told = route(rules, notice, phase)
        assert not told.players
        assert told.director is LOOK_UP
        assert told.commentator is Release.SEALED


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_a_blank_without_a_letter_reaches_the_director_once_the_game_is_over(
    rules: RuleSet,
) -> None:
    """The players' affair until then; afterwards only the record is left to put right."""
    letter = Notice.BLANK_UNNAMED
    assert route(rules, letter, Phase.PLAYING).director is LOOK_UP
    for phase in (Phase.OVER, Phase.SIGNED):
        assert route(rules, letter, phase).director is ALERT
        assert not route(rules, letter, phase).players
    assert route(rules, letter, Phase.SUBMITTED).director is LOOK_UP


def test_an_incomplete_set_is_told_before_the_game_only() -> None:
    """EQUIP-1: after the start nothing is put right."""
    for rules in ALL:
        assert route(rules, Notice.SET_INCOMPLETE, Phase.BEFORE).players
        assert not route(rules, Notice.SET_INCOMPLETE, Phase.PLAYING).players


def test_duties_end_with_the_result() -> None:
    """What is handed in is looked up, not reported."""
    for notice in (Notice.LOOSE_TILE, Notice.SCORE_ANNOUNCED):
        for rules in (W1, NAS):
            told = route(rules, notice, Phase.SUBMITTED)
            assert not told.players
            if rules is NAS:
                assert told.director is LOOK_UP

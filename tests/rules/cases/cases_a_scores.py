"""Cases A1 to A13: what plays score, and plays that are legal but odd."""

from recorder.domain.board import CENTRE
from recorder.domain.game import GameState, Played, apply, new_game, replay
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import Notice
from recorder.domain.plays import parse_placement
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.ending.six_zeros import Zero, counts, zero_run
from recorder.domain.rules.placement.at_press import notice_at_press
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Treatment,
    illegal_kinds,
    score_until_ruled,
    treatment,
)
from recorder.domain.rules.placement.placement import rule_on_placement
from recorder.domain.rules.turn.hold import AfterPlay, Right, right_to_challenge
from recorder.domain.scoring import words_formed
from recorder.domain.tile_text import write_tiles
from recorder.rulesets import RuleSet
from tests.boards import board_of
from tests.rules.case_book import ALL, NAS, PSA, W1, case
from tests.rules.laid import ENGLISH, QUALM, illegal_play, laying, scored


def opening(rules: RuleSet, text: str) -> GameState:
    """The game after a first play by the first player."""
    play = Played(0, parse_placement(text), scored(rules, text))
    return apply(new_game(ENGLISH), play)


@case("A1")
def _opening_through_the_centre() -> None:
    """Five letters across, Q on the double letter, the centre under the last."""
    assert illegal_kinds(laying("8D QUALM")) == ()
    assert CENTRE in parse_placement("8D QUALM").new_tiles()
    for rules in ALL:
        play = scored(rules, "8D QUALM")
        assert play == 26 * 2
    # Both racks are drawn full before the first play.
    before = ENGLISH.total - 2 * 7
    assert Draw(kept=2, bag=before, drawn=5).bag_after == 81
    assert opening(W1, "8D QUALM").bag_count == 81


@case("A2")
def _three_tiles_make_four_words() -> None:
    """A parallel play below the opening; the premium under O counts both ways."""
    for rules in ALL:
        assert scored(rules, "9F BOY", QUALM) == 9 + 4 + 3 + 7
    words = words_formed(board_of(*QUALM), parse_placement("9F BOY"))
    assert [write_tiles(word.tiles) for word in words] == ["BOY", "AB", "LO", "MY"]


@case("A3")
def _a_blank_counts_nothing() -> None:
    """The same opening, once with the blank as its best letter, once at its end."""
    for rules in ALL:
        assert scored(rules, "8D qUALM") == 12
        assert scored(rules, "8D QUALm") == 46


@case("A4")
def _the_same_sum_beside_the_centre() -> None:
    """Down column D the sum is the same, but the centre stays free."""
    for rules in ALL:
        assert scored(rules, "D8 QUALM") == 52
    assert illegal_kinds(laying("D8 QUALM")) == (IllegalKind.CENTRE,)
    for rules in (W1, PSA, NAS):
        assert treatment(rules, (IllegalKind.CENTRE,)) is Treatment.CHALLENGEABLE
        assert score_until_ruled(rules, (LayingFault.OFF_CENTRE,), 52) == 52


@case("A5")
def _the_centre_keeps_its_double() -> None:
    """A first play above the centre stands; a later one down through the centre is doubled."""
    for rules in (W1, PSA, NAS):
        first = scored(rules, "7F CAT")
        assert first == score_until_ruled(rules, (LayingFault.OFF_CENTRE,), first) == 6
        assert scored(rules, "H7 .HE", ["7F CAT"]) == 12


@case("A6")
def _the_missed_centre_is_challenged() -> None:
    """In time, before anything is drawn: the play is removed and the other player opens."""
    for rules in (W1, PSA):
        call = right_to_challenge(rules, AfterPlay(press_ms=0, challenge_ms=4000, bag=86))
        assert call.right is Right.OPEN
        points = scored(rules, "7F CAT")
        ruling = rule_on_placement(rules, illegal_play("7F CAT", points))
        assert ruling.score == 0
        assert not ruling.for_director
        who = [step.who for step in ruling.steps]
        assert who == ["opponent", "director", "player", "either"]
        played = Played(0, parse_placement("7F CAT"), points)
        state = replay(ENGLISH, (played, *ruling.events))
        assert state.board.is_empty
        assert state.scores == (0, 0)
        assert (len(zero_run(state.events)), state.on_turn) == (1, 1)


@case("A7")
def _through_an_e_across_two_triple_words() -> None:
    """A whole rack along the edge through a tile on a plain square."""
    for rules in ALL:
        play = scored(rules, "1A TRAIN.RS", ["F1 E"])
        assert play == 9 * 9 + 50


@case("A8")
def _through_an_i_whose_premium_is_spent() -> None:
    """The same word, but the double letter was used when the I was laid."""
    for rules in ALL:
        play = scored(rules, "1A TRA.NERS", ["D1 I"])
        assert play == 8 * 9 + 50


@case("A9")
def _two_double_words() -> None:
    """Twice doubled is four times."""
    for rules in ALL:
        play = scored(rules, "5D TRAI.ERS", ["H5 N"])
        assert play == 8 * 4 + 50


@case("A10")
def _extending_a_bingo_by_both_ends() -> None:
    """The premiums under the first play do not count again, nor does the bonus."""
    for rules in ALL:
        assert scored(rules, "8D TRAINER") == 66
        assert scored(rules, "8C S.......S", ["8D TRAINER"]) == 9


@case("A11")
def _a_blank_on_a_triple_word() -> None:
    for rules in ALL:
        assert scored(rules, "1H fOX") == 27
        assert scored(rules, "1H FOX") == 39


@case("A12")
def _two_blanks_open_the_game() -> None:
    """Legal, worth nothing, and no pass; whether it counts towards six zeros is open."""
    tiles = laying("8G at")
    assert illegal_kinds(tiles) == ()
    for rules in ALL:
        play = scored(rules, "8G at")
        assert play == 0
        assert counts(rules, Zero.NO_POINTS) is None
        assert zero_run(opening(rules, "8G at").events) == (Zero.NO_POINTS,)
        assert not opening(rules, "8G at").board.is_empty


@case("A13")
def _a_bonus_for_six_tiles() -> None:
    """A short rack is emptied in one play and the bonus counted by mistake."""
    play = scored(NAS, "9F PARENT", QUALM)
    assert play == 21
    (found,) = notice_at_press(NAS, ENGLISH, laying("9F PARENT", QUALM), 71)
    assert found[0] is Notice.SCORE_ANNOUNCED
    assert found[2] == {"announced": 71, "scores": 21}
    assert illegal_kinds(laying("9F PARENT", QUALM)) == ()
    assert Draw(kept=0, bag=30).due == 7

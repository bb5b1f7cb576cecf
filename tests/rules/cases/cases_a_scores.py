"""Cases A1 to A13: what plays score, and plays that are legal but odd."""

from dataclasses import replace

from recorder.domain.board import CENTRE
from recorder.domain.game import GameState, Played, apply, new_game, replay
from recorder.domain.plays import parse_placement
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.placement.layings import IllegalKind, Treatment, illegal_kinds, treatment
from recorder.domain.rules.placement.placement import (
    IllegalPlay,
    rule_on_placement,
)
from recorder.domain.rules.placement.scores import check_announced
from recorder.domain.rules.turn.hold import AfterPlay, Right, right_to_challenge
from recorder.domain.tile_text import write_tiles
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, NAS, PSA, W1, case
from tests.rules.laid import ENGLISH, QUALM, illegal_play, laying, scored
from tests.rules.said import said


def opening(rules: RuleSet, text: str) -> GameState:
    """The game after a first play by the first player."""
    play = Played(0, parse_placement(text), scored(rules, text).total)
    return apply(new_game(ENGLISH), play)


@case("A1")
def _opening_through_the_centre() -> None:
    """Five letters across, Q on the double letter, the centre under the last."""
    assert illegal_kinds(laying("8D QUALM"), ENGLISH) == ()
    assert CENTRE in parse_placement("8D QUALM").new_tiles()
    for rules in ALL:
        play = scored(rules, "8D QUALM")
        assert [(word.letters, word.factor) for word in play.words] == [(26, 2)]
        assert (play.total, play.tiles, play.bonus) == (52, 5, 0)
        assert play.open_questions == ()
    # Both racks are drawn full before the first play.
    before = ENGLISH.total - 2 * 7
    assert Draw(kept=2, bag=before, drawn=5).bag_after == 81
    assert opening(W1, "8D QUALM").bag_count == 81


@case("A2")
def _three_tiles_make_four_words() -> None:
    """A parallel play below the opening; the premium under O counts both ways."""
    for rules in ALL:
        play = scored(rules, "9F BOY", QUALM)
        assert {write_tiles(word.tiles): word.points for word in play.words} == {
            "BOY": 9,
            "AB": 4,
            "LO": 3,
            "MY": 7,
        }
        assert play.total == 23


@case("A3")
def _a_blank_counts_nothing() -> None:
    """The same opening, once with the blank as its best letter, once at its end."""
    for rules in ALL:
        assert scored(rules, "8D qUALM").total == 12
        assert scored(rules, "8D QUALm").total == 46


@case("A4")
def _the_same_sum_beside_the_centre() -> None:
    """Down column D the sum is the same, but the centre stays free."""
    for rules in ALL:
        assert scored(rules, "D8 QUALM").total == 52
    assert illegal_kinds(laying("D8 QUALM"), ENGLISH) == (IllegalKind.CENTRE,)
    for rules in (W1, PSA, NAS):
        assert treatment(rules, (IllegalKind.CENTRE,)) is Treatment.CHALLENGEABLE
        ruling = rule_on_placement(rules, missed_centre("D8 QUALM", 52))
        assert ruling.stands
        assert ruling.score == 52
        assert not ruling.for_director


def missed_centre(
    text: str, score: int, *, challenged: bool = False, right: Right = Right.OPEN
) -> IllegalPlay:
    """A first play that misses the centre."""
    return replace(illegal_play(text, score), challenged=challenged, right=right)


@case("A5")
def _the_centre_keeps_its_double() -> None:
    """A first play above the centre stands; a later one down through the centre is doubled."""
    for rules in (W1, PSA, NAS):
        first = scored(rules, "7F CAT")
        assert first.total == 6
        assert [word.factor for word in first.words] == [1]
        assert rule_on_placement(rules, missed_centre("7F CAT", first.total)).stands
        second = scored(rules, "H7 .HE", ["7F CAT"])
        assert second.total == 12
        assert second.open_questions == ()


@case("A6")
def _the_missed_centre_is_challenged() -> None:
    """In time, before anything is drawn: the play is removed and the other player opens."""
    for rules in (W1, PSA):
        call = right_to_challenge(rules, AfterPlay(press_ms=0, challenge_ms=4000, bag=86))
        points = scored(rules, "7F CAT").total
        ruling = rule_on_placement(
            rules, missed_centre("7F CAT", points, challenged=True, right=call.right)
        )
        assert (ruling.stands, ruling.score, ruling.rack_after) == (False, 0, 7)
        assert not ruling.for_director
        who = [step.who for step in ruling.steps]
        assert who == ["opponent", "director", "player", "either"]
        played = Played(0, parse_placement("7F CAT"), points)
        state = replay(ENGLISH, (played, *ruling.events))
        assert state.board.is_empty
        assert state.scores == (0, 0)
        assert (state.scoreless_turns, state.on_turn) == (1, 1)


@case("A7")
def _through_an_e_across_two_triple_words() -> None:
    """A whole rack along the edge through a tile on a plain square."""
    for rules in ALL:
        play = scored(rules, "1A TRAIN.RS", ["F1 E"])
        assert [(word.letters, word.factor) for word in play.words] == [(9, 9)]
        assert (play.bonus, play.total) == (50, 131)


@case("A8")
def _through_an_i_whose_premium_is_spent() -> None:
    """The same word, but the double letter was used when the I was laid."""
    for rules in ALL:
        play = scored(rules, "1A TRA.NERS", ["D1 I"])
        assert [(word.letters, word.factor) for word in play.words] == [(8, 9)]
        assert play.total == 122


@case("A9")
def _two_double_words() -> None:
    """Twice doubled is four times."""
    for rules in ALL:
        play = scored(rules, "5D TRAI.ERS", ["H5 N"])
        assert [(word.letters, word.factor) for word in play.words] == [(8, 4)]
        assert play.total == 82


@case("A10")
def _extending_a_bingo_by_both_ends() -> None:
    """The premiums under the first play do not count again, nor does the bonus."""
    for rules in ALL:
        assert scored(rules, "8D TRAINER").total == 66
        later = scored(rules, "8C S.......S", ["8D TRAINER"])
        assert (later.total, later.bonus, later.tiles) == (9, 0, 2)


@case("A11")
def _a_blank_on_a_triple_word() -> None:
    """The blank counts nothing; the word is tripled all the same."""
    for rules in ALL:
        assert scored(rules, "1H fOX").total == 27
        assert scored(rules, "1H FOX").total == 39


@case("A12")
def _two_blanks_open_the_game() -> None:
    """Legal, worth nothing, and no pass; whether it counts towards six zeros is open."""
    tiles = laying("8G at")
    assert illegal_kinds(tiles, ENGLISH) == ()
    for rules in ALL:
        play = scored(rules, "8G at")
        assert (play.total, play.tiles) == (0, 2)
        assert any("six zeros" in said(question) for question in play.open_questions)
        assert opening(rules, "8G at").scoreless_turns == 0
        assert not opening(rules, "8G at").board.is_empty


@case("A13")
def _a_bonus_for_six_tiles() -> None:
    """A short rack is emptied in one play and the bonus counted by mistake."""
    play = scored(NAS, "9F PARENT", QUALM)
    assert (play.total, play.tiles) == (21, 6)
    check = check_announced(NAS, play, 71)
    assert (check.difference, check.correction) == (50, -50)
    assert 71 + check.correction == play.total
    assert not check.for_director
    assert illegal_kinds(laying("9F PARENT", QUALM), ENGLISH) == ()
    assert Draw(kept=0, bag=30).due == 7

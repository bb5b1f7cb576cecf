"""What is noticed at a press, and that a clean play raises nothing."""

import pytest

from recorder.domain.notices import Manner, Notice, Phase
from recorder.domain.rules.blanks.slip import BlankPlay, Mark, match_marks
from recorder.domain.rules.placement.at_press import PressedPlay, notice_at_press
from recorder.domain.rules.placement.layings import Laying
from recorder.domain.tile_text import read_tile
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, NAS, W1
from tests.rules.laid import ENGLISH, board_of, laying, sq, tiles

BOARD = board_of(["8D QUALM", "9F BOY"])


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_a_clean_play_raises_nothing(rules: RuleSet) -> None:
    """Legal, rightly announced, its blank declared."""
    blank = BlankPlay(turn=1, squares=(sq("D8"),), began_ms=0, pressed_ms=9_000)
    slip = match_marks(rules, [blank], [Mark(letter=read_tile("Q"), at_ms=5_000)])
    play = PressedPlay(laying=laying("8D qUALM"), announced=12, designations=slip.designations)
    assert notice_at_press(rules, ENGLISH, play) == ()


PLAYS = [
    (PressedPlay(laying=laying("D8 QUALM")), Notice.ILLEGAL_PLACEMENT, 5),
    (PressedPlay(laying=laying("8D QUALM"), announced=57), Notice.SCORE_ANNOUNCED, 5),
    (
        PressedPlay(laying=Laying(before=BOARD, tiles=tiles(A1="A", B1="T"))),
        Notice.ILLEGAL_PLACEMENT,
        2,
    ),
    (
        PressedPlay(laying=Laying(before=BOARD, tiles=tiles(D7="A", I9="E"))),
        Notice.ILLEGAL_PLACEMENT,
        2,
    ),
    (
        PressedPlay(laying=Laying(before=BOARD, tiles=tiles(I9="E"), rack_before=8)),
        Notice.ILLEGAL_PLACEMENT,
        0,
    ),
    (
        PressedPlay(
            laying=Laying(before=BOARD, tiles=tiles(I9="E"), after=BOARD.remove([sq("D8")]))
        ),
        Notice.TILE_MOVED,
        1,
    ),
    (PressedPlay(laying=laying("8D QUALM"), face_down=(sq("D8"),)), Notice.TILE_FACE_DOWN, 1),
]


@pytest.mark.parametrize(("play", "notice", "squares"), PLAYS, ids=[p[1].name for p in PLAYS])
def test_each_fault_is_noticed_once(play: PressedPlay, notice: Notice, squares: int) -> None:
    """With its squares, in words, and with the routing of the rule set."""
    for rules in ALL:
        (found,) = notice_at_press(rules, ENGLISH, play)
        assert (found.notice, len(found.squares)) == (notice, squares)
        assert (found.numbers.get("fault") is None) is (notice is not Notice.ILLEGAL_PLACEMENT)


def test_the_same_fault_goes_elsewhere_under_other_rules() -> None:
    """A wrong score: kept back in NASPA until both have signed, silent in version 1."""
    play = PressedPlay(laying=laying("8D QUALM"), announced=57)
    (naspa,) = notice_at_press(NAS, ENGLISH, play)
    assert naspa.routing.director is Manner.WITHHELD
    assert naspa.numbers == {"announced": 57, "scores": 52}
    (signed,) = notice_at_press(NAS, ENGLISH, play, Phase.SIGNED)
    assert signed.routing.director is Manner.TELL_PLAYERS
    (wespa,) = notice_at_press(W1, ENGLISH, play)
    assert wespa.routing.director is Manner.SHOW


def test_a_blank_without_a_letter_is_noticed() -> None:
    """One notice for each blank."""
    blank = BlankPlay(turn=1, squares=(sq("G8"), sq("H8")), began_ms=0, pressed_ms=9_000)
    slip = match_marks(NAS, [blank], [])
    play = PressedPlay(laying=laying("8G ??"), designations=slip.designations)
    found = notice_at_press(NAS, ENGLISH, play)
    assert [one.notice for one in found] == [Notice.BLANK_UNNAMED] * 2
    assert [one.squares for one in found] == [(sq("G8"),), (sq("H8"),)]


def test_an_announced_score_of_no_play_is_not_compared() -> None:
    """Tiles in no line have no score; that they lie so is reported."""
    laid = Laying(before=BOARD, tiles=tiles(D7="A", I9="E"))
    (found,) = notice_at_press(W1, ENGLISH, PressedPlay(laying=laid, announced=9))
    assert found.notice is Notice.ILLEGAL_PLACEMENT

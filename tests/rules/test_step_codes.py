"""The codes of steps: what programs and texts go by, where people read the sentence."""

import re

import pytest

from recorder.domain.rules.challenge.challenge import issue, unclear_blank
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.foreign import ForeignFacts, HowFar, foreign_tile
from recorder.domain.rules.draw.loose import LooseFacts, loose_tile
from recorder.domain.rules.draw.overdraw import FoundBy, OverdrawFacts, overdraw
from recorder.domain.rules.draw.overdraw_course import detected
from recorder.domain.rules.ending.result_slip import recount
from recorder.domain.rules.turn.absent import coming_back, leaving
from recorder.domain.rules.turn.hold import unpressed_draw
from recorder.domain.rules.turn.press import stray_press
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, NAS, W1

FOUR_FOR_THREE = Draw(kept=4, bag=30, drawn=4)


def codes(procedure: Procedure) -> list[str]:
    """The codes of its steps, in order."""
    return [step.code for step in procedure.steps]


def procedures(rules: RuleSet) -> tuple[Procedure, ...]:
    """One of nearly every kind, from the set-up to the recount."""
    return (
        issue(rules),
        unclear_blank(rules),
        detected(rules, surplus=1),
        overdraw(rules, OverdrawFacts(player=0, draw=FOUR_FOR_THREE)),
        loose_tile(rules, LooseFacts(racks=(6, 7))),
        foreign_tile(rules, ForeignFacts(player=0, how_far=HowFar.PLAYED)),
        leaving(rules),
        coming_back(rules, missing=(2, 3)),
        stray_press(rules, opponent_drew=False),
        unpressed_draw(rules),
        recount(rules, margin=3, asked_after_s=5),
    )


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: str(rules.name))
def test_a_code_is_a_few_small_words(rules: RuleSet) -> None:
    """Small letters and underscores, so that it can stand in a text file as one word."""
    found = [code for procedure in procedures(rules) for code in codes(procedure)]
    assert found
    assert [code for code in found if not re.fullmatch("[a-z_]+", code)] == []


def test_the_code_says_which_way_the_opponent_chooses() -> None:
    """What stays by one set, what goes back by another; the sentences differ in the same way."""
    facts = OverdrawFacts(player=0, draw=FOUR_FOR_THREE)
    before, after = ["stop_clock", "lay_face_down", "show_tiles"], ["take_rest", "start_clock"]
    for rules, choice in ((NAS, "choose_to_keep"), (W1, "choose_to_return")):
        found = codes(overdraw(rules, facts))
        assert found == [*before, choice, "return_tiles", *after]


def test_tiles_that_nobody_may_see_have_codes_of_their_own() -> None:
    """With few tiles in the bag they go over the opponent's rack, unseen."""
    draw = Draw(kept=4, bag=7, drawn=4)
    facts = OverdrawFacts(player=0, draw=draw, touched_rack=True, own_turn=True)
    steps = overdraw(NAS, facts).steps[1:-1]
    assert [(step.code, step.tiles) for step in steps] == [
        ("take_unseen", 3),
        ("choose_to_give", 2),
        ("return_unseen", 1),
        ("give_tiles", 2),
    ]


def test_the_whole_rack_is_shown_to_who_noticed_it() -> None:
    """The opponent spoke first."""
    facts = OverdrawFacts(player=0, draw=FOUR_FOR_THREE, found_by=FoundBy.OPPONENT)
    shown = codes(overdraw(W1, facts))
    assert shown[1:4] == ["show_rack", "choose_to_return", "return_tiles"]

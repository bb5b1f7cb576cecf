"""The codes of steps: what programs and texts go by, where people read the sentence."""

from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.overdraw import FoundBy, OverdrawFacts, overdraw
from tests.rules.case_book import NAS, W1

FOUR_FOR_THREE = Draw(kept=4, bag=30, drawn=4)


def codes(procedure: Procedure) -> list[str]:
    return [step.code for step in procedure.steps]


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
    facts = OverdrawFacts(player=0, draw=draw, mixed=True, own_turn=True)
    steps = overdraw(NAS, facts).steps[1:-1]
    assert [(step.code, step.tiles) for step in steps] == [
        ("take_unseen", 3),
        ("choose_to_give", 2),
        ("return_unseen", 1),
        ("give_tiles", 2),
    ]


def test_the_whole_rack_is_shown_to_who_noticed_it() -> None:
    facts = OverdrawFacts(player=0, draw=FOUR_FOR_THREE, found_by=FoundBy.OPPONENT)
    shown = codes(overdraw(W1, facts))
    assert shown[1:4] == ["show_rack", "choose_to_return", "return_tiles"]

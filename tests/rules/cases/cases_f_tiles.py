"""Cases F17 to F27: underdraws, loose and spilled tiles, tiles of other sets."""

from recorder.domain.board import EMPTY_BOARD, parse_square
from recorder.domain.rules.core.procedure import TilePlan
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.foreign import ForeignFacts, HowFar, foreign_tile
from recorder.domain.rules.draw.loose import (
    LooseFacts,
    game_is_over,
    loose_tile,
    tiles_in_bag_at_end,
)
from recorder.domain.rules.draw.spills import SpillFacts, improper_return, spill
from recorder.domain.rules.draw.underdraw import (
    OutOfOrderFacts,
    UnderdrawFacts,
    out_of_order,
    underdraw,
)
from recorder.domain.rules.turn.absent import drawn_while_absent
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import Tile, unseen
from recorder.rulesets import RuleSet
from recorder.tilesets import load_tile_set
from tests.rules.case_book import NAS, W1, case
from tests.rules.said import said

A, B = 0, 1
ONE_SHORT = Draw(kept=2, bag=6, drawn=4)
LAST_TWO = Draw(kept=4, bag=2, drawn=2)
EMPTIED_MS = 60_000


def short_then_emptied(rules: RuleSet, found_ms: int, *presses: tuple[int, int]) -> TilePlan:
    """A drew one too few from six, B's next draw took the last two."""
    assert ONE_SHORT.missing == 1
    assert LAST_TWO.missing == 0
    facts = UnderdrawFacts(
        player=A,
        draw=ONE_SHORT,
        short_ms=20_000,
        found_ms=found_ms,
        emptied_ms=EMPTIED_MS,
        emptied_drawn=LAST_TWO.drawn,
        presses=((10_000, A), (55_000, B), *presses),
    )
    return underdraw(rules, facts)


@case("F17")
def _found_before_the_next_press_of_the_one_who_drew_short() -> None:
    """The opponent hands a tile over."""
    found = short_then_emptied(W1, 80_000)
    assert found.steps[1].done_when == "rack=7"
    assert not found.for_director


@case("F18")
def _found_one_turn_later() -> None:
    """One text has closed the matter, the other waits for the opponent's next play."""
    press = (90_000, A)
    late = short_then_emptied(W1, 95_000, press)
    assert late.too_late
    assert not late.steps
    still = short_then_emptied(NAS, 95_000, press)
    assert [step.code for step in still.steps][1] == "give_tiles"
    assert short_then_emptied(NAS, 130_000, press, (120_000, B)).too_late


@case("F19")
def _drawn_first_and_too_few_left() -> None:
    """All new tiles go back, then both draw in their order."""
    facts = OutOfOrderFacts(draw=Draw(kept=4, bag=5, drawn=3), due=4)
    found = out_of_order(W1, facts)
    assert found.returned == 3
    assert [step.done_when for step in found.steps][-3:-1] == ["bag-4", "bag-1"]
    assert "all 7 tiles" in said(found.steps[1].act)


@case("F20")
def _drawn_first_and_tiles_enough() -> None:
    facts = OutOfOrderFacts(draw=Draw(kept=2, bag=12, drawn=5), due=4)
    assert facts.draw.bag_after == 7
    found = out_of_order(NAS, facts)
    assert found.returned == 0
    assert [step.done_when for step in found.steps] == ["bag-4"]
    assert not found.for_director


@case("F21")
def _a_tile_put_back_into_the_bag() -> None:
    """Two from the rack and three from the bag lie open; three are kept."""
    found = improper_return(NAS, returned=1, rack=6, bag=31)
    assert dict(found.steps[1].act.values) == {"rack": 2, "bag": 3}
    assert found.steps[2].tiles == 3
    assert found.returned == 2
    assert found.seconds == 60


@case("F22")
def _five_fall_out_for_three() -> None:
    """Three are taken unseen, the other two shown and put back."""
    found = spill(NAS, SpillFacts(bag=40, spilled=5, due=3))
    assert found.drawn == 3
    assert found.returned == 2
    assert [step.code for step in found.steps[2:]] == ["show_tiles", "return_tiles"]
    assert "face down" in said(found.steps[0].act)


OUT = (A, Draw(kept=0, bag=0))
B_SHORT = (B, Draw(kept=4, bag=3, drawn=2))
A_SHORT = (A, Draw(kept=4, bag=3, drawn=2))


@case("F23")
def _found_after_the_end_by_the_one_who_still_held_tiles() -> None:
    """The other player is out: the tiles left are counted again."""
    draws = ((A, Draw(kept=3, bag=7, drawn=4)), B_SHORT)
    found = loose_tile(W1, LooseFacts(racks=(0, 3), draws=draws))
    assert found.drawer == B
    assert found.drawn == 1
    assert game_is_over(found)
    assert found.steps[-1].code == "count_again"


@case("F24")
def _found_after_the_end_by_the_one_who_was_out() -> None:
    """Both have tiles: the game goes on."""
    draws = ((B, Draw(kept=3, bag=7, drawn=4)), A_SHORT)
    found = loose_tile(W1, LooseFacts(racks=(0, 3), draws=draws))
    assert found.drawer == A
    assert found.drawn == 1
    assert not game_is_over(found)


@case("F25")
def _left_in_the_bag_and_the_slips_initialled() -> None:
    """The result is final; a moment before it would not have been."""
    facts = LooseFacts(racks=(0, 3), draws=(A_SHORT, OUT), final=True)
    found = tiles_in_bag_at_end(NAS, facts)
    assert found.too_late
    assert not found.steps
    assert not found.for_director
    before = tiles_in_bag_at_end(NAS, LooseFacts(racks=(0, 3), draws=(A_SHORT, OUT)))
    assert before.drawn == 1
    assert not game_is_over(before)


@case("F26")
def _drawn_while_the_other_was_away() -> None:
    """All seven are shown; a challenge has to wait until five are back."""
    found = drawn_while_absent(NAS, kept=2, drawn=5)
    assert found.revealed == found.pool == 7
    assert found.returned == 5
    assert found.seconds == 60
    acts = [said(step.act) for step in found.steps]
    back = next(at for at, act in enumerate(acts) if "into the bag" in act)
    assert next(at for at, act in enumerate(acts) if "challenge it" in act) > back


@case("F27")
def _a_second_k() -> None:
    english = load_tile_set("english")
    board = EMPTY_BOARD.place({parse_square(name)[0]: Tile("K") for name in ("8D", "2B")})
    assert unseen(english, board.cells, ())[read_tile("K")] == -1
    found = foreign_tile(NAS, ForeignFacts(player=A, how_far=HowFar.HELD))
    acts = [said(step.act) for step in found.steps]
    assert acts[0] == "Stop the clock"
    assert "bag" in acts[1]
    assert not found.for_director

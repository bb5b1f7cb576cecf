"""Cases F1 to F16: overdraws."""

from recorder.domain.game import Withdrawn
from recorder.domain.rules.core.procedure import TilePlan, Who
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.overdraw import FoundBy, OverdrawFacts, PlayedFrom, overdraw
from recorder.domain.rules.draw.overdraw_course import choosing, detected, too_many_revealed
from recorder.rulesets import RuleSet
from tests.rules.case_book import HK, NAS, PSA, W1, W4, case, in_force
from tests.rules.said import said

FOUR_FOR_THREE = Draw(kept=4, bag=40, drawn=4)


def plan(rules: RuleSet, draw: Draw, *, racked: bool = False, **facts: object) -> TilePlan:
    known = {"player": 0, "draw": draw, "mixed": racked, **facts}
    return overdraw(rules, OverdrawFacts(**known))  # type: ignore[arg-type]


def numbers(found: TilePlan) -> tuple[int, int, int]:
    """Shown, of how many, back into the bag; nothing may be left open."""
    assert not found.for_director
    return found.revealed, found.pool, found.returned


@case("F1")
def _one_too_many_still_on_the_table() -> None:
    """The player says so before a new tile has touched the rack."""
    found = plan(W1, FOUR_FOR_THREE)
    assert found.rule == "OVERDRAW-2"
    assert numbers(found) == (2, 4, 1)
    assert found.revealed - found.returned == 1  # shown, and back to the player
    assert found.pool - found.revealed == 2  # never shown


@case("F2")
def _one_too_many_on_the_rack() -> None:
    """Once racked, all tiles are in the pool."""
    assert numbers(plan(W1, FOUR_FOR_THREE, racked=True)) == (2, 8, 1)


@case("F3")
def _the_opponent_says_it_first() -> None:
    """Then the whole rack is shown."""
    for rules in (W1, PSA):
        for racked in (False, True):
            found = plan(rules, FOUR_FOR_THREE, racked=racked, found_by=FoundBy.OPPONENT)
            assert found.rule == "OVERDRAW-3"
            assert numbers(found) == (8, 8, 1)
            picks = next(step for step in found.steps if "Choose" in said(step.act))
            assert picks.who is Who.OPPONENT
    assert plan(NAS, FOUR_FOR_THREE, found_by=FoundBy.OPPONENT).rule == "OVERDRAW-2"


@case("F4")
def _two_more_than_the_surplus_apart() -> None:
    """Sets that show two extra; there are tiles enough in the bag."""
    for rules in (HK, NAS):
        assert numbers(plan(rules, FOUR_FOR_THREE)) == (3, 4, 1)


@case("F5")
def _two_more_than_the_surplus_racked() -> None:
    for rules in (HK, NAS):
        assert numbers(plan(rules, FOUR_FOR_THREE, racked=True)) == (3, 8, 1)


@case("F6")
def _two_drawn_for_one() -> None:
    """Both are shown; what goes back is inherited and has to be confirmed."""
    two_for_one = Draw(kept=6, bag=40, drawn=2)
    assert numbers(plan(W4, two_for_one)) == (2, 2, 1)
    bare = plan(in_force("wespa4", confirmed=False), two_for_one)
    assert bare.revealed == bare.pool == 2
    assert bare.for_director
    assert "overdraw.returned" in said(bare.open_questions[0])


@case("F7")
def _three_drawn_for_one() -> None:
    """With one due, all new tiles are shown."""
    assert numbers(plan(NAS, Draw(kept=6, bag=30, drawn=3))) == (3, 3, 2)


@case("F8")
def _five_drawn_for_three_and_racked() -> None:
    """Surplus two: four of nine."""
    found = plan(NAS, Draw(kept=4, bag=30, drawn=5), racked=True)
    assert found.surplus == 2
    assert numbers(found) == (4, 9, 2)


@case("F9")
def _no_decision_in_time() -> None:
    """From the fifteenth second on the opponent's clock may run."""
    found = plan(NAS, FOUR_FOR_THREE)
    assert not choosing(found, elapsed_s=14.9).steps
    over = choosing(found, elapsed_s=15)
    assert [step.who for step in over.steps] == [Who.PLAYER]
    assert "opponent's clock" in said(over.steps[0].act)
    without_limit = choosing(plan(W1, FOUR_FOR_THREE), elapsed_s=100)
    assert not without_limit.steps


@case("F10")
def _few_in_the_bag_on_the_own_turn() -> None:
    """The opponent takes them unseen and has a minute."""
    draw = Draw(kept=4, bag=7, drawn=4)
    found = plan(NAS, draw, racked=True, own_turn=True)
    assert found.rule == "OVERDRAW-4"
    assert numbers(found) == (3, 8, 1)
    assert found.revealed - found.returned == 2
    assert found.seconds == 60
    into_bag = next(step for step in found.steps if step.done_when == "bag+1")
    assert "without showing" in said(into_bag.act)


@case("F11")
def _few_in_the_bag_on_the_opponents_turn() -> None:
    found = plan(NAS, Draw(kept=4, bag=7, drawn=4), racked=True, own_turn=False)
    assert found.rule == "OVERDRAW-2"
    assert numbers(found) == (3, 8, 1)
    assert found.seconds == 15


@case("F12")
def _played_four_of_eight() -> None:
    """Not answered, nothing drawn: the play is removed, its tiles stay out of the pool."""
    played = PlayedFrom(tiles=4, replied=False)
    found = plan(NAS, Draw(kept=4, bag=30, drawn=4), racked=True, played=played)
    assert found.surplus == 1
    assert numbers(found) == (3, 4, 1)
    assert found.events == (Withdrawn(0, 0),)


@case("F13")
def _played_from_eight_and_answered() -> None:
    """The play scores nothing, the tiles stay."""
    played = PlayedFrom(tiles=4, replied=True)
    found = plan(NAS, FOUR_FOR_THREE, racked=True, played=played)
    assert found.rule == "OVERDRAW-5"
    assert found.returned == found.revealed == 0
    assert [step.code for step in found.steps] == ["stop_clock", "zero_score", "start_clock"]


@case("F14")
def _four_turned_up_where_two_were_allowed() -> None:
    """The overdrawer keeps two of them by choice, the rest is blind."""
    allowed = plan(NAS, Draw(kept=6, bag=30, drawn=2))
    assert allowed.revealed == 2
    found = too_many_revealed(NAS, allowed, shown=4)
    assert found.steps[0].tiles == 2
    assert found.pool == 2
    assert found.returned == allowed.surplus == 1
    assert found.steps[0].who is Who.PLAYER
    assert too_many_revealed(W1, plan(W1, FOUR_FOR_THREE), shown=4).for_director


@case("F15")
def _the_director_points_it_out() -> None:
    """As if the player had disclosed it; the first set says nothing of that."""
    draw = Draw(kept=5, bag=40, drawn=3)
    found = plan(PSA, draw, found_by=FoundBy.DIRECTOR)
    assert found == plan(PSA, draw)
    assert numbers(found) == (2, 3, 1)
    open_ = plan(W1, draw, found_by=FoundBy.DIRECTOR)
    assert open_.for_director
    assert "spoke first" in said(open_.open_questions[0])


@case("F16")
def _only_a_sensor_knows() -> None:
    """The director hears of it and nobody else; anyone who hides it is treated more harshly."""
    told = detected(W1, surplus=1)
    assert [step.who for step in told.steps] == [Who.DIRECTOR]
    assert "do not tell the players" in said(told.steps[0].act)
    assert ": inform the players" in said(detected(NAS, surplus=1).steps[0].act)
    hidden = plan(W1, FOUR_FOR_THREE, found_by=FoundBy.SENSOR, concealed=True)
    assert hidden.rule == "OVERDRAW-3"
    assert numbers(hidden) == (8, 8, 1)

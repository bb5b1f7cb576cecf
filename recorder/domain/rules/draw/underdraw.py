"""Too few tiles drawn, and draws in the wrong order (UNDERDRAW-1, UNDERDRAW-2, OOO-1).

Numbers of tiles and the times of presses decide; who should have drawn first is a fact given in.
Deliberate underdrawing is for the director, who sees how often it happened.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recorder.domain.errors import RecorderError
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, has_remedy
from recorder.domain.rules.core.procedure import (
    OPPONENT,
    PLAYER,
    Step,
    TilePlan,
    Who,
    into_bag,
    out_of_bag,
)
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.overdraw import TilesHeld, surplus_plan
from recorder.domain.rules.draw.surplus_steps import RESTART, STOP, whole_rack_steps
from recorder.domain.tiles import RACK_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderdrawFacts:
    """What is known of an underdraw by ``player`` (0 or 1). Times in milliseconds, of one clock.

    ``draw`` is the one that was short, at ``short_ms``; ``found_ms`` is when somebody said so.
    ``emptied_ms`` is when the opponent drew the last tiles, None while the bag has some; those
    were ``emptied_drawn`` tiles, ``emptied_mixed`` with the opponent's rack or not (None: nobody
    knows). ``presses`` are ends of turns, as (time, player), in any order.
    """

    player: int
    draw: Draw
    short_ms: int
    found_ms: int
    emptied_ms: int | None = None
    emptied_drawn: int = 0
    emptied_mixed: bool | None = True
    presses: tuple[tuple[int, int], ...] = ()


def underdraw(rules: Rules, facts: UnderdrawFacts) -> TilePlan:
    """What follows from too few tiles drawn: they are drawn, given, or missing for good."""
    lacking = facts.draw.missing
    if not lacking:
        return TilePlan("DRAW-2", coded("no_tile_missing_due"))
    if facts.emptied_ms is None:
        return _from_bag(rules, lacking)
    return _after_the_last(rules, facts, lacking)


def _from_bag(rules: Rules, lacking: int) -> TilePlan:
    """UNDERDRAW-1: no penalty anywhere; where the set is silent the next draw fills the rack."""
    rule, title = "UNDERDRAW-1", coded("too_few_bag_some", lacking=lacking)
    if not has_remedy(rules, "overdraw.procedure"):
        return TilePlan(rule, title).asking(coded("text_names_no_remedy_here"))
    steps = (
        PLAYER("tell_opponent", "tell_opponent"),
        out_of_bag(PLAYER, "draw_there_no_penalty_whatever", lacking, lacking=lacking),
    )
    return TilePlan(rule, title, steps=steps, drawn=lacking)


def _after_the_last(rules: Rules, facts: UnderdrawFacts, lacking: int) -> TilePlan:
    """UNDERDRAW-2: the opponent has emptied the bag."""
    rule, title = "UNDERDRAW-2", coded("too_few_bag_emptied_opponent", lacking=lacking)
    if questions := ask(rules, "overdraw.procedure"):
        return TilePlan(rule, title, open_questions=questions)
    by_opponent = has_remedy(rules, "overdraw.procedure")
    if _too_late(facts, by_opponent=by_opponent):
        return TilePlan(rule, coded("nothing_changes", title=title), too_late=True)
    if not by_opponent or facts.emptied_mixed:
        return _given(facts, lacking, title)
    plan = _back_to_bag(facts, lacking, title)
    is_known = facts.emptied_mixed is not None
    return plan if is_known else plan.asking(coded("any_opponents_new_tiles_lie"))


def _too_late(facts: UnderdrawFacts, *, by_opponent: bool) -> bool:
    """By one text the underdrawer's next turn is the limit, by the other the opponent's."""
    emptied_ms = facts.short_ms if facts.emptied_ms is None else facts.emptied_ms
    if not by_opponent:
        return _pressed(facts.presses, facts.player, facts.short_ms, facts.found_ms)
    return _pressed(facts.presses, 1 - facts.player, emptied_ms, facts.found_ms)


def _pressed(presses: Iterable[tuple[int, int]], player: int, after: int, until: int) -> bool:
    return any(who == player and after < at_ms <= until for at_ms, who in presses)


def _given(facts: UnderdrawFacts, lacking: int, title: CodedText) -> TilePlan:
    done, hand = f"rack={facts.draw.held + lacking}", "choose_your_own_rack_hand"
    give = OPPONENT("give_tiles", hand, lacking=lacking, tiles=lacking, done_when=done)
    return TilePlan("UNDERDRAW-2", title, steps=(STOP, give, RESTART))


def _back_to_bag(facts: UnderdrawFacts, lacking: int, title: CodedText) -> TilePlan:
    """The new tiles still lie apart: they go back, the underdrawer draws, then the opponent."""
    back = facts.emptied_drawn
    first = min(lacking, back)
    rest = back - first
    steps = (
        STOP,
        into_bag(OPPONENT, "put_just_drawn_back_into", back, back=back),
        out_of_bag(PLAYER, "draw", first, count=first),
        out_of_bag(OPPONENT, "draw_left", rest, rest=rest),
        RESTART,
    )
    return TilePlan("UNDERDRAW-2", title, steps=steps, drawn=first, returned=back)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfOrderFacts:
    """``player`` drew before the opponent, who was to draw ``due`` tiles first.

    ``draw`` is the early draw, as it was; its tiles lie with the rack.
    """

    draw: Draw
    due: int


def out_of_order(rules: Rules, facts: OutOfOrderFacts) -> TilePlan:
    """What follows when a player drew before the opponent had (OOO-1).

    RecorderError when ``due`` is more than a rack holds.
    """
    if not 0 <= facts.due <= RACK_SIZE:
        raise RecorderError(f"nobody can be due {facts.due} tiles")
    lacking = facts.due - facts.draw.bag_after
    title = coded("drawn_before_other_player")
    questions = ask(rules, "overdraw.procedure")
    if lacking <= 0:
        plan = TilePlan("OOO-1", coded("tiles_enough", title=title), open_questions=questions)
        return plan if questions else plan.then(_draws(Who.OPPONENT, facts.due))
    if questions:
        return TilePlan("OOO-1", title, open_questions=questions)
    if has_remedy(rules, "overdraw.procedure"):
        return _lacking(rules, facts, lacking)
    returned = facts.draw.drawn
    steps = _then(whole_rack_steps(facts.draw.held, returned), facts, returned)
    overdrawn = coded("all_new_tiles_overdrawn", title=title)
    return TilePlan("OOO-1", overdrawn, steps=steps, returned=returned)


def _lacking(rules: Rules, facts: OutOfOrderFacts, lacking: int) -> TilePlan:
    """The usual procedure; how many tiles count as too many, the text does not say."""
    draw = facts.draw
    surplus = min(lacking, draw.drawn)
    plan = surplus_plan(rules, TilesHeld(draw.kept, draw.drawn), surplus)
    question = coded("how_many_tiles_count_overdrawn", surplus=surplus)
    return TilePlan(
        "OOO-1",
        coded("drawn_before_other_player_too"),
        steps=_then(plan.steps, facts, surplus),
        open_questions=(*plan.open_questions, question),
        returned=surplus,
    )


def _then(steps: tuple[Step, ...], facts: OutOfOrderFacts, returned: int) -> tuple[Step, ...]:
    """The draws in their right order come before the clock is restarted."""
    opponent, then = _in_order(facts, returned)
    draws = (_draws(Who.OPPONENT, opponent), _draws(Who.PLAYER, then))
    # A rack is not full again before these draws.
    return (*steps[:-2], replace(steps[-2], done_when=""), *draws, steps[-1])


def _draws(who: Who, count: int) -> Step:
    act = coded("draw", count=count) if count else coded("draw_nothing_no_tile_left")
    return out_of_bag(who, act, count)


def _in_order(facts: OutOfOrderFacts, returned: int) -> tuple[int, int]:
    """How many the opponent draws, and how many the early player after that."""
    bag = facts.draw.bag_after + returned
    opponent = min(facts.due, bag)
    need = max(0, RACK_SIZE - facts.draw.held + returned)
    return opponent, min(need, bag - opponent)

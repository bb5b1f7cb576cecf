"""Tiles found outside, or in the bag at the end (LOOSE-1, LOOSE-3, BAGEND-1).

Who should have drawn the tile is worked out from the draws as they were; that the tile is one of
the set is taken for granted (see ``foreign``). What fell out of the bag is for ``spills``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    Step,
    TilePlan,
    into_bag,
)
from recorder.domain.rules.draw.draws import Draw, who_missed
from recorder.domain.tiles import RACK_SIZE

_FOUND_MIN_BAG = 7
"""NASPA: with fewer in the bag no text says that a found tile goes into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseFacts:
    """A tile found outside bag, racks and board, or ``count`` tiles in the bag at the end.

    ``racks`` and ``bag`` as they are, the tile not counted; racks that were cleared because the
    game seemed over count what was on them. ``draws`` are all draws in their order, each with its
    player. ``final``: the result is signed or initialled, whatever the rule set calls it.
    """

    racks: tuple[int, int]
    bag: int = 0
    draws: Sequence[tuple[int, Draw]] = ()
    count: int = 1
    final: bool = False


def loose_tile(rules: Rules, facts: LooseFacts) -> TilePlan:
    """What is done with a tile found outside during the game or after it (LOOSE-1, LOOSE-3)."""
    title = coded("tile_found_outside")
    settled = _settled(rules, facts, title, "LOOSE-3" if facts.final else "LOOSE-1")
    if settled is not None:
        return settled
    if rules["loose.procedure"] == WESPA:
        return _drawn_again(rules, facts, title)
    if facts.bag:
        return _while_bag_lasts(facts, title)
    return _by_agreement(rules, facts, title)


def tiles_in_bag_at_end(rules: Rules, facts: LooseFacts) -> TilePlan:
    """What is done with ``count`` tiles found in the bag when the game seemed over (BAGEND-1)."""
    title = coded("left_bag", count=facts.count)
    settled = _settled(rules, facts, title, "BAGEND-1")
    if settled is not None:
        return settled
    return _drawn_by(rules, facts, who_missed(facts.draws), title, "BAGEND-1")


def game_is_over(plan: TilePlan) -> bool:
    """Whether the game is over once a plan for loose tiles is applied."""
    return plan.too_late or any(step.code == _COUNT for step in plan.steps)


_COUNT = "count_again"
"""The step by which the final sum is made again, with other racks."""


def _settled(rules: Rules, facts: LooseFacts, title: CodedText, rule: str) -> TilePlan | None:
    """Nothing changes once the result is final; what is open is asked."""
    if questions := ask(rules, "loose.procedure"):
        return _ask(rule, title, facts, questions)
    if facts.final:
        return TilePlan(rule, coded("result_is_final", title=title), too_late=True)
    return None


def _ask(
    rule: str, title: CodedText, facts: LooseFacts, questions: tuple[CodedText, ...]
) -> TilePlan:
    missed = who_missed(facts.draws)
    if missed is not None:
        questions = (*questions, coded("log_player_first_draw_short", number=missed + 1))
    return TilePlan(rule, title, open_questions=questions, drawer=missed)


def _while_bag_lasts(facts: LooseFacts, title: CodedText) -> TilePlan:
    if facts.bag < _FOUND_MIN_BAG:
        return _ask("LOOSE-1", title, facts, (coded("text_not_say_holds_bag", bag=facts.bag),))
    steps = (DIRECTOR("ask_board", "ask_first_whether_fell_off"), *_shown_back(facts.count))
    # A rack that lacks it is filled with its next draw.
    return TilePlan("LOOSE-1", title, steps=steps, returned=facts.count)


def _drawn_again(rules: Rules, facts: LooseFacts, title: CodedText) -> TilePlan:
    """W1 4.3: back to the bag, racks restored, then the player who should have drawn it draws."""
    full = [held >= RACK_SIZE for held in facts.racks]
    if all(full):
        steps = (*_restored("LOOSE-1", facts.count), _play_on(rules))
        return TilePlan("LOOSE-1", title, steps=steps, returned=facts.count)
    drawer = full.index(False) if any(full) else who_missed(facts.draws)
    return _drawn_by(rules, facts, drawer, title, "LOOSE-1")


def _by_agreement(rules: Rules, facts: LooseFacts, title: CodedText) -> TilePlan:
    """NASPA 5.4: to who should have drawn it, if both agree: the director asks them."""
    drawer = who_missed(facts.draws)
    plan = _drawn_by(rules, facts, drawer, title, "LOOSE-3")
    question = coded("who_should_drawn_players_do")
    if drawer is not None:
        question = coded("by_log_it_was", asked=question, number=drawer + 1)
    return plan.asking(question)


def _restored(rule: str, count: int) -> tuple[Step, ...]:
    shown = _shown_back(count)
    return (
        EITHER("restore_racks", "put_tiles_cleared_off_racks"),
        *(shown if rule == "LOOSE-1" else shown[:1]),
    )


def _shown_back(count: int) -> tuple[Step, ...]:
    """Both see what was found before it goes into the bag."""
    return (
        EITHER("show_tiles", "both_look_found", tiles=count),
        into_bag(EITHER, "put_into_bag", count, count=count),
    )


def _play_on(rules: Rules) -> Step:
    again = rules.get("loose.procedure") != WESPA
    return EITHER("play_on", "play_on" if again else "play_on_nothing_again")


def _drawn_by(
    rules: Rules, facts: LooseFacts, drawer: int | None, title: CodedText, rule: str
) -> TilePlan:
    """The player who should have it draws it; whether the game is over depends on both racks."""
    if drawer is None:
        return _ask(rule, title, facts, (coded("no_draw_log_fell_short"),))
    count = min(facts.count, max(0, RACK_SIZE - facts.racks[drawer]))
    held = facts.racks[drawer] + count
    gets, done = rule == "LOOSE-3", f"rack={held}"
    code = "give_tiles" if gets else "draw_tiles"
    act = "who_drew_short_gets" if gets else "who_drew_short_draws"
    drawn = DIRECTOR(code, act, number=drawer + 1, count=count, tiles=count, done_when=done)
    is_over = 0 in (held, facts.racks[1 - drawer])
    last = DIRECTOR(_COUNT, "only_one_player_tiles_game") if is_over else _play_on(rules)
    steps = (*_restored(rule, facts.count), drawn, last)
    return TilePlan(rule, title, steps=steps, drawer=drawer, drawn=count)

"""What follows from an exchange with too few tiles in the bag, or from too full a rack.

EXCH-3 and EXCH-4. Some texts name the right to object and no consequence: then the director is
asked. What a right exchange looks like is in ``exchange``.
"""

from dataclasses import dataclass, replace

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, Passed, Penalty
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask_all, ask_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Step,
    TilePlan,
    into_bag,
    out_of_bag,
)
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.overdraw import (
    DECISION_S,
    OverdrawFacts,
    TilesHeld,
    overdraw,
    surplus_plan,
)
from recorder.domain.rules.draw.surplus_steps import STOP, shown_steps
from recorder.domain.tiles import RACK_SIZE

_DECISION_S, _PENALTY, _REVEAL_EXTRA = 60, 30, 2
"""NASPA: the time to choose, the points off after the reply, tiles shown beyond the surplus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeFacts:
    """An exchange by ``player`` (0 or 1), as far as it went when somebody objected.

    ``rack`` tiles were held before any were laid aside, ``bag`` tiles were in the bag. ``laid``
    were laid aside and the clock pressed; ``drawn`` new ones, ``racked`` of them, ``returned``
    old ones into the bag. ``replied``: the opponent has played and pressed since.
    """

    player: int
    bag: int
    laid: int
    rack: int = RACK_SIZE
    drawn: int = 0
    racked: int = 0
    returned: int = 0
    replied: bool = False

    def __post_init__(self) -> None:
        fits = self.laid <= self.rack and self.drawn <= self.bag and self.racked <= self.drawn
        if not fits or self.returned > self.laid:
            raise RecorderError(f"no exchange can have gone so far: {self}")


def illegal_exchange(rules: Rules, facts: ExchangeFacts) -> TilePlan:
    """What follows when somebody objects to an exchange with too few tiles in the bag (EXCH-3)."""
    needed, questions = rules.get_whole("exchange.min_bag"), tuple[CodedText, ...]()
    title = coded("exchange_bag", bag=facts.bag)
    if needed is not None and facts.bag >= needed:
        allowed = coded("exchange_allowed", title=title)
        return TilePlan("EXCH-3", allowed)
    if rules.get("exchange.procedure") == WESPA:
        if facts.returned:
            late = coded("exchange_too_late", title=title)
            return TilePlan("EXCH-3", late, too_late=True)
        questions = (coded("exchange_not_allowed_text_not"),)
    questions = questions or ask_all(rules, "exchange.min_bag", "exchange.procedure")
    if questions:
        stop = OPPONENT("stop_clock", "stop_clock_call_director")
        return TilePlan("EXCH-3", title, steps=(stop,), open_questions=questions)
    if facts.replied:
        return _points_off(facts, title)
    is_mixed = facts.racked or facts.returned
    return _seven_kept(facts, title) if is_mixed else _as_pass(facts, title)


def _points_off(facts: ExchangeFacts, title: CodedText) -> TilePlan:
    return TilePlan(
        "EXCH-3",
        coded("found_after_reply", title=title),
        steps=(DIRECTOR("deduct_points", "take_points_off_tiles_stay", points=_PENALTY),),
        events=(Penalty(facts.player, _PENALTY, "exchange with too few tiles in the bag"),),
        score_change=-_PENALTY,
    )


def _as_pass(facts: ExchangeFacts, title: CodedText) -> TilePlan:
    new, laid, done = facts.drawn, facts.laid, f"rack={facts.rack}"
    shown = (
        PLAYER("show_tiles", "show_drawn", new=new, tiles=new),
        into_bag(PLAYER, "put_them_back_into_bag", new),
    )
    old = PLAYER(
        "take_back_tiles", "take_your_back_onto_rack", laid=laid, tiles=laid, done_when=done
    )
    start = EITHER("start_clock", "start_opponents_clock")
    return TilePlan(
        "EXCH-3",
        coded("counts_as_pass", title=title),
        steps=(STOP, *(shown if new else ()), old, start),
        events=(Passed(facts.player),),
        revealed=new,
        returned=new,
    )


def _seven_kept(facts: ExchangeFacts, title: CodedText) -> TilePlan:
    """The opponent sees rack, traded tiles and the bag, and chooses what the player keeps."""
    seen = facts.rack + facts.bag
    kept = min(RACK_SIZE, seen)
    back, look = seen - kept, "look_rack_traded_tiles_bag"
    choose = OPPONENT(
        "choose_to_keep", "choose_player_keeps", kept=kept, tiles=kept, seconds=_DECISION_S
    )
    steps = (
        STOP,
        OPPONENT("look_at_tiles", look, seen=seen, tiles=seen),
        replace(choose, done_when=f"rack={kept}"),
        OPPONENT("return_tiles", "put_other_into_bag", count=back, tiles=back),
        EITHER("start_clock", "no_points_start_opponents_clock"),
    )
    return TilePlan(
        "EXCH-3",
        coded("mixed_with_rack", title=title),
        steps=steps,
        events=(Passed(facts.player),),
        revealed=seen,
        returned=back,
    )


def overdrawn_exchange(rules: Rules, facts: ExchangeFacts) -> TilePlan:
    """What follows when an exchange was begun with more than seven tiles (EXCH-4).

    RecorderError for a rack of seven or fewer: a surplus drawn then is a plain overdraw.
    """
    if facts.rack <= RACK_SIZE:
        raise RecorderError(f"an exchange from {facts.rack} tiles is not from too full a rack")
    if questions := ask_remedy(rules, "exchange.procedure"):
        title = coded("exchange_from_tiles", rack=facts.rack)
        plan = _by_overdraw_rules(rules, facts)
        return replace(plan, rule="EXCH-4", title=title).asking(*questions)
    if facts.drawn == 0:
        return _by_overdraw_rules(rules, facts)
    surplus = facts.rack + facts.drawn - RACK_SIZE
    pool = facts.rack + facts.drawn
    revealed = min(surplus + _REVEAL_EXTRA, pool)
    shown = shown_steps(
        pool=pool,
        mixed=True,
        revealed=revealed,
        returned=surplus,
        seconds=DECISION_S,
        opponent_keeps=False,
    )
    steps = (
        shown[0],
        *_redraw(facts.returned),
        *shown[1:-1],
        EITHER("start_clock", "no_points_start_opponents_clock"),
    )
    return TilePlan(
        "EXCH-4",
        coded("exchange_from_tiles", rack=facts.rack),
        steps=steps,
        events=(Exchanged(facts.player, facts.laid),),
        revealed=revealed,
        returned=surplus,
        surplus=surplus,
        drawn=facts.returned,
    )


def _redraw(count: int) -> tuple[Step, ...]:
    if not count:
        return ()
    act = coded("draw_again_many_were_put", count=count)
    return (out_of_bag(PLAYER, act, count, code="redraw_tiles"),)


def _by_overdraw_rules(rules: Rules, facts: ExchangeFacts) -> TilePlan:
    """The rules of an overdraw, where nothing was drawn, or no text speaks of it."""
    if not facts.drawn:
        held = TilesHeld(facts.rack, 0)
        return surplus_plan(rules, held)
    draw = Draw(kept=facts.rack - facts.laid, bag=facts.bag, drawn=facts.drawn)
    known = OverdrawFacts(player=facts.player, draw=draw, mixed=facts.racked > 0)
    return overdraw(rules, known)

"""What follows from an exchange with too few tiles in the bag, or from too full a rack.

EXCH-3 and EXCH-4. Some texts name the right to object and no consequence: then the director is
asked. What a right exchange looks like is in ``exchange``.
"""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, GameEvent, Passed, Penalty
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask_all, ask_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    Step,
    into_bag,
    out_of_bag,
)
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.overdraw import (
    DECISION_S,
    OverdrawFacts,
    OverdrawPlan,
    TilesHeld,
    overdraw,
    surplus_plan,
)
from recorder.domain.rules.draw.surplus_steps import STOP, shown_steps
from recorder.domain.rules.ending.six_zeros import Zero
from recorder.domain.tiles import RACK_SIZE

_DECISION_S, _PENALTY, _REVEAL_EXTRA = 60, 30, 2
"""NASPA: the time to choose, the points off after the reply, tiles shown beyond the surplus."""


class ExchangeOutcome(StrEnum):
    """What becomes of an exchange that somebody objects to."""

    STANDS = "stands"
    TOO_LATE = "too_late_to_object"
    DIRECTOR = "director_decides"
    PASS = "counts_as_a_pass"  # noqa: S105  a turn, no password
    SEVEN_KEPT = "opponent_chooses_what_stays"
    PENALTY = "points_off"
    OVERDRAW = "surplus_returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangePlan:
    """What follows: ``seen`` tiles are looked at, ``kept`` stay, ``to_bag`` go into the bag.

    ``surplus``, ``redraw``: of an exchange from too full a rack, the tiles too many, and those
    taken out of the bag again first. ``counts_as`` is the kind of turn without score.
    ``challenge_cost`` is what an objection costs that is wrong, None where the text is silent.
    """

    outcome: ExchangeOutcome
    procedure: Procedure
    counts_as: Zero | None = None
    seen: int = 0
    kept: int = 0
    to_bag: int = 0
    surplus: int = 0
    redraw: int = 0
    seconds: int | None = None
    score_change: int = 0
    challenge_cost: int | None = None
    overdraw: OverdrawPlan | None = None


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


def illegal_exchange(rules: Rules, facts: ExchangeFacts) -> ExchangePlan:
    """What follows when somebody objects to an exchange with too few tiles in the bag (EXCH-3)."""
    cost = 0 if rules.get("exchange.procedure") == WESPA else None
    needed = rules.get_whole("exchange.min_bag")
    title = coded("exchange_bag", bag=facts.bag)
    if needed is not None and facts.bag >= needed:
        return _plain(
            ExchangeOutcome.STANDS, coded("exchange_allowed", title=title), cost, Zero.EXCHANGE
        )
    until_returned = rules.get("exchange.procedure") == WESPA
    if until_returned and facts.returned:
        return _plain(
            ExchangeOutcome.TOO_LATE, coded("exchange_too_late", title=title), cost, Zero.EXCHANGE
        )
    if until_returned:
        return _open(title, cost, (coded("exchange_not_allowed_text_not"),))
    if questions := ask_all(rules, "exchange.min_bag", "exchange.procedure"):
        return _open(title, cost, questions)
    if facts.replied:
        return _points_off(facts, title)
    is_mixed = facts.racked or facts.returned
    return _seven_kept(facts, title) if is_mixed else _as_pass(facts, title)


def _plain(
    outcome: ExchangeOutcome, title: CodedText, cost: int | None, kind: Zero
) -> ExchangePlan:
    procedure = Procedure("EXCH-3", title)
    return ExchangePlan(outcome=outcome, procedure=procedure, counts_as=kind, challenge_cost=cost)


def _open(title: CodedText, cost: int | None, questions: tuple[CodedText, ...]) -> ExchangePlan:
    stop = OPPONENT("stop_clock", "stop_clock_call_director", "EXCH-3")
    procedure = Procedure("EXCH-3", title, steps=(stop,), open_questions=questions)
    return ExchangePlan(outcome=ExchangeOutcome.DIRECTOR, procedure=procedure, challenge_cost=cost)


def _points_off(facts: ExchangeFacts, title: CodedText) -> ExchangePlan:
    rule = "EXCH-3"
    return ExchangePlan(
        outcome=ExchangeOutcome.PENALTY,
        procedure=Procedure(
            rule,
            coded("found_after_reply", title=title),
            steps=(DIRECTOR("deduct_points", "take_points_off_tiles_stay", rule, points=_PENALTY),),
            events=(Penalty(facts.player, _PENALTY, "exchange with too few tiles in the bag"),),
        ),
        counts_as=Zero.EXCHANGE,
        score_change=-_PENALTY,
    )


def _as_pass(facts: ExchangeFacts, title: CodedText) -> ExchangePlan:
    rule = "EXCH-3"
    new = facts.drawn
    shown = (
        PLAYER("show_tiles", "show_drawn", rule, new=new, tiles=new),
        into_bag(PLAYER, "put_them_back_into_bag", new, rule),
    )
    old = PLAYER(
        "take_back_tiles",
        "take_your_back_onto_rack",
        rule,
        laid=facts.laid,
        tiles=facts.laid,
        done_when=f"rack={facts.rack}",
    )
    start = EITHER("start_clock", "start_opponents_clock", rule)
    return ExchangePlan(
        outcome=ExchangeOutcome.PASS,
        procedure=Procedure(
            rule,
            coded("counts_as_pass", title=title),
            steps=(STOP, *(shown if new else ()), old, start),
            events=(Passed(facts.player),),
        ),
        counts_as=Zero.PASS,
        seen=new,
        kept=facts.rack,
        to_bag=new,
    )


def _seven_kept(facts: ExchangeFacts, title: CodedText) -> ExchangePlan:
    """The opponent sees rack, traded tiles and the bag, and chooses what the player keeps."""
    rule = "EXCH-3"
    seen = facts.rack + facts.bag
    kept = min(RACK_SIZE, seen)
    steps = (
        STOP,
        OPPONENT("look_at_tiles", "look_rack_traded_tiles_bag", rule, seen=seen, tiles=seen),
        OPPONENT(
            "choose_to_keep",
            "choose_player_keeps",
            rule,
            kept=kept,
            tiles=kept,
            seconds=_DECISION_S,
            done_when=f"rack={kept}",
        ),
        OPPONENT("return_tiles", "put_other_into_bag", rule, count=seen - kept, tiles=seen - kept),
        EITHER("start_clock", "no_points_start_opponents_clock", rule),
    )
    return ExchangePlan(
        outcome=ExchangeOutcome.SEVEN_KEPT,
        procedure=Procedure(
            rule, coded("mixed_with_rack", title=title), steps=steps, events=(Passed(facts.player),)
        ),
        counts_as=Zero.ILLEGAL,
        seen=seen,
        kept=kept,
        to_bag=seen - kept,
        seconds=_DECISION_S,
    )


def overdrawn_exchange(rules: Rules, facts: ExchangeFacts) -> ExchangePlan:
    """What follows when an exchange was begun with more than seven tiles (EXCH-4).

    RecorderError for a rack of seven or fewer: a surplus drawn then is a plain overdraw.
    """
    if facts.rack <= RACK_SIZE:
        raise RecorderError(f"an exchange from {facts.rack} tiles is not from too full a rack")
    if questions := ask_remedy(rules, "exchange.procedure"):
        return _by_overdraw_rules(rules, facts, questions)
    if facts.drawn == 0:
        plan = surplus_plan(rules, player=facts.player, held=TilesHeld(facts.rack, 0))
        return _from_overdraw(plan, plan.procedure)
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
        EITHER("start_clock", "no_points_start_opponents_clock", "EXCH-4"),
    )
    events: tuple[GameEvent, ...] = (Exchanged(facts.player, facts.laid),)
    return ExchangePlan(
        outcome=ExchangeOutcome.OVERDRAW,
        procedure=Procedure(
            "EXCH-4", coded("exchange_from_tiles", rack=facts.rack), steps=steps, events=events
        ),
        counts_as=Zero.EXCHANGE,
        seen=revealed,
        kept=pool - surplus,
        to_bag=surplus,
        surplus=surplus,
        redraw=facts.returned,
        seconds=DECISION_S,
    )


def _redraw(count: int) -> tuple[Step, ...]:
    if not count:
        return ()
    act = coded("draw_again_many_were_put", count=count)
    return (out_of_bag(PLAYER, act, count, "EXCH-4", code="redraw_tiles"),)


def _by_overdraw_rules(
    rules: Rules, facts: ExchangeFacts, questions: tuple[CodedText, ...]
) -> ExchangePlan:
    """Where no text speaks of it, the rules of an overdraw are what is nearest."""
    kept = facts.rack - facts.laid if facts.drawn else facts.rack
    draw = Draw(kept=kept, bag=facts.bag, drawn=facts.drawn)
    mixed = facts.racked > 0
    if facts.drawn:
        held = OverdrawFacts(player=facts.player, draw=draw, touched_rack=mixed, beside_old=mixed)
        plan = overdraw(rules, held)
    else:
        plan = surplus_plan(rules, player=facts.player, held=TilesHeld(facts.rack, 0))
    asked = (*plan.procedure.open_questions, *questions)
    procedure = Procedure(
        "EXCH-4",
        coded("exchange_from_tiles", rack=facts.rack),
        steps=plan.procedure.steps,
        open_questions=asked,
    )
    return _from_overdraw(plan, procedure)


def _from_overdraw(plan: OverdrawPlan, procedure: Procedure) -> ExchangePlan:
    return ExchangePlan(
        outcome=ExchangeOutcome.OVERDRAW,
        procedure=procedure,
        seen=plan.revealed,
        kept=plan.rack_after,
        to_bag=plan.returned,
        surplus=plan.surplus,
        seconds=plan.seconds,
        overdraw=plan,
    )

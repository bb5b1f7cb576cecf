"""Tiles that leave or enter the bag otherwise than by a draw (LOOSE-2, SPILL-1 and -2, RETURN-1).

Numbers of tiles only. A draw that brought too many is for ``overdraw``; a single tile found later
is for ``loose``.
"""

from dataclasses import dataclass, replace

from recorder.domain.errors import RecorderError
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    Step,
    into_bag,
)
from recorder.domain.rules.draw.overdraw import LOW_BAG
from recorder.domain.rules.draw.surplus_steps import STOP
from recorder.domain.tiles import RACK_SIZE

_DECISION_S, _FROM_RACK, _BAG_EXTRA = 60, 2, 2
"""NASPA: the time to choose, and how many tiles are exposed after an improper return."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpillFacts:
    """``spilled`` tiles fell out of the bag, which held ``bag`` before.

    ``due`` is what ``player``, who held it, had still to draw, None when nobody was drawing;
    ``own_turn`` says whether it was that player's turn.
    """

    player: int
    bag: int
    spilled: int
    due: int | None = None
    own_turn: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SpillPlan:
    """``drawn`` of the spilled tiles are the draw, ``returned`` go back, ``still_due`` come yet.

    ``shown``: both see what goes back. ``opponent_chooses``: the opponent takes them first.
    """

    procedure: Procedure
    drawn: int = 0
    still_due: int = 0
    returned: int = 0
    shown: bool = True
    opponent_chooses: bool = False
    seconds: int | None = None


def spill(rules: Rules, facts: SpillFacts) -> SpillPlan:
    """What is done with tiles that fell out of the bag. RecorderError if it held fewer."""
    if not 0 < facts.spilled <= facts.bag:
        raise RecorderError(f"{facts.spilled} tiles cannot fall out of a bag of {facts.bag}")
    if facts.due is not None:
        return _while_drawing(rules, facts, facts.due)
    if questions := ask_remedy(rules, "loose.procedure"):
        return SpillPlan(procedure=Procedure("LOOSE-2", _title(facts), open_questions=questions))
    left = facts.bag - facts.spilled
    if left > LOW_BAG:
        return _shown_back("LOOSE-2", facts)
    low = _few_left(facts)
    if facts.bag >= LOW_BAG and low.opponent_chooses:
        question = coded(
            "tiles_before_spill_after_text",
            bag=facts.bag,
            left=left,
            threshold=LOW_BAG,
            threshold_2=LOW_BAG,
        )
        asked = (*low.procedure.open_questions, question)
        return replace(low, procedure=replace(low.procedure, open_questions=asked))
    return low


def _title(facts: SpillFacts) -> CodedText:
    return coded("fallen_out_bag", spilled=facts.spilled)


def _while_drawing(rules: Rules, facts: SpillFacts, due: int) -> SpillPlan:
    """SPILL-1: they count as drawn; a surplus is drawn from, face down."""
    rule = "SPILL-1"
    if questions := ask_remedy(rules, "loose.procedure"):
        return SpillPlan(procedure=Procedure(rule, _title(facts), open_questions=questions))
    drawn = min(facts.spilled, due)
    back = facts.spilled - drawn
    still_due = min(due - drawn, facts.bag - facts.spilled)
    count = PLAYER(
        "draw_tiles",
        "drawn_draw_more",
        rule,
        drawn=drawn,
        still_due=still_due,
        tiles=drawn,
        done_when=f"bag-{still_due}",
    )
    steps: tuple[Step, ...] = (count,)
    if back:
        steps = (
            OPPONENT("lay_face_down", "lay_them_face_down_mix", rule, tiles=facts.spilled),
            PLAYER("take_tiles", "take_unseen", rule, drawn=drawn, tiles=drawn),
            EITHER("show_tiles", "both_look_other", rule, back=back, tiles=back),
            into_bag(EITHER, "put_those_into_bag", back, rule),
        )
    procedure = Procedure(rule, _title(facts), steps=steps)
    return SpillPlan(procedure=procedure, drawn=drawn, still_due=still_due, returned=back)


def _shown_back(rule: str, facts: SpillFacts) -> SpillPlan:
    count = facts.spilled
    steps = (
        EITHER("show_tiles", "both_look", rule, count=count, tiles=count),
        into_bag(EITHER, "put_them_back_no_penalty", count, rule),
    )
    procedure = Procedure(rule, _title(facts), steps=steps)
    return SpillPlan(procedure=procedure, returned=facts.spilled)


def _few_left(facts: SpillFacts) -> SpillPlan:
    """SPILL-2: on the own turn the opponent takes them, chooses, and returns as many unseen."""
    rule = "SPILL-2"
    if not facts.own_turn:
        return _shown_back(rule, facts)
    count = facts.spilled
    steps = (
        STOP,
        OPPONENT("take_tiles", "add_your_own_rack", rule, count=count, tiles=count),
        OPPONENT("choose_to_keep", "choose_keep_rack_must_large", rule, seconds=_DECISION_S),
        into_bag(OPPONENT, "put_into_bag_without_showing", count, rule, count=count),
    )
    procedure = Procedure(rule, _title(facts), steps=steps)
    return SpillPlan(
        procedure=procedure, returned=count, shown=False, opponent_chooses=True, seconds=_DECISION_S
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnFacts:
    """``player`` put ``returned`` tiles into the bag without a right to.

    ``rack`` tiles are left on the rack and ``bag`` tiles are in the bag, both after it.
    """

    player: int
    returned: int
    rack: int
    bag: int
    own_turn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnPlan:
    """``from_rack`` and ``from_bag`` tiles are exposed; ``kept`` of them are the player's.

    ``to_bag`` go back; the player then holds ``rack_after``.
    """

    procedure: Procedure
    from_rack: int = 0
    from_bag: int = 0
    kept: int = 0
    to_bag: int = 0
    rack_after: int = RACK_SIZE
    seconds: int | None = None


def improper_return(rules: Rules, facts: ReturnFacts) -> ReturnPlan:
    """What follows when tiles were put back improperly (RETURN-1): suspicious, and for the scale.

    How many tiles the player keeps follows from the rack of seven; no text says it.
    """
    rule = "RETURN-1"
    title = coded("put_into_bag_improperly", returned=facts.returned)
    if questions := ask_remedy(rules, "loose.procedure"):
        open_ = Procedure(rule, title, open_questions=questions)
        return ReturnPlan(procedure=open_, rack_after=facts.rack)
    from_rack = min(_FROM_RACK, facts.rack)
    from_bag = min(facts.returned + _BAG_EXTRA, facts.bag)
    exposed = from_rack + from_bag
    kept = min(exposed, RACK_SIZE - facts.rack + from_rack)
    procedure = Procedure(
        rule,
        title,
        steps=_return_steps((from_rack, from_bag), kept),
        open_questions=_return_questions(facts),
    )
    return ReturnPlan(
        procedure=procedure,
        from_rack=from_rack,
        from_bag=from_bag,
        kept=kept,
        to_bag=exposed - kept,
        rack_after=facts.rack - from_rack + kept,
        seconds=_DECISION_S,
    )


def _return_questions(facts: ReturnFacts) -> tuple[CodedText, ...]:
    if not facts.own_turn or facts.bag > LOW_BAG:
        return ()
    return (coded("own_turn_few_tiles_bag"),)


def _return_steps(exposed: tuple[int, int], kept: int) -> tuple[Step, ...]:
    rule = "RETURN-1"
    rack, bag = exposed
    back = rack + bag - kept
    return (
        STOP,
        OPPONENT(
            "take_tiles",
            "take_from_players_rack_unseen",
            rule,
            rack=rack,
            bag=bag,
            tiles=rack + bag,
        ),
        OPPONENT(
            "choose_to_keep",
            "choose_player_keep_after_time",
            rule,
            kept=kept,
            tiles=kept,
            seconds=_DECISION_S,
        ),
        into_bag(EITHER, "put_other_into_bag", back, rule, count=back),
        DIRECTOR("note_suspicious", "note_such_return_suspicious", rule),
    )

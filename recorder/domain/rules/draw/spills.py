"""Tiles that leave or enter the bag otherwise than by a draw (LOOSE-2, SPILL-1 and -2, RETURN-1).

Numbers of tiles only. A draw that brought too many is for ``overdraw``; a single tile found later
is for ``loose``.
"""

from dataclasses import dataclass

from recorder.domain.errors import RecorderError
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Step,
    TilePlan,
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

    ``due`` is what the player who held it had still to draw, None when nobody was drawing;
    ``own_turn`` says whether it was that player's turn.
    """

    bag: int
    spilled: int
    due: int | None = None
    own_turn: bool = True


def spill(rules: Rules, facts: SpillFacts) -> TilePlan:
    """What is done with tiles that fell out of the bag. RecorderError if it held fewer."""
    if not 0 < facts.spilled <= facts.bag:
        raise RecorderError(f"{facts.spilled} tiles cannot fall out of a bag of {facts.bag}")
    rule = "LOOSE-2" if facts.due is None else "SPILL-1"
    if questions := ask_remedy(rules, "loose.procedure"):
        return TilePlan(rule, _title(facts), open_questions=questions)
    if facts.due is not None:
        return _while_drawing(facts, facts.due)
    left = facts.bag - facts.spilled
    if left > LOW_BAG:
        return _shown_back("LOOSE-2", facts)
    if not facts.own_turn:
        return _shown_back("SPILL-2", facts)
    low = _few_left(facts)
    if facts.bag < LOW_BAG:
        return low
    return low.asking(
        coded(
            "tiles_before_spill_after_text",
            bag=facts.bag,
            left=left,
            threshold=LOW_BAG,
            threshold_2=LOW_BAG,
        )
    )


def _title(facts: SpillFacts) -> CodedText:
    return coded("fallen_out_bag", spilled=facts.spilled)


def _while_drawing(facts: SpillFacts, due: int) -> TilePlan:
    """SPILL-1: they count as drawn; a surplus is drawn from, face down."""
    drawn = min(facts.spilled, due)
    back = facts.spilled - drawn
    still_due = min(due - drawn, facts.bag - facts.spilled)
    act = coded("drawn_draw_more", drawn=drawn, still_due=still_due)
    steps: tuple[Step, ...] = (
        PLAYER("draw_tiles", act, tiles=drawn, done_when=f"bag-{still_due}"),
    )
    if back:
        steps = (
            OPPONENT("lay_face_down", "lay_them_face_down_mix", tiles=facts.spilled),
            PLAYER("take_tiles", "take_unseen", drawn=drawn, tiles=drawn),
            EITHER("show_tiles", "both_look_other", back=back, tiles=back),
            into_bag(EITHER, "put_those_into_bag", back),
        )
    return TilePlan("SPILL-1", _title(facts), steps=steps, drawn=drawn, returned=back)


def _shown_back(rule: str, facts: SpillFacts) -> TilePlan:
    count = facts.spilled
    steps = (
        EITHER("show_tiles", "both_look", count=count, tiles=count),
        into_bag(EITHER, "put_them_back_no_penalty", count),
    )
    return TilePlan(rule, _title(facts), steps=steps, revealed=count, returned=count)


def _few_left(facts: SpillFacts) -> TilePlan:
    """SPILL-2: on their own turn the opponent takes them, chooses, and returns as many unseen."""
    count = facts.spilled
    steps = (
        STOP,
        OPPONENT("take_tiles", "add_your_own_rack", count=count, tiles=count),
        OPPONENT("choose_to_keep", "choose_keep_rack_must_large", seconds=_DECISION_S),
        into_bag(OPPONENT, "put_into_bag_without_showing", count, count=count),
    )
    return TilePlan("SPILL-2", _title(facts), steps=steps, returned=count)


def improper_return(
    rules: Rules, *, returned: int, rack: int, bag: int, own_turn: bool = False
) -> TilePlan:
    """What follows when tiles were put back improperly (RETURN-1): suspicious, and for the scale.

    ``rack`` and ``bag`` are the tiles there after ``returned`` ones were put back. Some of both are
    revealed. How many the player keeps follows from the rack of seven; no text says it.
    """
    title = coded("put_into_bag_improperly", returned=returned)
    if questions := ask_remedy(rules, "loose.procedure"):
        return TilePlan("RETURN-1", title, open_questions=questions)
    of_rack, of_bag = min(_FROM_RACK, rack), min(returned + _BAG_EXTRA, bag)
    seen = of_rack + of_bag
    kept = min(seen, RACK_SIZE - rack + of_rack)
    back = seen - kept
    take, choose = "take_from_players_rack_unseen", "choose_player_keep_after_time"
    steps = (
        STOP,
        OPPONENT("take_tiles", take, rack=of_rack, bag=of_bag, tiles=seen),
        OPPONENT("choose_to_keep", choose, kept=kept, tiles=kept, seconds=_DECISION_S),
        into_bag(EITHER, "put_other_into_bag", back, count=back),
        DIRECTOR("note_suspicious", "note_such_return_suspicious"),
    )
    is_open = own_turn and bag <= LOW_BAG
    return TilePlan(
        "RETURN-1",
        title,
        steps=steps,
        open_questions=(coded("own_turn_few_tiles_bag"),) if is_open else (),
        revealed=seen,
        returned=back,
    )

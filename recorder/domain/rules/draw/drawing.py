"""How tiles are to be drawn, by rule set, and what an improper draw is (DRAW-1).

For the director to read out; what was seen of a draw is given in. The numbers are in ``draws``,
when a tile counts as drawn is in ``hold``.
"""

from dataclasses import dataclass

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import Rules, ask
from recorder.domain.rules.core.procedure import Procedure, Step, Who

_BAG = {
    "rim_at_or_above_eye_level_in_view": coded("hold_bag_view_its_rim"),
    "eye_level_in_view": coded("hold_bag_view_level_your"),
    "away_from_sight_in_view": coded("hold_bag_out_your_own"),
}
_RIM = "rim_at_or_above_eye_level_in_view"
"""Where the bag is held so, the hand is shown after the draw too."""


def manner(rules: Rules) -> Procedure:
    """How to draw, act by act; what the set leaves open is asked."""
    rule = "DRAW-1"
    acts = []
    position = str(rules.get("draw.bag_position"))
    if bag := _BAG.get(position):
        acts = [
            ("hold_bag", coded("look_away", bag=bag)),
            ("show_hand", coded("show_empty_hand_before")),
        ]
    if position == _RIM:
        acts.append(("show_hand", coded("show_empty_hand_after")))
    return Procedure(
        rule,
        coded("drawing_tiles"),
        steps=tuple(Step(Who.PLAYER, code, act, rule) for code, act in acts),
        open_questions=ask(rules, "draw.bag_position"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawSeen:
    """What was seen of a draw; None is what nobody saw.

    ``hand_full``: a hand with tiles went into the bag again. ``below_eyes``: the bag was held too
    low. ``shown``: the empty hand was shown.
    """

    hand_full: bool | None = None
    below_eyes: bool | None = None
    shown: bool | None = None


def improper_draw(rules: Rules, seen: DrawSeen) -> Procedure:
    """What was not right about a draw, for the director: no text names a consequence."""
    faults = []
    if seen.hand_full:
        faults.append(coded("hand_tiles_went_into_bag"))
    if seen.below_eyes and rules.usable("draw.bag_position"):
        faults.append(coded("bag_not_held_should"))
    if seen.shown is False and rules.usable("draw.bag_position"):
        faults.append(coded("empty_hand_not_shown"))
    if not faults:
        return Procedure("DRAW-1", coded("nothing_known_wrong_draw"))
    return Procedure(
        "DRAW-1",
        coded("draw_at_fault", faults=faults),
        open_questions=(coded("improper_draw", faults=faults),),
    )

"""The press and its accidents: when a turn was complete, and what a press was that ended none.

Also clocks that stand still. Instants are milliseconds of one clock; None is what was not seen. In
the steps the player is the one whose turn it is or was, the mover. Which look at the board belongs
to a press is decided elsewhere.
"""

from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, has_remedy, listed
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    Procedure,
    Who,
)
from recorder.domain.rules.turn.hold import UNPRESSED_S

_GRANT_S = 60


class CompletedBy(StrEnum):
    """What completed a turn whose press was forgotten (TURN-4)."""

    HAND = "the_hand_in_the_bag"
    DRAW = "the_first_tile_out_of_the_bag"
    NOTHING = "nothing_yet"


_COMPLETES = {
    "hand_in_bag": CompletedBy.HAND,
    "any_part_of_hand_in_bag": CompletedBy.HAND,
    "replacement_tile_drawn": CompletedBy.DRAW,
}


def completed_by(rules: Rules) -> CompletedBy:
    """What completes a turn that was not pressed, once its player draws (TURN-4).

    Nobody at the table hears of a forgotten press, and what ran on the clock is not put right.
    """
    completes = rules.get("turn.omitted_press_completion")
    return _COMPLETES.get(str(completes), CompletedBy.NOTHING)


def hold_until_ms(rules: Rules, drawn_ms: int) -> int | None:
    """Until when a play can be held that was drawn for at ``drawn_ms`` without a press (HOLD-8).

    None where the set has no fixed time.
    """
    has_time = (
        has_remedy(rules, "hold.procedure") and completed_by(rules) is not CompletedBy.NOTHING
    )
    return drawn_ms + 1000 * UNPRESSED_S if has_time else None


def stray_press(rules: Rules, *, opponent_drew: bool) -> Procedure:
    """What follows from an accidental or half a press (TURN-5). It is no pass by itself.

    Both versions of the turn are to be kept until the director has spoken.
    """
    title = coded("accidental_press")
    match rules.get("turn.accidental_press"):
        case "director_may_nullify_and_adjust":
            steps = (
                DIRECTOR("void_press", "void_press_let_stand"),
                DIRECTOR("set_clock", "set_both_times_seems_right"),
            )
            return Procedure("TURN-5", title, steps=steps)
        case "turn_continues_if_opponent_has_not_drawn_opponent_may_get_60s" if not opponent_drew:
            grant = coded("add_clock_if_director_grants", seconds=_GRANT_S)
            steps = (
                EITHER("start_clock", "start_players_clock_again_turn"),
                OPPONENT("add_time", grant, seconds=_GRANT_S),
            )
            return Procedure("TURN-5", title, steps=steps)
        case None:
            question = coded("rule_set_not_say_follows_from")
        case _:
            question = coded("opponent_drawn_since_accidental_press")
    return Procedure("TURN-5", title, open_questions=(question,))


def restart(rules: Rules) -> tuple[Who, tuple[CodedText, ...]]:
    """Who starts the clock again after both sides were stopped (TURN-7), seen by who is on turn.

    Anyone may where the text does not say it; then that is asked.
    """
    match rules.get("timer.restart_duty"):
        case "player_not_on_turn":
            return OPPONENT, ()
        case "either_player":
            return EITHER, ()
        case "see_procedure":
            return EITHER, (coded("procedure_hand_names_who"),)
        case _:
            return EITHER, (coded("rule_set_not_say_who_starts"),)


REASON_WANTED_AFTER_S = 60
"""After so long without a reason the scorer is reminded; a choice of this program (CLOCK-1)."""
STILL_STOPPED_AFTER_S = 30
"""So long a clock may stand after the cause is settled; a choice of this program (CLOCK-4)."""


def ask_stop_reason(rules: Rules, reason: str) -> tuple[CodedText, ...]:
    """What is open about stopping both clocks for this reason (CLOCK-1).

    ``reason`` is one of the words of ``clock.stop_reasons`` or ``clock.stops_by_other_rules``, or
    any other word, such as ``score_check``: that is asked about where the list is not known.
    """
    named = {*listed(rules, "clock.stop_reasons"), *listed(rules, "clock.stops_by_other_rules")}
    if reason in named or rules.usable("clock.stop_reasons"):
        return ()
    return (coded("rule_sets_list_reasons_not"),)

"""The press and its accidents: when a turn was complete, and what a press was that ended none.

Instants are milliseconds; None is what was not seen. In the steps the player is the one whose
turn it is or was, the mover. Which look at the board belongs to a press is decided elsewhere.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, has_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    PLAYER,
    Finding,
    Procedure,
    Remedy,
    TimeChange,
    Who,
)
from recorder.domain.rules.turn.hold import UNPRESSED_S
from recorder.domain.rules.turn.inquiry import CompletedBy, TurnTimes, turn_completed


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """When a turn was complete and by what; ``at_ms`` is None while it is not.

    ``window_until_ms`` is the end of the time to hold or challenge where that is a fixed time.
    ``finding`` goes to the log: nobody at the table is told of a press that was forgotten, and
    what ran on the clock is not put right.
    """

    at_ms: int | None
    by: CompletedBy
    window_until_ms: int | None = None
    finding: Finding | None = None
    open_questions: tuple[CodedText, ...] = ()


def completed(rules: Rules, times: TurnTimes, *, due: int, timed: bool = True) -> Completed:
    """When a turn was complete, and how long that leaves to hold or challenge (TURN-4, HOLD-8).

    ``due`` is how many tiles the mover may draw: with none, a hand in the bag only counts
    (TURN-12). ``timed`` is False in a game without a timer.
    """
    seen = times if due else replace(times, hand_ms=None)
    done = turn_completed(rules, seen, timed=timed)
    if not timed or done.by in (CompletedBy.PRESS, CompletedBy.NOTHING):
        return Completed(at_ms=done.at_ms, by=done.by, open_questions=done.open_questions)
    finding = Finding(
        rule="TURN-4", text=coded("turn_complete_without_press", by=done.by), alarm=False
    )
    if not has_remedy(rules, "hold.procedure") or times.tile_out_ms is None:
        return Completed(at_ms=done.at_ms, by=done.by, finding=finding)
    return Completed(
        at_ms=done.at_ms,
        by=done.by,
        window_until_ms=times.tile_out_ms + 1000 * UNPRESSED_S,
        finding=finding,
        open_questions=(coded("from_when_seconds_count", seconds=UNPRESSED_S),),
    )


def stray_press(rules: Rules, *, opponent_drew: bool) -> Remedy:
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
            return Remedy("TURN-5", title, steps=steps)
        case "turn_continues_if_opponent_has_not_drawn_opponent_may_get_60s" if not opponent_drew:
            restart = EITHER("start_clock", "start_players_clock_again_turn")
            grant = TimeChange(who=Who.OPPONENT, seconds=60, rule="TURN-5", optional=True)
            return Remedy("TURN-5", title, steps=(restart,), times=(grant,))
        case None:
            question = coded("rule_set_not_say_follows_from")
        case _:
            question = coded("opponent_drawn_since_accidental_press")
    return Remedy("TURN-5", title, open_questions=(question,))


@dataclass(frozen=True, slots=True, kw_only=True)
class PressedBack:
    """The opponent pressed at once, with or without a change of the board."""

    board_changed: bool
    blank_undeclared: bool


class Back(StrEnum):
    """What such a press is."""

    CLOCK_RETURNED = "clock_returned_for_blank"
    TURN = "a_turn_of_the_opponent"
    UNCLEAR = "for_the_director"


def pressed_back(rules: Rules, facts: PressedBack) -> tuple[Back, Procedure]:
    """What a press is that may only send the clock back for a blank (TURN-6, BLANK-2).

    Then it is no turn at all: nothing for the record, no zero. The mover writes the letter on the
    own time and presses.
    """
    title = coded("clock_sent_back")
    if facts.board_changed or not facts.blank_undeclared:
        return Back.TURN, Procedure("TURN-6", title)
    if rules.get("blank.deadline") == "before_press":
        steps = (
            PLAYER("write_letter", "write_blanks_letter", "BLANK-2"),
            PLAYER("press", "press", "TURN-6", done_when="press"),
        )
        return Back.CLOCK_RETURNED, Procedure("TURN-6", title, steps=steps)
    question = coded("pressing_back_not_provided_clock")
    return Back.UNCLEAR, Procedure("TURN-6", title, open_questions=(question,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """Who sets a stopped clock going: a player, either (None), or what the procedure says."""

    player: int | None
    either: bool = False
    open_questions: tuple[CodedText, ...] = ()


def restart(rules: Rules, *, on_turn: int) -> Restart:
    """Who starts the clock of ``on_turn`` again after both sides were stopped (TURN-7)."""
    match rules.get("timer.restart_duty"):
        case "player_not_on_turn":
            return Restart(player=1 - on_turn)
        case "either_player":
            return Restart(player=None, either=True)
        case "see_procedure":
            return Restart(player=None, open_questions=(coded("procedure_hand_names_who"),))
        case _:
            return Restart(player=None, open_questions=(coded("rule_set_not_say_who_starts"),))

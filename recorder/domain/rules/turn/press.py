"""The press and its accidents: when a turn was complete, and what a press was that ended none.

Also clocks that stand still. Instants are milliseconds of one clock; None is what was not seen. In
the steps the player is the one whose turn it is or was, the mover. Which look at the board belongs
to a press is decided elsewhere.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, has_remedy, listed
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    Finding,
    Remedy,
    TimeChange,
    Who,
)
from recorder.domain.rules.turn.hold import UNPRESSED_S


class CompletedBy(StrEnum):
    """What completed a turn (TURN-3, TURN-4)."""

    PRESS = "the_press_of_the_clock"
    ANNOUNCEMENT = "the_announcement_of_the_score"
    HAND = "the_hand_in_the_bag"
    DRAW = "the_first_tile_out_of_the_bag"
    NOTHING = "nothing_yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTimes:
    """When the acts of one turn were seen or keyed; None where they were not, or not yet.

    ``hand_ms`` is the hand going into the bag to draw (not to count, TURN-12), ``tile_out_ms`` the
    first tile leaving it.
    """

    announced_ms: int | None = None
    pressed_ms: int | None = None
    hand_ms: int | None = None
    tile_out_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What completed a turn, and when; ``at_ms`` is None while nothing has.

    ``window_until_ms`` is the end of the time to hold or challenge where that is a fixed time.
    """

    by: CompletedBy
    at_ms: int | None
    rule: str
    open_questions: tuple[CodedText, ...] = ()
    window_until_ms: int | None = None


_OMITTED_PRESS, _UNTIMED = "turn.omitted_press_completion", "untimed"


def turn_completed(rules: Rules, times: TurnTimes, *, timed: bool = True) -> Completion:
    """What completed a turn: the press, or what stands for one that was left out (TURN-4).

    ``timed`` is false at a table without a clock. Of several acts that complete a turn the first
    counts.
    """
    acts: list[tuple[CompletedBy, int | None]] = []
    if timed:
        acts.append((CompletedBy.PRESS, times.pressed_ms))
    match rules.get(_OMITTED_PRESS) if timed else _UNTIMED:
        case "hand_in_bag" | "any_part_of_hand_in_bag":
            acts.append((CompletedBy.HAND, times.hand_ms))
        case "replacement_tile_drawn":
            acts.append((CompletedBy.DRAW, times.tile_out_ms))
        case "untimed":
            acts.append((CompletedBy.ANNOUNCEMENT, times.announced_ms))
            acts.append((CompletedBy.HAND, times.hand_ms))
        case _:
            if timed and times.pressed_ms is not None:
                return Completion(CompletedBy.PRESS, times.pressed_ms, "TURN-3")
            question = coded("completes_turn_without_press", parameter=_OMITTED_PRESS)
            return Completion(CompletedBy.NOTHING, None, "TURN-4", (question,))
    done = [(at_ms, by) for by, at_ms in acts if at_ms is not None]
    if not done:
        return Completion(CompletedBy.NOTHING, None, "TURN-3" if timed else "TURN-4")
    at_ms, by = min(done, key=lambda act: act[0])
    return Completion(by, at_ms, "TURN-3" if by is CompletedBy.PRESS else "TURN-4")


def completed(rules: Rules, times: TurnTimes, *, due: int, timed: bool = True) -> Completion:
    """When a turn was complete, and how long that leaves to hold or challenge (TURN-4, HOLD-8).

    ``due`` is how many tiles the mover may draw: with none, a hand in the bag only counts
    (TURN-12). ``timed`` is False in a game without a timer. Nobody at the table is reported of a
    press that was forgotten, and what ran on the clock is not put right.
    """
    seen = times if due else replace(times, hand_ms=None)
    done = turn_completed(rules, seen, timed=timed)
    if not timed or done.by in (CompletedBy.PRESS, CompletedBy.NOTHING):
        return done
    if not has_remedy(rules, "hold.procedure") or times.tile_out_ms is None:
        return done
    asked = (coded("from_when_seconds_count", seconds=UNPRESSED_S),)
    until_ms = times.tile_out_ms + 1000 * UNPRESSED_S
    return replace(done, window_until_ms=until_ms, open_questions=asked)


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


REASON_WANTED_AFTER_S = 60
"""After so long without a reason the scorer is reminded; a choice of this program (CLOCK-1)."""
STILL_STOPPED_AFTER_S = 30
"""So long a clock may stand after the cause is settled; a choice of this program (CLOCK-4)."""


def stop_reason(rules: Rules, reason: str) -> Finding:
    """Whether both clocks may be stopped for this reason (CLOCK-1).

    ``reason`` is one of the words of ``clock.stop_reasons`` or ``clock.stops_by_other_rules``, or
    any other word, such as ``score_check``. What is not listed goes to the director, who may find
    a rule for it all the same; so does everything where the list is not known.
    """
    named = {*listed(rules, "clock.stop_reasons"), *listed(rules, "clock.stops_by_other_rules")}
    if reason in named:
        return Finding(rule="CLOCK-1", text=coded("clocks_stopped", reason=reason), alarm=False)
    text = coded("clocks_stopped_unlisted", reason=reason)
    known = rules.usable("clock.stop_reasons")
    question = () if known else (coded("rule_sets_list_reasons_not"),)
    return Finding(rule="CLOCK-1", text=text, open_questions=question)

"""The press and its accidents: when a turn was complete, and what a press was that ended none.

Also answers to the director's questions about times (INT-3), and clocks that stand still. Instants
are milliseconds of one clock; None is what was not seen. In the steps the player is the one whose
turn it is or was, the mover. Which look at the board belongs to a press is decided elsewhere.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, has_remedy, listed
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


class Precedence(StrEnum):
    """Which of two acts came first."""

    FIRST = "the_first_named_came_first"
    SECOND = "the_second_named_came_first"
    UNDECIDED = "too_close_for_the_sensors_to_tell"
    UNKNOWN = "one_of_them_was_not_seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFound:
    """The order of two acts: ``gap_ms`` is the second's time minus the first's.

    ``sentence`` says it in words, with the accuracy. It decides nothing.
    """

    order: Precedence
    gap_ms: int | None
    sentence: CodedText


def order_of(
    first: tuple[str, int | None], second: tuple[str, int | None], *, accuracy_ms: int
) -> OrderFound:
    """Which of two acts, each with the code of its name and its time, came first (INT-3, HOLD-2).

    Times nearer than ``accuracy_ms`` are undecided, and that is for the director.
    """
    (name, at_ms), (other, other_ms) = first, second
    if at_ms is None or other_ms is None:
        unseen = " ".join(device for device, when in (first, second) if when is None)
        return OrderFound(
            order=Precedence.UNKNOWN, gap_ms=None, sentence=coded("not_seen", unseen=unseen)
        )
    gap_ms = other_ms - at_ms
    seconds = coded(
        "give_take", gap_ms=f"{abs(gap_ms) / 1000:.1f}", accuracy_ms=f"{accuracy_ms / 1000:.1f}"
    )
    if abs(gap_ms) <= accuracy_ms:
        sentence = coded("within_too_close_tell", name=name, other=other, seconds=seconds)
        return OrderFound(order=Precedence.UNDECIDED, gap_ms=gap_ms, sentence=sentence)
    early, late = (name, other) if gap_ms > 0 else (other, name)
    order = Precedence.FIRST if gap_ms > 0 else Precedence.SECOND
    return OrderFound(
        order=order,
        gap_ms=gap_ms,
        sentence=coded("before", early=early, late=late, seconds=seconds),
    )


def press_and_draw(times: TurnTimes, *, accuracy_ms: int) -> OrderFound:
    """Whether a turn was pressed before the first tile left the bag (INT-3)."""
    return order_of(
        ("turn_pressed", times.pressed_ms),
        ("first_tile_out", times.tile_out_ms),
        accuracy_ms=accuracy_ms,
    )


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

    Then it is no turn at all: nothing for the record, no zero. The mover writes the letter on their
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

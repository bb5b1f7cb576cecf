"""Answers to the director's questions about facts: times, and how sure they are (INT-3).

Only what was measured, with the accuracy of the sensors; the director weighs it. Nothing here is
told to anybody who has not asked. All times are milliseconds on one and the same clock.
"""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules


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
    """What completed a turn, and when."""

    by: CompletedBy
    at_ms: int | None
    rule: str
    open_questions: tuple[CodedText, ...] = ()


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

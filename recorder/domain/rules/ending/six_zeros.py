"""Six turns without score in a row: which count, and whether the game is over (END-1, END-4).

Rule sets differ in the kinds of turn that count and in whether the game then ends by itself or
only when a player claims it. A kind that the text does not list is a question to the director,
as soon as the game would be over with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.game import (
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Played,
    Unseen,
    Withdrawn,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, has_remedy


class Zero(StrEnum):
    """Kinds of turn without score; the values are codes for what END-4 names."""

    PASS = "pass"  # noqa: S105  a turn, no password
    EXCHANGE = "exchange"
    UNDECIDED = "exchange_or_pass"
    CHALLENGED_OFF = "challenged_off"
    LOST_CHALLENGE = "lost_challenge"
    ILLEGAL = "illegal"
    ILLEGAL_FOUND_LATE = "illegal_found_late"
    NO_POINTS = "no_points"


_SURE = frozenset({Zero.PASS, Zero.EXCHANGE, Zero.UNDECIDED})
_SETTINGS = {
    Zero.CHALLENGED_OFF: "six_zero.counts_challenged_off",
    Zero.LOST_CHALLENGE: "six_zero.counts_lost_challenge",
}


class ZeroState(StrEnum):
    """Where the counting stands."""

    COUNTING = "counting"
    DECLARABLE = "declarable"
    DIRECTOR = "director"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class SixZeros:
    """``counted`` of ``needed`` turns in a row certainly count; ``needed`` None is open.

    ``unlisted`` are the kinds in the run of which the text says nothing. DECLARABLE: the game is
    over once a player stops the clock and claims it, and goes on with the next score.
    """

    state: ZeroState
    counted: int
    needed: int | None
    unlisted: tuple[Zero, ...] = ()
    open_questions: tuple[CodedText, ...] = ()


def zero_run(
    events: Sequence[GameEvent], kinds: Mapping[int, Zero] | None = None
) -> tuple[Zero, ...]:
    """The turns without score in a row, up to now, the latest last; a turn with points ends it.

    ``kinds`` says by index in ``events`` what the events cannot: that a pass was a turn lost to a
    failed challenge, that a play was ruled illegal. A withdrawn play is one challenged off.
    """
    said = kinds or {}
    turns: list[Zero | None] = []
    plays: list[int] = []
    for index, event in enumerate(events):
        match event:
            case Played():
                plays.append(len(turns))
                turns.append(Zero.NO_POINTS if event.score == 0 else None)
            case IllegallyPlayed():
                plays.append(len(turns))
                turns.append(_illegal(event) if event.score == 0 else None)
            case Unseen():  # some of them may have scored
                plays.append(len(turns))
                turns.append(None)
            case Exchanged():
                turns.append(Zero.EXCHANGE)
            case Passed():
                turns.append(Zero.PASS)
            case NoPlay():
                turns.append(Zero.UNDECIDED)
            case Withdrawn():
                turns[plays.pop()] = said.get(index, Zero.CHALLENGED_OFF)
                continue
            case _:
                continue
        if index in said:
            turns[-1] = said[index]
    return _after_last(turns)


def _illegal(event: IllegallyPlayed) -> Zero:
    """What came off after the reply was found after a legal play."""
    return Zero.ILLEGAL_FOUND_LATE if event.lifted else Zero.ILLEGAL


def _after_last(turns: Sequence[Zero | None]) -> tuple[Zero, ...]:
    """The zeros after the last turn that scored."""
    run: list[Zero] = []
    for zero in turns:
        if zero is None:
            run = []
        else:
            run.append(zero)
    return tuple(run)


def counts(rules: Rules, zero: Zero) -> bool | None:
    """Whether a kind of zero counts; None where the text does not list it (END-4).

    NASPA alone speaks of illegal plays: they count, unless found after a legal one.
    """
    if zero in _SURE:
        return True
    if zero in _SETTINGS:
        said = rules.get(_SETTINGS[zero])
        return said if isinstance(said, bool) else None
    if zero is Zero.NO_POINTS or not has_remedy(rules, "result.procedure"):
        return None
    return zero is Zero.ILLEGAL


def six_zeros(rules: Rules, run: Sequence[Zero], *, declared: bool = False) -> SixZeros:
    """Where the game stands after these zeros in a row (``zero_run``), the latest last.

    ``declared``: a player stopped the clock and claimed the end, while the run stood as it is.
    A kind that certainly does not count begins the run again.
    """
    needed = rules.get_whole("six_zero.count")
    counted: list[tuple[Zero, bool]] = []
    for zero in run:
        sure = counts(rules, zero)
        if sure is False:
            counted = []
        else:
            counted.append((zero, sure is True))
    unlisted = tuple(dict.fromkeys(zero for zero, sure in counted if not sure))
    sure_ones = sum(sure for _, sure in counted)
    state, open_questions = ZeroState.COUNTING, ask(rules, "six_zero.count")
    if needed is not None and len(counted) >= needed:
        if all(sure for _, sure in counted[-needed:]):
            state, open_questions = _at_the_end(rules, declared=declared)
        else:
            state = ZeroState.DIRECTOR
            open_questions = tuple(
                asked for zero in unlisted for asked in _unlisted_questions(rules, zero)
            )
    return SixZeros(
        state=state,
        counted=sure_ones,
        needed=needed,
        unlisted=unlisted,
        open_questions=open_questions,
    )


def _at_the_end(rules: Rules, *, declared: bool) -> tuple[ZeroState, tuple[CodedText, ...]]:
    """All zeros there: over by itself, over on demand, or open."""
    mode = rules.get("six_zero.mode")
    if mode == "automatic" or (mode == "declared" and declared):
        return ZeroState.OVER, ()
    if mode == "declared":
        return ZeroState.DECLARABLE, ()
    return ZeroState.DIRECTOR, ask(rules, "six_zero.mode")


def _unlisted_questions(rules: Rules, zero: Zero) -> tuple[CodedText, ...]:
    named = ask(rules, _SETTINGS[zero]) if zero in _SETTINGS else ()
    return (coded("does_kind_of_turn_count_among_zeros", kind=zero.value), *named)

"""The right to hold or challenge: when it is lost, and what the order of acts says about it.

Instants are milliseconds of one clock; None is what was not seen, or has not happened. ``by`` and
the like are the words of the parameters. What lies within the accuracy of the sensors is not
decided here.
"""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, ask_remedy, has_remedy
from recorder.domain.rules.core.procedure import DIRECTOR, OPPONENT, Procedure, Step

ACCURACY_MS = 300
"""How far the instants of bag, clock and scorer may be apart."""
_TILE_OUT, _HAND_OUT = "first_replacement_tile_out_of_bag", "replacement_tile_drawn"
_WRITING = "opponent_wrote_move_score_in_full"
UNPRESSED_S, _WAIT_S = 15, 5
"""NASPA: how long after a draw without a press one may hold, and how long the mover waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterPlay:
    """What was seen after a play, as far as the right to hold or challenge goes.

    ``press_ms``: the press that ended the turn. ``first_tile_out_ms``: a tile left the bag.
    ``wrote_ms``: the opponent had written the play's whole score in the usual place.
    ``released_ms``: clear words ended the hold. ``bag``: tiles in the bag before the draw.
    """

    press_ms: int | None = None
    first_tile_out_ms: int | None = None
    wrote_ms: int | None = None
    hold_ms: int | None = None
    released_ms: int | None = None
    challenge_ms: int | None = None
    bag: int = 100


class Right(StrEnum):
    """Where the right to hold or challenge stands, or stood when it was used."""

    OPEN = "open"
    LOST = "lost"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Whether the opponent could still hold or challenge.

    ``steps`` are what the director may do about it.
    """

    right: Right
    steps: tuple[Step, ...] = ()
    open_questions: tuple[CodedText, ...] = ()


def right_to_challenge(rules: Rules, facts: AfterPlay) -> Standing:
    """Whether a hold or challenge came in time, or could still come (HOLD-1, HOLD-2, HOLD-8).

    The first hold or challenge is held against whatever ends the right first: a drawn tile, in
    some sets the opponent's writing. A hold keeps the right while it lasts, whatever is drawn or
    written meanwhile. Within the accuracy nothing is decided.
    """
    questions = ask(rules, "hold.writing_waives")
    if _unpressed(facts):
        questions += ask_remedy(rules, "hold.procedure")
    ends = [(at, by) for at, by in _ends(rules, facts) if at is not None]
    # A hold that was given up keeps nothing.
    hold = facts.hold_ms if facts.released_ms is None else None
    claims = [at for at in (hold, facts.challenge_ms) if at is not None]
    kept = Standing(right=Right.OPEN, open_questions=questions)
    if not ends:
        return kept
    lost_ms, by = min(ends)
    if not claims:
        return _lost(rules, facts, by)
    apart = lost_ms - min(claims)
    if abs(apart) < ACCURACY_MS:
        text = coded("call_too_close_to_tell", by=by, ms=abs(apart))
        return Standing(right=Right.UNDECIDED, open_questions=(*questions, text))
    return kept if apart > 0 else _lost(rules, facts, by)


def _lost(rules: Rules, facts: AfterPlay, by: str) -> Standing:
    steps = []
    first, press = facts.first_tile_out_ms, facts.press_ms
    if by == _WRITING:
        steps.append(DIRECTOR("inspect_sheet", "score_sheet_inspected_if_mover", "HOLD-2"))
    elif (
        first is not None
        and press is not None
        and first >= press
        and is_flash_draw(rules, first - press) is not False
    ):
        steps.append(DIRECTOR("restore_right", "restore_right_if_draw_left", "HOLD-6"))
    return Standing(right=Right.LOST, steps=tuple(steps))


def _ends(rules: Rules, facts: AfterPlay) -> list[tuple[int | None, str]]:
    """Whatever ends the right, with its word."""
    since = facts.released_ms
    ends: list[tuple[int | None, str]] = []
    if rules.usable("hold.writing_waives"):
        ends.append((_draw_ends(rules, facts), _tile_word(rules)))
    if _writing_counts(rules, facts):
        ends.append((facts.wrote_ms, _WRITING))
    held = facts.hold_ms
    if since is None or held is None:
        return ends
    # What happened during a hold that was given up counts from its end.
    return [(max(at, since) if at is not None and at > held else at, how) for at, how in ends]


def _draw_ends(rules: Rules, facts: AfterPlay) -> int | None:
    """When the draw ends the right: at once, unless the press was forgotten (HOLD-8).

    A draw before the press leaves a window where the set has one, else the right as it was.
    """
    first = facts.first_tile_out_ms
    if first is None or not _unpressed(facts):
        return first
    return first + 1000 * UNPRESSED_S if has_remedy(rules, "hold.procedure") else None


def _unpressed(facts: AfterPlay) -> bool:
    """Whether the first tile was out before the press."""
    first = facts.first_tile_out_ms
    return first is not None and (facts.press_ms is None or facts.press_ms > first)


def _writing_counts(rules: Rules, facts: AfterPlay) -> bool:
    held_before = (
        facts.hold_ms is not None and facts.wrote_ms is not None and facts.hold_ms < facts.wrote_ms
    )
    return rules.get("hold.writing_waives") is True and facts.bag > 0 and not held_before


def _tile_word(rules: Rules) -> str:
    """By which word a draw ends the right: the first tile out, or the whole hand."""
    return _HAND_OUT if has_remedy(rules, "hold.procedure") else _TILE_OUT


def is_flash_draw(rules: Rules, after_ms: int) -> bool | None:
    """Whether a draw so long after the press was too fast (HOLD-6).

    None where the rule set has no time to wait, and acts must tell.
    """
    return after_ms < 1000 * _WAIT_S if has_remedy(rules, "hold.procedure") else None


def unpressed_draw(rules: Rules) -> Procedure:
    """What the opponent may do when tiles are drawn before the press (HOLD-8, TURN-4)."""
    window = UNPRESSED_S if has_remedy(rules, "hold.procedure") else None
    steps = [OPPONENT("hold_or_challenge", "hold_challenge_let", "HOLD-8", seconds=window)]
    if window is None:
        steps.insert(0, OPPONENT("ask_for_press", "stop_drawing_ask_press_challenge", "HOLD-8"))
        questions: tuple[CodedText, ...] = ask_remedy(rules, "hold.procedure")
    else:
        questions = (coded("from_when_seconds_count", seconds=window),)
    return Procedure(
        "HOLD-8", coded("drawn_before_press"), steps=tuple(steps), open_questions=questions
    )

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
"""How far the instants of bag, clock and scorer may be apart; the caller can give its own."""
_TILE_OUT, _HAND_OUT = "first_replacement_tile_out_of_bag", "replacement_tile_drawn"
_WRITING = "opponent_wrote_move_score_in_full"
_REPLY = "opponent_completed_own_turn"
UNPRESSED_S, _WAIT_S = 15, 5
"""NASPA: how long after a draw without a press one may hold, and how long the mover waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterPlay:
    """What was seen after a play, as far as the right to hold or challenge goes.

    ``press_ms``: the press that ended the turn. ``first_tile_out_ms``: a tile left the bag;
    ``hand_out_ms``: the hand that took it was out. ``wrote_ms``: the opponent had written the
    play's whole score in the usual place. ``released_ms``: clear words ended the hold.
    ``replied_ms``: the opponent's own turn was complete. ``recorded_ms``: the mover had written
    score and total. ``bag``: tiles in the bag before the draw. ``now_ms``: with it a right that
    ends only later is still open.
    """

    press_ms: int | None = None
    first_tile_out_ms: int | None = None
    hand_out_ms: int | None = None
    wrote_ms: int | None = None
    hold_ms: int | None = None
    released_ms: int | None = None
    challenge_ms: int | None = None
    replied_ms: int | None = None
    recorded_ms: int | None = None
    bag: int = 100
    accuracy_ms: int = ACCURACY_MS
    now_ms: int | None = None


class Right(StrEnum):
    """Where the right to hold or challenge stands, or stood when it was used."""

    OPEN = "open"
    LOST = "lost"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Whether the opponent could still hold or challenge.

    ``lost_ms`` and ``by`` tell what ended the right or will end it, None and empty where nothing
    does. ``steps`` are what the director may do about it.
    """

    right: Right
    lost_ms: int | None = None
    by: str = ""
    steps: tuple[Step, ...] = ()
    open_questions: tuple[CodedText, ...] = ()


def right_to_challenge(rules: Rules, facts: AfterPlay) -> Standing:
    """Whether a hold or challenge came in time, or could still come (HOLD-1, HOLD-2, HOLD-8).

    The first hold or challenge is held against whatever ends the right first: a drawn tile, in
    some sets the opponent's writing, at the latest the opponent's own turn. A hold keeps the right
    while it lasts, whatever is drawn or written meanwhile. Within the accuracy nothing is decided.
    """
    questions = ask(rules, "hold.writing_waives")
    if _unpressed(facts):
        questions += ask_remedy(rules, "hold.procedure")
    ends = [(at, by) for at, by in _ends(rules, facts) if at is not None]
    # A hold that was given up keeps nothing.
    hold = facts.hold_ms if facts.released_ms is None else None
    claims = [at for at in (hold, facts.challenge_ms) if at is not None]
    if not ends:
        return _kept(facts, questions)
    lost_ms, by = min(ends)
    if not claims:
        return _lost(rules, facts, lost_ms, by)
    apart = lost_ms - min(claims)
    if abs(apart) < facts.accuracy_ms:
        text = coded("call_too_close_to_tell", by=by, ms=abs(apart))
        return Standing(
            right=Right.UNDECIDED, lost_ms=lost_ms, by=by, open_questions=(*questions, text)
        )
    return _kept(facts, questions) if apart > 0 else _lost(rules, facts, lost_ms, by)


def _kept(facts: AfterPlay, questions: tuple[CodedText, ...]) -> Standing:
    """Kept by a hold or challenge in time, until the opponent's own turn without a challenge."""
    reply = facts.replied_ms
    if reply is None or (facts.challenge_ms is not None and facts.challenge_ms <= reply):
        return Standing(right=Right.OPEN, open_questions=questions)
    return Standing(right=Right.LOST, lost_ms=reply, by=_REPLY, open_questions=questions)


def _lost(rules: Rules, facts: AfterPlay, lost_ms: int, by: str) -> Standing:
    if facts.now_ms is not None and facts.now_ms < lost_ms:
        return Standing(right=Right.OPEN, lost_ms=lost_ms, by=by)
    steps = []
    if by == _WRITING:
        steps.append(DIRECTOR("inspect_sheet", "score_sheet_inspected_if_mover", "HOLD-2"))
    flash = flash_draw(rules, facts) if by in (_TILE_OUT, _HAND_OUT) else None
    if flash is not None and flash.is_flash is not False and flash.may_restore:
        steps.append(DIRECTOR("restore_right", "restore_right_if_draw_left", "HOLD-6"))
    return Standing(right=Right.LOST, lost_ms=lost_ms, by=by, steps=tuple(steps))


def _ends(rules: Rules, facts: AfterPlay) -> list[tuple[int | None, str]]:
    """Whatever ends the right, with its word."""
    since = facts.released_ms
    ends: list[tuple[int | None, str]] = [(facts.replied_ms, _REPLY)]
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
        return drawn_ms(rules, facts)
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


def drawn_ms(rules: Rules, facts: AfterPlay) -> int | None:
    """When a tile counts as drawn: out of the bag, or with the whole hand out (TURN-4, DRAW-1).

    Where the hand was not seen, the tile has to do.
    """
    if _tile_word(rules) == _HAND_OUT:
        return facts.first_tile_out_ms if facts.hand_out_ms is None else facts.hand_out_ms
    return facts.first_tile_out_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Flash:
    """Whether a draw was too fast; None where the rule set has no number and acts must tell.

    ``may_restore``: the director may give the right to hold or challenge back.
    """

    is_flash: bool | None
    after_ms: int
    may_restore: bool
    evidence: CodedText


def flash_draw(rules: Rules, facts: AfterPlay) -> Flash | None:
    """How fast the mover drew, None where press or draw was not seen (HOLD-6).

    With a time to wait, less than that is a flash. Elsewhere it is evidence only: how long it
    took, and whether the mover had written score and total before.
    """
    drawn = drawn_ms(rules, facts)
    if drawn is None or facts.press_ms is None or drawn < facts.press_ms:
        return None
    after = drawn - facts.press_ms
    wait = _WAIT_S if has_remedy(rules, "hold.procedure") else None
    evidence = coded("drawn_after_press", after=f"{after / 1000:g}")
    if facts.recorded_ms is not None:
        late = facts.recorded_ms <= drawn
        evidence = coded("drawn_after_score" if late else "drawn_before_score", drawn=evidence)
    return Flash(
        is_flash=None if wait is None else after < 1000 * wait,
        after_ms=after,
        may_restore=True,
        evidence=evidence,
    )


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

"""A turn as a machine: tiles go down, the press ends it, then accepted, held or challenged.

What each rule set makes of the same act stands in the guards. Whether an act was in time is for
``hold``, what a challenge costs for ``penalties``; here is only what can follow what. No sensor.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from recorder.domain.rules.core.machine import Guard, Machine, Transition
from recorder.domain.rules.core.parameters import Rules

_BY_HAND = ("hand_in_bag", "any_part_of_hand_in_bag")
"""Ways to complete a turn without a press that need no tile to leave the bag (TURN-4)."""


class TurnStage(StrEnum):
    """Where a turn stands. The right to hold or challenge is open in the four in the middle."""

    OPEN = "open"
    TENTATIVE = "tentative"
    PRESSED = "pressed"
    UNPRESSED = "complete without a press"
    RETURNED = "clock sent back"
    HELD = "held"
    CHALLENGED = "challenged"
    ACCEPTED = "accepted"
    OFF = "taken off"
    OVER = "over"


class TurnEvent(StrEnum):
    """What somebody does, or what sensors say was done. The mover is the player on turn."""

    PLACE = "place"
    TAKE_BACK = "take back"
    DECLARE_BLANK = "declare blank"
    ANNOUNCE = "announce"
    PRESS = "press"
    PRESS_BACK = "opponent presses back"
    VOID_PRESS = "director voids the press"
    HAND_IN_BAG = "hand in bag"
    TILE_OUT = "first tile out"
    WRITE = "opponent writes the score"
    HOLD = "hold"
    RELEASE = "words of acceptance"
    CHALLENGE = "challenge"
    DROP = "challenge dropped"
    STANDS = "ruled good"
    COMES_OFF = "ruled bad"
    WINDOW_OVER = "time to hold is over"
    REPLY = "opponent's turn complete"
    RACKED = "rack complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFacts:
    """What the guards look at.

    ``due`` is how many tiles the mover may draw, ``bag`` how many are in the bag before the draw;
    ``blank_undeclared``: the play has a blank whose letter is not on record; ``opponent_drew``:
    the opponent has drawn since the press; ``held``: a hold was called in this turn.
    """

    rules: Rules
    due: int = 0
    bag: int = 100
    blank_undeclared: bool = False
    opponent_drew: bool = False
    held: bool = False
    timed: bool = True


def _hand_completes(facts: TurnFacts) -> bool:
    """A hand in the bag when no tile is due only counts or shuffles (TURN-12)."""
    return facts.due > 0 and (
        facts.rules.get("turn.omitted_press_completion") in _BY_HAND
        or _untimed(facts) == "score_announced_or_hand_in_bag"
    )


def _tile_completes(facts: TurnFacts) -> bool:
    return facts.rules.get("turn.omitted_press_completion") == "replacement_tile_drawn"


def _announcement_completes(facts: TurnFacts) -> bool:
    return _untimed(facts) == "score_announced_or_hand_in_bag"


def _has_window(facts: TurnFacts) -> bool:
    return facts.rules.get_whole("hold.after_unpressed_draw_s") is not None


def _untimed(facts: TurnFacts) -> object:
    return None if facts.timed else facts.rules.get("turn.untimed_completion")


def _writing_waives(facts: TurnFacts) -> bool:
    """Writing after a hold, or once the bag is empty, waives nothing (HOLD-2)."""
    return facts.rules.get("hold.writing_waives") is True and facts.bag > 0 and not facts.held


def _words_bind(facts: TurnFacts) -> bool:
    return facts.rules.get("hold.spoken_acceptance_binds") is True


def _may_send_back(facts: TurnFacts) -> bool:
    not_a_pass = facts.rules.get("turn.press_to_return_clock_for_blank_is_pass") is False
    return facts.blank_undeclared and not_a_pass


def _press_can_be_void(facts: TurnFacts) -> bool:
    remedy = facts.rules.get("turn.accidental_press")
    if remedy == "turn_continues_if_opponent_has_not_drawn_opponent_may_get_60s":
        return not facts.opponent_drew
    return remedy is not None


_HAND = Guard("tiles due, a hand is enough", _hand_completes)
_WORDS_ENOUGH = Guard("no timer, announcing is enough", _announcement_completes)
_DRAWN = Guard("only a drawn tile is enough", _tile_completes)
_BLANK_OPEN = Guard("a blank has no letter", _may_send_back)
_VOIDABLE = Guard("the set has a remedy for it", _press_can_be_void)
_WORDS_BIND = Guard("words bind", _words_bind)
_WINDOW = Guard("the set has such a time", _has_window)
_WAIVED = Guard("writing waives, bag not empty, no hold", _writing_waives)
_OPEN_RIGHT = (TurnStage.PRESSED, TurnStage.UNPRESSED)
_ROWS: tuple[Transition[TurnStage, TurnEvent, TurnFacts], ...] = (
    Transition(TurnStage.OPEN, TurnEvent.PLACE, TurnStage.TENTATIVE, "TURN-2"),
    Transition(TurnStage.OPEN, TurnEvent.ANNOUNCE, TurnStage.OPEN, "EXCH-1"),
    Transition(TurnStage.OPEN, TurnEvent.PRESS, TurnStage.PRESSED, "TURN-3"),
    Transition(TurnStage.OPEN, TurnEvent.HAND_IN_BAG, TurnStage.UNPRESSED, "TURN-4", _HAND),
    Transition(TurnStage.TENTATIVE, TurnEvent.PLACE, TurnStage.TENTATIVE, "TURN-3"),
    Transition(TurnStage.TENTATIVE, TurnEvent.TAKE_BACK, TurnStage.OPEN, "TURN-3"),
    Transition(TurnStage.TENTATIVE, TurnEvent.DECLARE_BLANK, TurnStage.TENTATIVE, "BLANK-1"),
    Transition(
        TurnStage.TENTATIVE, TurnEvent.ANNOUNCE, TurnStage.UNPRESSED, "TURN-4", _WORDS_ENOUGH
    ),
    Transition(TurnStage.TENTATIVE, TurnEvent.ANNOUNCE, TurnStage.TENTATIVE, "TURN-8"),
    Transition(TurnStage.TENTATIVE, TurnEvent.PRESS, TurnStage.PRESSED, "TURN-3"),
    Transition(TurnStage.TENTATIVE, TurnEvent.HAND_IN_BAG, TurnStage.UNPRESSED, "TURN-4", _HAND),
    Transition(TurnStage.TENTATIVE, TurnEvent.TILE_OUT, TurnStage.UNPRESSED, "HOLD-8", _DRAWN),
    Transition(TurnStage.UNPRESSED, TurnEvent.PRESS, TurnStage.UNPRESSED, "HOLD-8"),
    Transition(TurnStage.PRESSED, TurnEvent.DECLARE_BLANK, TurnStage.PRESSED, "BLANK-2"),
    Transition(TurnStage.PRESSED, TurnEvent.PRESS_BACK, TurnStage.RETURNED, "TURN-6", _BLANK_OPEN),
    Transition(TurnStage.RETURNED, TurnEvent.DECLARE_BLANK, TurnStage.RETURNED, "BLANK-2"),
    Transition(TurnStage.RETURNED, TurnEvent.PRESS, TurnStage.PRESSED, "TURN-6"),
    Transition(TurnStage.PRESSED, TurnEvent.VOID_PRESS, TurnStage.TENTATIVE, "TURN-5", _VOIDABLE),
    Transition(TurnStage.PRESSED, TurnEvent.TILE_OUT, TurnStage.ACCEPTED, "HOLD-2"),
    Transition(TurnStage.UNPRESSED, TurnEvent.TILE_OUT, TurnStage.UNPRESSED, "HOLD-8"),
    *(
        Transition(state, TurnEvent.WRITE, TurnStage.ACCEPTED, "HOLD-2", _WAIVED)
        for state in _OPEN_RIGHT
    ),
    *(Transition(state, TurnEvent.HOLD, TurnStage.HELD, "HOLD-3") for state in _OPEN_RIGHT),
    *(
        Transition(state, TurnEvent.CHALLENGE, TurnStage.CHALLENGED, "CHAL-1")
        for state in (*_OPEN_RIGHT, TurnStage.HELD)
    ),
    Transition(TurnStage.HELD, TurnEvent.WRITE, TurnStage.HELD, "HOLD-2"),
    Transition(TurnStage.HELD, TurnEvent.TILE_OUT, TurnStage.HELD, "HOLD-4"),
    Transition(TurnStage.HELD, TurnEvent.RELEASE, TurnStage.ACCEPTED, "HOLD-7", _WORDS_BIND),
    Transition(TurnStage.HELD, TurnEvent.RELEASE, TurnStage.PRESSED, "HOLD-7"),
    Transition(TurnStage.CHALLENGED, TurnEvent.DROP, TurnStage.PRESSED, "CHAL-3"),
    Transition(TurnStage.CHALLENGED, TurnEvent.STANDS, TurnStage.ACCEPTED, "CHAL-6"),
    Transition(TurnStage.CHALLENGED, TurnEvent.COMES_OFF, TurnStage.OFF, "CHAL-5"),
    Transition(TurnStage.UNPRESSED, TurnEvent.WINDOW_OVER, TurnStage.ACCEPTED, "HOLD-8", _WINDOW),
    *(Transition(state, TurnEvent.REPLY, TurnStage.OVER, "HOLD-2") for state in _OPEN_RIGHT),
    Transition(TurnStage.ACCEPTED, TurnEvent.RACKED, TurnStage.OVER, "DRAW-2"),
    Transition(TurnStage.OFF, TurnEvent.RACKED, TurnStage.OVER, "CHAL-5"),
)

TURN: Machine[TurnStage, TurnEvent, TurnFacts] = Machine(
    name="turn", title="A turn", initial=TurnStage.OPEN, rows=_ROWS
)
MACHINES: tuple[Machine[Any, Any, Any], ...] = (TURN,)


def follow(
    acts: Iterable[tuple[TurnEvent, TurnFacts]], *, start: TurnStage = TurnStage.OPEN
) -> TurnStage:
    """Where a turn stands after some acts; what means nothing in its place changes nothing.

    Acts out of order happen at tables, and the record has to go on: ``TURN.next`` is the strict
    reading, which raises.
    """
    state = start
    for act, facts in acts:
        row = TURN.row(state, act, facts)
        state = state if row is None else row.target
    return state


_NAMES = {
    "designate_blanks": "declare_blanks",
    "record_own": "record_score",
    "wait_5s": "wait",
}


def order_marks(rules: Rules, acts: Sequence[str]) -> tuple[str, ...]:
    """Acts of one turn that came before another which should go first (TURN-2).

    ``acts`` in the order observed, named as in ``turn.sequence``: ``place``, ``declare_blanks``,
    ``announce_score``, ``press_timer``, ``record_score``, ``draw``, ``track``. Each mark reads
    "draw before press_timer". Acts that nobody observed are passed over. A mark is no alarm: it
    is evidence for the director, who decides about the order.
    """
    sequence = rules.get("turn.sequence")
    if not isinstance(sequence, tuple):
        return ()
    due = [_NAMES.get(str(act), str(act)) for act in sequence]
    seen = [_NAMES.get(act, act) for act in acts]
    place = {act: due.index(act) for act in seen if act in due}
    return tuple(
        f"{early} before {late}"
        for at, early in enumerate(seen)
        for late in seen[at + 1 :]
        if early in place and late in place and place[early] > place[late]
    )

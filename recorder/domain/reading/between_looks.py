"""What one look says beside another, and what was said or stopped around it.

Questions of the fold (``table_fold``); nothing here changes what is known.
"""

from dataclasses import replace

from recorder.domain.board import SQUARES, Square
from recorder.domain.observations import TurnAct
from recorder.domain.reading.histories.clearing import is_cleared
from recorder.domain.reading.histories.hypotheses import ILLEGAL
from recorder.domain.reading.reconstruct import Reconstruction, stray_squares
from recorder.domain.reading.table_state import Look, TableState, play_out_points
from recorder.domain.reading.turns import Press

HAND_TO_CLOCK_MS = 400
"""What began to move so shortly before a press is the hand on its way to the clock."""


def lying_since(state: TableState, look: Look) -> Look:
    """The look with the time since when the recorded tiles have read as in it."""
    before, tiles = state.shown, state.known.best.occupied
    same = before is not None and all(
        before.squares.best(sq) == look.squares.best(sq) for sq in tiles
    )
    since_ms = before.same_since_ms if before is not None and same else look.at_ms
    return replace(look, same_since_ms=since_ms)


def same_tiles(state: TableState, look: Look, other: Look) -> bool:
    """Whether two looks show the same on every square that is free by the record."""
    free = set(map(Square, range(SQUARES))) - state.known.best.occupied
    return all(look.squares.best(sq) == other.squares.best(sq) for sq in free)


def lies_as_in(state: TableState, look: Look, press: Press) -> bool:
    """Whether the board lay at a press as in a look before it, by a camera that would tell."""
    stirred = state.stirred_ms is not None and state.stirred_ms < press.at_ms - HAND_TO_CLOCK_MS
    return state.watched and not stirred and not look.moving


def too_much(known: Reconstruction) -> int:
    """How many tiles the newest look shows beyond the one play that a turn can bring."""
    turn = known.best.turns[-1]
    against_rules = len(turn.placed) if turn.step in ILLEGAL else 0
    return len(stray_squares(known)) + len(turn.missed) + against_rules


def is_interrupted(state: TableState) -> bool:
    """Whether the clock was stopped, or a challenge called, since the last press.

    Without that nobody takes tiles off by right: a play stays what it was at its press (TURN-3).
    """
    return is_challenged(state) or state.over_ms >= _pressed_ms(state) > 0


def is_challenged(state: TableState) -> bool:
    """Whether a challenge was called since the last press."""
    since_ms = _pressed_ms(state)
    return any(done.act is TurnAct.CHALLENGE and done.at_ms >= since_ms for done in state.acted)


def _pressed_ms(state: TableState) -> int:
    return state.presses[-1].at_ms if state.presses else 0


def is_done(state: TableState) -> bool:
    """Whether the game was played out and the board is cleared: what comes now is another game."""
    return (
        state.over is not None
        and state.shown is not None
        and play_out_points(state.known) is not None
        and is_cleared(state.shown.squares, state.known.best)
    )

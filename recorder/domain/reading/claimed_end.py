"""How a game ends at the last play without all that the rules want for it.

A play may be taken for the last one although the record has tiles for the rack: draws may have
fallen short (BAGEND-1), and the stop of the clock is then the end of a turn, unless the same player
goes on. A play-out may be pressed and the clock left running: where the rules take silence for
acceptance, the game is over once the time to react has passed (END-2). Functions of the fold
(``table_fold``).
"""

from dataclasses import replace

from recorder.domain.observations import TurnAct
from recorder.domain.reading.between_looks import set_back
from recorder.domain.reading.clock import ClockState
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import TableState, play_out_points

_REACTS = (TurnAct.HOLD, TurnAct.CHALLENGE, TurnAct.ACCEPT)

MOST_SHORT = 2
"""So many tiles a rack may lack, by draws that fell short, where its player claims to be out."""


def claims_the_end(before: Reconstruction, after: Reconstruction, player: int) -> bool:
    """Whether a play from an empty bag leaves no more tiles than draws may have fallen short by."""
    total = after.tile_set.total
    held = after.best.rack_sizes(total)[player]
    return before.best.rack_sizes(total)[2] == 0 and held <= MOST_SHORT


def resumed(state: TableState, clock: ClockState, *, seq: int) -> TableState:
    """The clock runs again; who goes on after claiming the end was still on turn."""
    before = state.claimed
    state = replace(state, clock=clock, over=None, stopped=None, claimed=None, left_at_end=None)
    if before is None or state.presses[:-1] != before.presses:
        return set_back(state, seq=seq)
    if clock.running != state.presses[-1].player:
        return state
    return replace(
        state,
        presses=before.presses,
        known=before.known,
        look_of=before.look_of,
        turned=before.turned,
        whole=before.whole,
    )


def silence_ends_ms(state: TableState) -> int | None:
    """When the game will be over if the opponent says nothing, None where silence ends nothing.

    A play that emptied rack and bag was pressed, and the opponent's clock has run since (END-2).
    """
    if state.silence_ms is None or state.over is not None or state.waiting or not state.presses:
        return None
    last = state.presses[-1]
    if state.clock.running != 1 - last.player:
        return None
    reacted = any(done.at_ms >= last.at_ms and done.act in _REACTS for done in state.acted)
    points = None if reacted else play_out_points(state.known)
    is_theirs = points is not None and points.player == last.player
    return last.at_ms + state.silence_ms if is_theirs else None


def accepted_by_silence(state: TableState, now_ms: int) -> TableState:
    """The table with the game over, where the opponent has let the time to react pass.

    The look that shows the last play is then the row that says that the game is over.
    """
    over_ms = silence_ends_ms(state)
    if over_ms is None or now_ms < over_ms:
        return state
    look, left_ms = dict(state.look_of)[state.presses[-1].seq], state.clock.remaining_ms
    return replace(state, over=look, over_ms=over_ms, held=state.shown, left_at_end=left_ms)

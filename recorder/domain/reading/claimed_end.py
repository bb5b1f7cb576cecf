"""A play that its player takes for the last one, although the record has tiles for the rack.

Draws may have fallen short (BAGEND-1): the stop of the clock is then the end of a turn, unless the
same player goes on. Functions of the fold (``table_fold``).
"""

from dataclasses import replace

from recorder.domain.reading.clock import ClockState
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import TableState

MOST_SHORT = 2
"""So many tiles a rack may lack, by draws that fell short, where its player claims to be out."""


def claims_the_end(before: Reconstruction, after: Reconstruction, player: int) -> bool:
    """Whether a play from an empty bag leaves no more tiles than draws may have fallen short by."""
    total = after.tile_set.total
    held = after.best.rack_sizes(total)[player]
    return before.best.rack_sizes(total)[2] == 0 and held <= MOST_SHORT


def resumed(state: TableState, clock: ClockState) -> TableState:
    """The clock runs again; who goes on after claiming the end was still on turn."""
    before = state.claimed
    state = replace(state, clock=clock, over=None, stopped=None, claimed=None)
    if before is None or state.presses[:-1] != before.presses:
        return state
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

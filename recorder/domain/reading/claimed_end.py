"""How a game ends at the last play without all that the rules want for it.

A play may be taken for the last one although the record has tiles for the rack: draws may have
fallen short (BAGEND-1), and the stop of the clock is then the end of a turn, unless the same player
goes on. A play-out may be pressed and the clock left running: where the rules take silence for
acceptance, the game is over once the time to react has passed (END-2). Functions of the fold
(``table_fold``).
"""

from dataclasses import replace

from recorder.domain.observations import TurnAct
from recorder.domain.reading.clock import ClockState
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.table_turns import play_out_points

_REACTS = (TurnAct.HOLD, TurnAct.CHALLENGE, TurnAct.ACCEPT)

MOST_SHORT = 2
"""So many tiles may be missing on a rack, by short draws, where a player claims to be out."""


def claims_the_end(before: Reconstruction, after: Reconstruction, player: int) -> bool:
    """Whether a play from an empty bag leaves no more tiles than draws may have fallen short by."""
    total = after.tile_set.total
    held = after.best.rack_sizes(total)[player]
    return before.best.rack_sizes(total)[2] == 0 and held <= MOST_SHORT


def resumed(state: TableState, now: ClockState, *, seq: int) -> TableState:
    """The clock runs again; a player who goes on after claiming the end was still on turn."""
    before, turns = state.questions.before_claimed_end, state.turns
    clock = replace(state.clock.going_on(), now=now)
    questions = replace(state.questions, stop=None, before_claimed_end=None)
    if before is None or turns.presses[:-1] != before.presses:
        clock = clock.set_back_after(turns.last, seq=seq)
        return replace(state, clock=clock, questions=questions)
    if now.running != turns.presses[-1].player:
        return replace(state, clock=clock, questions=questions)
    claimed = turns.presses[-1].seq
    letters = tuple(pair for pair in state.looks.letters_turned if pair[0] != claimed)
    return TableState(
        clock=clock,
        looks=replace(state.looks, letters_turned=letters),
        turns=replace(before, said=turns.said),
        questions=questions,
    )


def silence_ends_ms(state: TableState) -> int | None:
    """When the game will be over if the opponent says nothing, None where silence ends nothing.

    A play that emptied rack and bag was pressed, and the opponent's clock has run since (END-2).
    """
    if (
        state.clock.silence_ms is None
        or state.clock.stop_row is not None
        or state.turns.unread
        or not state.turns.presses
    ):
        return None
    last = state.turns.presses[-1]
    if state.clock.now.running != 1 - last.player:
        return None
    reacted = any(
        done.at_ms >= last.at_ms and done.act in _REACTS for done in state.turns.said.acts
    )
    points = None if reacted else play_out_points(state.turns.reconstruction)
    is_theirs = points is not None and points.player == last.player
    return last.at_ms + state.clock.silence_ms if is_theirs else None


def accepted_by_silence(state: TableState, now_ms: int) -> TableState:
    """The table with the game over, where the opponent has let the time to react pass.

    The look that shows the last play is then the row that says that the game is over.
    """
    over_ms = silence_ends_ms(state)
    if over_ms is None or now_ms < over_ms:
        return state
    look, left_ms = (
        dict(state.turns.look_of)[state.turns.presses[-1].seq],
        state.clock.now.remaining_ms,
    )
    return state.over_at(look, over_ms, left_ms)

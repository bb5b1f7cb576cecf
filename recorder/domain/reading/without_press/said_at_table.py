"""What people and lesser sensors say at a table: kept in the state until turns are told.

Functions of the fold (``table_fold``).
"""

from dataclasses import replace

from recorder.domain.instruments import SlipSeen
from recorder.domain.observations import Acted, Announced, RackSeen, Say, TurnAct
from recorder.domain.reading.announcements import Heard
from recorder.domain.reading.blank_letters import slip_after
from recorder.domain.reading.table_state import TableState, play_out_points
from recorder.domain.reading.turn_acts import Done
from recorder.domain.reading.without_press.by_hands import said_no_play


def said_at_table(
    state: TableState, said: Announced | Acted | RackSeen | SlipSeen, *, seq: int, at_ms: int
) -> TableState:
    """The table after one of these; what names no player's half of the clock changes nothing."""
    if isinstance(said, SlipSeen):
        slip = slip_after(state.slip, said, seq=seq, at_ms=at_ms, began_ms=state.began_ms)
        return state if slip == state.slip else replace(state, slip=slip)
    player = state.clock.player(said.side)
    if player is None:
        return state
    match said:
        case RackSeen():
            racks = list(state.racks)
            racks[player] = "" if said.doubtful else said.letters
            return replace(state, racks=(racks[0], racks[1]))
        case Acted():
            done = Done(seq, at_ms, player, said.act, said.count, said.letter)
            if said.act is not TurnAct.ACCEPT:
                return replace(state, acted=(*state.acted, done))
            state = replace(state, acted=(*_not_bound(state, player), done))
            return _ended_by_words(state, player, seq=seq, at_ms=at_ms)
        case Announced():
            heard = Heard(seq, player, said.say, said.count)
            state = replace(state, heard=(*state.heard, heard))
            is_turn = said.say is not Say.BONUS
            return said_no_play(state, player, seq=seq, at_ms=at_ms) if is_turn else state


def _not_bound(state: TableState, player: int) -> tuple[Done, ...]:
    """What was done, without a challenge that its player gives up before it binds (CHAL-3).

    It binds once the clocks have been stopped for it; while they run on, nobody has challenged.
    """
    if state.clock.running is None:
        return state.acted
    since_ms = state.presses[-1].at_ms if state.presses else 0
    return tuple(
        done
        for done in state.acted
        if not (done.act is TurnAct.CHALLENGE and done.player == player)
        or done.at_ms < since_ms
        or state.over_ms >= done.at_ms
    )


def _ended_by_words(state: TableState, player: int, *, seq: int, at_ms: int) -> TableState:
    """The game is over where the opponent accepts a play-out, stopped clock or not (END-2)."""
    is_theirs = bool(state.presses) and state.presses[-1].player == 1 - player
    if state.over is not None or state.waiting or not is_theirs:
        return state
    if play_out_points(state.known) is None:
        return state
    left_ms = state.clock.remaining_at(at_ms)
    return replace(state, over=seq, over_ms=at_ms, held=state.shown, left_at_end=left_ms)

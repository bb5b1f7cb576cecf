"""What people and lesser sensors say at a table: kept in the state until turns are reported.

Functions of the fold (``table_fold``).
"""

from dataclasses import replace

from recorder.domain.instruments import SlipSeen
from recorder.domain.observations import Acted, Announced, RackSeen, Say, TurnAct
from recorder.domain.reading.announcements import Heard
from recorder.domain.reading.blank_letters import slip_after
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.table_turns import TableTalk, play_out_points
from recorder.domain.reading.turn_acts import Done
from recorder.domain.reading.turn_ends.hand_split_turns import said_no_play


def apply_table_talk(
    state: TableState, said: Announced | Acted | RackSeen | SlipSeen, *, seq: int, at_ms: int
) -> TableState:
    """The table after one of these; what names no player's half of the clock changes nothing."""
    before = state.turns.said
    if isinstance(said, SlipSeen):
        began_ms = state.clock.started_ms
        slip = slip_after(before.slip, said, seq=seq, at_ms=at_ms, began_ms=began_ms)
        return state if slip == before.slip else _with_said(state, replace(before, slip=slip))
    player = state.clock.now.player(said.side)
    if player is None:
        return state
    match said:
        case RackSeen():
            known = state.turns.reconstruction
            due = known.best.rack_sizes(known.tile_set.total)[player]
            looks = state.looks.with_rack(player, said, due=due, row=seq)
            return replace(state, looks=looks)
        case Acted():
            done = Done(seq, at_ms, player, said.act, said.count, said.letter)
            if said.act is not TurnAct.ACCEPT:
                return _with_said(state, replace(before, acts=(*before.acts, done)))
            acts = (*_not_bound(state, player), done)
            state = _with_said(state, replace(before, acts=acts))
            return _ended_by_words(state, player, seq=seq, at_ms=at_ms)
        case Announced():
            heard = Heard(seq, at_ms, player, said.say, said.count)
            announcements = (*before.announcements, heard)
            state = _with_said(state, replace(before, announcements=announcements))
            is_turn = said.say is not Say.BONUS
            return said_no_play(state, player, seq=seq, at_ms=at_ms) if is_turn else state


def _with_said(state: TableState, said: TableTalk) -> TableState:
    return replace(state, turns=replace(state.turns, said=said))


def _not_bound(state: TableState, player: int) -> tuple[Done, ...]:
    """What was done, without a challenge that its player gives up before it binds (CHAL-3).

    It binds once the clocks have been stopped for it; while they run on, nobody has challenged.
    """
    if state.clock.now.running is None:
        return state.turns.said.acts
    since_ms = state.turns.presses[-1].at_ms if state.turns.presses else 0
    return tuple(
        done
        for done in state.turns.said.acts
        if not (done.act is TurnAct.CHALLENGE and done.player == player)
        or done.at_ms < since_ms
        or state.clock.stop_ms >= done.at_ms
    )


def _ended_by_words(state: TableState, player: int, *, seq: int, at_ms: int) -> TableState:
    """The game is over where the opponent accepts a play-out, stopped clock or not (END-2)."""
    is_theirs = bool(state.turns.presses) and state.turns.presses[-1].player == 1 - player
    if state.clock.stop_row is not None or state.turns.unread or not is_theirs:
        return state
    if play_out_points(state.turns.reconstruction) is None:
        return state
    left_ms = state.clock.now.remaining_at(at_ms)
    return state.over_at(seq, at_ms, left_ms)

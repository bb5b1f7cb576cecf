"""A turn through which the wrong half of the clock runs: the owner by order and racks (CLOCK-4).

A press says whose half ran. Where that is not whose turn it is, the tiles decide: as many as lie
new on the board went from the rack of the player whose turn it is by the order of the turns, and
none from the other one. Then the clock is at fault, and its half ends no turn of that other player
by a press: it only sets the clock right. The turn is over once its tiles are drawn, or once the
other player has laid some too. Where no rack is counted, two plays that come one after the other
are two turns, in doubt. Functions of the fold (``table_fold``).
"""

from dataclasses import replace

from recorder.domain.instruments import BagLifted, BagWeighed
from recorder.domain.notices import coded
from recorder.domain.observations import RackCounted, RackSeen, Say
from recorder.domain.reading.looks import Look
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.table_turns import WrongHalf
from recorder.domain.reading.turn_ends.draw_before_press import (
    ended_by_draw,
    ended_unpressed,
    gone_on,
    is_late,
    player_to_move,
    with_tiles_reported,
)
from recorder.domain.reading.turn_ends.settled_layers import is_one_play
from recorder.domain.turns import Press

_STARTER = 0


def apply_rack_count(
    state: TableState,
    said: RackCounted | RackSeen | BagLifted | BagWeighed,
    *,
    seq: int,
    at_ms: int,
) -> TableState:
    """The table after a sensor of tiles has said something."""
    state = with_tiles_reported(state, said, seq=seq, at_ms=at_ms)
    look = state.looks.since_press
    is_old = look is None or state.looks.has_stirred
    return state if look is None or is_old else _owner_found(state, look)


def look_shown(state: TableState, look: Look) -> TableState:
    """The table after a clear look, before the look itself is asked of any press."""
    state = _owner_found(state, look)
    wrong = state.questions.wrong_half
    if wrong is not None and not look.moving and state.questions.draw.drawn is None:
        reply = state.questions.draws_by_player[1 - wrong.player]
        added = 0 if reply.low is None else reply.held - reply.low
        if added > 0 and look.tiles_beside(state.turns.occupied) == wrong.tiles + added:
            return _ended_by_reply(state, wrong)
    if wrong is None and _is_undecided(state) and not look.moving:
        return _told_by_order(state, look)
    return gone_on(state, look)[0]


def press_during_opponents_turn(state: TableState, press: Press) -> tuple[TableState, int | None]:
    """The table at a press, and whose turn that ends, None where it ends none."""
    wrong, player = state.questions.wrong_half, press.player
    if is_late(state, player):
        return state, player
    if wrong is None:
        return _pressed_against_order(state, press)
    if player == wrong.player:
        ended = replace(wrong, turn=press.seq)
        return _with_wrong_half(state, ended), player
    if state.questions.draw.drawn is not None:
        return ended_by_draw(state)[0], player
    if state.questions.draws_by_player[player].low is not None:
        return _ended_by_reply(state, wrong), player
    return state, None


def _pressed_against_order(state: TableState, press: Press) -> tuple[TableState, int | None]:
    """The same where no rack shows whose turn it is, but the order of turns may.

    Tiles on the board are not of who passes or exchanges. With the racks full and the board bare,
    who is not to move first only sets the clock right. The rest is in doubt.
    """
    player, first = press.player, state.questions.out_of_turn_play
    if not _is_against_order(state):
        return state, player
    since = state.turns.presses[-1].seq if state.turns.presses else 0
    has_spoken = any(
        heard.player == player and heard.seq > since and heard.say is not Say.BONUS
        for heard in state.turns.said.announcements
    )
    if has_spoken and first is not None:
        return _ended_by_order(state, first, until_ms=press.at_ms), player
    if state.turns.presses:
        return state, player  # a second turn in a row is in doubt by itself
    if _is_undecided(state):
        return _with_doubt(state, press.seq, 1 - player), player
    look = state.looks.since_press
    is_bare = look is None or not look.tiles_beside(state.turns.occupied)
    is_idle = is_bare and not has_spoken and not state.looks.has_stirred
    unmoved = all(fall.low is None for fall in state.questions.draws_by_player)
    holds_tiles = bool(state.questions.draw.counts[1 - player])
    return state, None if is_idle and unmoved and holds_tiles else player


def _owner_found(state: TableState, look: Look) -> TableState:
    """The table with the turn given to whose tiles lie there, where the other's half runs."""
    due, is_found = _due(state), state.questions.wrong_half is not None
    is_drawn = is_found and state.questions.draw.drawn is not None
    if not _is_against_order(state) or look.moving or is_drawn:
        return state
    own, other = state.questions.draws_by_player[due], state.questions.draws_by_player[1 - due]
    if own.low is None or (other.low is not None and other.drawn is None):
        return state
    tiles = own.held - own.low
    turn = _read(state, Press(own.low_row, look.at_ms, due), look).best.turns[-1]
    if len(turn.placed) != tiles:
        return state
    wrong = WrongHalf(due, _before(state), state.clock.now.at_ms, tiles, own.low_row, look)
    shown = look if own.drawn is not None else None
    draw = replace(own, look=shown, has_scale=state.questions.draw.has_scale)
    draw = replace(draw, counts=state.questions.draw.counts)
    return replace(state, questions=replace(state.questions, wrong_half=wrong, draw=draw))


def _is_against_order(state: TableState) -> bool:
    """Whether a half runs that should not by the order of turns, and every turn is read."""
    running = state.clock.now.running
    return state.clock.now.heard and not state.turns.unread and running not in (None, _due(state))


def _is_undecided(state: TableState) -> bool:
    """The same, where nothing has counted either rack, nor ended the turn before by its draw."""
    is_counted = state.questions.draw.counts != (None, None)
    return _is_against_order(state) and not is_counted and player_to_move(state) != _due(state)


def _told_by_order(state: TableState, look: Look) -> TableState:
    """The table where only order and board report turns: two plays, one after the other, are two.

    One player may have laid both, against the rules: the first of them is in doubt.
    """
    due, first = _due(state), state.questions.out_of_turn_play
    if is_one_play(_read(state, Press(look.seq, look.at_ms, due), look)):
        return _with_play(state, look)
    recorded = state.turns.occupied
    if first is None or look.tiles_beside(recorded) <= first.tiles_beside(recorded):
        return _with_play(state, None)
    ended = _ended_by_order(state, first, until_ms=look.at_ms)
    if not is_one_play(_read(ended, Press(look.seq, look.at_ms, 1 - due), look)):
        return state
    return _with_doubt(ended, first.seq, due)


def _ended_by_order(state: TableState, first: Look, *, until_ms: int) -> TableState:
    """The table with one play, as a look shows it, as the turn of whose turn it is by the order."""
    press = Press(first.seq, first.at_ms, _due(state))
    known = _read(state, press, first)
    ended = ended_unpressed(state, press, first, known)
    tiles = len(known.best.turns[-1].placed)
    wrong = WrongHalf(press.player, _before(state), state.clock.now.at_ms, tiles, 0, first)
    wrong = replace(wrong, turn=press.seq, until_ms=until_ms)
    return _with_wrong_half(ended, wrong)


def _with_doubt(state: TableState, ref: int, due: int) -> TableState:
    doubt = coded("clock_against_order", player=due)
    return replace(state, turns=state.turns.with_doubt(ref, doubt))


def _read(state: TableState, press: Press, look: Look) -> Reconstruction:
    return state.turns.read(press, look, as_pressed=True)


def _with_play(state: TableState, look: Look | None) -> TableState:
    return replace(state, questions=replace(state.questions, out_of_turn_play=look))


def _with_wrong_half(state: TableState, wrong: WrongHalf) -> TableState:
    halves = (*state.turns.wrong_halves, wrong)
    return replace(state, turns=replace(state.turns, wrong_halves=halves))


def _before(state: TableState) -> int:
    """The row of the turn before this one, or of the start."""
    return state.turns.presses[-1].seq if state.turns.presses else state.clock.started_row


def _due(state: TableState) -> int:
    """Whose turn it is by the order of turns."""
    return 1 - state.turns.presses[-1].player if state.turns.presses else _STARTER


def _ended_by_reply(state: TableState, wrong: WrongHalf) -> TableState:
    """The table with the turn ended as its tiles lay before the other player laid some."""
    ended = Press(wrong.row, wrong.look.at_ms, wrong.player)
    reply = state.questions.draws_by_player[1 - wrong.player]
    draw = replace(state.questions.draw, drawn=ended, look=wrong.look, reply=reply)
    return ended_by_draw(replace(state, questions=replace(state.questions, draw=draw)))[0]

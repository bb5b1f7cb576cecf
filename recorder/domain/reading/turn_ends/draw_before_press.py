"""A turn that nobody pressed: its player has drawn for it, so it is complete (TURN-4).

The rack lost tiles, the bag was lifted, the rack is full again. Where nothing weighs the bag, the
rack is full again while the tiles lie on the board; where nothing counts racks, as many tiles left
the bag as were laid, and the opponent had drawn. The press comes late as a rule, and ends the turn
then. Where it does not come, or can move nothing because the other half runs, or where the other
player goes on before it (lays tiles, has their own half set going, holds or challenges), the turn
is read from the look at the draw, and a press that comes later ends none. Functions of the fold
(``table_fold``).
"""

from dataclasses import dataclass, replace

from recorder.domain.board import SQUARES
from recorder.domain.instruments import BagLifted, BagWeighed
from recorder.domain.observations import (
    Acted,
    RackCounted,
    RackSeen,
    TurnAct,
)
from recorder.domain.reading.clock import ClockState
from recorder.domain.reading.looks import Look
from recorder.domain.reading.open_questions import NO_OWN_DRAW, OwnDraw
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import TableState
from recorder.domain.tiles import EMPTY, RACK_SIZE
from recorder.domain.turns import Press

NOT_PRESSED_AFTER_MS = 15_000
"""So long after the draw the press may still come."""
_IN_VAIN_AFTER_MS = 2_000
"""The same where it would move nothing: sensors of tiles still may say more of the draw."""
_SPEAKS = (TurnAct.HOLD, TurnAct.CHALLENGE)
_SURE = 0.9
"""Probability of a difference in weight that may stand in for a press."""


def player_to_move(state: TableState) -> int | None:
    """Who is on turn: by the clock, unless that runs wrong or nobody pressed the turn before."""
    if state.questions.wrong_half is not None:
        return state.questions.wrong_half.player
    if state.turns.presses and state.turns.presses[-1].seq in state.turns.unpressed:
        return 1 - state.turns.presses[-1].player
    return state.clock.now.running


def is_late(state: TableState, player: int) -> bool:
    """Whether a press of a player only makes up for one that was forgotten."""
    last = state.turns.presses[-1] if state.turns.presses else None
    return last is not None and last.player == player and last.seq in state.turns.unpressed


def draw_ends_ms(state: TableState) -> int | None:
    """When the turn that was drawn for ends without its press; None where none was, or may be."""
    draw, running = state.questions.draw, state.clock.now.running
    if draw.drawn is None or draw.look is None or running is None or state.turns.unread:
        return None
    if draw.look.tiles_beside(state.turns.occupied) != draw.held - (draw.low or 0):
        return None
    is_in_vain = running != draw.drawn.player
    return draw.drawn.at_ms + (_IN_VAIN_AFTER_MS if is_in_vain else NOT_PRESSED_AFTER_MS)


def ended_in_time(state: TableState, now_ms: int) -> TableState:
    """The table with the turn over that was drawn for, where its press has not come in time."""
    ends_ms = draw_ends_ms(state)
    return state if ends_ms is None or now_ms < ends_ms else ended_by_draw(state)[0]


def _with_draw(state: TableState, draw: OwnDraw) -> TableState:
    return replace(state, questions=replace(state.questions, draw=draw))


def set_going(state: TableState, clock: ClockState) -> TableState:
    """The table, whose clock says so now: the half of who has drawn runs no more, unpressed."""
    drawn, wrong = state.questions.draw.drawn, state.questions.wrong_half
    if drawn is None and wrong is not None and not wrong.until_ms:
        still = clock.running == 1 - wrong.player
        until = wrong if still else replace(wrong, until_ms=clock.at_ms)
        return replace(state, questions=replace(state.questions, wrong_half=until))
    if drawn is None or clock.running == drawn.player:
        return state
    return ended_by_draw(state)[0]


def with_tiles_reported(
    state: TableState,
    said: RackCounted | RackSeen | BagLifted | BagWeighed,
    *,
    seq: int,
    at_ms: int,
) -> TableState:
    """The table after a sensor of tiles has said something."""
    if isinstance(said, BagWeighed):
        return _with_draw(state, _after_weight(state, said, seq, at_ms))
    if isinstance(said, BagLifted):
        draw = replace(state.questions.draw, has_scale=True)
        reply = None if draw.reply is None else _lifted(draw.reply, at_ms)
        first, second = (_lifted(fall, at_ms) for fall in state.questions.draws_by_player)
        draw = replace(_lifted(draw, at_ms), reply=reply)
        questions = replace(state.questions, draw=draw, draws_by_player=(first, second))
        return replace(state, questions=questions)
    return _with_rack_count(state, said, seq=seq, at_ms=at_ms)


def _with_rack_count(
    state: TableState, said: RackCounted | RackSeen, *, seq: int, at_ms: int
) -> TableState:
    draw = state.questions.draw
    player, mover = state.clock.now.player(said.side), player_to_move(state)
    if player is None or draw.counts[player] == said.count:
        return state
    before, counts = draw.counts[player], list(draw.counts)
    counts[player] = said.count
    draw = replace(draw, counts=(counts[0], counts[1]))
    if before is None:
        return _with_draw(state, draw)
    word = _Counted(player, before, said.count, seq, state.looks.since_press)
    state = _with_fall(state, word, at_ms)
    if mover is None:
        return _with_draw(state, draw)
    if player == mover and not draw.has_scale:
        return _with_draw(state, _after_count_alone(state, draw, word, at_ms))
    if player == mover:
        return _with_draw(state, _after_count(draw, word))
    if said.count > before:
        draw = replace(draw, lifted_ms=None)  # the bag was lifted for that draw
    if draw.drawn is not None:
        draw = replace(draw, reply=_after_count(draw.reply or OwnDraw(), word))
    return _with_draw(state, draw)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A rack that held ``before`` tiles holds ``count``; the newest look is ``recent``."""

    player: int
    before: int
    count: int
    seq: int
    recent: Look | None


def _with_fall(state: TableState, word: _Counted, at_ms: int) -> TableState:
    """The table with what a word about a rack says of its player, no matter whose half runs."""
    falls = list(state.questions.draws_by_player)
    own, other = falls[word.player], falls[1 - word.player]
    if state.questions.draw.has_scale:
        own = _after_count(own, word)
    else:
        own = _after_count_alone(state, own, word, at_ms)
    if word.count > word.before:
        other = replace(other, lifted_ms=None)
    falls[word.player], falls[1 - word.player] = own, other
    return replace(state, questions=replace(state.questions, draws_by_player=(falls[0], falls[1])))


def _lifted(draw: OwnDraw, at_ms: int) -> OwnDraw:
    waits = draw.low is not None and draw.drawn is None and draw.lifted_ms is None
    return replace(draw, lifted_ms=at_ms) if waits else draw


def _after_count(draw: OwnDraw, word: _Counted) -> OwnDraw:
    """The draw after a word about the rack of the player who is to draw."""
    count = word.count
    if draw.low is None or count <= draw.low:
        lays = count < word.before
        held = word.before if draw.low is None else draw.held
        return OwnDraw(draw.counts, held, count, low_row=word.seq) if lays else draw
    if draw.drawn is not None:
        return draw
    if draw.lifted_ms is None:
        # Tiles that come back without the bag were taken off the board again.
        return replace(draw, low=None if count >= draw.held else count)
    if count < draw.held:
        return draw
    return replace(draw, drawn=Press(word.seq, draw.lifted_ms, word.player), look=word.recent)


def _after_count_alone(state: TableState, draw: OwnDraw, word: _Counted, at_ms: int) -> OwnDraw:
    """The same where nothing weighs the bag: the board has to show that its tiles lie there."""
    is_full = draw.low is not None and draw.low < draw.held <= word.count
    if not is_full or draw.drawn is not None or state.looks.has_stirred:
        return _after_count(draw, word)
    look = state.looks.since_press
    if look is None or look.tiles_beside(state.turns.occupied) != draw.held - (draw.low or 0):
        return _after_count(draw, word)
    return replace(draw, drawn=Press(word.seq, at_ms, word.player), look=look)


def _after_weight(state: TableState, said: BagWeighed, seq: int, at_ms: int) -> OwnDraw:
    """The draw after a weight of the bag, where no sensor counts racks.

    The opponent draws first for the turn before; what leaves the bag then is for the tiles that lie
    on the board, if it is as many.
    """
    draw, mover = replace(state.questions.draw, has_scale=True), player_to_move(state)
    is_alone = draw.counts == (None, None) and draw.drawn is None and not state.turns.unread
    out = said.taken
    if mover is None or not is_alone or out is None or out.probability < _SURE or out.count <= 0:
        return draw
    owed, look = _owed(state), state.looks.since_press
    after = replace(draw, taken=draw.taken + out.count)
    is_own = owed is not None and draw.taken >= owed and look is not None
    if not is_own or look is None or look.tiles_beside(state.turns.occupied) != out.count:
        return after
    drawn = Press(seq, at_ms, mover)
    return replace(after, held=out.count, low=0, drawn=drawn, look=look)


def _owed(state: TableState) -> int | None:
    """The tiles that were to be drawn for the turn before; None where it had no play."""
    if not state.turns.presses or state.turns.presses[-1].seq in state.turns.unpressed:
        return 0
    known = state.turns.reconstruction
    placed = len(known.best.turns[-1].placed) if known.best.turns else 0
    bag = known.tile_set.total - 2 * RACK_SIZE - len(known.best.occupied) + placed
    return min(placed, max(0, bag)) if placed else None


def gone_on(state: TableState, look: Look) -> tuple[TableState, bool]:
    """The table after a look, with the turn that was drawn for where the next one has begun.

    Whether that is so. Tiles that were taken off again were not drawn for.
    """
    draw = state.questions.draw
    if draw.drawn is None or look.moving or state.turns.unread:
        return state, False
    if draw.look is None:
        return _with_draw(state, replace(draw, look=look)), False
    now, then = look.plainly(), draw.look.plainly()
    occupied = state.turns.occupied
    changes = [
        (then[sq], now[sq])
        for sq in range(SQUARES)
        if sq not in occupied and None not in (then[sq], now[sq]) and then[sq] is not now[sq]
    ]
    if any(after is EMPTY for _, after in changes):
        return _with_draw(state, draw.next_turn()), False
    if any(before is EMPTY for before, _ in changes):
        return ended_by_draw(state)
    return state, False


def challenge_before_press(state: TableState, said: Acted) -> TableState:
    """The table after somebody held or challenged a play that was drawn for, and not pressed."""
    drawn = state.questions.draw.drawn
    player = state.clock.now.player(said.side)
    if drawn is None or said.act not in _SPEAKS or player != 1 - drawn.player:
        return state
    return ended_by_draw(state)[0]


def ended_by_draw(state: TableState) -> tuple[TableState, bool]:
    """The table with the turn that was drawn for, where the look at the draw shows its tiles."""
    draw, look = state.questions.draw, state.questions.draw.look
    anew = replace(state, questions=state.questions.next_turn())
    if draw.drawn is None or draw.low is None or look is None:
        return anew, False
    known = state.turns.read(draw.drawn, look, as_pressed=True)
    if len(known.best.turns[-1].placed) != draw.held - draw.low:
        return anew, False
    return ended_unpressed(state, draw.drawn, look, known), True


def ended_unpressed(
    state: TableState, press: Press, look: Look, known: Reconstruction
) -> TableState:
    """The table with a turn ended as ``known`` reads the look; ``press`` stands in for a press."""
    questions = state.questions
    draw, falls, wrong = questions.draw, list(questions.draws_by_player), questions.wrong_half
    reply = draw.reply or OwnDraw()
    falls[press.player] = NO_OWN_DRAW
    if wrong is not None:
        wrong = replace(wrong, turn=press.seq, until_ms=wrong.until_ms or press.at_ms)
    turns = state.turns
    halves = turns.wrong_halves if wrong is None else (*turns.wrong_halves, wrong)
    return replace(
        state,
        turns=replace(
            turns,
            presses=(*turns.presses, press),
            unpressed=(*turns.unpressed, press.seq),
            wrong_halves=halves,
        ),
        questions=replace(
            questions,
            draw=replace(reply, counts=draw.counts, has_scale=draw.has_scale),
            draws_by_player=(falls[0], falls[1]),
            wrong_half=None,
            out_of_turn_play=None,
        ),
    ).with_turn(known, press, look)

"""A turn that nobody pressed: its player has drawn for it, so it is complete (TURN-4).

The rack lost tiles, the bag was lifted, the rack is full again. The press comes late as a rule, and
ends the turn then. Where the other player goes on before it (lays tiles, has the own half set
going, holds or challenges), the turn is read from the look at the draw, and a press that comes
later ends none. Functions of the fold (``table_fold``).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from recorder.domain.board import SQUARES
from recorder.domain.instruments import BagLifted
from recorder.domain.observations import (
    COVERED_SYMBOL,
    EMPTY_SYMBOL,
    Acted,
    RackCounted,
    RackSeen,
    TurnAct,
)
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import Look, OwnDraw, TableState
from recorder.domain.reading.turns import Press

ReadTurnAt = Callable[[TableState, Press, Look], Reconstruction]
_SPEAKS = (TurnAct.HOLD, TurnAct.CHALLENGE)


def player_to_move(state: TableState) -> int | None:
    """Who is on turn: by the clock, or after the turn that nobody pressed."""
    if state.presses and state.presses[-1].seq in state.unpressed:
        return 1 - state.presses[-1].player
    return state.clock.running


def is_late(state: TableState, player: int) -> bool:
    """Whether a press of a player only makes up for one that was forgotten."""
    last = state.presses[-1] if state.presses else None
    return last is not None and last.player == player and last.seq in state.unpressed


def begun_anew(state: TableState) -> TableState:
    """The table with another turn begun: what racks hold now is what it begins with."""
    return replace(state, own_draw=OwnDraw(state.own_draw.counts))


def told_of_tiles(
    state: TableState, said: RackCounted | RackSeen | BagLifted, *, seq: int, at_ms: int
) -> TableState:
    """The table after a sensor of tiles has said something."""
    draw = state.own_draw
    if isinstance(said, BagLifted):
        reply = None if draw.reply is None else _lifted(draw.reply, at_ms)
        return replace(state, own_draw=replace(_lifted(draw, at_ms), reply=reply))
    player, mover = state.clock.player(said.side), player_to_move(state)
    if player is None or draw.counts[player] == said.count:
        return state
    before, counts = draw.counts[player], list(draw.counts)
    counts[player] = said.count
    draw = replace(draw, counts=(counts[0], counts[1]))
    if before is None or mover is None:
        return replace(state, own_draw=draw)
    word = _Counted(player, before, said.count, seq, state.recent)
    if player == mover:
        return replace(state, own_draw=_after_count(draw, word))
    if said.count > before:
        draw = replace(draw, lifted_ms=None)  # the bag was lifted for that draw
    if draw.drawn is not None:
        draw = replace(draw, reply=_after_count(draw.reply or OwnDraw(), word))
    return replace(state, own_draw=draw)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A rack that held ``before`` tiles holds ``count``; the newest look is ``recent``."""

    player: int
    before: int
    count: int
    seq: int
    recent: Look | None


def _lifted(draw: OwnDraw, at_ms: int) -> OwnDraw:
    waits = draw.low is not None and draw.drawn is None and draw.lifted_ms is None
    return replace(draw, lifted_ms=at_ms) if waits else draw


def _after_count(draw: OwnDraw, word: _Counted) -> OwnDraw:
    """The draw after a word about the rack of whoever is to draw."""
    count = word.count
    if draw.low is None or count <= draw.low:
        lays = count < word.before
        held = word.before if draw.low is None else draw.held
        return OwnDraw(draw.counts, held, count) if lays else draw
    if draw.drawn is not None:
        return draw
    if draw.lifted_ms is None:
        # Tiles that come back without the bag were taken off the board again.
        return replace(draw, low=None if count >= draw.held else count)
    if count < draw.held:
        return draw
    return replace(draw, drawn=Press(word.seq, draw.lifted_ms, word.player), look=word.recent)


def gone_on(state: TableState, look: Look, read: ReadTurnAt) -> tuple[TableState, bool]:
    """The table after a look, with the turn that was drawn for where the next one has begun.

    Whether that is so. Tiles that were taken off again were not drawn for.
    """
    draw = state.own_draw
    if draw.drawn is None or look.moving or state.waiting:
        return state, False
    if draw.look is None:
        return replace(state, own_draw=replace(draw, look=look)), False
    now, then = _plain(look), _plain(draw.look)
    occupied = state.known.best.occupied
    changes = [
        (then[sq], now[sq])
        for sq in range(SQUARES)
        if sq not in occupied and then[sq] and now[sq] and then[sq] != now[sq]
    ]
    if any(after == EMPTY_SYMBOL for _, after in changes):
        return replace(state, own_draw=OwnDraw(draw.counts)), False
    if any(before == EMPTY_SYMBOL for before, _ in changes):
        return ended_by_draw(state, read)
    return state, False


def _plain(look: Look) -> list[str]:
    """What each square shows beyond doubt, empty where it does not."""
    best = [look.squares.best_and_margin(sq) for sq in range(SQUARES)]
    return [
        symbol if margin > PLAIN and symbol != COVERED_SYMBOL else "" for symbol, margin in best
    ]


def spoken_of(state: TableState, said: Acted, read: ReadTurnAt) -> TableState:
    """The table after somebody held or challenged a play that was drawn for, and not pressed."""
    drawn = state.own_draw.drawn
    player = state.clock.player(said.side)
    if drawn is None or said.act not in _SPEAKS or player != 1 - drawn.player:
        return state
    return ended_by_draw(state, read)[0]


def ended_by_draw(state: TableState, read: ReadTurnAt) -> tuple[TableState, bool]:
    """The table with the turn that was drawn for, where the look at the draw shows its tiles."""
    draw, look = state.own_draw, state.own_draw.look
    anew = begun_anew(state)
    if draw.drawn is None or draw.low is None or look is None:
        return anew, False
    known = read(state, draw.drawn, look)
    if len(known.best.turns[-1].placed) != draw.held - draw.low:
        return anew, False
    press, reply = draw.drawn, draw.reply or OwnDraw()
    turned = state.turned
    if look.letters_turned is not None:
        turned = (*turned, (press.seq, look.letters_turned))
    return replace(
        state,
        own_draw=replace(reply, counts=draw.counts),
        known=known,
        presses=(*state.presses, press),
        unpressed=(*state.unpressed, press.seq),
        look_of=(*state.look_of, (press.seq, look.seq)),
        turned=turned,
        recent=None,
        whole=None,
        off=None,
    ), True

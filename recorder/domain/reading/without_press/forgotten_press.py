"""A turn that nobody pressed: its player has drawn for it, so it is complete (TURN-4).

The rack lost tiles, the bag was lifted, the rack is full again. Where nothing weighs the bag, the
rack is full again while the tiles lie on the board; where nothing counts racks, as many tiles left
the bag as were laid, and the opponent had drawn. The press comes late as a rule, and ends the turn
then. Where the other player goes on before it (lays tiles, has the own half set
going, holds or challenges), the turn is read from the look at the draw, and a press that comes
later ends none. Functions of the fold (``table_fold``).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from recorder.domain.board import SQUARES
from recorder.domain.instruments import BagLifted, BagWeighed
from recorder.domain.observations import (
    COVERED_SYMBOL,
    EMPTY_SYMBOL,
    Acted,
    RackCounted,
    RackSeen,
    TurnAct,
)
from recorder.domain.reading.clock import ClockState
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import NO_OWN_DRAW, Look, OwnDraw, TableState
from recorder.domain.reading.turns import Press
from recorder.domain.tiles import RACK_SIZE

ReadTurnAt = Callable[[TableState, Press, Look], Reconstruction]
_SPEAKS = (TurnAct.HOLD, TurnAct.CHALLENGE)
_SURE = 0.9
"""Probability of a difference in weight that may stand in for a press."""


def player_to_move(state: TableState) -> int | None:
    """Who is on turn: by the clock, unless that runs wrong or nobody pressed the turn before."""
    if state.wrong_half is not None:
        return state.wrong_half.player
    if state.presses and state.presses[-1].seq in state.unpressed:
        return 1 - state.presses[-1].player
    return state.clock.running


def is_late(state: TableState, player: int) -> bool:
    """Whether a press of a player only makes up for one that was forgotten."""
    last = state.presses[-1] if state.presses else None
    return last is not None and last.player == player and last.seq in state.unpressed


def begun_anew(state: TableState) -> TableState:
    """The table with another turn begun: what racks hold now is what it begins with."""
    return replace(
        state,
        own_draw=_anew(state.own_draw),
        falls=(NO_OWN_DRAW, NO_OWN_DRAW),
        wrong_half=None,
        one_play=None,
    )


def _anew(draw: OwnDraw) -> OwnDraw:
    return OwnDraw(draw.counts, has_scale=draw.has_scale)


def set_going(state: TableState, clock: ClockState, read: ReadTurnAt) -> TableState:
    """The table, whose clock says so now: the half of who has drawn runs no more, unpressed."""
    drawn, wrong = state.own_draw.drawn, state.wrong_half
    if drawn is None and wrong is not None and not wrong.until_ms:
        still = clock.running == 1 - wrong.player
        until = wrong if still else replace(wrong, until_ms=clock.at_ms)
        return replace(state, wrong_half=until)
    if drawn is None or clock.running == drawn.player:
        return state
    return ended_by_draw(state, read)[0]


def told_of_tiles(
    state: TableState,
    said: RackCounted | RackSeen | BagLifted | BagWeighed,
    *,
    seq: int,
    at_ms: int,
) -> TableState:
    """The table after a sensor of tiles has said something."""
    if isinstance(said, BagWeighed):
        return replace(state, own_draw=_after_weight(state, said, seq, at_ms))
    if isinstance(said, BagLifted):
        draw = replace(state.own_draw, has_scale=True)
        reply = None if draw.reply is None else _lifted(draw.reply, at_ms)
        first, second = (_lifted(fall, at_ms) for fall in state.falls)
        draw = replace(_lifted(draw, at_ms), reply=reply)
        return replace(state, own_draw=draw, falls=(first, second))
    return _told_of_rack(state, said, seq=seq, at_ms=at_ms)


def _told_of_rack(
    state: TableState, said: RackCounted | RackSeen, *, seq: int, at_ms: int
) -> TableState:
    draw = state.own_draw
    player, mover = state.clock.player(said.side), player_to_move(state)
    if player is None or draw.counts[player] == said.count:
        return state
    before, counts = draw.counts[player], list(draw.counts)
    counts[player] = said.count
    draw = replace(draw, counts=(counts[0], counts[1]))
    if before is None:
        return replace(state, own_draw=draw)
    word = _Counted(player, before, said.count, seq, state.recent)
    state = _with_fall(state, word, at_ms)
    if mover is None:
        return replace(state, own_draw=draw)
    if player == mover and not draw.has_scale:
        return replace(state, own_draw=_after_count_alone(state, draw, word, at_ms))
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


def _with_fall(state: TableState, word: _Counted, at_ms: int) -> TableState:
    """The table with what a word about a rack says of its player, whoever's half runs."""
    falls = list(state.falls)
    own, other = falls[word.player], falls[1 - word.player]
    if state.own_draw.has_scale:
        own = _after_count(own, word)
    else:
        own = _after_count_alone(state, own, word, at_ms)
    if word.count > word.before:
        other = replace(other, lifted_ms=None)
    falls[word.player], falls[1 - word.player] = own, other
    return replace(state, falls=(falls[0], falls[1]))


def _lifted(draw: OwnDraw, at_ms: int) -> OwnDraw:
    waits = draw.low is not None and draw.drawn is None and draw.lifted_ms is None
    return replace(draw, lifted_ms=at_ms) if waits else draw


def _after_count(draw: OwnDraw, word: _Counted) -> OwnDraw:
    """The draw after a word about the rack of whoever is to draw."""
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
    if not is_full or draw.drawn is not None or state.stirred_ms is not None:
        return _after_count(draw, word)
    look = state.recent
    if look is None or laid_in(state, look) != draw.held - (draw.low or 0):
        return _after_count(draw, word)
    return replace(draw, drawn=Press(word.seq, at_ms, word.player), look=look)


def _after_weight(state: TableState, said: BagWeighed, seq: int, at_ms: int) -> OwnDraw:
    """The draw after a weight of the bag, where no sensor counts racks.

    The opponent draws first for the turn before; what leaves the bag then is for the tiles that lie
    on the board, if it is as many.
    """
    draw, mover = replace(state.own_draw, has_scale=True), player_to_move(state)
    is_alone = draw.counts == (None, None) and draw.drawn is None and not state.waiting
    out = said.taken
    if mover is None or not is_alone or out is None or out.probability < _SURE or out.count <= 0:
        return draw
    owed, look = _owed(state), state.recent
    after = replace(draw, taken=draw.taken + out.count)
    is_own = owed is not None and draw.taken >= owed and look is not None
    if not is_own or look is None or laid_in(state, look) != out.count:
        return after
    drawn = Press(seq, at_ms, mover)
    return replace(after, held=out.count, low=0, drawn=drawn, look=look)


def _owed(state: TableState) -> int | None:
    """The tiles that were to be drawn for the turn before; None where it had no play."""
    if not state.presses or state.presses[-1].seq in state.unpressed:
        return 0
    known = state.known
    placed = len(known.best.turns[-1].placed) if known.best.turns else 0
    bag = known.tile_set.total - 2 * RACK_SIZE - len(known.best.occupied) + placed
    return min(placed, max(0, bag)) if placed else None


def laid_in(state: TableState, look: Look) -> int:
    """How many tiles a look shows beyond doubt that are not recorded."""
    occupied = state.known.best.occupied
    shown = enumerate(_plain(look))
    return sum(tile not in ("", EMPTY_SYMBOL) for sq, tile in shown if sq not in occupied)


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
        return replace(state, own_draw=_anew(draw)), False
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
    return ended_unpressed(state, draw.drawn, look, known), True


def ended_unpressed(
    state: TableState, press: Press, look: Look, known: Reconstruction
) -> TableState:
    """The table with a turn ended as ``known`` reads the look; ``press`` stands in for a press."""
    draw, falls, wrong = state.own_draw, list(state.falls), state.wrong_half
    reply = draw.reply or OwnDraw()
    falls[press.player] = NO_OWN_DRAW
    if wrong is not None:
        wrong = replace(wrong, turn=press.seq, until_ms=wrong.until_ms or press.at_ms)
    turned = state.turned
    if look.letters_turned is not None:
        turned = (*turned, (press.seq, look.letters_turned))
    return replace(
        state,
        own_draw=replace(reply, counts=draw.counts, has_scale=draw.has_scale),
        falls=(falls[0], falls[1]),
        wrong_half=None,
        wrong_halves=state.wrong_halves if wrong is None else (*state.wrong_halves, wrong),
        one_play=None,
        known=known,
        presses=(*state.presses, press),
        unpressed=(*state.unpressed, press.seq),
        look_of=(*state.look_of, (press.seq, look.seq)),
        turned=turned,
        recent=None,
        whole=None,
        off=None,
    )

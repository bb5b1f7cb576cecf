"""The last play seen between presses: taken back, put back, or taken off in part."""

from dataclasses import replace

from recorder.domain.board import Square
from recorder.domain.reading.histories.clearing import CLEARING_MS
from recorder.domain.reading.histories.extending import may_come_off
from recorder.domain.reading.histories.hypotheses import (
    BoardChange,
    Hypothesis,
    LookContext,
    LookKind,
)
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.looks import HAND_MS, Look
from recorder.domain.reading.reconstruct import (
    Reconstruction,
    margin_of_turn,
    only,
    step,
    stray_squares,
)
from recorder.domain.reading.table_clock import TableClock
from recorder.domain.reading.table_turns import TakenOff, Turns
from recorder.domain.tiles import EMPTY, face

SURE_WITHDRAWAL = 5.0
"""Nats by which a withdrawal must win when no press asks for a decision."""
SURE_IF_PLAIN = 1.5
"""The same where every square is bare beyond doubt."""


def seen_between(turns: Turns, clock: TableClock, look: Look) -> Turns:
    """The turns after a look that is asked of no press: it may show the last play taken back."""
    turns = with_rest_noted(_laid_again(turns, clock, look), clock, look)
    turns = _with_bare_noted(turns, look)
    known = turns.reconstruction
    # Most looks between presses show all tiles lying there; weighing them would cost much.
    if not _is_interrupted(turns, clock) or not any(
        all(look.squares.best(square) is EMPTY for square in squares)
        for squares in may_come_off(known.best)
    ):
        return turns
    after = step(known, look.squares, LookContext(LookKind.BETWEEN), ref=look.seq)
    turn, evidence = after.best.turns[-1], after.looks[-1]
    plain = all(evidence.looks_bare(square, PLAIN) for square in turn.taken)
    least = SURE_IF_PLAIN if plain else SURE_WITHDRAWAL
    if turn.step is BoardChange.IDLE or margin_of_turn(after, -1) < least:
        return turns
    unchallenged = None if turns.is_challenged() else known
    off = TakenOff(at_ms=look.at_ms, before=known, unchallenged=unchallenged)
    return replace(turns, reconstruction=after, taken_off=off)


def _with_bare_noted(turns: Turns, look: Look) -> Turns:
    """The turns, with whether all of the last play was seen gone and does not lie there again."""
    play, off = turns.reconstruction.best.last_play, turns.taken_off
    if play is None:
        return turns
    seen = map(look.squares.best_and_margin, play.placed)
    is_bare = all(symbol is EMPTY and margin > PLAIN for symbol, margin in seen)
    if not is_bare and off.is_bare:
        board = turns.reconstruction.board
        is_bare = any(look.squares.best(sq) != face(board[sq]) for sq in play.placed)
    if is_bare == off.is_bare:
        return turns
    return replace(turns, taken_off=replace(off, is_bare=is_bare))


def cleared_first(turns: Turns, look: Look) -> Turns:
    """The turns, with a play that was seen gone where the board's clearing began with it."""
    off = turns.taken_off
    if off.unchallenged is None or look.at_ms - off.at_ms > CLEARING_MS:
        return turns
    return replace(turns, reconstruction=off.unchallenged, taken_off=TakenOff())


def _is_interrupted(turns: Turns, clock: TableClock) -> bool:
    """Whether the clock was stopped, or a challenge called, since the last press.

    Without that nobody takes tiles off by right: a play stays what it was at its press (TURN-3).
    """
    pressed_ms = 0 if turns.last is None else turns.last.at_ms
    return turns.is_challenged() or clock.stop_ms >= pressed_ms > 0


def _laid_again(turns: Turns, clock: TableClock, look: Look) -> Turns:
    """The turns as before a play was seen gone, where all lies again that went: it was put back.

    Not once the opponent's clock runs: who lays the same tiles then makes a play with them.
    """
    before = turns.taken_off.before
    if before is None or _is_opponents_turn(before, clock, look):
        return turns
    off = before.best.lying - turns.reconstruction.best.lying
    if not all(look.squares.best(sq) == face(before.board[sq]) for sq in off):
        return turns
    return replace(turns, reconstruction=before, taken_off=TakenOff())


def _is_opponents_turn(before: Reconstruction, clock: TableClock, look: Look) -> bool:
    """Whether the opponent of the player whose play went has had the time to lay tiles."""
    play, now = before.best.last_play, clock.now
    ran_ms = look.at_ms - now.at_ms
    return play is not None and now.running == 1 - play.player and ran_ms > HAND_MS


def with_rest_noted(turns: Turns, clock: TableClock, look: Look | None) -> Turns:
    """The turns with what a look shows gone of the last play, where the rest of it still lies.

    That is a wrong removal (CHAL-9) once the clock runs again: before that tiles are removed one by
    one. It is noted by a look without a tile of the next play, which must not be blamed for it.
    """
    bare = frozenset() if look is None else _gone_in_part(turns, clock, look)
    if look is None or not bare:
        return turns
    known = turns.reconstruction
    after = step(known, look.squares, LookContext(LookKind.BETWEEN), ref=look.seq)
    as_seen = only(after, lambda history: _only_lost(history, bare))
    if as_seen is None or stray_squares(as_seen):
        return turns
    return replace(turns, reconstruction=as_seen)


def _gone_in_part(turns: Turns, clock: TableClock, look: Look) -> frozenset[Square]:
    """The bare squares of the last play, all else of it plainly lying; none if noted before."""
    known = turns.reconstruction
    play = known.best.last_play
    if play is None or clock.now.running is None or not turns.is_challenged():
        return frozenset()
    seen = {sq: look.squares.best_and_margin(sq) for sq in play.placed}
    board, noted = known.board, {sq for sq, _ in known.best.astray}
    bare = frozenset(sq for sq, (symbol, _) in seen.items() if symbol is EMPTY)
    sure = all(
        margin > PLAIN and symbol in (EMPTY, face(board[sq]))
        for sq, (symbol, margin) in seen.items()
    )
    return bare if sure and len(bare) < len(seen) and not bare <= noted else frozenset()


def _only_lost(history: Hypothesis, bare: frozenset[Square]) -> bool:
    """Whether nothing was done on the board but that these tiles went."""
    return history.turns[-1].step is BoardChange.IDLE and bare <= {sq for sq, _ in history.astray}

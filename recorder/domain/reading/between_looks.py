"""What one look says beside another, what was said or stopped around it, what clocks say besides.

Questions of the fold (``table_fold``), and what is known of the last play when it was put back, or
taken off in part.
"""

from dataclasses import replace

from recorder.domain.board import SQUARES, Square
from recorder.domain.game import Laid
from recorder.domain.instruments import TurnedTile
from recorder.domain.observations import COVERED_SYMBOL, EMPTY_SYMBOL, BoardSeen, TurnAct
from recorder.domain.reading.histories.clearing import is_cleared, is_laid_out
from recorder.domain.reading.histories.hypotheses import (
    ILLEGAL,
    BoardChange,
    Hypothesis,
    LookContext,
    LookKind,
)
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.reconstruct import Reconstruction, only, step, stray_squares
from recorder.domain.reading.table_state import Look, TableState, play_out_points
from recorder.domain.reading.turns import Press
from recorder.domain.tiles import BLANK, face

MOST_COVERED = 0.06
"""Share of the board that may be covered in a look that decides a turn."""
TRUSTED_POSE = 0.45
HAND_TO_CLOCK_MS = 400
"""What began to move so shortly before a press is the hand on its way to the clock."""
AT_ONCE_MS = 1_500
"""Nobody lays tiles and stops the clock in so short a time after the opponent's press."""
BACK_MS = 10_000
"""Within so long the opponent presses back without having thought about a turn."""
_MOST_WAITED = 200
"""So many words of a clock before the first press are kept; it is set and tried more seldom."""


def is_clear(seen: BoardSeen) -> bool:
    """Whether a look can decide anything: the board found for sure, and hardly covered."""
    return seen.pose_score >= TRUSTED_POSE and seen.covered <= MOST_COVERED


def lying_since(state: TableState, look: Look) -> Look:
    """The look with the times since when the recorded tiles have read, and lain, as in it."""
    before, tiles = state.shown, state.known.best.occupied
    same = before is not None and all(
        before.squares.best(sq) == look.squares.best(sq) for sq in tiles
    )
    since_ms = before.same_since_ms if before is not None and same else look.at_ms
    bare_ms = look.at_ms if _is_bare(state, look) else _bare_until(state, before)
    turned = _turned_since(before, look)
    return replace(look, same_since_ms=since_ms, turned=turned, bare_ms=bare_ms)


def _bare_until(state: TableState, before: Look | None) -> int:
    """When the board was bare last, of a look that shows tiles: it was until something moved."""
    if before is None:
        return 0
    is_still = state.watched and state.stirred_ms is not None and before.bare_ms == before.at_ms
    return max(before.bare_ms, state.stirred_ms or 0) if is_still else before.bare_ms


def _is_bare(state: TableState, look: Look) -> bool:
    """Whether every square is bare that is free by the record."""
    tiles, seen = state.known.best.occupied, look.squares
    return all(
        seen.best(sq) == EMPTY_SYMBOL for sq in map(Square, range(SQUARES)) if sq not in tiles
    )


def _turned_since(before: Look | None, look: Look) -> tuple[tuple[TurnedTile, int], ...]:
    """The tiles that lie turned; one that is not surely read now lies as it lay."""
    now = dict(look.turned)
    earlier = dict(before.turned) if before is not None else {}
    shown = {tile: look.squares.best_and_margin(tile.square) for tile in earlier}
    kept = {
        tile: since_ms
        for tile, since_ms in earlier.items()
        if tile in now or shown[tile][0] == COVERED_SYMBOL or shown[tile][1] <= PLAIN
    }
    return tuple((now | kept).items())


def same_tiles(state: TableState, look: Look, other: Look) -> bool:
    """Whether two looks show the same on every square that is free by the record."""
    free = set(map(Square, range(SQUARES))) - state.known.best.occupied
    here, there = look.squares.symbols, other.squares.symbols
    return all(here[sq] == there[sq] for sq in free)


def lying_still(state: TableState, frame: str, at_ms: int) -> TableState:
    """The board lay until then as in the newest look, if that is the one named and still holds."""
    look = state.shown
    if look is None or look.frame != frame or state.stirred_ms is not None:
        return state
    return replace(state, lay=(look.seq, at_ms))


def lies_as_in(state: TableState, look: Look, press: Press) -> bool:
    """Whether the board lay at a press as in a look before it, by a camera that would tell."""
    stirred = state.stirred_ms is not None and state.stirred_ms < press.at_ms - HAND_TO_CLOCK_MS
    return state.watched and not stirred and not look.moving


def seen_late(
    state: TableState, known: Reconstruction, press: Press, look: Look
) -> tuple[tuple[int, int], ...]:
    """The turns of which the next player may have laid some tiles, with this one where it is such.

    Something moved between its press and the look that shows it, for longer than the quickest
    player needs; the look before shows other tiles. Only a camera that tells of movement says so.
    """
    late_ms = look.still_since_ms - press.at_ms
    if not state.watched or late_ms <= AT_ONCE_MS or not known.best.turns[-1].placed:
        return state.seen_late
    if state.recent is not None and same_tiles(state, state.recent, look):
        return state.seen_late
    return (*state.seen_late, (press.seq, late_ms))


def too_much(known: Reconstruction) -> int:
    """How many tiles the newest look shows beyond the one play that a turn can bring."""
    turn = known.best.turns[-1]
    against_rules = len(turn.placed) if turn.step in ILLEGAL else 0
    return len(stray_squares(known)) + len(turn.missed) + against_rules


def is_interrupted(state: TableState) -> bool:
    """Whether the clock was stopped, or a challenge called, since the last press.

    Without that nobody takes tiles off by right: a play stays what it was at its press (TURN-3).
    """
    return is_challenged(state) or state.over_ms >= _pressed_ms(state) > 0


def laid_again(state: TableState, look: Look) -> TableState:
    """The table as before a play was seen gone, where all lies again that went: it was put back."""
    before = state.off
    if before is None:
        return state
    off = before.best.lying - state.known.best.lying
    lies = all(look.squares.best(sq) == face(before.board[sq]) for sq in off)
    return replace(state, known=before, off=None, whole=None, taken_back_ms=0) if lies else state


def is_challenged(state: TableState, since: Press | None = None) -> bool:
    """Whether a challenge was called since a press, the last one where none is given."""
    since_ms = _pressed_ms(state) if since is None else since.at_ms
    return any(done.act is TurnAct.CHALLENGE and done.at_ms >= since_ms for done in state.acted)


def _pressed_ms(state: TableState) -> int:
    return state.presses[-1].at_ms if state.presses else 0


def set_back(state: TableState, *, seq: int) -> TableState:
    """The table, whose clock was just set going, with note that it runs for who pressed last."""
    clock, last = state.clock, state.presses[-1] if state.presses else None
    if last is None or clock.running != last.player:
        return state
    back = Press(seq, clock.at_ms, 1 - last.player, is_set=True)
    return replace(state, set_back=(*state.set_back, back))


def is_done(state: TableState) -> bool:
    """Whether the game was played out and the board is cleared: what comes now is another game."""
    return (
        state.over is not None
        and state.shown is not None
        and play_out_points(state.known) is not None
        and is_cleared(state.shown.squares, state.known.best)
    )


def noted(before: TableState, after: TableState, *, seq: int, at_ms: int) -> TableState:
    """The table with what is known beside the turns: before the first press, and at each one."""
    if len(after.presses) > len(before.presses) and before.shown is not None:
        shown = before.shown
        lain = (after.presses[-1].seq, shown.bare_ms, shown.still_since_ms)
        after = replace(after, lain=(*after.lain, lain))
    return _before_play(before, after, seq=seq, at_ms=at_ms)


def _before_play(before: TableState, after: TableState, *, seq: int, at_ms: int) -> TableState:
    """What is known before the first press: the clock's words, its start, the set laid out."""
    seen, total = after.shown, after.known.tile_set.total
    if seen is not before.shown and seen is not None and after.began_ms is None:
        is_set = is_laid_out(seen.squares, total)
        after = replace(after, laid_out=seen) if is_set else after
    if not after.presses and after.clock is not before.clock:
        opening, *said = (*after.waited, after.clock)
        after = replace(after, waited=(opening, *said[-_MOST_WAITED:]))
    return after if before.clock.running is not None else _begun(after, seq, at_ms)


def _begun(after: TableState, seq: int, at_ms: int) -> TableState:
    starts = after.began_ms is None and after.clock.running is not None
    return replace(after, began_ms=at_ms, began=seq) if starts else after


def ends_no_turn(state: TableState, press: Press, read: Reconstruction) -> bool:
    """Whether a press that is the newest, read as ``read``, only goes with a blank's letter.

    Whoever is asked for the letter writes it on the own time and presses once more: no turn, nor
    is the press by which the opponent sent the clock back (TURN-6, BLANK-2, BLANK-4). That happens
    once for a play, and only where a slip is in sight: elsewhere it looks like a pass, until the
    letter comes (``turned_back``). Whoever had the own half set going again after a press, for
    whatever reason, is still in the same turn.
    """
    last = _play_before(state, press, read)
    if last is None:
        return False
    if last.player == press.player:
        is_set_back = any(back.seq > last.seq for back in state.set_back)
        return bool(_blanks(state, last)) or (is_set_back and not is_challenged(state, last))
    return state.slip.is_seen and _asks(state, press, last)


def asked_by(
    state: TableState, press: Press, read: Reconstruction
) -> tuple[Press, Reconstruction] | None:
    """A press that may ask for a letter, and what was known before it (see ``turned_back``)."""
    last = _play_before(state, press, read)
    if last is None or last.player == press.player or not _asks(state, press, last):
        return None
    return press, state.known


def turned_back(state: TableState, press: Press, read: Reconstruction) -> TableState | None:
    """The table without a press that asked for a letter, once the owner gave it and presses again.

    None where the newest ``press``, read as ``read``, is no such one: then both were turns.
    """
    if state.asked is None or read.best.turns[-1].placed or read.best.turns[-1].taken:
        return None
    asked, known = state.asked
    if state.presses[-2:] != (asked, press) or asked.player == press.player:
        return None
    written = [entry.seq for entry in state.slip.letters if entry.letter]
    keyed = [
        done.seq
        for done in state.acted
        if done.act is TurnAct.BLANK and done.player == press.player
    ]
    if not any(asked.seq < seq < press.seq for seq in (*written, *keyed)):
        return None
    return replace(
        state,
        known=known,
        presses=state.presses[:-2],
        look_of=tuple(pair for pair in state.look_of if pair[0] != asked.seq),
        waiting=tuple(kept for kept in state.waiting if kept != press),
        sent_back=state.presses[-3].seq,
        asked=None,
    )


def _play_before(state: TableState, press: Press, read: Reconstruction) -> Press | None:
    """The press of a play, where the one after it brought nothing and nobody said what it was."""
    before = [earlier for earlier in state.presses if earlier.seq < press.seq]
    if not before or read.best.turns[-1].placed or read.best.turns[-1].taken:
        return None
    last, play = before[-1], state.known.best.last_play
    if play is None or play.player != last.player or _has_announced(state, press, last):
        return None
    return last


def _asks(state: TableState, press: Press, last: Press) -> bool:
    """Whether a press so soon after that of a play with an unnamed blank may ask for the letter."""
    at_once = press.at_ms - last.at_ms <= BACK_MS
    may_be = state.back_for_blank and state.sent_back != last.seq
    return may_be and at_once and BLANK in _blanks(state, last)


def _has_announced(state: TableState, press: Press, since: Press) -> bool:
    return any(heard.player == press.player and heard.seq > since.seq for heard in state.heard)


def _blanks(state: TableState, press: Press) -> str:
    """The blanks of the play that a press ended: small letters, ``?`` without one."""
    return "".join(
        tile
        for group in state.story()
        for event in group.events
        if group.ref == press.seq and isinstance(event, Laid)
        for tile in event.laid.values()
        if tile == BLANK or tile.islower()
    )


def with_rest_noted(state: TableState, look: Look | None) -> TableState:
    """The table with what a look shows gone of the last play, where the rest of it still lies.

    That is a wrong removal (CHAL-9) once the clock runs again: before that tiles come off one by
    one. It is noted by a look without a tile of the next play, for that is not to bear what went.
    """
    bare = frozenset() if look is None else _gone_in_part(state, look)
    if look is None or not bare:
        return state
    known = step(state.known, look.squares, LookContext(LookKind.BETWEEN), ref=look.seq)
    as_seen = only(known, lambda history: _has_left(history, bare))
    return state if as_seen is None or stray_squares(as_seen) else replace(state, known=as_seen)


def _gone_in_part(state: TableState, look: Look) -> frozenset[Square]:
    """The bare squares of the last play, all else of it plainly lying; none if noted before."""
    play = state.known.best.last_play
    if play is None or state.clock.running is None or not is_challenged(state):
        return frozenset()
    seen = {sq: look.squares.best_and_margin(sq) for sq in play.placed}
    board, noted = state.known.board, {sq for sq, _ in state.known.best.astray}
    bare = frozenset(sq for sq, (symbol, _) in seen.items() if symbol == EMPTY_SYMBOL)
    sure = all(
        margin > PLAIN and symbol in (EMPTY_SYMBOL, face(board[sq]))
        for sq, (symbol, margin) in seen.items()
    )
    return bare if sure and len(bare) < len(seen) and not bare <= noted else frozenset()


def _has_left(history: Hypothesis, bare: frozenset[Square]) -> bool:
    """Whether nothing was done on the board but that these tiles went."""
    return history.turns[-1].step is BoardChange.IDLE and bare <= {sq for sq, _ in history.astray}

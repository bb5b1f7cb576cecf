"""Which look shows which turn: the looks around presses and stops, weighed.

A turn is read from the first clear look taken after its press; where the board had moved since the
press, the look before it is tried too, for the next player may already be placing. Looks between
presses can only show that the last play was taken back (``withdrawals``).
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.notices import coded
from recorder.domain.reading.blank_query import asked_by, ends_no_turn, turned_back
from recorder.domain.reading.claimed_end import claims_the_end
from recorder.domain.reading.histories.hypotheses import ILLEGAL, BoardChange, laid_over
from recorder.domain.reading.looks import AT_ONCE_MS, HAND_TO_CLOCK_MS, NO_LOOK_MS, Look
from recorder.domain.reading.reconstruct import TWO_IN_ONE_LOOK, Reconstruction, stray_squares
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.table_turns import Turns, play_out_points
from recorder.domain.reading.withdrawals import cleared_first, seen_between
from recorder.domain.tiles import EMPTY
from recorder.domain.turns import Press


def too_much(known: Reconstruction) -> int:
    """How many tiles the newest look shows beyond the one play that a turn can bring."""
    turn = known.best.turns[-1]
    against_rules = len(turn.placed) if turn.step in ILLEGAL else 0
    laid_again = len(laid_over(known.best))
    return len(stray_squares(known)) + len(turn.missed) + against_rules + laid_again


def read_look(state: TableState, look: Look) -> TableState:
    """The table with the turns that a look shows."""
    due = [press for press in state.turns.unread if press.at_ms <= look.at_ms]
    if not due:
        if not state.turns.unread:
            state = _played_out(_between(state, look), look)
        return _as_newest(state, look)
    *earlier, press = due
    before = state
    for other in earlier:
        state = _read_late(state, other, look, read_with=press)
    known, used = _turn_shown(state, press, look)
    if not earlier and _shows_more(state, known):
        state = _read_with_newest(state, press)
        known, used = _turn_shown(state, press, look)
    if not earlier and _shows_nothing(known) and state.questions.laid_late is not None:
        state = _given_to_next(state, press)
        known, used = _turn_shown(state, press, look)
    if earlier and (state.turns.hides(press) or not _is_one_play(known)):
        # What an old look does not show was laid unseen, before a press that followed.
        state = _without_old_looks(before, earlier, press)
        known, used = _turn_shown(state, press, look)
    first, seen = before.turns.unread[0], before.looks.since_press
    # A board that changes between two looks is one where somebody lays the next play. One that
    # shows more than a play may be too; it can only be told apart, not blamed on a player.
    is_same = seen is not None and look.shows_same(seen, frozenset())
    is_same = is_same and (_is_one_play(known) or bool(state.turns.hides(press)))
    has_waited = (
        seen is not None and first.at_ms < seen.at_ms and (seen.at_ms <= press.at_ms or is_same)
    )
    if not has_waited and _waits(state, known, press, look):
        return _as_newest(before, look)
    turns, open_ = state.turns, state.questions
    if ends_no_turn(turns, state.clock, open_, press, known):
        presses = tuple(kept for kept in turns.presses if kept != press)
        turns = replace(turns, presses=presses, unread=turns.unread[1:])
        open_ = replace(open_, sent_back=presses[-1].seq)
        return _as_newest(replace(state, turns=turns, questions=open_), look)
    if (lettered := turned_back(turns, open_, press, known)) is not None:
        open_ = replace(open_, sent_back=lettered.presses[-1].seq, blank_query=None)
        return _as_newest(replace(state, turns=lettered, questions=open_), look)
    open_ = replace(open_, blank_query=asked_by(turns, open_, press, known))
    is_open = used is not look and not _is_confirmed(state, used, press)
    doubted = _doubted_if_late(state, known, press, used)
    is_old = used.still_since_ms - press.at_ms > NO_LOOK_MS
    is_open = is_open or bool(turns.hides(press)) or (is_old and doubted is not turns)
    open_ = replace(
        open_,
        unconfirmed=(turns, state.looks, used) if is_open else None,
        laid_late=_laid_late(state, known, press),
    )
    state = replace(state, turns=doubted, questions=open_).with_turn(known, press, used)
    return state if used is look else _as_newest(_between(state, look), look)


def read_cleared(state: TableState, look: Look) -> TableState:
    """The players clear the board, or it is not the board: such a look decides no turn.

    With the clock stopped they do, and the look before has to do for what still waits. A play that
    was seen gone a moment ago was cleared first, unless somebody challenged it.
    """
    state = replace(state, turns=cleared_first(state.turns, look))
    before = state.looks.since_press
    if state.clock.now.running is not None or before is None:
        return state
    if unread := state.turns.unread:
        for press in unread[:-1]:
            state = _read_late(state, press, before, read_with=unread[-1])
        state = state.with_turn(state.turns.read(unread[-1], before), unread[-1], before)
    state = _played_out(state, before)
    return replace(state, questions=replace(state.questions, stop=None))


def _as_newest(state: TableState, look: Look) -> TableState:
    return replace(state, looks=replace(state.looks, since_press=look))


def _between(state: TableState, look: Look) -> TableState:
    turns = seen_between(state.turns, state.clock, look)
    return state if turns is state.turns else replace(state, turns=turns)


def _waits(state: TableState, known: Reconstruction, press: Press, look: Look) -> bool:
    """Whether a look after an outage shows too late what lay there at a press.

    The next player may have laid tiles by then. The next press is waited for: then they are told
    apart, or all of them are a hole.
    """
    if not look.is_late(press.at_ms) or state.clock.now.running is None:
        return False
    is_unseen = state.looks.is_gone or bool(state.turns.hides(press))
    before = state.looks.since_press
    is_confirmed = before is not None and _is_confirmed(state, before, press)
    return is_unseen or (not is_confirmed and bool(too_much(known)))


def _is_confirmed(state: TableState, before: Look, press: Press) -> bool:
    """Whether the camera has said that the board lay at a press as in a look before it."""
    is_earlier = before.at_ms <= press.at_ms
    return is_earlier and state.looks.lay_as_in(before, press.at_ms - HAND_TO_CLOCK_MS)


def _is_one_play(known: Reconstruction) -> bool:
    """Whether the newest look shows one play, or none."""
    return not too_much(known)


def _shows_more(state: TableState, known: Reconstruction) -> bool:
    """Whether what the newest look shows at a press was not all laid for that turn.

    It can be no one play. Or it is none, and the turn before was seen so long after its press that
    this player may have laid by then: nobody knows whose tiles are the last, where no look at the
    press says so.
    """
    if state.questions.unconfirmed is None:
        return False
    before, _, used = state.questions.unconfirmed
    (old,) = before.unread
    has_moved = used.still_since_ms > old.at_ms
    is_later = has_moved if before.hides(old) else used.is_late(old.at_ms)
    is_none = known.best.turns[-1].step is BoardChange.NO_PLAY
    is_none = is_none and state.questions.laid_late is None
    return not _is_one_play(known) or (is_none and is_later)


def _read_with_newest(state: TableState, press: Press) -> TableState:
    """The table with the turn before a press not read by itself.

    Its look was an old one, or hides more turns. What lies at this press can be no one play, so a
    part of it was laid before the press before, or tiles that lay there then were taken back.
    """
    assert state.questions.unconfirmed is not None
    before, looks, _ = state.questions.unconfirmed
    (old,) = before.unread
    now = state.turns
    missed = tuple((press.seq if ref == old.seq else ref, other) for ref, other in before.missed)
    turns = replace(
        before,
        presses=now.presses,
        unread=(old, press),
        missed=missed,
        lost=now.lost,
        said=now.said,
    ).with_missed(old, press)
    layers = (*looks.layers, *state.looks.layers)
    looks = replace(state.looks, layers=layers, since_press=None)
    questions = replace(state.questions, unconfirmed=None)
    return replace(state, turns=turns, looks=looks, questions=questions)


def _shows_nothing(known: Reconstruction) -> bool:
    """Whether the newest look shows the board as the turn before left it."""
    newest = known.best.turns[-1]
    return not newest.placed and not newest.taken


def _laid_late(state: TableState, known: Reconstruction, press: Press) -> tuple[Turns, Look] | None:
    """The turns before a play that was laid only after its press, and the look that shows so."""
    before, placed = state.looks.since_press, known.best.turns[-1].placed
    if before is None or not placed or any(before.squares.best(sq) is not EMPTY for sq in placed):
        return None
    lay = before.at_ms <= press.at_ms and state.looks.lies_as_in(before, press.at_ms)
    return (state.turns, before) if lay and not state.turns.hides(press) else None


def _given_to_next(state: TableState, press: Press) -> TableState:
    """The table where the play that was laid after a press is that of the player who presses now.

    Nobody has laid anything since: it is likelier that the turn before was an exchange or a pass
    than that its player pressed first and laid then, and the opponent had no play.
    """
    assert state.questions.laid_late is not None
    before, look = state.questions.laid_late
    (old,) = before.unread
    now = state.turns
    turns = replace(before, presses=now.presses, unread=(old, press), said=now.said)
    questions = replace(state.questions, laid_late=None, unconfirmed=None)
    state = replace(state, turns=turns, questions=questions)
    return state.with_turn(turns.read(old, look, as_pressed=True), old, look)


def _without_old_looks(state: TableState, earlier: Sequence[Press], press: Press) -> TableState:
    """The table where looks from before an outage show none of the turns that were pressed in it.

    But for one that the camera has confirmed at its press.
    """
    for other in earlier:
        seen = state.looks.since_press
        if seen is not None and _is_confirmed(state, seen, other):
            state = state.with_turn(state.turns.read(other, seen, as_pressed=True), other, seen)
            continue
        looks = replace(state.looks, since_press=None)
        state = replace(state, turns=state.turns.with_missed(other, press), looks=looks)
    return state


def _read_late(state: TableState, press: Press, look: Look, *, read_with: Press) -> TableState:
    """A press that was followed by another before any look: a board that lay still shows both.

    Else the look before the press has to do; without one the turn is missed. So it is where that
    look shows no play and the board may have changed since: the camera was gone, was silent, or
    reported it.
    """
    shown = _read_at(state, press, look)
    if shown is not None:
        return state.with_turn(shown[0], press, shown[1])
    turns = state.turns.with_missed(press, read_with)
    return replace(state, turns=turns, looks=replace(state.looks, since_press=None))


def _read_at(state: TableState, press: Press, look: Look) -> tuple[Reconstruction, Look] | None:
    """How a press reads that another followed before any look, and from which; None: by none."""
    looks = state.looks
    if look.still_since_ms <= press.at_ms:
        return state.turns.read(press, look, as_pressed=True), look
    before = looks.since_press
    if before is None or before.at_ms > press.at_ms or looks.is_gone:
        return None
    known = state.turns.read(press, before)
    heard_ms = look.at_ms if looks.motion.since_ms is None else looks.motion.since_ms
    is_old = looks.has_stirred and not looks.lies_as_in(before, press.at_ms)
    is_old = is_old or heard_ms - press.at_ms > NO_LOOK_MS
    return None if is_old and not known.best.turns[-1].placed else (known, before)


def _played_out(state: TableState, after: Look) -> TableState:
    """The stop of the clock as the end of a turn, where a play was laid that ends the game.

    A player who plays out stops the clock and need not press it (END-2), be it that a draw fell
    short and the record has tiles left for the rack (BAGEND-1). Any other stop ends no turn: what
    lies on the board then may still be moved. A board that has lain still since a hand was on its
    way to the last press has no play of this turn on it. The look after the stop is then the row
    that says that the game is over, for the stop is the row of the turn.
    """
    stop, turns = state.questions.stop, state.turns
    if stop is None or turns.unread:
        return state
    pressed_ms = 0 if turns.last is None else turns.last.at_ms
    for look in (after, state.looks.since_press):
        if look is None or look.still_since_ms < pressed_ms - HAND_TO_CLOCK_MS:
            continue
        known = turns.read(stop, look)
        laid = known.best.turns[-1].placed and not too_much(known)
        is_out = play_out_points(known) is not None
        claims = look is after and claims_the_end(turns.reconstruction, known, stop.player)
        if laid and (is_out or claims):
            ended = replace(turns, presses=(*turns.presses, stop))
            if stop.at_ms - pressed_ms < AT_ONCE_MS:
                ended = ended.with_doubt(stop.seq, TWO_IN_ONE_LOOK)
            before = None if is_out else turns
            return replace(
                state,
                clock=replace(state.clock, stop_row=after.seq),
                turns=ended,
                questions=replace(state.questions, stop=None, before_claimed_end=before),
            ).with_turn(known, stop, look)
    return state


def _turn_shown(state: TableState, press: Press, after: Look) -> tuple[Reconstruction, Look]:
    """The turn that a press ended, and the look that shows it.

    If something moved between the press and the look after it, the look before the press counts
    where the later one shows tiles that no play explains (the next player's), or no longer shows
    tiles that the earlier one shows (taken back since).
    """
    turns, before = state.turns, None if state.looks.is_gone else state.looks.since_press
    lay_still = after.still_since_ms <= press.at_ms
    occupied = turns.occupied
    same = before is not None and before.shows_same(after, occupied)
    known = turns.read(press, after, as_pressed=lay_still or same)
    if before is None or lay_still or same:
        return known, after
    lies = state.looks.lies_as_in(before, press.at_ms)
    earlier = turns.read(press, before, as_pressed=lies)
    if turns.hides(press) and lies:
        return earlier, before
    gone = not known.best.occupied.issuperset(earlier.best.turns[-1].placed)
    if gone or too_much(earlier) < too_much(known):
        return earlier, before
    return known, after


def _doubted_if_late(state: TableState, known: Reconstruction, press: Press, look: Look) -> Turns:
    """The turns, this one doubted where the next player may have laid some of its tiles.

    Something moved between its press and the look that shows it, for longer than the quickest
    player needs; the look before shows other tiles. Only a camera that reports movement says so.
    """
    turns, late_ms = state.turns, look.still_since_ms - press.at_ms
    is_late = state.looks.motion.is_reported and late_ms > AT_ONCE_MS
    if not is_late or not known.best.turns[-1].placed:
        return turns
    before, occupied = state.looks.since_press, turns.occupied
    if before is not None and before.shows_same(look, occupied):
        return turns
    return turns.with_doubt(press.seq, coded("seen_late", seconds=f"{late_ms / 1000:.1f}"))

"""One table as a fold of observations: which look belongs to which press, and what it shows.

A press of the clock ends a turn (rulebook TURN-3), and so does stopping it after the play that
empties rack and bag (END-2). The turn is read from the first clear look
taken after the press; where the board had moved since the press, the look before it is tried too,
for the next player may already be placing. Looks between presses can only show that the last play
was taken back. What somebody says by a button is fitted to the turns in ``announcements``.
Everything here is a function of the observations in order, so a restart folds to the same state.
"""

from dataclasses import dataclass, replace

from recorder.domain.instruments import BagLifted, BagWeighed, BoardStill, ReachedIn, SlipSeen
from recorder.domain.observations import (
    EMPTY_SYMBOL,
    Acted,
    Announced,
    BoardNotSeen,
    BoardSeen,
    BoardStirred,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    RackCounted,
    RackSeen,
)
from recorder.domain.reading.between_looks import (
    AT_ONCE_MS,
    HAND_TO_CLOCK_MS,
    asked_by,
    ends_no_turn,
    is_challenged,
    is_clear,
    is_done,
    is_interrupted,
    laid_again,
    lies_as_in,
    lying_since,
    lying_still,
    noted,
    same_tiles,
    seen_late,
    set_back,
    too_much,
    turned_back,
    with_rest_noted,
)
from recorder.domain.reading.claimed_end import accepted_by_silence, claims_the_end, resumed
from recorder.domain.reading.clock import ends_turn, hear, set_clock
from recorder.domain.reading.histories.clearing import CLEARING_MS, is_cleared
from recorder.domain.reading.histories.extending import may_come_off
from recorder.domain.reading.histories.hypotheses import (
    BoardChange,
    LookContext,
    LookKind,
)
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.reconstruct import (
    Reconstruction,
    begin,
    margin_of_turn,
    step,
)
from recorder.domain.reading.table_state import Ahead, Look, TableState, play_out_points
from recorder.domain.reading.turns import Press
from recorder.domain.reading.without_press.by_hands import divided, reached_in
from recorder.domain.reading.without_press.forgotten_press import (
    begun_anew,
    is_late,
    player_to_move,
    set_going,
    spoken_of,
)
from recorder.domain.reading.without_press.said_at_table import said_at_table
from recorder.domain.reading.without_press.wrong_half import look_shown, pressed_amid, tiles_told
from recorder.domain.tiles import TileSet

SURE_WITHDRAWAL = 5.0
"""Nats by which a withdrawal must win when no press asks for a decision."""
SURE_IF_PLAIN = 1.5
"""The same where every square is bare beyond doubt."""
SURE_AT_PRESS = 5.0
"""Nats by which a play must win to be told from the look before its press."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamped:
    """An observation as logged: its row and the recorder's estimate of when it was made.

    ``hash`` is that of the row in the log's chain, where it is of one.
    """

    seq: int
    at_ms: int
    observation: Observation
    hash: str = ""


def open_table(
    tile_set: TileSet,
    *,
    starts_ms: tuple[int, int],
    left_player: int,
    by_sheets: bool = False,
    back_for_blank: bool = False,
) -> TableState:
    """A table before its first press; player 0 moves first."""
    clock = set_clock(starts_ms, left_player=left_player)
    return TableState(
        clock,
        begin(tile_set),
        by_sheets=by_sheets,
        back_for_blank=back_for_blank,
        waited=(clock,),
    )


def take(state: TableState, stamped: Stamped) -> TableState:
    """The table after one more observation."""
    after = state = accepted_by_silence(state, stamped.at_ms)
    match stamped.observation:
        case ClockPressed() as pressed:
            after = _pressed(state, stamped, pressed)
        case ClockChanged() as changed:
            after = _changed(state, stamped, changed)
        case BoardSeen() as seen if is_clear(seen):
            after = _looked(state, stamped, seen)
        case BoardStirred():
            after = replace(_stirred(state, stamped.at_ms), watched=True)
        case BoardStill(frame=frame):
            after = lying_still(state, frame, stamped.at_ms)
        case BoardNotSeen():
            after = _stirred(state, stamped.at_ms)
        case ReachedIn() as reached:
            after = reached_in(state, reached, seq=stamped.seq, at_ms=stamped.at_ms)
        case Announced() | Acted() | RackSeen() | SlipSeen() as said:
            heard = spoken_of(state, said, _read_drawn) if isinstance(said, Acted) else state
            after = said_at_table(heard, said, seq=stamped.seq, at_ms=stamped.at_ms)
    if isinstance(stamped.observation, RackCounted | RackSeen | BagLifted | BagWeighed):
        sensed = stamped.observation
        after = tiles_told(after, sensed, _read_drawn, seq=stamped.seq, at_ms=stamped.at_ms)
    return noted(state, after, seq=stamped.seq, at_ms=stamped.at_ms)


def weigh_ahead(state: TableState) -> Ahead | None:
    """The newest look weighed for the press that may come; None where ``at_press`` needs none."""
    look, player = state.recent, state.clock.running
    if look is None or look.moving or player is None or state.waiting:
        return None
    read = step(state.known, look.squares, LookContext(player=player, as_pressed=True), ref=0)
    return Ahead(state.known, look, player, read)


def at_press(state: TableState, ahead: Ahead | None = None) -> TableState:
    """The table with the turn just ended already read, where the look before the press shows it.

    A board that has lain still since that look is the board at the press, so there is nothing to
    wait for. Only a camera that says when something moves can promise that, and only a sure play
    is told; everything else waits for the look after the press, which decides in any case. Once the
    camera has said that the board lay so until shortly before the press, that look will show no
    more: then a play is told that wins by less, or has a letter in doubt.
    ``ahead`` is what ``weigh_ahead`` gave before the press.
    """
    look = state.recent
    if len(state.waiting) != 1 or look is None:
        return state
    (press,) = state.waiting
    was_over = state.over is not None and state.over_ms < press.at_ms  # not by a stop since
    lay_still = state.lay_as_in(look, press.at_ms - HAND_TO_CLOCK_MS)
    if was_over or not (lay_still or lies_as_in(state, look, press)):
        return state
    if ahead is not None and ahead.fits(state, press.player):
        known = ahead.of_press(press)
    else:
        known = _read(state, press, look, as_pressed=True)
    turn, proposal = known.best.turns[-1], known.proposals()[-1]
    if lay_still:
        sure = all(doubt.code == "weak_letter" for doubt in proposal.doubts)
    else:
        sure = proposal.log_odds >= SURE_AT_PRESS and not proposal.doubts
    if not (turn.placed and sure) or too_much(known):
        return state
    return replace(_with_turn(state, known, press, look), waiting=())


def _read_drawn(state: TableState, press: Press, look: Look) -> Reconstruction:
    return _read(state, press, look, as_pressed=True)


def _stirred(state: TableState, at_ms: int) -> TableState:
    """The newest look may no longer hold."""
    return state if state.stirred_ms is not None else replace(state, stirred_ms=at_ms)


def _pressed(state: TableState, stamped: Stamped, pressed: ClockPressed) -> TableState:
    player, state = ends_turn(state.clock, pressed), replace(state, by_hands=None)
    if player is not None:
        press = Press(stamped.seq, stamped.at_ms, player)
        state, player = pressed_amid(state, press, _read_drawn)
    clock = hear(state.clock, pressed, at_ms=stamped.at_ms)
    if player is None:
        state = set_going(state, clock, _read_drawn)
    elif is_late(state, player):
        player = None
    if is_done(state):
        return replace(state, clock=clock)
    if player is None:
        runs = clock.running is not None
        going = replace(state, over=None, stopped=None, left_at_end=None) if runs else state
        after = set_back(replace(going, clock=clock), seq=stamped.seq)
        return with_rest_noted(after, state.recent)
    press = Press(stamped.seq, stamped.at_ms, player)
    return replace(
        begun_anew(state),
        clock=clock,
        presses=(*state.presses, press),
        waiting=(*state.waiting, press),
    )


def _changed(state: TableState, stamped: Stamped, changed: ClockChanged) -> TableState:
    clock, player = hear(state.clock, changed, at_ms=stamped.at_ms), player_to_move(state)
    state = set_going(replace(state, by_hands=None), clock, _read_drawn)
    if changed.act is ClockAct.RESUME and not is_done(state):
        return with_rest_noted(resumed(state, clock, seq=stamped.seq), state.recent)
    stands = changed.act in (ClockAct.PAUSE, ClockAct.RESET)
    if not stands or state.over is not None:
        return replace(state, clock=clock)
    stop = (
        None
        if player is None or state.clock.running is None
        else Press(stamped.seq, stamped.at_ms, player)
    )
    state = replace(state, over=stamped.seq, over_ms=stamped.at_ms, held=state.shown)
    return replace(state, clock=clock, stopped=stop)


def _looked(state: TableState, stamped: Stamped, seen: BoardSeen) -> TableState:
    look = Look(
        stamped.seq,
        stamped.at_ms,
        stamped.at_ms - seen.still_ms,
        seen.squares,
        seen.moving,
        letters_turned=seen.letters_turned,
        turned=tuple((tile, stamped.at_ms) for tile in seen.turned_tiles),
        frame=seen.frame,
    )
    if not look.moving:
        state = replace(state, shown=lying_since(state, look))
    if is_cleared(look.squares, state.known.best):
        return _stirred(_cleared(state, look), look.at_ms)
    if state.by_hands is not None:
        return replace(divided(state, look), stirred_ms=None)
    return replace(_seen(look_shown(state, look, _read_drawn), look), stirred_ms=None)


def _seen(state: TableState, look: Look) -> TableState:
    due = [press for press in state.waiting if press.at_ms <= look.at_ms]
    if not due:
        after = _played_out(_between(state, look), look) if not state.waiting else state
        return replace(after, recent=look)
    for press in due[:-1]:
        state = _read_late(state, press, look, read_with=due[-1])
    press = due[-1]
    known, used = _turn_shown(state, press, look)
    if ends_no_turn(state, press, known):
        presses = tuple(kept for kept in state.presses if kept != press)
        waits = replace(state, presses=presses, waiting=state.waiting[1:], recent=look)
        return replace(waits, sent_back=presses[-1].seq)
    if (lettered := turned_back(state, press, known)) is not None:
        return replace(lettered, recent=look)
    asked, late = asked_by(state, press, known), seen_late(state, known, press, used)
    state = replace(state, seen_late=late, asked=asked)
    after = replace(_with_turn(state, known, press, used), waiting=state.waiting[1:])
    return after if used is look else replace(_between(after, look), recent=look)


def _cleared(state: TableState, look: Look) -> TableState:
    """The players clear the board, or it is not the board: such a look decides no turn.

    With the clock stopped they do, and the look before has to do for what still waits. A play that
    was seen gone a moment ago was cleared first, unless somebody challenged it.
    """
    if state.whole is not None and look.at_ms - state.taken_back_ms <= CLEARING_MS:
        state = replace(state, known=state.whole, whole=None, taken_back_ms=0)
    before = state.recent
    if state.clock.running is not None or before is None:
        return state
    for press in state.waiting:
        state = _with_turn(state, _read(state, press, before), press, before)
    return replace(_played_out(replace(state, waiting=()), before), stopped=None)


def _read_late(state: TableState, press: Press, look: Look, *, read_with: Press) -> TableState:
    """A press that was followed by another before any look: a board that lay still shows both.

    Else the look before the press has to do; without one the turn is missed. So it is where that
    look shows no play and the board may have changed since: the camera was gone, or told of it.
    """
    witness = look if look.still_since_ms <= press.at_ms else state.recent
    lost = (*state.missed, (read_with.seq, press))
    missed = replace(state, missed=lost, waiting=state.waiting[1:], recent=None)
    if witness is None:
        return missed
    known = _read(state, press, witness, as_pressed=witness is look)
    is_old = state.stirred_ms is not None and not lies_as_in(state, witness, press)
    if witness is not look and is_old and not known.best.turns[-1].placed:
        return missed
    after = _with_turn(state, known, press, witness)
    return replace(after, waiting=state.waiting[1:])


def _played_out(state: TableState, after: Look) -> TableState:
    """The stop of the clock as the end of a turn, where a play was laid that ends the game.

    Whoever plays out stops the clock and need not press it (END-2), be it that a draw fell short
    and the record has tiles left for the rack (BAGEND-1). Any other stop ends no turn:
    what lies on the board then may still be moved. A board that has lain still since a hand was on
    its way to the last press has no play of this turn on it. The look after the stop is then the
    row that says that the game is over, for the stop is the row of the turn.
    """
    stop = state.stopped
    if stop is None or state.waiting:
        return state
    pressed_ms = state.presses[-1].at_ms if state.presses else 0
    for look in (after, state.recent):
        if look is None or look.still_since_ms < pressed_ms - HAND_TO_CLOCK_MS:
            continue
        known = _read(state, stop, look)
        laid = known.best.turns[-1].placed and not too_much(known)
        is_out = play_out_points(known) is not None
        claims = look is after and claims_the_end(state.known, known, stop.player)
        if laid and (is_out or claims):
            ended = replace(
                state,
                presses=(*state.presses, stop),
                stopped=None,
                over=after.seq,
                at_once=stop.seq if stop.at_ms - pressed_ms < AT_ONCE_MS else None,
                claimed=None if is_out else state,
            )
            return _with_turn(ended, known, stop, look)
    return state


def _with_turn(state: TableState, known: Reconstruction, press: Press, look: Look) -> TableState:
    look_of = (*state.look_of, (press.seq, look.seq))
    turned = state.turned
    if look.letters_turned is not None:
        turned = (*turned, (press.seq, look.letters_turned))
    return replace(
        state, known=known, look_of=look_of, turned=turned, recent=None, whole=None, off=None
    )


def _turn_shown(state: TableState, press: Press, after: Look) -> tuple[Reconstruction, Look]:
    """The turn that a press ended, and the look that shows it.

    If something moved between the press and the look after it, the look before the press counts
    where the later one shows tiles that no play explains (the next player's) or lacks tiles that
    the earlier one shows (taken back since).
    """
    before = state.recent
    lay_still = after.still_since_ms <= press.at_ms
    same = before is not None and same_tiles(state, before, after)
    known = _read(state, press, after, as_pressed=lay_still or same)
    if before is None or lay_still or same:
        return known, after
    earlier = _read(state, press, before, as_pressed=lies_as_in(state, before, press))
    gone = not known.best.occupied.issuperset(earlier.best.turns[-1].placed)
    if gone or too_much(earlier) < too_much(known):
        return earlier, before
    return known, after


def _read(
    state: TableState, press: Press, look: Look, *, as_pressed: bool = False
) -> Reconstruction:
    missed = any(with_ == press.seq for with_, _ in state.missed)
    kept = bool(state.missed)
    context = LookContext(LookKind.PRESS, press.player, missed, as_pressed, keeps_splits=kept)
    return step(state.known, look.squares, context, ref=press.seq)


def _between(state: TableState, look: Look) -> TableState:
    state = with_rest_noted(laid_again(state, look), look)
    # Most looks between presses show all tiles lying there; weighing them would cost much.
    if not is_interrupted(state) or not any(
        all(look.squares.best(square) == EMPTY_SYMBOL for square in squares)
        for squares in may_come_off(state.known.best)
    ):
        return state
    known = step(state.known, look.squares, LookContext(LookKind.BETWEEN), ref=look.seq)
    turn, evidence = known.best.turns[-1], known.looks[-1]
    plain = all(evidence.looks_bare(square, PLAIN) for square in turn.taken)
    least = SURE_IF_PLAIN if plain else SURE_WITHDRAWAL
    if turn.step is BoardChange.IDLE or margin_of_turn(known, -1) < least:
        return state
    whole = None if is_challenged(state) else state.known
    return replace(state, known=known, taken_back_ms=look.at_ms, whole=whole, off=state.known)

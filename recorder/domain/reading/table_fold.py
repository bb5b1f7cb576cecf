"""One table as a fold of observations: which look belongs to which press, and what it shows.

A press of the clock ends a turn (rulebook TURN-3), and so does stopping it after the play that
empties rack and bag (END-2). What else ends a turn, or shows that a press ended none, is asked in
``turn_ends``. Everything here is a function of the observations in order, so a restart folds to
the same state.
"""

from dataclasses import dataclass, replace

from recorder.domain.instruments import BagLifted, BagWeighed, BoardStill, ReachedIn, SlipSeen
from recorder.domain.observations import (
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
from recorder.domain.reading.claimed_end import accepted_by_silence, resumed, silence_ends_ms
from recorder.domain.reading.clock import ends_turn, hear, set_clock, shows_lost_press
from recorder.domain.reading.histories.clearing import (
    is_back,
    is_cleared,
    is_laid_out,
    is_without_last_play,
)
from recorder.domain.reading.histories.hypotheses import LookContext
from recorder.domain.reading.looks import HAND_TO_CLOCK_MS, Look, Looks, is_clear
from recorder.domain.reading.open_questions import OpenQuestions
from recorder.domain.reading.reconstruct import begin, step
from recorder.domain.reading.table_clock import TableClock
from recorder.domain.reading.table_state import PrecomputedReading, TableState
from recorder.domain.reading.table_turns import TableTalk, Turns, play_out_points
from recorder.domain.reading.turn_ends.draw_before_press import (
    challenge_before_press,
    draw_ends_ms,
    ended_in_time,
    is_late,
    player_to_move,
    set_going,
)
from recorder.domain.reading.turn_ends.hand_split_turns import divided, reached_in
from recorder.domain.reading.turn_ends.settled_layers import ended_by_layers
from recorder.domain.reading.turn_ends.table_talk import apply_table_talk
from recorder.domain.reading.turn_ends.wrong_half import (
    apply_rack_count,
    look_shown,
    press_during_opponents_turn,
)
from recorder.domain.reading.turn_looks import read_cleared, read_look, too_much
from recorder.domain.reading.withdrawals import with_rest_noted
from recorder.domain.tiles import TileSet
from recorder.domain.turns import Press

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
    now = set_clock(starts_ms, left_player=left_player)
    return TableState(
        clock=TableClock(now=now, before_play=(now,)),
        looks=Looks(),
        turns=Turns(reconstruction=begin(tile_set), said=TableTalk(by_sheets=by_sheets)),
        questions=OpenQuestions(back_for_blank=back_for_blank),
    )


def time_ends_ms(state: TableState) -> int | None:
    """When time alone ends the newest turn or the game, if nobody says anything until then."""
    ends = [silence_ends_ms(state), draw_ends_ms(state)]
    return min((end_ms for end_ms in ends if end_ms is not None), default=None)


def after_time(state: TableState, now_ms: int) -> TableState:
    """The table once that time has passed."""
    return accepted_by_silence(ended_in_time(state, now_ms), now_ms)


def take(state: TableState, stamped: Stamped) -> TableState:
    """The table after one more observation."""
    seq, at_ms = stamped.seq, stamped.at_ms
    after = state = after_time(state, at_ms)
    match stamped.observation:
        case ClockPressed() as pressed:
            after = _pressed(state, stamped, pressed)
        case ClockChanged() as changed:
            after = _changed(state, stamped, changed)
        case BoardSeen() as seen if is_clear(seen):
            after = _looked(state, Look.of(seen, seq=seq, at_ms=at_ms))
        case BoardStirred():
            looks = state.looks.stirred(at_ms)
            motion = replace(looks.motion, is_reported=True)
            after = replace(state, looks=replace(looks, motion=motion))
        case BoardStill(frame=frame):
            after = replace(state, looks=state.looks.lying_still(frame, at_ms))
        case BoardNotSeen():
            after = replace(state, looks=state.looks.stirred(at_ms).gone())
        case ReachedIn() as reached:
            after = reached_in(state, reached, seq=seq, at_ms=at_ms)
        case Announced() | Acted() | RackSeen() | SlipSeen() as said:
            heard = challenge_before_press(state, said) if isinstance(said, Acted) else state
            after = apply_table_talk(heard, said, seq=seq, at_ms=at_ms)
    if isinstance(stamped.observation, RackCounted | RackSeen | BagLifted | BagWeighed):
        after = apply_rack_count(after, stamped.observation, seq=seq, at_ms=at_ms)
    return _noted(state, after, stamped)


def _noted(before: TableState, after: TableState, stamped: Stamped) -> TableState:
    """The table with what is kept beside the turns: before the first press, and at each one."""
    presses, looks = after.turns.presses, after.looks
    shown = before.looks.latest
    is_new = len(presses) > len(before.turns.presses)
    if is_new and shown is not None:
        lay = (presses[-1].seq, shown.bare_ms, shown.still_since_ms)
        looks = replace(looks, before_presses=(*looks.before_presses, lay))
    latest = looks.latest
    if latest is not None and latest is not shown and after.clock.started_ms is None:
        total = after.turns.tile_set.total
        if is_laid_out(latest.squares, total):
            looks = replace(looks, laid_out=latest)
    clock = after.clock.noted(
        before.clock,
        seq=stamped.seq,
        at_ms=stamped.at_ms,
        press=presses[-1] if presses else None,
        is_new=is_new,
    )
    if looks is after.looks and clock is after.clock:
        return after
    return replace(after, looks=looks, clock=clock)


def precompute_reading(state: TableState) -> PrecomputedReading | None:
    """The newest look weighed for the press that may come; None where ``at_press`` needs none."""
    look, player, known = (
        state.looks.since_press,
        state.clock.now.running,
        state.turns.reconstruction,
    )
    if look is None or look.moving or player is None or state.turns.unread:
        return None
    read = step(known, look.squares, LookContext(player=player, as_pressed=True), ref=0)
    return PrecomputedReading(known, look, player, read)


def at_press(state: TableState, ahead: PrecomputedReading | None = None) -> TableState:
    """The table with the turn just ended already read, where the look before the press shows it.

    A board that has lain still since that look is the board at the press, so there is nothing to
    wait for. Only a camera that says when something moves can promise that, and only a sure play is
    reported; everything else waits for the look after the press, which decides in any case. Once
    the camera has said that the board lay so until shortly before the press, that look will show no
    more: then a play is reported that wins by less, or has a letter in doubt. ``ahead`` is what
    ``precompute_reading`` gave before the press.
    """
    look, turns, clock = state.looks.since_press, state.turns, state.clock
    if len(turns.unread) != 1 or look is None or state.looks.is_gone:
        return state
    (press,) = turns.unread
    if turns.hides(press):
        return state
    was_over = clock.stop_row is not None and clock.stop_ms < press.at_ms  # not by a stop since
    lay_still = state.looks.lay_as_in(look, press.at_ms - HAND_TO_CLOCK_MS)
    if was_over or not (lay_still or state.looks.lies_as_in(look, press.at_ms)):
        return state
    if ahead is not None and ahead.fits(state, press.player):
        known = ahead.of_press(press)
    else:
        known = turns.read(press, look, as_pressed=True)
    reading, turn = known.best.turns[-1], known.turns[-1]
    if lay_still:
        sure = all(doubt.code == "weak_letter" for doubt in turn.doubts)
    else:
        sure = turn.log_odds >= SURE_AT_PRESS and not turn.doubts
    if not (reading.placed and sure) or too_much(known):
        return state
    return state.with_turn(known, press, look)


def is_done(state: TableState) -> bool:
    """Whether the board is cleared and the game over: what comes now is another game.

    It was played out, or both halves have the full time again.
    """
    clock, away_ms = state.clock, state.looks.away_since_ms
    if clock.stop_row is None or away_ms is None:
        return False
    is_reset = clock.reset_ms >= away_ms
    return is_reset or play_out_points(state.turns.reconstruction) is not None


def _pressed(state: TableState, stamped: Stamped, pressed: ClockPressed) -> TableState:
    player, lost = ends_turn(state.clock.now, pressed), _presses_lost(state, stamped, pressed)
    state = replace(state, questions=replace(state.questions, by_hands=None))
    if lost:
        player = state.clock.now.player(pressed.side)
    elif player is not None:
        press = Press(stamped.seq, stamped.at_ms, player)
        state, player = press_during_opponents_turn(state, press)
    now = hear(state.clock.now, pressed, at_ms=stamped.at_ms)
    state = replace(state, clock=replace(state.clock, lost_press=False))
    if player is None:
        state = set_going(state, now)
    elif is_late(state, player):
        player = None
    if is_done(state):
        return replace(state, clock=replace(state.clock, now=now))
    if player is not None:
        press = Press(stamped.seq, stamped.at_ms, player)
        state, shown = (state, None) if lost else ended_by_layers(state, press)
        state = replace(
            state,
            clock=replace(state.clock, now=now),
            looks=state.looks.at_press(press.at_ms),
            turns=state.turns.with_press(press, lost=lost),
            questions=state.questions.next_turn(),
        )
        if shown is None:
            return state
        known = state.turns.read(press, shown, as_pressed=True)
        return state.with_turn(known, press, shown)
    clock, questions = replace(state.clock, now=now), state.questions
    if now.running is not None:
        clock, questions = clock.going_on(), replace(questions, stop=None)
    clock = clock.set_back_after(state.turns.last, seq=stamped.seq)
    turns = with_rest_noted(state.turns, clock, state.looks.since_press)
    return replace(state, clock=clock, turns=turns, questions=questions)


def _presses_lost(state: TableState, stamped: Stamped, pressed: ClockPressed) -> int:
    """How many presses went unheard before this one, at least; 0 where the times show none.

    Players press in turn: the number is even where this player is on turn by the record.
    """
    clock, turns = state.clock, state.turns
    player = clock.now.player(pressed.side)
    is_shown = clock.lost_press or shows_lost_press(clock.now, pressed, at_ms=stamped.at_ms)
    if player is None or not is_shown or is_late(state, player):
        return 0
    first = 0 if turns.last is None else 1 - turns.last.player
    stood_in = any(
        press.seq in turns.unpressed and press.at_ms > clock.now.at_ms for press in turns.presses
    )
    return 1 if player != first else 0 if stood_in else 2


def _changed(state: TableState, stamped: Stamped, changed: ClockChanged) -> TableState:
    was_set = changed.act in (ClockAct.ADJUST, ClockAct.RESET)
    if not was_set and shows_lost_press(state.clock.now, changed, at_ms=stamped.at_ms):
        state = replace(state, clock=replace(state.clock, lost_press=True))
    now, player = hear(state.clock.now, changed, at_ms=stamped.at_ms), player_to_move(state)
    ran = state.clock.now.running is not None
    state = replace(state, questions=replace(state.questions, by_hands=None))
    state = set_going(state, now)
    if changed.act is ClockAct.RESUME and not is_done(state):
        look = state.looks.since_press
        state = resumed(state, now, seq=stamped.seq)
        return replace(state, turns=with_rest_noted(state.turns, state.clock, look))
    reset_ms = stamped.at_ms if changed.act is ClockAct.RESET else 0
    clock = replace(state.clock, now=now, reset_ms=reset_ms if was_set else state.clock.reset_ms)
    if changed.act is ClockAct.RESET and not state.turns.presses:
        clock = replace(clock, started_ms=None, started_row=0)
    stands = changed.act in (ClockAct.PAUSE, ClockAct.RESET)
    if not stands or clock.stop_row is not None:
        return replace(state, clock=clock)
    is_turn = player is not None and ran
    stop = Press(stamped.seq, stamped.at_ms, player) if player is not None and is_turn else None
    return replace(
        state,
        clock=clock.stopped(stamped.seq, stamped.at_ms),
        looks=replace(state.looks, at_stop=state.looks.latest),
        questions=replace(state.questions, stop=stop),
    )


def _looked(state: TableState, look: Look) -> TableState:
    known = state.turns.reconstruction
    if state.looks.came_unstirred(look, known.best.occupied):
        state = replace(state, looks=state.looks.gone())
    state = replace(state, looks=state.looks.with_look(look, known.best.occupied))
    by_hands, away_ms = state.questions.by_hands is not None, state.looks.away_since_ms
    if _is_away(state, look):
        state = read_cleared(state, look)
        away_ms = look.at_ms if away_ms is None else away_ms
        return replace(state, looks=replace(state.looks.stirred(look.at_ms), away_since_ms=away_ms))
    state = divided(state, look) if by_hands else read_look(look_shown(state, look), look)
    motion = replace(state.looks.motion, since_ms=None, is_gone=False)
    looks = replace(state.looks, motion=motion, away_since_ms=None)
    return replace(state, looks=looks)


def _is_away(state: TableState, look: Look) -> bool:
    """Whether a look shows the board without its game: cleared, or not laid out again since."""
    known, squares = state.turns.reconstruction, look.squares
    if is_cleared(squares, known.best, known.board):
        return True
    if state.looks.away_since_ms is None or state.questions.by_hands is not None:
        return False
    # Who lays a board out again lays the last play too; until a press it is not taken back.
    waits = not state.turns.unread and not state.turns.is_challenged()
    is_short = waits and is_without_last_play(squares, known.best)
    return is_short or not is_back(squares, known.best, known.board)

"""A table where no clock speaks: a camera shows who reaches in, and turns are divided by that.

Functions of the fold (``table_fold``). A turn counts once the next one has begun, the other player
has reached in, or its tiles have lain for ten seconds; until then the pages show it as forming. The
first word of a clock ends this for the rest of the game: its presses are the better witness.
"""

from dataclasses import replace

from recorder.domain.instruments import ReachedIn
from recorder.domain.observations import SquareCosts
from recorder.domain.reading.histories.evidence import weigh
from recorder.domain.reading.histories.hypotheses import LookKind
from recorder.domain.reading.looks import Look
from recorder.domain.reading.open_questions import HandSplitTurns
from recorder.domain.reading.reconstruct import Reconstruction, step
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.table_turns import play_out_points
from recorder.domain.reading.turn_ends.play_next_to_misread import doubts_next_to_misread
from recorder.domain.reading.turn_ends.split_looks import SplitLook, SplitTurn
from recorder.domain.reading.turn_ends.turn_splitter import TurnSplitter, divide
from recorder.domain.reading.turn_ends.unseen_turn_pairs import doubts_of_pairs
from recorder.domain.turns import Press


def reached_in(state: TableState, reached: ReachedIn, *, seq: int, at_ms: int) -> TableState:
    """The table after a camera has reported who reached in; nothing where a clock has spoken.

    Where its pictures have ended, what lies there counts; should they begin again, it may change.
    """
    if state.clock.now.heard:
        return state
    hands = state.questions.by_hands or HandSplitTurns(
        TurnSplitter(learns=True), state.turns.reconstruction
    )
    hands = replace(
        hands,
        reached=(*hands.reached, *reached.edges),
        arms=(*hands.arms, *(reached.arms or reached.edges)),
        reached_row=seq,
    )
    if not reached.ended:
        return replace(state, questions=replace(state.questions, by_hands=hands))
    standing = hands.division.ended().turns[len(hands.division.turns) :]
    return _as_divided(state, hands, hands.division, standing, row=seq, at_ms=at_ms)


def divided(state: TableState, look: Look) -> TableState:
    """The table after a clear look that is not asked of any press."""
    hands = state.questions.by_hands
    if hands is None or look.moving:
        return state
    seen = SplitLook.of(
        weigh(look.squares, state.turns.tile_set, ref=look.seq),
        ref=look.seq,
        earlier_ref=hands.reached_row,
        at_ms=look.at_ms,
        reached=hands.reached,
        arms=hands.arms,
    )
    division = divide(hands.division, seen)
    shown = replace(hands, reached=(), arms=(), looks=(*hands.looks, (look.seq, look.squares)))
    standing = division.standing(look.at_ms)
    return _as_divided(state, shown, division, standing, row=look.seq, at_ms=look.at_ms)


def said_no_play(state: TableState, player: int, *, seq: int, at_ms: int) -> TableState:
    """The table after an exchange or a pass was said by a button: that is a turn by itself."""
    hands = state.questions.by_hands
    if hands is None:
        return state
    division = hands.division.without_play(player, ref=seq, at_ms=at_ms)
    standing = division.standing(at_ms)
    return _as_divided(state, hands, division, standing, row=seq, at_ms=at_ms)


def _as_divided(
    state: TableState,
    hands: HandSplitTurns,
    division: TurnSplitter,
    standing: tuple[SplitTurn, ...],
    *,
    row: int,
    at_ms: int,
) -> TableState:
    """The table with the turns that are over by now, and those that stand so far."""
    looks = dict(hands.looks)
    over = division.turns[len(hands.division.turns) :]
    closed = _with_turns(hands.closed, over, looks)
    known = _with_turns(closed, standing, looks)
    turns = (*division.turns, *standing)
    pairs = doubts_of_pairs([turn.pause for turn in turns])
    doubts = {turn.ref: (*turn.doubts, *pair) for turn, pair in zip(turns, pairs, strict=True)}
    for ref, doubt in doubts_next_to_misread(known):
        doubts[ref] = (*doubts.get(ref, ()), doubt)
    needed = division.looks_needed
    kept = tuple((ref, squares) for ref, squares in hands.looks if ref in needed)
    is_out = bool(turns) and play_out_points(known) is not None
    ended = (state.clock.stop_row or row, state.clock.stop_ms or at_ms) if is_out else (None, 0)
    begun = division.laid is not None or turns
    running = division.on_turn if begun and not is_out else None
    if standing and running is not None:
        running = 1 - division.on_turn
    pressed = [turn for turn in turns if turn.kind is LookKind.PRESS]
    hands = replace(hands, division=division, closed=closed, looks=kept)
    return TableState(
        clock=replace(
            state.clock,
            now=replace(state.clock.now, running=running, at_ms=at_ms),
            stop_row=ended[0],
            stop_ms=ended[1],
        ),
        looks=replace(state.looks, at_stop=state.looks.latest if is_out else None),
        turns=replace(
            state.turns,
            reconstruction=known,
            presses=tuple(_press(turn) for turn in pressed),
            look_of=tuple((turn.ref, turn.look) for turn in pressed),
            doubts=tuple((ref, said) for ref, said in doubts.items() if said),
        ),
        questions=replace(state.questions, by_hands=hands),
    )


def _press(turn: SplitTurn) -> Press:
    assert turn.player is not None
    return Press(turn.ref, turn.at_ms, turn.player)


def _with_turns(
    known: Reconstruction, turns: tuple[SplitTurn, ...], looks: dict[int, SquareCosts]
) -> Reconstruction:
    for turn in turns:
        known = step(known, looks[turn.look], turn.context, ref=turn.ref)
    return known

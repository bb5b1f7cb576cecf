"""The turns folded again after orders: scores on the board that now holds, and what no longer fits.

Nothing is dropped in silence and nothing raises: a play whose squares are taken keeps its points
and what of it can lie, a withdrawal without its play is left out, and both become doubts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from recorder.domain.board import Square, name_across
from recorder.domain.errors import NotationError, RecorderError
from recorder.domain.game import (
    TURNS,
    GameEvent,
    GameState,
    IllegallyPlayed,
    Laid,
    NoPlay,
    Played,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.laying_faults import NOT_OF_SHAPE, LayingFault, shape_faults
from recorder.domain.notices import CodedText, coded
from recorder.domain.plays import Placement, placement_of
from recorder.domain.reading.notation import notation
from recorder.domain.reading.reconstruct import OUT_OF_TURN
from recorder.domain.reading.turn_acts import ANNOUNCED
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.ending.six_zeros import Zero, ZeroState, six_zeros, zero_run
from recorder.domain.rules.placement.layings import (
    Treatment,
    kinds_of,
    score_until_ruled,
    treatment,
)
from recorder.domain.rules.placement.scores import laying_score, play_score
from recorder.domain.rulings.closing import out_player
from recorder.domain.tiles import EMPTY, TileSet, face
from recorder.domain.turns import Turn


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A turn that was played through: as it was read, as it fits, and the position after it."""

    read: Turn
    group: Turn
    state: GameState


@dataclass(frozen=True, slots=True)
class ReplayedTurns:
    """The turns as they hold, and the position after them; ``fitted`` is how that came about."""

    groups: tuple[Turn, ...]
    state: GameState
    fitted: tuple[_Fitted, ...] = field(default=(), compare=False, repr=False)


def replay_turns(
    groups: Iterable[Turn],
    tile_set: TileSet,
    rules: Rules,
    before: ReplayedTurns | None = None,
) -> ReplayedTurns:
    """Every turn on the board that the turns before it leave, scored by the rules in force.

    ``before`` is what came of it last by the same rules, and saves time only: turns that begin
    the game as they did then are not played through again.
    """
    known = before.fitted if before is not None else ()
    fitted: list[_Fitted] = []
    state = new_game(tile_set)
    for group in groups:
        at = len(fitted)
        if at >= len(known) or known[at].read != group:
            known = ()
            state, now = _next_turn(state, group, rules, is_after_order=_ends_in_order(fitted))
            fitted.append(_Fitted(group, now, state))
        else:
            state = known[at].state
            fitted.append(known[at])
    done = _with_doubts([turn.group for turn in fitted])
    return ReplayedTurns(tuple(_with_zeros(done, rules)), state, tuple(fitted))


def _ends_in_order(fitted: Sequence[_Fitted]) -> bool:
    """Whether a director has ruled about the last turn, or about something after it."""
    for turn in reversed(fitted):
        if turn.group.rulings:
            return True
        if any(isinstance(event, TURNS) for event in turn.group.events):
            return False
    return False


def _next_turn(
    state: GameState, group: Turn, rules: Rules, *, is_after_order: bool
) -> tuple[GameState, Turn]:
    out = out_player(state)
    turn = group if out is None or group.rulings else _after_end(group, out)
    return fit(state, _in_turn(state, turn, is_after_order=is_after_order), rules)


def _with_doubts(groups: Iterable[Turn]) -> list[Turn]:
    """A turn that cannot be may never have had an entry of its own: the one before is in doubt."""
    done: list[Turn] = []
    for fitted in groups:
        if done and not fitted.events and fitted.firm and not done[-1].accepted:
            done[-1] = replace(done[-1], firm=(*done[-1].firm, *fitted.firm))
        done.append(fitted)
    return done


def _after_end(group: Turn, out: int) -> Turn:
    """A turn after the game was over: what was laid counts for nothing and goes back (END-1)."""
    return replace(
        group,
        events=tuple(
            IllegallyPlayed(
                player=event.player,
                tiles=tuple(sorted(event.laid.items())),
                faults=(LayingFault.AFTER_END,),
                score=0,
                rack=event.rack,
                lifted=tuple(sorted(event.laid)),
            )
            if isinstance(event, Laid) and event.player != out
            else event
            for event in group.events
        ),
    )


def _in_turn(state: GameState, group: Turn, *, is_after_order: bool) -> Turn:
    """The turn with the doubt that one before it is missing just where it is.

    An order may have put it in, or taken it out.
    """
    turns = [event for event in state.events if isinstance(event, TURNS)]
    first = group.events[0] if group.events else None
    if not turns or first is None:
        return group
    is_again = isinstance(first, TURNS) and turns[-1].player == first.player
    if is_again and is_after_order and not group.rulings and OUT_OF_TURN not in group.doubts:
        return replace(group, firm=(*group.firm, OUT_OF_TURN))
    if OUT_OF_TURN in group.doubts and turns[-1].player != first.player:
        left = tuple(doubt for doubt in group.doubts if doubt != OUT_OF_TURN)
        return replace(group, doubts=left)
    return group


def fit(state: GameState, group: Turn, rules: Rules) -> tuple[GameState, Turn]:
    """One turn on the board that the turns before it leave, and the position after it."""
    events: list[GameEvent] = []
    places: list[int] = []
    unfit: list[CodedText] = []
    for at, event in enumerate(group.events):
        is_agreed = at in group.agreed
        announced = event if is_agreed else _as_announced(event, group)
        now, doubt = _fitted(state, _as_left(announced, group, rules), rules, agreed=is_agreed)
        unfit += [doubt] if doubt else []
        if now is None:
            continue
        try:
            state = apply(state, now)
        except RecorderError:  # whatever else cannot be on this board
            unfit.append(coded("no_longer_fits", play=notation(event)))
            continue
        events.append(now)
        places.append(at)
    if tuple(events) == group.events and not unfit:
        return state, group
    return state, replace(
        group,
        events=tuple(events),
        agreed=frozenset(n for n, at in enumerate(places) if at in group.agreed),
        lost_turns=frozenset(n for n, at in enumerate(places) if at in group.lost_turns),
        firm=(*group.firm, *unfit),
        refitted=group.refitted or tuple(events) != group.events,
    )


def _as_announced(event: GameEvent, group: Turn) -> GameEvent:
    """An illegal laying with the points announced: all there are where it makes no word."""
    said = group.facts.get(ANNOUNCED)
    if isinstance(event, IllegallyPlayed) and isinstance(said, int):
        return replace(event, score=said)
    return event


def _as_left(event: GameEvent, group: Turn, rules: Rules) -> GameEvent:
    """The event with what made it illegal beside its shape, where that has to be said (PLACE-2).

    An earlier tile had moved when it was pressed, or it was made from too full a rack.
    """
    if not isinstance(event, Laid) or group.rulings:
        return event
    found = [
        fault
        for fault, is_so in (
            (LayingFault.EARLIER_MOVED, bool(group.astray)),
            (LayingFault.OVER_SEVEN, bool(group.overfull)),
        )
        if is_so and treatment(rules, kinds_of((fault,))) is Treatment.MUST_ANNOUNCE
    ]
    if not found:
        return event
    if isinstance(event, IllegallyPlayed):
        return replace(event, faults=tuple(dict.fromkeys((*event.faults, *found))))
    tiles = tuple(sorted(event.laid.items()))
    return IllegallyPlayed(event.player, tiles, tuple(found), event.score, event.rack)


def _fitted(
    state: GameState, event: GameEvent, rules: Rules, *, agreed: bool
) -> tuple[GameEvent | None, CodedText | None]:
    """The event as it can stand on this board, None if it cannot, and what is wrong then."""
    match event:
        case Played():
            return _fitted_play(state, event, rules, agreed=agreed)
        case IllegallyPlayed():
            return _fitted_illegal(state, event, rules, agreed=agreed)
        case Withdrawn(player=player):
            return _fitted_withdrawal(state, event, player)
        case _:
            return event, None


def _fitted_withdrawal(
    state: GameState, event: Withdrawn, player: int
) -> tuple[GameEvent | None, CodedText | None]:
    last = state.events[-1] if state.events else None
    if isinstance(last, Withdrawn) and last.player == player:
        return None, None  # ruled before it was seen: the same withdrawal
    if not state.standing or state.standing[-1].player != player:
        return None, coded("nothing_to_take_back", player=player)
    return replace(event, score=state.standing[-1].score), None


def _fitted_play(
    state: GameState, event: Played, rules: Rules, *, agreed: bool
) -> tuple[GameEvent, CodedText | None]:
    tiles = event.placement.new_tiles()
    taken = [sq for sq in tiles if state.board.has_tile(sq)]
    if taken:
        return _fitted_over(state, event, taken)
    placement = _rewritten(state, event.placement)
    if agreed:
        return replace(event, placement=placement), None
    points = play_score(rules, state.board, placement, state.tile_set)
    return replace(event, placement=placement, score=points), None


def _fitted_illegal(
    state: GameState, event: IllegallyPlayed, rules: Rules, *, agreed: bool
) -> tuple[GameEvent, CodedText | None]:
    """An illegal laying on the board that now holds, where it may have become a legal one."""
    tiles = {sq: tile for sq, tile in event.tiles if not state.board.has_tile(sq)}
    doubt: CodedText | None = None
    over: list[Square] = []
    if len(tiles) < len(event.tiles):
        over = [sq for sq, _ in event.tiles if sq not in tiles]
        names = " ".join(map(name_across, over))
        doubt = coded("tiles_there", play=notation(event), squares=names)
    if not tiles:
        return NoPlay(event.player), doubt
    wrong = shape_faults(state.board.occupied(), tuple(tiles))
    wrong += tuple(fault for fault in event.faults if fault in NOT_OF_SHAPE and fault not in wrong)
    if not wrong:
        play = Played(event.player, placement_of(state.board, tiles), event.score, event.rack)
        # Tiles of an earlier play that were laid again with it are none of its own.
        laid_again = all(face(state.board[sq]) == face(event.laid[sq]) for sq in over)
        is_kept = agreed or not laid_again
        return (play if is_kept else _fitted_play(state, play, rules, agreed=False)[0]), doubt
    points = event.score
    if not agreed and not doubt:
        scored = laying_score(rules, state.board, tiles, state.tile_set)
        points = score_until_ruled(rules, wrong, event.score if scored is None else scored)
    lifted = tuple(sq for sq in event.lifted if sq in tiles)
    now = replace(
        event, tiles=tuple(sorted(tiles.items())), faults=wrong, score=points, lifted=lifted
    )
    return now, doubt


def _fitted_over(
    state: GameState, event: Played, taken: Sequence[Square]
) -> tuple[GameEvent, CodedText | None]:
    """A play on squares that hold tiles now: what is left of it keeps the points."""
    tiles = event.placement.new_tiles()
    free = {sq: tile for sq, tile in tiles.items() if sq not in taken}
    same = all(face(state.board[sq]) == face(tiles[sq]) for sq in taken)
    names = " ".join(map(name_across, taken))
    code = "same_tiles_there" if same else "other_tiles_there"
    doubt = coded(code, play=notation(event), squares=names)
    if free:
        try:
            return replace(event, placement=placement_of(state.board, free)), doubt
        except NotationError:
            pass
    return NoPlay(event.player), doubt


def _rewritten(state: GameState, placement: Placement) -> Placement:
    """The placement with ``"."`` just where tiles lie on the board that now holds."""
    try:
        canonical = placement_of(state.board, placement.new_tiles())
    except NotationError:
        return placement
    if canonical.direction is not placement.direction and len(placement.new_tiles()) == 1:
        return placement if _fits_dots(state, placement) else canonical
    return canonical


def _fits_dots(state: GameState, placement: Placement) -> bool:
    pairs = zip(placement.squares(), placement.word, strict=False)
    return all(state.board.has_tile(sq) == (tile is EMPTY) for sq, tile in pairs)


def _with_zeros(groups: Sequence[Turn], rules: Rules) -> list[Turn]:
    """The turn with which the zeros in a row have become enough has a doubt (END-4)."""
    events: list[GameEvent] = []
    kinds: dict[int, Zero] = {}
    enough: dict[int, Sequence[Zero]] = {}
    needed = rules.get_whole("six_zero.count")
    run: Sequence[Zero] = ()
    for at, group in enumerate(groups):
        before = len(run)
        kinds |= {len(events) + place: Zero.LOST_CHALLENGE for place in group.lost_turns}
        events += group.events
        run = zero_run(events, kinds)
        if needed is not None and before < needed <= len(run):
            enough[at] = run
    turns = list(groups)
    for at, zeros in enough.items():
        has_scored_since = at != max(enough) or len(run) < len(zeros)
        doubt = _zeros_doubt(rules, zeros, is_last=not has_scored_since)
        if doubt is not None and not turns[at].accepted:
            turns[at] = replace(turns[at], firm=(*turns[at].firm, doubt))
    return turns


def _zeros_doubt(rules: Rules, run: Sequence[Zero], *, is_last: bool) -> CodedText | None:
    """What the turn that makes the zeros enough leaves open; the end itself, if it is the last."""
    found = six_zeros(rules, run)
    match found.state:
        case ZeroState.OVER:
            return None if is_last else coded("zeros_over", turns=len(run))
        case ZeroState.DECLARABLE:
            return coded("zeros_claimable", turns=len(run))
        case ZeroState.DIRECTOR if found.unlisted:
            return coded("zeros_unlisted", turns=len(run), kinds=" ".join(found.unlisted))
        case ZeroState.DIRECTOR:
            return coded("zeros_asked", turns=len(run))
        case _:
            return None

"""Whether an order can be applied, and on what: from entry numbers to turns of the record.

Whatever is wrong is said by a code that names entry and square; its text gives the remedy where
there is one. A play that breaks the rules of placement can be ordered all the same: it stands where
nobody challenged it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.board import Board, Square, name_across
from recorder.domain.game import (
    CONCEDED_BY,
    TURNS,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    Laid,
    Lying,
    NoPlay,
    Passed,
    Played,
    Withdrawn,
    standing_plays,
)
from recorder.domain.laying_faults import shape_faults
from recorder.domain.orders import (
    BEGINNING,
    Absent,
    Accept,
    Act,
    AdjustClock,
    Arrived,
    BeginProcedure,
    Challenged,
    CloseProcedure,
    Concede,
    Correct,
    Decide,
    EntryName,
    Insert,
    Note,
    Order,
    Outcome,
    Remove,
    Seated,
    SetEndRacks,
    SetTimePenalty,
    Split,
    TickStep,
    TimeStep,
    TurnKind,
)
from recorder.domain.reading.notation import notation, tiles_notation
from recorder.domain.reading.table_state import TableState
from recorder.domain.recorded_turns import Place, RecordedTurns
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.awaited import check_awaited
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.rulings.explicit_orders import check_letters, on_board, tiles_worth
from recorder.domain.rulings.game_as_ruled import RuledGame, Story, as_ruled
from recorder.domain.rulings.in_force import Ruling, aims, in_force, is_withdrawn
from recorder.domain.rulings.possible import (
    check_conceded,
    check_play,
    check_points,
    check_rack_points,
    check_rests,
    check_supply,
    points_of,
)
from recorder.domain.rulings.procedures import check_procedure, procedure_runs
from recorder.domain.tiles import RACK_SIZE, Tile, TileSet, face
from recorder.domain.turns import Turn

LONGEST_CLOCK_MS = 24 * 3600 * 1000


def _find(recorded: RecordedTurns, name: EntryName) -> Place:
    """The place of an entry. OrderRefusedError when there is none, or something in its place."""
    turn = recorded.turn_of(name.row)
    if turn is None:
        raise OrderRefusedError("no_such_entry", entry=name.number)
    if name in turn.entries:
        return Place(turn, turn.entries.index(name))
    count = sum(entry.row == name.row for entry in turn.entries)
    if count:
        raise OrderRefusedError("no_such_entry_part", entry=name.number, parts=count)
    now = [
        f"{entry.number} ({notation(event)})"
        for entry, event in zip(turn.entries, turn.events, strict=True)
    ]
    if not now:
        raise OrderRefusedError("taken_out", entry=name.number)
    raise OrderRefusedError("superseded", entry=name.number, now=", ".join(now))


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that an order is judged by: the table, the orders so far, the rules, the record.

    ``now`` is the game as it holds, ``story`` what the table's fold shows, ``noticed`` the rows of
    all notices, also of those that hold no longer.
    """

    table: TableState
    rulings: Sequence[Ruling]
    rules: Rules
    recorded: RecordedTurns
    now: RuledGame
    story: Story
    noticed: Collection[int] = ()

    @property
    def tile_set(self) -> TileSet:
        """The tiles played with."""
        return self.table.turns.tile_set

    def board_before(self, group: int, part: int) -> Board:
        """The board before an event of a turn, as the record now reads."""
        return _board(self.now.groups, group, part)


def resolve(
    order: Order, situation: Situation, *, seq: int, at_ms: int
) -> tuple[Ruling, RuledGame]:
    """The ruling that an order becomes in row ``seq``, and the game with it.

    OrderRefusedError says why it cannot be applied. The id of the order is new: that a repeated
    one counts once is for the caller.
    """
    _check_ended(order, situation.rulings)
    ruling = _aimed(Ruling(seq=seq, at_ms=at_ms, order=order), situation)
    rulings = [*situation.rulings, ruling]
    try:
        if order.ends or is_withdrawn(ruling):
            _check_rested_on(situation.rulings, rulings)
        after = as_ruled(situation.table, rulings, situation.rules, situation.story, situation.now)
    except OrderRefusedError:
        if order.ends or is_withdrawn(ruling):
            raise OrderRefusedError("rests_on_it") from None
        raise
    if isinstance(order.act, Correct | Insert | Split):
        check_supply(situation.now.state, after.state)
    return ruling, after


def _check_rested_on(before: Sequence[Ruling], after: Sequence[Ruling]) -> None:
    """An order that ends another leaves the rest about what they were about."""
    now, was = aims(in_force(after)), aims(in_force(before))
    if any(aim is not None and now.get(seq, aim) != aim for seq, aim in was.items()):
        raise OrderRefusedError("rests_on_it")


def _check_ended(order: Order, rulings: Sequence[Ruling]) -> None:
    if not order.ends:
        return
    known = {ruling.order.id for ruling in rulings}
    if order.ends not in known:
        raise OrderRefusedError("no_such_order")
    if order.ends not in {ruling.order.id for ruling in in_force(rulings)}:
        raise OrderRefusedError("order_ended")


def _aimed(ruling: Ruling, situation: Situation) -> Ruling:
    """The ruling with its turn, and with words written as the board has them."""
    act = ruling.order.act
    _check_numbers(act)
    match act:
        case Accept():
            return _aim_accept(ruling, act, situation)
        case Correct() | Split() | Remove() | Challenged():
            return _aim_edit(ruling, act, situation)
        case Insert():
            return _aim_insert(ruling, act, situation)
        case SetEndRacks():
            tile_set = situation.tile_set
            racks = tuple(
                replace(rack, tiles=tiles_worth(rack.points, rack.tiles, tile_set))
                for rack in act.points
            )
            check_letters((tile for rack in racks for tile in rack.tiles), tile_set)
            check_rack_points(racks, situation.now.state, tile_set)
            return replace(ruling, order=replace(ruling.order, act=SetEndRacks(points=racks)))
        case Concede():
            check_conceded(act, in_force(situation.rulings), ruling.order.supersedes)
        case Decide(entry=EntryName() as entry) | Note(entry=EntryName() as entry):
            _find(situation.recorded, entry)
        case BeginProcedure() | TickStep() | TimeStep() | CloseProcedure():
            check_procedure(act, procedure_runs(in_force(situation.rulings)))
            _check_notice(act, situation)
        case Absent() | Arrived() | Seated():
            _check_there(act, situation)
    return ruling


def _check_there(act: Absent | Arrived | Seated, situation: Situation) -> None:
    if not isinstance(act, Seated):
        check_awaited(act, in_force(situation.rulings), situation.table)
    elif situation.table.clock.now.left_player == act.player:
        raise OrderRefusedError("seated_so", player=act.player)


def _check_notice(
    act: BeginProcedure | TickStep | TimeStep | CloseProcedure, situation: Situation
) -> None:
    if isinstance(act, BeginProcedure) and act.notice and act.notice not in situation.noticed:
        raise OrderRefusedError("no_such_notice", row=act.notice)


def _on(ruling: Ruling, place: Place, situation: Situation) -> Ruling:
    """The ruling about the turn of an entry, with what the recorder itself reads there."""
    read = situation.now.read.get(place.turn.ref)
    basis = read.events if read is not None else ()
    earlier = [
        ruled for ruled in situation.rulings if ruled.edits_turn and ruled.group == place.turn.ref
    ]
    if read is None and earlier:
        basis = earlier[0].basis
    doubted = read is not None and bool(read.doubts)
    return replace(ruling, group=place.turn.ref, part=place.part, basis=basis, doubted=doubted)


def _aim_accept(ruling: Ruling, act: Accept, situation: Situation) -> Ruling:
    place = _find(situation.recorded, act.entry)
    aimed = _on(ruling, place, situation)
    if act.candidate == 0:
        held = next(group.events for group in situation.now.groups if group.ref == place.turn.ref)
        return replace(aimed, reading=held)
    if not 1 <= act.candidate <= len(place.turn.alternatives):
        others = len(place.turn.alternatives)
        raise OrderRefusedError(
            "no_such_candidate", entry=act.entry.number, others=others, candidate=act.candidate
        )
    return replace(aimed, reading=place.turn.alternatives[act.candidate - 1].events)


def _aim_edit(
    ruling: Ruling, act: Correct | Split | Remove | Challenged, situation: Situation
) -> Ruling:
    place = _find(situation.recorded, act.entry)
    aimed = _in_place_of_verdict(_on(ruling, place, situation), situation)
    if is_withdrawn(aimed):
        _check_withdrawn(aimed, place)
    elif isinstance(act, Challenged) and not _is_other_verdict(aimed, situation):
        _check_challenge(act, place, situation)
    if isinstance(act, Correct):
        order = replace(ruling.order, act=_written(act, place, situation))
        return replace(aimed, order=order)
    if isinstance(act, Split):
        return replace(aimed, order=replace(ruling.order, act=_apart(act, place, situation)))
    return aimed


def _in_place_of_verdict(ruling: Ruling, situation: Situation) -> Ruling:
    """The ruling; another verdict takes the place of the one on the same play, cost and all.

    There is one verdict on a play (CHAL-2), and which one it replaces need not be said.
    """
    order, act = ruling.order, ruling.order.act
    if not isinstance(act, Challenged) or is_withdrawn(ruling) or order.supersedes:
        return ruling
    for verdict in reversed(in_force(situation.rulings)):
        is_same_play = (verdict.group, verdict.part) == (ruling.group, ruling.part)
        if is_same_play and isinstance(verdict.order.act, Challenged) and not is_withdrawn(verdict):
            is_again = verdict.order.act.outcome is act.outcome is Outcome.OFF
            first = "" if is_again else verdict.order.id
            return replace(ruling, order=replace(order, supersedes=first))
    return ruling


def _check_withdrawn(ruling: Ruling, place: Place) -> None:
    act = ruling.order.act
    if isinstance(act, Challenged):
        _check_bonus(act)
        if not isinstance(place.event, Laid):
            event = notation(place.event)
            raise OrderRefusedError("not_challengeable", entry=act.entry.number, event=event)


def _is_other_verdict(ruling: Ruling, situation: Situation) -> bool:
    """Whether it takes the place of an earlier verdict: what that one took off may stand again."""
    return any(
        earlier.order.id == ruling.order.supersedes and isinstance(earlier.order.act, Challenged)
        for earlier in situation.rulings
    )


def _check_challenge(act: Challenged, place: Place, situation: Situation) -> None:
    entries = list(situation.recorded.entries())
    later = entries[[name for name, _ in entries].index(act.entry) + 1 :]
    for name, other in later:
        event, alone = other.event, len(other.turn.events) == 1 and not other.turn.rulings
        # What the recorder alone has seen removed may stand all the same.
        may_stand = alone and act.outcome is Outcome.STANDS
        is_off = isinstance(event, Withdrawn) and event.player == place.event.player
        if is_off and not may_stand:
            raise OrderRefusedError("withdrawn_already", entry=act.entry.number, by=name.number)
        if isinstance(event, TURNS):
            break
    _check_bonus(act)
    if act.outcome is Outcome.OFF and isinstance(place.event, Laid):
        check_rests(act.entry, place.event, [(name, other.event) for name, other in later])


def _check_bonus(act: Challenged) -> None:
    if act.outcome is not Outcome.STANDS and (act.bonus or act.penalty or act.turn_lost):
        raise OrderRefusedError("no_bonus_for_off", entry=act.entry.number)


def _written(act: Correct, place: Place, situation: Situation) -> Correct:
    """The correction with letters that the set has, and a word written as the board has it."""
    if act.placement is not None and act.kind is not None:
        raise OrderRefusedError("play_and_no_play", entry=act.entry.number)
    if act.laid and (act.placement is not None or act.kind is not None):
        raise OrderRefusedError("laying_and_else", entry=act.entry.number)
    if act.lifted and act.score:
        raise OrderRefusedError("lifted_scores_zero", entry=act.entry.number)
    changes = (act.letters, act.placement, act.kind, act.score, act.player, act.laid, act.lifted)
    if all(change is None or change == () for change in changes):
        raise OrderRefusedError("nothing_to_correct", entry=act.entry.number)
    if act.kind is TurnKind.EXCHANGE and not 1 <= act.count <= RACK_SIZE:
        raise OrderRefusedError("exchange_of", tiles=act.count, most=RACK_SIZE)
    check_letters((tile for _, tile in (*act.letters, *act.laid)), situation.tile_set)
    if act.laid:
        _check_illegal(act.entry, act.laid, situation.board_before(place.turn.ref, place.part))
    if act.placement is None:
        return act
    board = situation.board_before(place.turn.ref, place.part)
    placement = on_board(act.placement, board, situation.tile_set, act.entry)
    check_play(placement, act.entry)
    return replace(act, placement=placement)


def _check_illegal(where: EntryName, tiles: Sequence[tuple[Square, Tile]], board: Board) -> None:
    """An illegal laying on free squares; OrderRefusedError also where it would be legal."""
    squares = tuple(sq for sq, _ in tiles)
    if taken := [name_across(sq) for sq in squares if board.has_tile(sq)]:
        raise OrderRefusedError("squares_taken", entry=where.number, squares=" ".join(taken))
    if not squares or not shape_faults(board.occupied(), squares):
        raise OrderRefusedError("laying_is_legal", entry=where.number)


def _aim_insert(ruling: Ruling, act: Insert, situation: Situation) -> Ruling:
    aimed = _inserted_where(ruling, act, situation)
    at = aimed.part if act.after == BEGINNING else aimed.part + 1
    event = act.event
    if isinstance(event, Played):
        board = situation.board_before(aimed.group, at)
        placement = on_board(event.placement, board, situation.tile_set, act.after)
        check_play(placement, act.after)
        event = replace(event, placement=placement)
    if isinstance(event, IllegallyPlayed):
        _check_illegal(act.after, event.tiles, situation.board_before(aimed.group, at))
        check_letters((tile for _, tile in event.tiles), situation.tile_set)
    if isinstance(event, Exchanged) and not 1 <= event.count <= RACK_SIZE:
        raise OrderRefusedError("exchange_of", tiles=event.count, most=RACK_SIZE)
    if isinstance(event, EndRackPoints | EndRackPenalty):
        raise OrderRefusedError("rack_points_not_inserted")
    if isinstance(event, Withdrawn):
        _check_withdrawal(event, act.after, situation)
    return replace(aimed, order=replace(ruling.order, act=replace(act, event=event)))


def _apart(act: Split, place: Place, situation: Situation) -> Split:
    """The turns of a laying, their words written as the board has them.

    OrderRefusedError names tiles that are in no turn, or that a turn has too many.
    """
    entry = act.entry.number
    if not isinstance(place.event, Laid):
        raise OrderRefusedError("no_letters", entry=entry, event=notation(place.event))
    board, left = situation.board_before(place.turn.ref, place.part), dict(place.event.lying)
    turns: list[GameEvent] = []
    for number, given in enumerate(act.turns, 1):
        if not isinstance(given, Played | Exchanged | Passed | NoPlay):
            raise OrderRefusedError("split_no_turn", entry=entry, number=number)
        if turns and turns[-1].player == given.player:
            raise OrderRefusedError("split_same_player", entry=entry, number=number)
        if isinstance(given, Exchanged) and not 1 <= given.count <= RACK_SIZE:
            raise OrderRefusedError("exchange_of", tiles=given.count, most=RACK_SIZE)
        turns.append(given)
        if isinstance(given, Played):
            placement = on_board(given.placement, board, situation.tile_set, act.entry)
            check_play(placement, act.entry)
            turns[-1] = play = replace(given, placement=placement)
            if other := _not_among(play.laid, left):
                raise OrderRefusedError(
                    "split_other_tiles", entry=entry, play=str(placement), squares=other
                )
            left = {sq: tile for sq, tile in left.items() if sq not in play.laid}
            board = board.place(play.laid)
    if left or not turns:
        tiles = tiles_notation(sorted(left.items()))
        raise OrderRefusedError("split_tiles_left", entry=entry, tiles=tiles)
    return replace(act, turns=tuple(turns))


def _not_among(laid: Mapping[Square, Tile], tiles: Mapping[Square, Tile]) -> str:
    """The squares of a play on which none of the tiles lies, or another one."""
    other = [sq for sq, tile in laid.items() if sq not in tiles or face(tiles[sq]) != face(tile)]
    return " ".join(map(name_across, sorted(other)))


def _inserted_where(ruling: Ruling, act: Insert, situation: Situation) -> Ruling:
    if act.after != BEGINNING:
        return _on(ruling, _find(situation.recorded, act.after), situation)
    _, first = next(situation.recorded.entries(), (None, None))
    if first is None:
        return replace(ruling, group=ruling.seq)
    return _on(ruling, replace(first, part=0), situation)


def _check_withdrawal(event: Withdrawn, after: EntryName, situation: Situation) -> None:
    events = list[GameEvent]()
    for name, place in situation.recorded.entries():
        events.append(place.event)
        if name == after:
            break
    standing = standing_plays(events)
    if after == BEGINNING or not standing or events[standing[-1]].player != event.player:
        raise OrderRefusedError("no_play_to_take_back", player=event.player, entry=after.number)


def _board(groups: Sequence[Turn], ref: int, part: int) -> Board:
    lying = Lying()
    for group in groups:
        is_it = group.ref == ref
        lying = lying.after(group.events[: part if is_it else None])
        if is_it:
            break
    return lying.board


def _check_numbers(act: Act) -> None:
    """Points and times that cannot be meant."""
    match act:
        case Correct(score=int() as points) | SetTimePenalty(points=points):
            check_points([points])
        case Challenged(bonus=bonus, penalty=penalty):
            check_points([bonus, penalty])
        case Insert(event=event):
            check_points(points_of(event))
        case Concede(margin=margin, how=how):
            check_points([margin])
            if how not in CONCEDED_BY:
                raise OrderRefusedError("conceded_how", how=how, ways=", ".join(CONCEDED_BY))
        case SetEndRacks(points=given):
            check_points(rack.points for rack in given)
        case AdjustClock(left_ms=left):
            if abs(left) > LONGEST_CLOCK_MS:
                raise OrderRefusedError("longer_than_a_day", ms=left)
        case _:
            return

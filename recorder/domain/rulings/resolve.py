"""Whether an order can be carried out, and on what: from entry numbers to turns of the record.

Whatever is wrong is said in one sentence that names entry and square, and the remedy where there
is one. A play that breaks the rules of placement can be ordered all the same: it stands where
nobody challenged it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recorder.domain.board import EMPTY_BOARD, Board, Square, name_across
from recorder.domain.game import (
    CONCEDED_BY,
    TURNS,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    Laid,
    Played,
    Withdrawn,
)
from recorder.domain.laying_faults import shape_faults
from recorder.domain.orders import (
    BEGINNING,
    Accept,
    Act,
    AdjustClock,
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
    SetEndRacks,
    SetTimePenalty,
    TickStep,
    TurnKind,
    Undo,
)
from recorder.domain.plays import Placement
from recorder.domain.reading.describe import describe
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.turns import Group
from recorder.domain.record import Alternative
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.rulings.game_as_ruled import RuledGame, Story, as_ruled
from recorder.domain.rulings.in_force import Ruling, in_force
from recorder.domain.rulings.procedures import check_procedure, procedure_runs
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, TileSet

MOST_POINTS = 2000
"""Points that a single order may give or take; more is a slip of the finger."""
LONGEST_CLOCK_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry is: its turn, its place there, what it says, and its turn's candidates."""

    group: int
    part: int
    event: GameEvent
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """The entries of a record by name, in order; ``instead`` by row what stands there now."""

    places: Mapping[EntryName, Place] = field(default_factory=dict)
    instead: Mapping[int, tuple[EntryName, ...]] = field(default_factory=dict)

    def find(self, name: EntryName) -> Place:
        """The place of an entry. RefusedError when there is none, or something in its place."""
        if place := self.places.get(name):
            return place
        if any(part.row == name.row for part in self.places):
            count = sum(part.row == name.row for part in self.places)
            raise OrderRefusedError(f"entry {name.row} has {count} parts; there is no {name}")
        if name.row not in self.instead:
            raise OrderRefusedError(f"there is no {name} in this game")
        now = [
            f"{successor} ({describe(self.places[successor].event)})"
            for successor in self.instead[name.row]
        ]
        text = f"in its place stands {' and '.join(now)}" if now else "it was taken out"
        raise OrderRefusedError(f"{name} was superseded: {text}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that an order is judged by: the table, the orders so far, the rules, the entries.

    ``now`` is the game as it holds, ``story`` what the table's fold tells, ``noticed`` the rows of
    all notices, also of those that hold no longer.
    """

    table: TableState
    rulings: Sequence[Ruling]
    rules: Rules
    book: Book
    now: RuledGame
    story: Story
    noticed: Collection[int] = ()

    @property
    def tile_set(self) -> TileSet:
        """The tiles played with."""
        return self.table.known.tile_set

    def board_before(self, group: int, part: int) -> Board:
        """The board before an event of a turn, as the record now reads."""
        return _board(self.now.groups, group, part)


def resolve(
    order: Order, situation: Situation, *, seq: int, at_ms: int
) -> tuple[Ruling, RuledGame]:
    """The ruling that an order becomes in row ``seq``, and the game with it.

    OrderRefusedError says why it cannot be carried out. The id of the order is new: that a repeated
    one counts once is for the caller.
    """
    _check_ended(order, situation.rulings)
    ruling = _aimed(Ruling(seq=seq, at_ms=at_ms, order=order), situation)
    try:
        rulings = [*situation.rulings, ruling]
        after = as_ruled(situation.table, rulings, situation.rules, situation.story)
    except OrderRefusedError as fault:
        if order.ends:
            raise OrderRefusedError(
                f"another order rests on {order.ends!r} ({fault}): undo that one first"
            ) from None
        raise
    return ruling, after


def _check_ended(order: Order, rulings: Sequence[Ruling]) -> None:
    if not order.ends:
        return
    known = {ruling.order.id for ruling in rulings}
    if order.ends not in known:
        raise OrderRefusedError(f"there is no order {order.ends!r} in this game")
    if order.ends not in {ruling.order.id for ruling in in_force(rulings)}:
        raise OrderRefusedError(f"order {order.ends!r} does not count any more")


def _aimed(ruling: Ruling, situation: Situation) -> Ruling:
    """The ruling with its turn, and with words written as the board has them."""
    act = ruling.order.act
    _check_numbers(act)
    match act:
        case Accept():
            return _aim_accept(ruling, act, situation)
        case Correct() | Remove() | Challenged():
            return _aim_edit(ruling, act, situation)
        case Insert():
            return _aim_insert(ruling, act, situation)
        case SetEndRacks():
            _check_tiles("".join(rack.tiles for rack in act.points), situation.tile_set)
        case Decide(entry=EntryName() as entry) | Note(entry=EntryName() as entry):
            situation.book.find(entry)
        case BeginProcedure() | TickStep() | CloseProcedure():
            check_procedure(act, procedure_runs(in_force(situation.rulings)))
            _check_notice(act, situation)
        case Undo():
            pass
    return ruling


def _check_notice(act: BeginProcedure | TickStep | CloseProcedure, situation: Situation) -> None:
    if isinstance(act, BeginProcedure) and act.notice and act.notice not in situation.noticed:
        raise OrderRefusedError(f"row {act.notice} is no notice of this game")


def _on(ruling: Ruling, place: Place, situation: Situation) -> Ruling:
    """The ruling about the turn of an entry, with what the recorder itself reads there."""
    read = situation.now.read.get(place.group)
    basis = read.events if read is not None else ()
    earlier = [
        ruled for ruled in situation.rulings if ruled.edits_turn and ruled.group == place.group
    ]
    if read is None and earlier:
        basis = earlier[0].basis
    doubted = read is not None and bool(read.doubts)
    return replace(ruling, group=place.group, part=place.part, basis=basis, doubted=doubted)


def _aim_accept(ruling: Ruling, act: Accept, situation: Situation) -> Ruling:
    place = situation.book.find(act.entry)
    aimed = _on(ruling, place, situation)
    if act.candidate == 0:
        held = next(group.events for group in situation.now.groups if group.ref == place.group)
        return replace(aimed, reading=held)
    if not 1 <= act.candidate <= len(place.alternatives):
        count = len(place.alternatives)
        has = f"{count} other candidates" if count else "no other candidate"
        raise OrderRefusedError(f"{act.entry} has {has}; {act.candidate} was accepted")
    return replace(aimed, reading=place.alternatives[act.candidate - 1].events)


def _aim_edit(ruling: Ruling, act: Correct | Remove | Challenged, situation: Situation) -> Ruling:
    place = situation.book.find(act.entry)
    aimed = _on(ruling, place, situation)
    if isinstance(act, Challenged):
        _check_challenge(act, place, situation)
    if isinstance(act, Correct):
        order = replace(ruling.order, act=_written(act, place, situation))
        return replace(aimed, order=order)
    return aimed


def _check_challenge(act: Challenged, place: Place, situation: Situation) -> None:
    later = list(situation.book.places.items())
    at = next(index for index, (_, entry) in enumerate(later) if entry == place)
    for name, entry in later[at + 1 :]:
        if isinstance(entry.event, Withdrawn) and entry.event.player == place.event.player:
            raise OrderRefusedError(f"{act.entry} was taken back already by {name}")
        if isinstance(entry.event, TURNS):
            break
    if act.outcome is Outcome.OFF and (act.bonus or act.penalty or act.turn_lost):
        raise OrderRefusedError(
            f"{act.entry}: a play that comes off brings no bonus and no penalty"
        )


def _written(act: Correct, place: Place, situation: Situation) -> Correct:
    """The correction with letters that the set has, and a word written as the board has it."""
    if act.placement is not None and act.kind is not None:
        raise OrderRefusedError(f"{act.entry} cannot be a play and {act.kind.value} at once")
    if act.laid and (act.placement is not None or act.kind is not None):
        raise OrderRefusedError(
            f"{act.entry} cannot be an illegal laying and something else at once"
        )
    if act.lifted and act.score:
        raise OrderRefusedError(f"{act.entry}: what comes off after the reply scores 0 (PLACE-2)")
    changes = (act.letters, act.placement, act.kind, act.score, act.player, act.laid, act.lifted)
    if all(change is None or change == () for change in changes):
        raise OrderRefusedError(f"{act.entry}: nothing to correct was given")
    if act.kind is TurnKind.EXCHANGE and not 1 <= act.count <= RACK_SIZE:
        raise OrderRefusedError(f"{act.entry}: an exchange is of 1 to {RACK_SIZE} tiles")
    _check_tiles("".join(tile for _, tile in (*act.letters, *act.laid)), situation.tile_set)
    if act.laid:
        _check_illegal(act.entry, act.laid, situation.board_before(place.group, place.part))
    if act.placement is None:
        return act
    board = situation.board_before(place.group, place.part)
    return replace(act, placement=_on_board(act.placement, board, situation.tile_set, act.entry))


def _check_illegal(where: EntryName, tiles: Sequence[tuple[Square, str]], board: Board) -> None:
    """An illegal laying on free squares; OrderRefusedError also where it would be legal."""
    squares = tuple(sq for sq, _ in tiles)
    if taken := [name_across(sq) for sq in squares if board.has_tile(sq)]:
        raise OrderRefusedError(f"{where}: tiles lie there already: {', '.join(taken)}")
    if not squares or not shape_faults(board.occupied(), squares):
        raise OrderRefusedError(f"{where}: nothing is wrong with this laying; make it a play")


def _aim_insert(ruling: Ruling, act: Insert, situation: Situation) -> Ruling:
    aimed = _inserted_where(ruling, act, situation)
    at = aimed.part if act.after == BEGINNING else aimed.part + 1
    event = act.event
    if isinstance(event, Played):
        board = situation.board_before(aimed.group, at)
        placement = _on_board(event.placement, board, situation.tile_set, act.after)
        event = replace(event, placement=placement)
    if isinstance(event, IllegallyPlayed):
        _check_illegal(act.after, event.tiles, situation.board_before(aimed.group, at))
        _check_tiles("".join(tile for _, tile in event.tiles), situation.tile_set)
    if isinstance(event, Exchanged) and not 1 <= event.count <= RACK_SIZE:
        raise OrderRefusedError(f"an exchange is of 1 to {RACK_SIZE} tiles, not {event.count}")
    if isinstance(event, EndRackPoints | EndRackPenalty):
        raise OrderRefusedError(
            "points for tiles left are set for the end of the game, not inserted"
        )
    if isinstance(event, Withdrawn):
        _check_withdrawal(event, act.after, situation)
    return replace(aimed, order=replace(ruling.order, act=replace(act, event=event)))


def _inserted_where(ruling: Ruling, act: Insert, situation: Situation) -> Ruling:
    if act.after != BEGINNING:
        return _on(ruling, situation.book.find(act.after), situation)
    places = situation.book.places.values()
    first = next(iter(places), None)
    if first is None:
        return replace(ruling, group=ruling.seq)
    return _on(ruling, replace(first, part=0), situation)


def _check_withdrawal(event: Withdrawn, after: EntryName, situation: Situation) -> None:
    standing: list[Laid] = []
    for name, place in situation.book.places.items():
        if isinstance(place.event, Laid):
            standing.append(place.event)
        elif isinstance(place.event, Withdrawn) and standing:
            standing.pop()
        if name == after:
            break
    if after == BEGINNING or not standing or standing[-1].player != event.player:
        raise OrderRefusedError(f"player {event.player + 1} has no play to take back after {after}")


def _board(groups: Sequence[Group], ref: int, part: int) -> Board:
    board, kept = EMPTY_BOARD, list[Laid]()
    for group in groups:
        for at, event in enumerate(group.events):
            if group.ref == ref and at == part:
                return board
            if isinstance(event, Laid):
                board = board.place(event.lying)
                kept.append(event)
            elif isinstance(event, Withdrawn) and kept:
                board = board.remove(kept.pop().lying)
        if group.ref == ref:
            return board
    return board


def _on_board(placement: Placement, board: Board, tile_set: TileSet, where: EntryName) -> Placement:
    """The placement with ``"."`` where the board has its letter; RefusedError where it has another.

    Whoever gives an order may write the word in full.
    """
    squares = placement.squares()
    if len(squares) < len(placement.word):
        raise OrderRefusedError(f"{where}: {placement} runs off the board")
    _check_tiles(placement.word.replace(EMPTY, ""), tile_set)
    word = ""
    for sq, tile in zip(squares, placement.word, strict=True):
        there = board[sq]
        if there == EMPTY and tile == EMPTY:
            raise OrderRefusedError(f"{where}: {placement}: no tile lies on {name_across(sq)}")
        if there != EMPTY and tile not in (EMPTY, there) and tile.upper() != there.upper():
            names = f"{name_across(sq)} holds {there}, not {tile}"
            raise OrderRefusedError(f"{where}: {placement}: {names}")
        word += EMPTY if there != EMPTY else tile
    if not word.strip(EMPTY):
        raise OrderRefusedError(f"{where}: {placement}: all these tiles lie there already")
    return replace(placement, word=word)


def _check_tiles(tiles: str, tile_set: TileSet) -> None:
    known = {BLANK, *tile_set.letters, *tile_set.letters.lower()}
    if strange := sorted(set(tiles) - known):
        raise OrderRefusedError(f"the {tile_set.name} set has no tile {' '.join(strange)}")


def _check_numbers(act: Act) -> None:
    """Points and times that cannot be meant."""
    match act:
        case Correct(score=int() as points) | SetTimePenalty(points=points):
            numbers = [points]
        case Challenged(bonus=bonus, penalty=penalty):
            numbers = [bonus, penalty]
        case Concede(margin=margin, how=how):
            numbers = [margin]
            if how not in CONCEDED_BY:
                raise OrderRefusedError(f"{how!r}: a game is conceded by {', '.join(CONCEDED_BY)}")
        case SetEndRacks(points=given):
            numbers = [rack.points for rack in given]
        case AdjustClock(left_ms=left):
            if abs(left) > LONGEST_CLOCK_MS:
                raise OrderRefusedError(f"{left} ms is more than a day")
            return
        case _:
            return
    if any(not 0 <= number <= MOST_POINTS for number in numbers):
        raise OrderRefusedError(
            f"points are 0 to {MOST_POINTS}, not {', '.join(map(str, numbers))}"
        )

"""Orders as a fold: which of them count, and what they make of the turns that were read.

A turn that somebody has ruled about stays as ruled: later looks cannot change it, and where they
contradict it that is a doubt (``CONTRADICTED``). An order never changes what sensors said; without
it the record reads as if it had not been given. Edits of one turn are applied to the reading that
was in force at the first of them, one after the other, so that undoing one leaves the others.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import filterfalse

from recorder.domain.board import Square
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    IllegallyPlayed,
    Laid,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Withdrawn,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.orders import (
    BEGINNING,
    Accept,
    Challenged,
    Concede,
    Correct,
    Decide,
    EndGame,
    Insert,
    Order,
    Outcome,
    Remove,
    Seated,
    SetEndRacks,
    SetTimePenalty,
    Split,
    TableOrder,
    Undo,
)
from recorder.domain.reading.notation import notation
from recorder.domain.record import OrderCarriedOut
from recorder.domain.rules.challenge.penalties import CHALLENGE_RULE
from recorder.domain.rulings.corrections import OrderRefusedError, corrected
from recorder.domain.turns import Turn

TURN_EDITS = (Accept, Correct, Insert, Split, Remove, Challenged)
"""Orders about one turn."""
END_EDITS = (SetEndRacks, SetTimePenalty, Concede)
"""Orders about what the end of the game counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """An order as recorded: its row, when, and what it was about when it was given.

    ``group`` is the ``ref`` of the turn it is about (its own row where it begins one, 0 where it
    is about none), ``part`` the place of the event there. ``basis`` is what the recorder itself
    read then, ``doubted`` whether that was in doubt, ``reading`` the candidate that was accepted.
    ``asked`` is the order as it was given at its table, ``before_ms`` what an adjusted clock
    showed.
    """

    seq: int
    at_ms: int
    order: Order
    asked: TableOrder | None = None
    group: int = 0
    part: int = 0
    basis: tuple[GameEvent, ...] = ()
    reading: tuple[GameEvent, ...] = ()
    doubted: bool = False
    before_ms: int = 0

    @classmethod
    def of(cls, says: OrderCarriedOut, *, seq: int, at_ms: int) -> "Ruling":
        """The ruling that row ``seq`` says."""
        aim = says.aim
        return cls(
            seq=seq,
            at_ms=at_ms,
            order=says.order.order,
            asked=says.asked,
            group=0 if aim.group is None else aim.group or seq,
            part=aim.part,
            basis=aim.basis,
            reading=aim.reading,
            doubted=aim.doubted,
            before_ms=aim.before_ms,
        )

    @property
    def edits_turn(self) -> bool:
        """Whether it changes what one turn reads."""
        return isinstance(self.order.act, TURN_EDITS)

    @property
    def edits_end(self) -> bool:
        """Whether it changes what the end counts."""
        return isinstance(self.order.act, END_EDITS)

    @property
    def ends_game(self) -> bool:
        """Whether the game is over with it; points for overtime wait for the end (END-6)."""
        is_points = isinstance(self.order.act, SetTimePenalty)
        return isinstance(self.order.act, EndGame) or (self.edits_end and not is_points)


def in_force(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
    """The rulings that count, oldest first: not undone, and nothing else stands in their place.

    An order that is undone counts for nothing: what it had ended is in force again. One in whose
    place another stands passes on the place that it had itself: of a chain only the last counts.
    """
    return tuple(ruling for ruling, is_replaced in _not_undone(rulings) if not is_replaced)


def not_undone(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
    """The rulings that nobody has undone, oldest first: another may stand in their place."""
    return tuple(ruling for ruling, _ in _not_undone(rulings))


def _not_undone(rulings: Sequence[Ruling]) -> list[tuple[Ruling, bool]]:
    """The rulings that nobody has undone, and whether another stands in the place of each."""
    undone: set[str] = set()
    replaced: set[str] = set()
    found: list[tuple[Ruling, bool]] = []
    for ruling in reversed(rulings):
        order = ruling.order
        if order.id in undone:
            continue
        if isinstance(order.act, Undo) and order.id not in replaced:
            undone.add(order.act.order)
        elif order.supersedes:
            replaced.add(order.supersedes)
        found.append((ruling, order.id in replaced))
    return found[::-1]


def settled_rows(rulings: Sequence[Ruling]) -> frozenset[int]:
    """The rows of which a ruling in force says that they need nobody any more."""
    acts = (ruling.order.act for ruling in in_force(rulings))
    return frozenset(act.settles for act in acts if isinstance(act, Decide))


def seated_left(rulings: Sequence[Ruling], left_player: int) -> int:
    """Who sits at the left of the clock by the orders; ``left_player`` where there are none.

    An order always changed it: where none holds any more, it is as before the first.
    """
    acts = [ruling.order.act for ruling in rulings]
    given = [act.player for act in acts if isinstance(act, Seated)]
    held = [ruling.order.act for ruling in in_force(rulings)]
    holding = [act.player for act in held if isinstance(act, Seated)]
    if not given:
        return left_player
    return holding[-1] if holding else 1 - given[0]


def as_seated(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
    """The rulings, with what was read for them given to the players who sit where it was made.

    Where the seats were put right since then, or that was undone, it is the other player's.
    """
    seats = [ruling.order.act for ruling in rulings if isinstance(ruling.order.act, Seated)]
    if not seats:
        return tuple(rulings)
    first = 1 - seats[0].player
    now = seated_left(rulings, first)
    return tuple(
        ruling if seated_left(rulings[:at], first) == now else _mirrored(ruling)
        for at, ruling in enumerate(rulings)
    )


def _mirrored(ruling: Ruling) -> Ruling:
    basis, reading = (
        tuple(replace(event, player=1 - event.player) for event in events)
        for events in (ruling.basis, ruling.reading)
    )
    return replace(ruling, basis=basis, reading=reading)


@dataclass(frozen=True, slots=True)
class EditedEvent:
    """An event of a turn under edit.

    ``agreed`` when its points are not to be computed, ``lost_turn`` for a pass that a failed
    challenge cost (CHAL-6). ``origin`` says which it is, whatever it was corrected to: the row of
    the order that put it there (0: it was read), and which of its events.
    """

    event: GameEvent
    agreed: bool = False
    lost_turn: bool = False
    origin: tuple[int, int] = (0, 0)


def edited(base: Iterable[GameEvent], rulings: Iterable[Ruling]) -> tuple[EditedEvent, ...]:
    """The events of a turn after these rulings, in order. RefusedError where one does not fit."""
    held = _read(base)
    for ruling in rulings:
        held = _edit(held, ruling)
    return held


def _read(base: Iterable[GameEvent]) -> tuple[EditedEvent, ...]:
    return tuple(EditedEvent(event, origin=(0, at)) for at, event in enumerate(base))


def aims(rulings: Sequence[Ruling]) -> dict[int, tuple[int, int] | None]:
    """By the rows of orders in force about a turn, which of its events each is about, by origin.

    None for orders that fit no event of the turn any more.
    """
    found: dict[int, tuple[int, int] | None] = {}
    for edits in _by_turn(ruling for ruling in rulings if ruling.edits_turn).values():
        held = _read(edits[0].basis)
        found |= dict.fromkeys(ruling.seq for ruling in edits)
        with suppress(OrderRefusedError):
            for ruling in edits:
                is_there = 0 <= ruling.part < len(held)
                found[ruling.seq] = held[ruling.part].origin if is_there else None
                held = _edit(held, ruling)
    return found


def _edit(held: tuple[EditedEvent, ...], ruling: Ruling) -> tuple[EditedEvent, ...]:
    act, part = ruling.order.act, ruling.part
    match act:
        case Accept():
            after = tuple(
                held[at]
                if at < len(held) and held[at].event == event
                else EditedEvent(event, origin=(ruling.seq, at))
                for at, event in enumerate(ruling.reading)
            )
        case Insert(event=event, agreed=agreed):
            at = part if act.after == BEGINNING else part + 1
            new = EditedEvent(event, agreed, origin=(ruling.seq, 0))
            after = (*held[:at], new, *held[at:])
        case SetEndRacks() | SetTimePenalty() | Concede():
            after = _edit_end(held, act)
        case Split(turns=turns):
            _event_at(held, part)
            after = (*held[:part], *_made_by(ruling, map(EditedEvent, turns)), *held[part + 1 :])
        case Remove():
            _event_at(held, part)
            after = (*held[:part], *held[part + 1 :])
        case Correct():
            entry = _event_at(held, part)
            event, agreed = corrected(entry.event, act, agreed=entry.agreed)
            now = EditedEvent(event, agreed, origin=entry.origin)
            after = (*held[:part], now, *held[part + 1 :])
        case Challenged():
            follows = _made_by(ruling, _after_challenge(_event_at(held, part), act))
            after = (*held[: part + 1], *follows, *held[part + 1 :])
        case _:
            after = held
    return after


def _made_by(ruling: Ruling, events: Iterable[EditedEvent]) -> list[EditedEvent]:
    return [replace(event, origin=(ruling.seq, at)) for at, event in enumerate(events)]


def _event_at(held: tuple[EditedEvent, ...], part: int) -> EditedEvent:
    if not 0 <= part < len(held):
        raise OrderRefusedError("no_such_part", number=part + 1, parts=len(held))
    return held[part]


def _edit_end(
    held: tuple[EditedEvent, ...], act: SetEndRacks | SetTimePenalty | Concede
) -> tuple[EditedEvent, ...]:
    match act:
        case SetEndRacks(points=points):
            kept = [
                entry
                for entry in held
                if not isinstance(entry.event, EndRackPoints | EndRackPenalty)
            ]
            return (*(EditedEvent(event, agreed=True) for event in points), *kept)
        case SetTimePenalty(player=player, points=minus):
            others = tuple(entry for entry in held if not _overtime_of(entry.event, player))
            return (
                (*others, EditedEvent(TimePenalty(player, minus), agreed=True)) if minus else others
            )
        case Concede(player=player, margin=margin, how=how):
            others = tuple(entry for entry in held if not isinstance(entry.event, Conceded))
            return (*others, EditedEvent(Conceded(player, margin, how), agreed=True))


def _overtime_of(event: GameEvent, player: int) -> bool:
    return isinstance(event, TimePenalty) and event.player == player


def _events(held: Iterable[EditedEvent]) -> tuple[GameEvent, ...]:
    return tuple(entry.event for entry in held)


def is_withdrawn(ruling: Ruling) -> bool:
    """Whether it says that a challenge counts as not made (BLANK-4)."""
    act = ruling.order.act
    return isinstance(act, Challenged) and act.outcome is Outcome.WITHDRAWN


def _is_verdict(ruling: Ruling) -> bool:
    return isinstance(ruling.order.act, Challenged)


def _after_challenge(held: EditedEvent, act: Challenged) -> list[EditedEvent]:
    """What follows the challenged play."""
    event = held.event
    if not isinstance(event, Laid):
        raise OrderRefusedError("not_challengeable", entry=act.entry.number, event=notation(event))
    if act.outcome is Outcome.OFF:
        return [EditedEvent(Withdrawn(event.player, event.score))]
    challenger = 1 - event.player
    return [
        *([EditedEvent(ChallengeBonus(event.player, act.bonus))] if act.bonus else []),
        *([EditedEvent(Penalty(challenger, act.penalty, CHALLENGE_RULE))] if act.penalty else []),
        *([EditedEvent(Passed(challenger), lost_turn=True)] if act.turn_lost else []),
    ]


def rule(story: Sequence[Turn], rulings: Sequence[Ruling]) -> tuple[Turn, ...]:
    """The turns as ruled: ``rulings`` are those in force, ``story`` what the recorder reads.

    A turn that is ruled about and is no longer read at all stays, at its place. RefusedError when
    rulings of one turn do not fit each other; those of a log do, for they were tried before.
    """
    about = _by_turn(ruling for ruling in rulings if ruling.edits_turn or ruling.edits_end)
    turns = {group.ref: group for group in story}
    order = list(turns)
    for ref in sorted(set(about) - set(turns)):
        turns[ref] = Turn(ref, (), (), 0.0)
        order.insert(sum(other < ref for other in order), ref)
    return tuple(
        _ruled(turns[ref], about[ref], read=any(group.ref == ref for group in story))
        if ref in about
        else turns[ref]
        for ref in order
    )


def _by_turn(rulings: Iterable[Ruling]) -> dict[int, list[Ruling]]:
    """The orders about each turn; verdicts on a challenge that counts as not made are none."""
    about: dict[int, list[Ruling]] = {}
    for ruling in rulings:
        about.setdefault(ruling.group, []).append(ruling)
        if is_withdrawn(ruling):
            about[ruling.group] = [*filterfalse(_is_verdict, about[ruling.group])]
    return {ref: edits for ref, edits in about.items() if edits}


def _ruled(group: Turn, rulings: Sequence[Ruling], *, read: bool) -> Turn:
    turn_edits = [ruling for ruling in rulings if ruling.edits_turn]
    base = turn_edits[0].basis if turn_edits else group.events
    held = edited(base, rulings)
    seqs = tuple(ruling.seq for ruling in rulings)
    doubtful = bool(group.doubts)
    if not all(isinstance(ruling.order.act, SetTimePenalty) for ruling in rulings):
        group = replace(group, doubts=(), squares=(), alternatives=())
    return replace(
        group,
        refs=(*group.refs, *seqs),
        events=_events(held),
        agreed=frozenset(at for at, entry in enumerate(held) if entry.agreed),
        lost_turns=frozenset(at for at, entry in enumerate(held) if entry.lost_turn),
        rulings=seqs,
        accepted=isinstance(rulings[-1].order.act, Accept),
        firm=_contradicted(group, turn_edits, _events(held), read=read, doubtful=doubtful),
    )


def _contradicted(
    group: Turn,
    edits: Sequence[Ruling],
    now: tuple[GameEvent, ...],
    *,
    read: bool,
    doubtful: bool,
) -> tuple[CodedText, ...]:
    """The doubt about a ruled turn of which the sensors say something new."""
    if not edits or group.ref == edits[0].seq:
        return ()
    basis, who = edits[-1].basis, edits[-1].order.who
    if not read:
        return (coded("no_such_turn", who=who),) if now else ()
    read_now, read_then, ruled = (
        tuple(map(_bare, events)) for events in (group.events, basis, now)
    )
    added = any(isinstance(ruling.order.act, Insert | Split | Challenged) for ruling in edits)
    surer = edits[-1].doubted and not doubtful and not added
    if read_now == ruled or (read_now == read_then and not surer):
        return ()
    reading = ", ".join(map(notation, group.events))
    if not reading:
        return (coded("reads_nothing", who=who),)
    return (coded("reads_otherwise", who=who, reading=reading),)


def _bare(event: GameEvent) -> GameEvent:
    """An event without its points, which depend on what came before."""
    if isinstance(event, Played | IllegallyPlayed | Withdrawn):
        return replace(event, score=0)
    return event


def squares_held(rulings: Iterable[Ruling]) -> dict[int, frozenset[Square]]:
    """By turn, the squares that its plays filled as ruled, for turns that were read from a look.

    What was inserted does not count: no look shows it as a turn.
    """
    edits: dict[int, list[Ruling]] = {}
    for ruling in rulings:
        if isinstance(ruling.order.act, Accept | Correct | Split) and ruling.group != ruling.seq:
            edits.setdefault(ruling.group, []).append(ruling)
    found: dict[int, frozenset[Square]] = {}
    for ref, about in edits.items():
        try:
            held = edited(about[0].basis, about)
        except OrderRefusedError:  # part of a longer chain, of which only these say where tiles lie
            continue
        plays = [entry.event for entry in held if isinstance(entry.event, Laid)]
        found[ref] = frozenset(sq for play in plays for sq in play.laid)
    return found


def game_ended_by(rulings: Iterable[Ruling]) -> Ruling | None:
    """The first order in force that ends the game, if there is one."""
    return next((ruling for ruling in rulings if ruling.ends_game), None)

"""The event as a director's orders make it: a fold, and why an order does not fit.

Nothing is amended: an order that is undone is left out when all are folded again. A result that is
given again holds from then on; a round that is published stays as it is, whatever is corrected.
"""

import itertools
from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from recorder.domain.event import orders as acts
from recorder.domain.event.divisions import (
    BYE,
    UNPLAYED,
    Event,
    EventDivision,
    EventPlayer,
    PlayerRound,
    game_of_lines,
)
from recorder.domain.event.seating import tables_in_use
from recorder.domain.instruments import DeviceRole
from recorder.domain.notices import CodedText, coded


class _UnfitError(Exception):
    """Why an act does not fit the event; ``reason`` is its code."""

    def __init__(self, code: str, **values: str | int) -> None:
        super().__init__(code)
        self.reason = coded(code, **values)


_LeftOut = tuple[tuple[acts.EventOrder, CodedText], ...]
_EVERY = 64
"""So many orders apart the event is kept as it was, for an undo to fold on from."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The event after so many orders, but for the lines of the division that is open."""

    count: int
    event: Event
    left_out: _LeftOut = ()
    lines: "_Lines | None" = None


@dataclass(frozen=True, slots=True)
class Register:
    """The event after some orders; ``left_out`` are those that no longer fit, with the reason."""

    event: Event
    orders: tuple[acts.EventOrder, ...] = ()
    left_out: _LeftOut = ()
    kept: tuple[_Kept, ...] = field(default=(), compare=False, repr=False)


def register_of(orders: Iterable[acts.EventOrder]) -> Register:
    """The event that these orders make, in the order in which they were given."""
    return _folded(tuple(orders), (_Kept(0, Event()),))


def extended(register: Register, order: acts.EventOrder) -> Register:
    """The event after one more order; an undo folds again from shortly before what it changes."""
    orders = (*register.orders, order)
    if isinstance(order.act, acts.UndoEventOrder):
        changed = undone_by(register.orders).keys() ^ undone_by(orders).keys()
        first = next((n for n, given in enumerate(orders) if given.id in changed), len(orders) - 1)
        kept = tuple(known for known in register.kept if known.count <= first)
        return _folded(orders, kept or (_Kept(0, Event()),))
    now = _Kept(len(register.orders), register.event, register.left_out)
    fold = _Fold(now, register.kept)
    fold.take(order)
    return fold.register(orders)


def _folded(orders: tuple[acts.EventOrder, ...], kept: tuple[_Kept, ...]) -> Register:
    """All orders in force, from the last of the events kept on."""
    undone, fold = undone_by(orders), _Fold(kept[-1], kept)
    for order in orders[kept[-1].count :]:
        fold.take(order, counts=order.id not in undone)
    return fold.register(orders)


class _Fold:
    """An event that orders are applied to one by one; one division's lines are open to them."""

    def __init__(self, now: _Kept, kept: tuple[_Kept, ...]) -> None:
        self._count, self._event, self._left_out = now.count, now.event, now.left_out
        self._lines = now.lines and now.lines.copied()
        self._kept = list(kept)

    def take(self, order: acts.EventOrder, *, counts: bool = True) -> None:
        """Apply an order, or leave it out with the reason why it does not fit."""
        self._keep()
        try:
            if counts:
                self._apply(order.act)
        except _UnfitError as fault:
            self._left_out = (*self._left_out, (order, fault.reason))
        self._count += 1

    def register(self, orders: tuple[acts.EventOrder, ...]) -> Register:
        """The event after all that was taken, which are ``orders``."""
        self._close()
        self._keep()
        return Register(self._event, orders, self._left_out, tuple(self._kept))

    def _apply(self, act: acts.EventAct) -> None:
        if not isinstance(act, acts.LinesAct):
            self._close()
            self._event = _applied(self._event, act)
            return
        if self._lines is None or self._lines.division.name != act.division:
            self._close()
            self._lines = _Lines(_division(self._event, act.division, may_be_new=False))
        _change_lines(self._lines, act)

    def _close(self) -> None:
        if self._lines is not None:
            self._event, self._lines = _with_division(self._event, self._lines.closed()), None

    def _keep(self) -> None:
        if self._count - self._kept[-1].count >= _EVERY:
            lines = self._lines and self._lines.copied()
            self._kept.append(_Kept(self._count, self._event, self._left_out, lines))


class _Lines:
    """The lines of a division while orders change them; its players are made again at the end."""

    def __init__(self, division: EventDivision) -> None:
        self.division = division
        self._changed: dict[int, tuple[PlayerRound, ...]] = {}

    def copied(self) -> "_Lines":
        """The same lines, which do not change with these."""
        copy = _Lines(self.division)
        copy._changed = {**self._changed}
        return copy

    def line(self, number: int, round_: int) -> PlayerRound:
        """A player's line of a round; _UnfitError where there is no such player."""
        rounds = self._rounds(number)
        return rounds[round_ - 1] if round_ <= len(rounds) else UNPLAYED

    def put(self, number: int, round_: int, line: PlayerRound) -> None:
        """Another line in its place."""
        rounds = self._rounds(number)
        gap = (UNPLAYED,) * (round_ - 1 - len(rounds))
        self._changed[number] = (*rounds[: round_ - 1], *gap, line, *rounds[round_:])

    def _rounds(self, number: int) -> tuple[PlayerRound, ...]:
        return self._changed.get(number) or _player(self.division, number).rounds

    def pair(self, act: acts.GameAct) -> tuple[int, int]:
        """The two players of the game that an act names by one; _UnfitError: there is none."""
        other = self.line(act.number, act.round).opponent
        if not other or act.other not in (0, other):
            raise _unpaired(_player(self.division, act.number), act, other)
        return act.number, other

    def closed(self) -> EventDivision:
        """The division with these lines."""
        changed = self._changed
        players = (
            replace(player, rounds=changed[player.number]) if player.number in changed else player
            for player in self.division.players
        )
        return replace(self.division, players=tuple(players)) if changed else self.division


def undone_by(orders: Sequence[acts.EventOrder]) -> dict[str, str]:
    """For every order that does not count, the undo in force that says so."""
    undone: dict[str, str] = {}
    for order in reversed(orders):
        if order.id not in undone and isinstance(order.act, acts.UndoEventOrder):
            undone.setdefault(order.act.order, order.id)
    return undone


def settled(register: Register, order: acts.EventOrder) -> acts.EventOrder:
    """An order that fits, with the identities that it has from now on.

    The number of a player who enters, and the opponent in a game that is named by one player. A
    number that was given once is not given again, so that whatever is restored finds its people.
    """
    act = order.act
    match act:
        case acts.EnterPlayer(number=0):
            return replace(order, act=replace(act, number=_next_number(register, act.division)))
        case acts.MovePlayers(given=()):
            return replace(order, act=replace(act, given=_numbers_there(register, act)))
        case acts.OfPairing(other=0):
            division = register.event.division(act.division)
            other = None if division is None else division.player(act.number).in_round(act.round)
            return replace(order, act=replace(act, other=(other and other.opponent) or 0))
    return order


def is_again(given: acts.EventOrder, order: acts.EventOrder) -> bool:
    """Whether an order was given before, word for word, but for what the recorder added to it."""
    act = given.act
    if isinstance(act, acts.EnterPlayer):
        act = replace(act, number=getattr(order.act, "number", 0))
    elif isinstance(act, acts.MovePlayers):
        act = replace(act, given=getattr(order.act, "given", ()))
    elif isinstance(act, acts.OfPairing):
        act = replace(act, other=getattr(order.act, "other", 0))
    elif isinstance(act, acts.ExchangeCameras):
        act = replace(act, games=getattr(order.act, "games", ()))
        act = replace(act, cameras=getattr(order.act, "cameras", ()))
    elif isinstance(act, acts.PlayByRules):
        act = replace(act, settings=getattr(order.act, "settings", {}))
    return replace(given, act=act) == order


def _next_number(register: Register, division: str) -> int:
    """One above every number that a division has or ever had."""
    found = register.event.division(division)
    given: set[int] = {0, *(() if found is None else found.by_number)}
    names = {division.casefold()}
    for act in (order.act for order in reversed(register.orders)):
        if isinstance(act, acts.MovePlayers) and act.to.casefold() in names:
            given |= {*act.given}
            names |= set() if act.numbers else {act.division.casefold()}
        elif isinstance(act, acts.EnterPlayer) and act.division.casefold() in names:
            given.add(act.number)
    return max(given) + 1


def _numbers_there(register: Register, act: acts.MovePlayers) -> tuple[int, ...]:
    """The numbers of players in the division to which they move: their own where it is new."""
    division, to = register.event.division(act.division), register.event.division(act.to)
    if division is None or not act.to:
        return ()
    moved = act.numbers or tuple(player.number for player in division.players)
    if not act.numbers and to in (None, division):
        return moved
    first = _next_number(register, act.to)
    return tuple(range(first, first + len(moved)))


def refusal(register: Register, order: acts.EventOrder) -> CodedText | None:
    """Why an order cannot be applied now; None: it can."""
    if any(given.id == order.id for given in register.orders):
        return coded("event_order_repeated", id=order.id)
    if isinstance(order.act, acts.UndoEventOrder):
        undone = next((o.act for o in register.orders if o.id == order.act.order), None)
        if isinstance(undone, acts.ExchangeCameras):
            first, second = undone.tables
            return coded("event_cameras_again", first=first, second=second)
        return None if undone else coded("event_no_order", id=order.act.order)
    try:
        _applied(register.event, order.act)
        if not order.agreed:
            _check_hall(register.event, order.act)
    except _UnfitError as fault:
        return fault.reason
    return None


def _check_hall(event: Event, act: acts.EventAct) -> None:
    """_UnfitError where a round leaves somebody out, or a table is another division's.

    Asked of new orders only: old logs have such rounds.
    """
    tables: list[int] = []
    if isinstance(act, acts.PublishRound):
        _check_complete(_division(event, act.division, may_be_new=False), act)
        tables = [game.table for game in act.games]
    elif isinstance(act, acts.MoveGame):
        tables = [act.table]
    if tables:
        taken = tables_in_use(event, getattr(act, "division", ""))
        for table in tables:
            if table in taken:
                raise _UnfitError("event_table_taken", table=table, division=taken[table])


def _check_complete(division: EventDivision, act: acts.PublishRound) -> None:
    named = {number for game in act.games for number in (game.first, game.second)}
    for number in sorted(named | ({act.bye} - {BYE})):
        player = division.player(number)
        if player.absence_margin is not None:
            raise _UnfitError("event_has_left", number=number, name=player.name)
    for number in act.out:
        _player(division, number)
    named |= {act.bye, *act.out}
    missing = [
        player
        for player in division.players
        if player.number not in named and player.absence_margin is None
    ]
    if missing:
        names = ", ".join(f"{player.number} {player.name}" for player in missing)
        raise _UnfitError(
            "event_left_out", names=names, numbers=" ".join(str(p.number) for p in missing)
        )


def _applied(event: Event, act: acts.EventAct) -> Event:
    """The event after an act; _UnfitError says why it does not fit."""
    match act:
        case acts.DescribeEvent():
            return _described(event, act)
        case acts.UndoEventOrder():
            return event
        case acts.AssignDevice(device=device, table=table, role=role):
            place = (table, role if table else None)
            return replace(event, devices={**event.devices, device: place})
        case acts.ExchangeCameras(tables=tables, cameras=cameras):
            role = DeviceRole.BOARD_CAMERA
            theirs = zip(cameras, tables[::-1], strict=False)  # none are named in a preview
            moved = {camera: (table, role) for camera, table in theirs}
            return replace(event, devices={**event.devices, **moved})
        case acts.MovePlayers():
            return _moved_players(event, act)
    division = _division(event, act.division, may_be_new=isinstance(act, acts.EnterPlayer))
    return _with_division(event, _changed_division(division, act))


def _changed_division(division: EventDivision, act: acts.DivisionAct) -> EventDivision:
    if isinstance(act, acts.LinesAct):
        lines = _Lines(division)
        _change_lines(lines, act)
        return lines.closed()
    match act:
        case acts.EnterPlayer():
            changed = _entered(division, act)
        case acts.PlayByRules():
            changed = replace(division, rules=act if act.rules else None)
        case acts.UseWords(file=file):
            changed = replace(division, words=file)
        case acts.ArrangeDivision():
            changed = _arranged(division, act)
        case _:
            changed = division.with_player(_changed(_player(division, act.number), act))
    return changed


def _moved_players(event: Event, act: acts.MovePlayers) -> Event:
    source = _division(event, act.division, may_be_new=False)
    target = event.division(act.to) if act.to else None
    for division in filter(None, (source, target)):
        if division.paired_rounds:
            raise _UnfitError("event_paired", division=division.name)
    if act.to and not act.numbers and target in (None, source):
        return _in_place_of(event, source, replace(source, name=act.to))
    if target is source:
        name = _player(source, act.numbers[0]).name
        raise _UnfitError("event_name_taken", division=source.name, name=name)
    moved = [_player(source, number) for number in act.numbers] or [*source.players]
    rest = tuple(player for player in source.players if player not in moved)
    fixed = {n: table for n, table in source.fixed.items() if any(n == p.number for p in rest)}
    event = _in_place_of(
        event, source, replace(source, players=rest, fixed=fixed) if rest else None
    )
    if not act.to:
        return event
    division = _division(event, act.to, may_be_new=True)
    for player, number in zip(moved, act.given or itertools.repeat(0), strict=False):
        division = _with_entrant(division, replace(player, number=number))
    return _with_division(event, division)


def _in_place_of(event: Event, division: EventDivision, changed: EventDivision | None) -> Event:
    divisions = (changed if known is division else known for known in event.divisions)
    return replace(event, divisions=tuple(known for known in divisions if known is not None))


def _described(event: Event, act: acts.DescribeEvent) -> Event:
    divisions = tuple(
        replace(
            division,
            last_round=act.rounds or division.last_round,
            spread_cap=act.spread_cap or division.spread_cap,
        )
        for division in event.divisions
    )
    return replace(
        event,
        name=act.name or event.name,
        date=act.date or event.date,
        rounds=act.rounds or event.rounds,
        spread_cap=act.spread_cap or event.spread_cap,
        divisions=divisions,
    )


def _arranged(division: EventDivision, act: acts.ArrangeDivision) -> EventDivision:
    if act.fixed is not None:
        for seat in act.fixed:
            _player(division, seat.number)
        division = replace(division, fixed={seat.number: seat.table for seat in act.fixed})
    return replace(division, **_said(act, "tables", "prizes", "class_prizes", "times"))


def _said(act: acts.EventAct, *names: str) -> dict[str, Any]:
    """Of what an act can say, what it does say; the rest stays as it was."""
    said = {name: getattr(act, name) for name in names}
    return {name: value for name, value in said.items() if value is not None}


def _division(event: Event, name: str, *, may_be_new: bool) -> EventDivision:
    division = event.division(name)
    if division is not None:
        return division
    if not may_be_new:
        raise _UnfitError("event_no_division", division=name)
    return EventDivision(
        name=name, players=(), last_round=event.rounds, spread_cap=event.spread_cap
    )


def _with_division(event: Event, changed: EventDivision) -> Event:
    if any(division.name == changed.name for division in event.divisions):
        divisions = (changed if d.name == changed.name else d for d in event.divisions)
        return replace(event, divisions=tuple(divisions))
    return replace(event, divisions=(*event.divisions, changed))


def _player(division: EventDivision, number: int) -> EventPlayer:
    found = division.find(number)
    if found is None:
        raise _UnfitError("event_no_player", division=division.name, number=number)
    return found


def _entered(division: EventDivision, act: acts.EnterPlayer) -> EventDivision:
    rating = act.rating or None
    entrant = EventPlayer(number=act.number, name=act.name, rating=rating, ident=act.ident)
    return _with_entrant(division, entrant)


def _with_entrant(division: EventDivision, entrant: EventPlayer) -> EventDivision:
    """The division with one more player; number 0 is the next."""
    if entrant.name.casefold() in map(str.casefold, map(attrgetter("name"), division.players)):
        raise _UnfitError("event_name_taken", division=division.name, name=entrant.name)
    if entrant.number and division.find(entrant.number) is not None:
        raise _UnfitError("event_number_taken", division=division.name, number=entrant.number)
    players = [*division.players]
    number = entrant.number or (players[-1].number if players else 0) + 1
    insort(players, replace(entrant, number=number), key=attrgetter("number"))
    return replace(division, players=tuple(players))


def _changed(player: EventPlayer, act: acts.EntrantAct) -> EventPlayer:
    match act:
        case acts.ChangePlayer(name=name):
            said = _said(act, "rating", "prize_class", "ident")
            return replace(player, name=name or player.name, **said)
        case acts.LeaveEvent(margin=margin):
            return replace(player, absence_margin=margin)
        case acts.ReturnToEvent():
            return replace(player, absence_margin=None)
        case acts.CheckIn(here=here):
            return replace(player, here=here)


def _change_lines(lines: _Lines, act: acts.LinesAct) -> None:
    match act:
        case acts.PublishRound():
            _publish(lines, act)
        case acts.EnterResult():
            _score(lines, act)
        case acts.ClaimResult():
            _claim(lines, act)
        case acts.PenaliseSpread(number=number, round=round_, points=points):
            lines.put(number, round_, lines.line(number, round_)._replace(penalty=points))
        case _:
            _change_game(lines, act)


def _publish(lines: _Lines, act: acts.PublishRound) -> None:
    """The round as paired; one that has a result stays, unless it is to be paired again.

    Two who still meet play the same game: what was said of it before holds.
    """
    division = lines.division
    if not act.again and _is_begun(lines, act.round):
        raise _UnfitError("event_round_begun", division=division.name, round=act.round)
    paired = _paired_lines(division, act)
    for player in division.players:
        line, old = paired.get(player.number, UNPLAYED), lines.line(player.number, act.round)
        if line.opponent and line.opponent == old.opponent:
            line = _at_table(old, line.table)._replace(start=line.start)
        if player.number not in paired and player.absence_margin is not None:
            line = PlayerRound(opponent=BYE, score=player.absence_margin, bye=False)
        if line.penalty != old.penalty:
            line = line._replace(penalty=old.penalty)
        lines.put(player.number, act.round, line)


def _is_begun(lines: _Lines, round_: int) -> bool:
    """Whether a game of a round has a result."""
    found = {n: lines.line(n, round_) for n in lines.division.by_number}
    pairs = ((n, line.opponent) for n, line in found.items() if line.opponent in found)
    games = (game_of_lines(round_, (n, other), (found[n], found[other])) for n, other in pairs)
    return any(game.played for game in games if game is not None)


def _paired_lines(division: EventDivision, act: acts.PublishRound) -> dict[int, PlayerRound]:
    lines: dict[int, PlayerRound] = {}
    tables: set[int] = set()
    for game in act.games:
        if game.table in tables:
            raise _UnfitError("event_table_twice", table=game.table)
        tables.add(game.table)
        for start, (own, other) in enumerate(
            ((game.first, game.second), (game.second, game.first)), start=1
        ):
            _player(division, own)
            if own in lines or own == other:
                raise _UnfitError("event_player_twice", division=division.name, number=own)
            lines[own] = PlayerRound(opponent=other, start=start, table=game.table)
    if act.bye:
        _player(division, act.bye)
        if act.bye in lines:
            raise _UnfitError("event_player_twice", division=division.name, number=act.bye)
        lines[act.bye] = PlayerRound(opponent=BYE, score=act.bye_margin, bye=True)
    # Who sits out and is in the event no more keeps nobody from playing.
    for number in (n for n in act.out if n in division.by_number):
        if number in lines:
            raise _UnfitError("event_player_twice", division=division.name, number=number)
        lines[number] = PlayerRound(opponent=BYE, score=act.out_margin, bye=False)
    return lines


def _score(lines: _Lines, act: acts.EnterResult) -> None:
    """The result in both lines; only of a game that is paired, or of a round without opponent."""
    first = lines.line(act.first, act.round)
    if not act.second:
        if first.opponent:
            raise _unpaired(lines.division.player(act.first), act, first.opponent)
        # Another margin says itself whether it is a bye; an absence that counts 0 is none.
        stays = act.first_score in ((first.score, 0) if first.bye is False else (first.score,))
        bye = first.bye if stays else None
        line = first._replace(opponent=BYE, score=act.first_score, bye=bye)
        lines.put(act.first, act.round, line)
        return
    second = lines.line(act.second, act.round)
    if first.opponent != act.second:
        raise _unpaired(lines.division.player(act.first), act, first.opponent)
    margins = (None, None) if act.margin is None else (act.margin, -act.margin)
    own = first._replace(score=act.first_score, claim=None, margin=margins[0])
    other = second._replace(score=act.second_score, claim=None, margin=margins[1])
    lines.put(act.first, act.round, own)
    lines.put(act.second, act.round, other)


def _claim(lines: _Lines, act: acts.ClaimResult) -> None:
    """What a player says of their game; two who say the same have the result."""
    own, other = lines.pair(act)
    line, theirs = lines.line(own, act.round), lines.line(other, act.round)
    if line.score is not None or theirs.score is not None or line.margin is not None:
        raise _UnfitError("event_result_stands", number=own, round=act.round)
    if theirs.claim == (act.other_score, act.own_score):
        result = acts.EnterResult(
            division=lines.division.name, round=act.round, first=own, first_score=act.own_score,
            second=other, second_score=act.other_score,
        )  # fmt: skip
        _score(lines, result)
    else:
        lines.put(own, act.round, line._replace(claim=(act.own_score, act.other_score)))


def _change_game(lines: _Lines, act: acts.PairedGameAct) -> None:
    """What is said of a game, in both lines."""
    pair = lines.pair(act)
    before = [lines.line(number, act.round) for number in pair]
    for number, line in zip(pair, before, strict=True):
        lines.put(number, act.round, _said_of(line, act, is_own=number == act.number))
    goes_alone = before[0].adjourned or before[0].begun_at is not None
    if isinstance(act, acts.MoveGame) and not goes_alone:
        _swap_twin(lines, act, pair, left=before[0].table)


def _said_of(line: PlayerRound, act: acts.PairedGameAct, *, is_own: bool) -> PlayerRound:
    match act:
        case acts.MoveGame(table=table):
            return _at_table(line, table)
        case acts.MovesFirst():
            return line._replace(start=1 if is_own else 2)
        case acts.ReplayGame():
            again = line.attempt + 1
            line = line._replace(score=None, attempt=again, adjourned=False, claim=None)
            return line._replace(margin=None, begun_at=None)
        case acts.ForfeitGame(margin=margin, other_margin=other):
            line = line._replace(score=None, adjourned=False, claim=None)
            return line._replace(margin=margin if is_own else other)
        case acts.AdjournGame():
            return line._replace(adjourned=True)
        case acts.ResumeGame():
            return line._replace(adjourned=False)


def _at_table(line: PlayerRound, table: int | None) -> PlayerRound:
    """A game at another table; what was recorded of one that is adjourned stays where it is."""
    home = line.begun_at or (line.table if line.adjourned else None)
    return line._replace(table=table, begun_at=None if home == table else home)


def _swap_twin(
    lines: _Lines, act: acts.MoveGame, pair: tuple[int, int], *, left: int | None
) -> None:
    """Seat the players at a game's new table at the one that it has left.

    A game that was played or adjourned there stays where its record is.
    """
    for number in lines.division.by_number:
        line = lines.line(number, act.round)
        stays = line.adjourned or line.begun_at or (line.score, line.margin) != (None, None)
        if number not in pair and line.opponent and line.table == act.table and not stays:
            lines.put(number, act.round, line._replace(table=left))


def _unpaired(
    player: EventPlayer, act: acts.EnterResult | acts.GameAct, opponent: int | None
) -> _UnfitError:
    values: dict[str, str | int] = {"number": player.number, "name": player.name}
    values["round"] = act.round
    if opponent is None:
        return _UnfitError("event_not_paired", **values)
    return _UnfitError("event_paired_otherwise", **values, other=opponent)

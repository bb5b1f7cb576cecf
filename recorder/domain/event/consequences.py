"""What an order changes beside what it says itself: people, results, rounds, later pairings.

An order with consequences is applied once the person who gave it has seen them. Pure.
"""

from collections.abc import Iterator, Mapping, Sequence

from recorder.domain.event.divisions import (
    BYE,
    Event,
    EventDivision,
    EventGame,
    EventPlayer,
    PlayerRound,
)
from recorder.domain.event.meetings import is_bye
from recorder.domain.event.orders import (
    ChangePlayer,
    EnterPlayer,
    EnterResult,
    EventAct,
    EventOrder,
    ExchangeCameras,
    ForfeitGame,
    InDivision,
    MovePlayers,
    OfEntrant,
    OfGame,
    PenaliseSpread,
    PublishRound,
    ResumeGame,
    UndoEventOrder,
)
from recorder.domain.notices import CodedText, coded

_Key = tuple[int, frozenset[int]]
"""A game by round and players; one player alone is a round without opponent."""
_Counted = tuple[tuple[int, int | None], ...]
"""What a game counts for each player, by number."""
_NONE = EventDivision(name="", players=())


def root_act(order: EventOrder, orders: Sequence[EventOrder]) -> EventAct:
    """The act that an order is about in the end: of an undo that which it undoes or restores."""
    known = {given.id: given.act for given in orders}
    act = order.act
    while isinstance(act, UndoEventOrder) and act.order in known:
        act = known[act.order]
    return act


def consequences(before: Event, after: Event, own: EventAct) -> tuple[CodedText, ...]:
    """What is different after an order, beside what ``own``, its act, is about."""
    found: list[CodedText] = []
    old = {division.name: division for division in before.divisions}
    new = {division.name: division for division in after.divisions}
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name, _NONE), new.get(name, _NONE)
        if was is now or was == now:
            continue
        is_mine = isinstance(own, InDivision) and own.division.casefold() == name.casefold()
        found += _Changes(was, now, own if is_mine else None).all()
    return tuple(found)


_LIKELY, _FAR_APART = range(150, 801), 400
"""Scores outside are rarer than a missing digit; and so is a win by more."""


def doubts(event: Event, act: EventAct) -> Iterator[CodedText]:
    """What is unlikely in an order, or cannot be undone: to be looked at once before it counts."""
    yield from _doubtful_entry(event, act)
    if isinstance(act, ExchangeCameras):
        yield coded("games_read_again", first=act.tables[0], second=act.tables[-1])
    division = event.division(act.division) if isinstance(act, InDivision) else None
    if division is None:
        return
    match act:
        case ChangePlayer():
            yield from _renamed(division, act)
        case PublishRound():
            yield from _odd_round(division, act)
        case ForfeitGame():
            yield from _ruled_over(division, act)
        case ResumeGame():
            yield from _shared_table(event, division, act)
        case PenaliseSpread():
            yield from _penalised(division, act)
        case EnterResult() if act.second:
            yield from _odd_result(division, act)
        case EnterResult() if act.first_score > 0:
            yield from _second_byes(division, act.round, act.first)


def _odd_result(division: EventDivision, act: EnterResult) -> Iterator[CodedText]:
    """Scores that are not likely, and those of a game that has a result already."""
    place: dict[str, str | int] = {"division": division.name, "round": act.round}
    scores = {act.first: act.first_score, act.second: act.second_score}
    game = division.game(act.round, frozenset(scores))
    if game is not None and game.played and not _is_result(act, game):
        yield _has_result(division, game)
    if not any(scores.values()):
        yield coded("no_scores", **place)
        return
    odd = [number for number, score in scores.items() if score not in _LIKELY]
    for number in odd:
        name = division.player(number).name
        yield coded("score_unlikely", name=name, score=scores[number], **place)
    margin = abs(act.first_score - act.second_score)
    if margin > _FAR_APART and not odd and act.margin is None:
        winner = max(scores, key=lambda number: scores[number])
        yield coded("far_apart", name=division.player(winner).name, margin=margin, **place)


def _is_result(act: EnterResult, game: EventGame) -> bool:
    """Whether the game has this very result already."""
    seat = game.players.index(act.first)
    counted = None if game.margins is None else game.margins[seat]
    said = (act.first_score, act.second_score)
    return (game.scores, counted) == (said if seat == 0 else said[::-1], act.margin)


def _has_result(division: EventDivision, game: EventGame) -> CodedText:
    scores, margins = "\N{EN DASH}".join(map(str, game.scores or ())), ""
    if game.margins is not None:
        margins = " / ".join(map(str, game.margins))
    was = f"{scores} ({margins})" if scores and margins else scores or margins
    return coded("has_result", was=was, division=division.name, round=game.round)


def _ruled_over(division: EventDivision, act: ForfeitGame) -> Iterator[CodedText]:
    """A game that is said not to be played has a result, or it was the other who did not come."""
    player = division.find(act.number)
    other = player.in_round(act.round).opponent if player is not None else None
    game = division.game(act.round, frozenset((act.number, other))) if other else None
    margins = {act.number: act.margin, other: act.other_margin}
    if game is None or not game.played:
        return
    if not game.forfeited or game.margins != tuple(margins[n] for n in game.players):
        yield _has_result(division, game)


def _shared_table(event: Event, division: EventDivision, act: ResumeGame) -> Iterator[CodedText]:
    """Other games that are open at the table where an adjourned one goes on."""
    player = division.find(act.number)
    table = None if player is None else player.in_round(act.round).table
    for other in event.divisions:
        for game in other.games:
            is_own = other is division and act.number in game.players and game.round == act.round
            if table and game.table == table and not (is_own or game.played or game.adjourned):
                first, second = (other.player(number).name for number in game.players)
                yield coded(
                    "table_shared", table=table, name=first, other=second, division=other.name,
                    round=game.round,
                )  # fmt: skip


def _second_byes(division: EventDivision, round_: int, number: int) -> Iterator[CodedText]:
    """The round in which a player has had a bye already."""
    player = division.find(number)
    for had, seen in enumerate(player.rounds if player else (), start=1):
        if had != round_ and is_bye(seen):
            yield coded("second_bye", name=player.name if player else "", round=had)
            return


def _penalised(division: EventDivision, act: PenaliseSpread) -> Iterator[CodedText]:
    """Points that are there for the round already: they are not added up."""
    player = division.find(act.number)
    was = 0 if player is None else player.in_round(act.round).penalty
    if player is not None and was not in (0, act.points):
        yield coded("has_penalty", name=player.name, round=act.round, was=was, points=act.points)


def _odd_round(division: EventDivision, act: PublishRound) -> Iterator[CodedText]:
    """A round before it has no pairings, it is one too many, or an adjourned game is gone."""
    pairs = {frozenset((game.first, game.second)) for game in act.games}
    for game in division.games:
        if game.round == act.round and game.adjourned and frozenset(game.players) not in pairs:
            name, other = (division.player(number).name for number in game.players)
            yield coded("adjourned_gone", name=name, other=other, division=division.name)
    last, following = division.last_round, division.paired_rounds + 1
    if last and act.round > last:
        yield coded("round_beyond", division=division.name, last=last)
    if act.round > following:
        yield coded("round_skipped", division=division.name, round=following)
    others = [division.find(number) for pair in pairs for number in pair]
    if any(not any(map(is_bye, _before(other, act.round))) for other in others if other):
        yield from _second_byes(division, act.round, act.bye)


def _before(player: EventPlayer, round_: int) -> tuple[PlayerRound, ...]:
    return player.rounds[: round_ - 1]


def _renamed(division: EventDivision, act: ChangePlayer) -> Iterator[CodedText]:
    """A name that is another player's."""
    for player in division.players:
        if player.name.casefold() == act.name.casefold() and player.number != act.number:
            yield coded("name_shared", name=act.name, number=player.number)


def _doubtful_entry(event: Event, act: EventAct) -> Iterator[CodedText]:
    """A division that is new, and a person in two of them."""
    into = act.division if isinstance(act, EnterPlayer) else ""
    if isinstance(act, MovePlayers) and act.numbers:
        into = act.to
    if into and event.divisions and event.division(into) is None:
        names = ", ".join(division.name for division in event.divisions)
        yield coded("new_division", division=into, names=names)
    if isinstance(act, EnterPlayer):
        for other in event.divisions:
            named = [p for p in other.players if p.name.casefold() == act.name.casefold()]
            if named and other.name.casefold() != act.division.casefold():
                yield coded("in_two_divisions", name=act.name, division=other.name)


class _Changes:
    """What differs in one division, over the players whose lines are not the same any more."""

    def __init__(self, was: EventDivision, now: EventDivision, own: EventAct | None) -> None:
        self._was, self._now, self._own = was, now, own
        self._touched = [
            player.number
            for player in was.players
            if (other := now.find(player.number)) is not player and other != player
        ]

    def all(self) -> Iterator[CodedText]:
        yield from self._people()
        yield from self._pairings()
        yield from self._results()

    def _coded(self, code: str, **values: str | int) -> CodedText:
        return coded(code, division=self._was.name, **values)

    def _people(self) -> Iterator[CodedText]:
        """Players who are gone, and numbers that are another person's."""
        own = self._own
        if isinstance(own, MovePlayers) and (own.to or own.numbers):
            return
        entered = own.name if isinstance(own, EnterPlayer) else None
        named = own.number if isinstance(own, OfEntrant) else None
        for number in self._touched:
            player, other = self._was.player(number), self._now.find(number)
            if other is None and player.name != entered:
                yield self._coded("player_gone", number=number, name=player.name)
            elif other is not None and other.name != player.name and number != named:
                yield self._coded(
                    "player_swapped", number=number, name=player.name, other=other.name
                )

    def _pairings(self) -> Iterator[CodedText]:
        """Rounds that were published and would be paired otherwise."""
        own = self._own.round if isinstance(self._own, PublishRound) else None
        lines = ((n, self._was.player(n), self._now.find(n)) for n in self._touched)
        lost: dict[int, set[frozenset[int]]] = {}
        for number, player, other in lines:
            for round_, seen in enumerate(player.rounds, start=1):
                now = other.in_round(round_).opponent if other is not None else None
                if seen.opponent and now != seen.opponent and round_ != own:
                    lost.setdefault(round_, set()).add(frozenset((number, seen.opponent)))
        for round_, pairs in sorted(lost.items()):
            yield self._coded("round_differs", round=round_, games=len(pairs))

    def _results(self) -> Iterator[CodedText]:
        """Results that would be gone or others; and rounds that were paired from what changes."""
        old, new = (_results_of(division, self._touched) for division in (self._was, self._now))
        changed = [key for key, counted in old.items() if new.get(key) != counted]
        for key in sorted(changed, key=lambda key: (key[0], sorted(key[1]))):
            if not self._is_own(key):
                round_, result = key[0], _shown(self._was, old[key])
                if key in new:
                    now = _shown(self._now, new[key])
                    yield self._coded("result_differs", round=round_, result=result, other=now)
                else:
                    yield self._coded("result_gone", round=round_, result=result)
        first = min((round_ for round_, _ in changed), default=None)
        if first is not None:
            for round_ in range(first + 1, self._now.paired_rounds + 1):
                yield self._coded("paired_from_it", round=round_)

    def _is_own(self, key: _Key) -> bool:
        round_, players = key
        match self._own:
            case EnterPlayer(name=name) if len(players) == 1:
                return self._was.player(min(players)).name == name
            case (
                EnterResult(round=own_round, first=number) | OfGame(round=own_round, number=number)
            ):
                return own_round == round_ and number in players
        return False


def _results_of(division: EventDivision, numbers: Sequence[int]) -> Mapping[_Key, _Counted]:
    """Every result of these players."""
    found: dict[_Key, _Counted] = {}
    for number in numbers:
        player = division.find(number)
        for round_, seen in enumerate(player.rounds if player else (), start=1):
            if seen.opponent == BYE and seen.score is not None:
                found[round_, frozenset((number,))] = ((number, seen.score),)
            elif seen.opponent:
                pair = frozenset((number, seen.opponent))
                game = division.game(round_, pair)
                if game is not None and game.played:
                    values = game.margins or game.scores or (0, 0)
                    found[round_, pair] = tuple(zip(game.players, values, strict=True))
    return found


def _shown(division: EventDivision, counted: _Counted) -> str:
    return ", ".join(f"{division.player(number).name} {score}" for number, score in counted)

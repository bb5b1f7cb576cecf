"""What an event has to take over from a feed that leads it, and what it has to give back.

Where another program pairs, its feed decides: players, pairings, byes, and every result that it
has. Results that only this event has are to be typed there. Pure: knows no feed's form.
"""

from collections.abc import Iterator

from recorder.domain.event.divisions import (
    BYE,
    NOTHING_KNOWN,
    Event,
    EventDivision,
    EventGame,
    EventPlayer,
)
from recorder.domain.event.orders import (
    ChangePlayer,
    EnterPlayer,
    EnterResult,
    EventAct,
    LeaveEvent,
    PublishRound,
    ReturnToEvent,
    TableGame,
)
from recorder.domain.event.seating import first_in_front

_NOBODY = EventDivision(name="", players=())


def division_name(name: str) -> str:
    """The name of a division as orders have it: without blanks and semicolons."""
    return "-".join(name.replace(";", " ").split()) or "-"


def acts_to_follow(event: Event, feed: Event) -> Iterator[EventAct]:
    """The orders after which the event has what the feed has, in the order to give them."""
    known = {division.name.casefold(): division for division in event.divisions}
    for division in feed.divisions:
        name = division_name(division.name)
        mine = known.get(name.casefold(), _NOBODY)
        for player in division.players:
            yield from _of_player(name, player, mine.by_number.get(player.number))
        yield from _of_rounds(name, division, mine)
        yield from _of_results(name, division, mine)


def _of_player(name: str, player: EventPlayer, known: EventPlayer | None) -> Iterator[EventAct]:
    called, number = player.name[:80], player.number
    if known is None:
        yield EnterPlayer(division=name, name=called, rating=player.rating or 0, number=number)
    elif known.name != called:
        yield ChangePlayer(division=name, number=number, name=called)
    if known is not None and player.rating and known.rating != player.rating:
        yield ChangePlayer(division=name, number=number, rating=player.rating)
    margin = player.absence_margin
    if margin is not None and (known is None or known.absence_margin != margin):
        yield LeaveEvent(division=name, number=number, margin=margin)
    if margin is None and known is not None and known.absence_margin is not None:
        yield ReturnToEvent(division=name, number=number)


def _of_rounds(name: str, division: EventDivision, mine: EventDivision) -> Iterator[EventAct]:
    """Rounds that are paired otherwise than here; one of which a game is played stays."""
    begun = {game.round for game in mine.games if game.played}
    for round_ in range(1, division.paired_rounds + 1):
        games = _table_games(division, round_)
        if games and round_ not in begun and games != _table_games(mine, round_):
            yield PublishRound(division=name, round=round_, games=games)


def _table_games(division: EventDivision, round_: int) -> tuple[TableGame, ...]:
    """The games of a round by table; those without one get the next that are free."""
    games = [game for game in division.games if game.round == round_]
    taken: set[int] = set()
    found = []
    for game in games:
        table = game.table if game.table and game.table not in taken else None
        free = (n for n in range(1, len(games) + len(taken) + 1) if n not in taken)
        seat = table or next(n for n in free if n not in {g.table for g in games})
        taken.add(seat)
        first, second = first_in_front(game)
        found.append(TableGame(table=seat, first=first, second=second))
    return tuple(sorted(found, key=lambda game: game.table))


def _of_results(name: str, division: EventDivision, mine: EventDivision) -> Iterator[EventAct]:
    here = {(game.round, game.players): game.scores for game in mine.games if game.played}
    for game in division.games:
        if game.played and here.get((game.round, game.players)) != game.scores:
            yield _result(name, game)
    for player in division.players:
        known = mine.by_number.get(player.number)
        for round_, seen in enumerate(player.rounds, start=1):
            line = known.in_round(round_) if known else NOTHING_KNOWN
            if seen.opponent == BYE and seen.score and line.score != seen.score:
                number, score = player.number, seen.score
                yield EnterResult(division=name, round=round_, first=number, first_score=score)


def _result(division: str, game: EventGame) -> EnterResult:
    (first, second), (score, other) = game.players, game.scores or (0, 0)
    return EnterResult(
        division=division, round=game.round, first=first, first_score=score,
        second=second, second_score=other,
    )  # fmt: skip


def results_to_give_back(event: Event, feed: Event) -> tuple[EnterResult, ...]:
    """The results that this event has and the feed has not, round by round."""
    theirs = {division_name(division.name).casefold(): division for division in feed.divisions}
    found: list[EnterResult] = []
    for division in event.divisions:
        other = theirs.get(division.name.casefold(), _NOBODY)
        there = {(game.round, game.players) for game in other.games if game.played}
        found += [
            _result(division.name, game)
            for game in division.games
            if game.played and (game.round, game.players) not in there
        ]
    return tuple(sorted(found, key=lambda result: (result.division, result.round, result.first)))

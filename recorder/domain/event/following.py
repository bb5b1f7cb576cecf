"""What an event has to take over from a feed that leads it, and what it has to give back.

Where another program pairs, its feed decides: players, pairings, byes, and every result that it
has. Results that only this event has are to be typed there. Pure: knows no feed's form.
"""

from collections.abc import Iterator, Sequence

from recorder.domain.event.divisions import (
    BYE,
    UNPLAYED,
    Event,
    EventDivision,
    EventGame,
    EventPlayer,
)
from recorder.domain.event.orders import (
    ChangePlayer,
    DescribeEvent,
    EnterPlayer,
    EnterResult,
    EventAct,
    ForfeitGame,
    LeaveEvent,
    PenaliseSpread,
    PublishRound,
    ReturnToEvent,
    TableGame,
)
from recorder.domain.event.seating import first_in_front

_NOBODY = EventDivision(name="", players=())
_UNKNOWN = EventPlayer(number=0, name="")


def division_name(name: str) -> str:
    """The name of a division as orders have it: without blanks and semicolons."""
    return "-".join(name.replace(";", " ").split()) or "-"


def acts_to_follow(event: Event, feed: Event) -> Iterator[EventAct]:
    """The orders after which the event has what the feed has, in the order to give them."""
    known = {division.name.casefold(): division for division in event.divisions}
    yield from _of_whole(event, feed)
    for division in feed.divisions:
        name = division_name(division.name)
        mine = known.get(name.casefold(), _NOBODY)
        called = _told_apart(division.players)
        for player in division.players:
            known_here = mine.by_number.get(player.number)
            yield from _of_player(name, player, called[player.number], known_here)
        yield from _of_rounds(name, division, mine)
        yield from _of_results(name, division, mine)
        yield from _of_penalties(name, division, mine)


def _of_whole(event: Event, feed: Event) -> Iterator[EventAct]:
    """How many rounds there are, and by how much a game counts at most.

    Each where the feed says the same of all its divisions.
    """
    cap, rounds = (
        said.pop() if len(said) == 1 else None
        for said in (
            {division.spread_cap for division in feed.divisions},
            {division.last_round for division in feed.divisions},
        )
    )
    if cap and {cap} != {event.spread_cap, *(mine.spread_cap for mine in event.divisions)}:
        yield DescribeEvent(spread_cap=cap)
    if rounds and {rounds} != {event.rounds, *(mine.last_round for mine in event.divisions)}:
        yield DescribeEvent(rounds=rounds)


def _told_apart(players: Sequence[EventPlayer]) -> dict[int, str]:
    """What players are called here, by number: of two with one name the later has the number."""
    called: dict[int, str] = {}
    taken: set[str] = set()
    for player in players:
        name = player.name[:80]
        if name.casefold() in taken:
            name = f"{name[:70]} ({player.number})"
        taken.add(name.casefold())
        called[player.number] = name
    return called


def _of_player(
    name: str, player: EventPlayer, called: str, known: EventPlayer | None
) -> Iterator[EventAct]:
    number = player.number
    if known is None:
        yield EnterPlayer(
            division=name, name=called, rating=player.rating or 0, number=number,
            ident=player.ident,
        )  # fmt: skip
    elif known.name != called:
        yield ChangePlayer(division=name, number=number, name=called)
    if known is not None and player.rating and known.rating != player.rating:
        yield ChangePlayer(division=name, number=number, rating=player.rating)
    if known is not None and player.ident and known.ident != player.ident:
        yield ChangePlayer(division=name, number=number, ident=player.ident)
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
    here = {(game.round, game.players): game for game in mine.games if game.played}
    for game in division.games:
        if game.played and not _has_it(here.get((game.round, game.players)), game):
            yield _forfeit(name, game) if game.forfeited else _result(name, game)
    for player in division.players:
        known = mine.by_number.get(player.number)
        for round_, seen in enumerate(player.rounds, start=1):
            line = known.in_round(round_) if known else UNPLAYED
            if seen.opponent != BYE or not seen.score:
                continue
            number, score = player.number, seen.score
            if not line.opponent and line.score != seen.score:
                yield EnterResult(division=name, round=round_, first=number, first_score=score)
            elif line.opponent and number < line.opponent:
                yield from _forfeited(name, round_, number, division, mine)


def _of_penalties(name: str, division: EventDivision, mine: EventDivision) -> Iterator[EventAct]:
    """Points off a player's spread, as far as the feed has rounds; one that it takes back too."""
    for player in division.players:
        known = mine.by_number.get(player.number, _UNKNOWN)
        for round_, seen in enumerate(player.rounds, start=1):
            if seen.penalty != known.in_round(round_).penalty:
                yield PenaliseSpread(
                    division=name, round=round_, number=player.number, points=seen.penalty
                )


def _forfeited(
    name: str, round_: int, number: int, division: EventDivision, mine: EventDivision
) -> Iterator[EventAct]:
    """A game that is paired here, and of which the feed has two rounds without opponent."""
    line = mine.player(number).in_round(round_)
    other = division.by_number.get(line.opponent or BYE)
    theirs = other.in_round(round_) if other else UNPLAYED
    margin = division.player(number).in_round(round_).score or 0
    known = mine.player(line.opponent or BYE).in_round(round_).margin
    if theirs.opponent == BYE and theirs.score and (line.margin, known) != (margin, theirs.score):
        yield ForfeitGame(
            division=name, round=round_, number=number, how="no_show", margin=margin,
            other_margin=theirs.score,
        )  # fmt: skip


def _has_it(mine: EventGame | None, theirs: EventGame) -> bool:
    """Whether the event has a result of the feed; most feeds cannot say what counts instead."""
    if mine is None or mine.scores != theirs.scores:
        return False
    return theirs.margins is None or mine.margins == theirs.margins


def _forfeit(division: str, game: EventGame) -> ForfeitGame:
    counted = zip(game.margins or (0, 0), game.players, strict=True)
    (margin, number), (other, _) = sorted(counted)
    how = "nobody_came" if other <= 0 else "no_show"
    return ForfeitGame(
        division=division, round=game.round, number=number, how=how, margin=margin,
        other_margin=other,
    )  # fmt: skip


def _result(division: str, game: EventGame) -> EnterResult:
    (first, second), (score, other) = game.players, game.scores or (0, 0)
    return EnterResult(
        division=division, round=game.round, first=first, first_score=score,
        second=second, second_score=other, margin=game.margins[0] if game.margins else None,
    )  # fmt: skip


def results_to_give_back(event: Event, feed: Event) -> tuple[EnterResult, ...]:
    """The results that this event has and the feed has not, round by round.

    A game that was not played is two rounds without opponent, as the programs around have it.
    """
    theirs = {division_name(division.name).casefold(): division for division in feed.divisions}
    found: list[EnterResult] = []
    for division in event.divisions:
        other = theirs.get(division.name.casefold(), _NOBODY)
        there = {(game.round, game.players) for game in other.games if game.played}
        for game in division.games:
            if not game.played or (game.round, game.players) in there:
                continue
            if not game.forfeited:
                found.append(_result(division.name, game))
                continue
            for number, margin in zip(game.players, game.margins or (0, 0), strict=True):
                line = other.by_number.get(number, _UNKNOWN).in_round(game.round)
                if line.opponent != BYE or line.score != margin:
                    found.append(
                        EnterResult(
                            division=division.name,
                            round=game.round,
                            first=number,
                            first_score=margin,
                        )
                    )
    return tuple(sorted(found, key=lambda result: (result.division, result.round, result.first)))

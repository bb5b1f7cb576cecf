"""Which games of the event wait at which table. Pure: knows no log and no device.

A round is played where it is published. Of the games of a table without a result the one of the
earliest round comes first; who has adjourned waits nowhere, and who goes on at another table than
they began at waits there without being recorded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from recorder.domain.event.divisions import Event, EventDivision, EventGame
from recorder.domain.event.orders import DivisionName, EntrantNumber, RoundNumber
from recorder.domain.limits import Within

PlayerKey = str | tuple[str, int]
"""A player of an event by name, or by division and number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A game of the event: player ``first`` of a division moves first, against ``second``.

    ``attempt`` counts from 1; a game that is played again has the next one.
    """

    division: DivisionName
    round: RoundNumber
    first: EntrantNumber
    second: EntrantNumber
    attempt: Annotated[int, Within(1, 99)] = 1

    @property
    def place(self) -> tuple[str, int, int]:
        """Division, round and attempt: at one table there is one game of it."""
        return self.division, self.round, self.attempt

    @property
    def pair(self) -> frozenset[int]:
        """Both players in either order of play."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A pairing with the players' names, the one who moves first in front.

    ``by_hand``: it was begun at another table, which has its record; here nobody records it.
    """

    pairing: Pairing
    players: tuple[str, str]
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Seating:
    """Where the games of an event are: ``waiting`` by table, the earliest round first."""

    waiting: Mapping[int, tuple[SeatedGame, ...]]
    _games: Mapping[tuple[str, int, frozenset[int]], EventGame]

    def game(self, pairing: Pairing) -> EventGame | None:
        """The game of a pairing as it is now, maybe in another attempt; None: it is gone."""
        return self._games.get((pairing.division, pairing.round, pairing.pair))


def is_settled(event: Event, pairing: Pairing) -> bool:
    """Whether a game is not played where it was recorded, or not for now.

    It has a result, is adjourned, begun again, or finished at another table.
    """
    division = next((known for known in event.divisions if known.name == pairing.division), None)
    game = None if division is None else division.game(pairing.round, pairing.pair)
    if game is None:
        return False
    away = game.begun_at is not None or game.attempt != pairing.attempt
    return game.played or game.adjourned or away


def players_touched(before: Event | None, event: Event) -> dict[str, set[int]]:
    """The players of whom an event says else than it said, by division.

    A division that is new, or has more or fewer players, is left out: there it may be anybody.
    """
    known = (
        {} if before is None else {division.name: division.players for division in before.divisions}
    )
    return {
        division.name: {
            number
            for old, new in zip(known[division.name], division.players, strict=True)
            if old is not new
            for number in (old.number, new.number)
        }
        for division in event.divisions
        if division.name in known and len(known[division.name]) == len(division.players)
    }


def seating(event: Event) -> Seating:
    """The games of an event by table and by pair."""
    games: dict[tuple[str, int, frozenset[int]], EventGame] = {}
    waiting: dict[int, list[SeatedGame]] = {}
    for division in event.divisions:
        for game in division.games:
            games[division.name, game.round, frozenset(game.players)] = game
            if game.table and not (game.played or game.adjourned):
                waiting.setdefault(game.table, []).append(_seated(division, game))
    by_round = {
        table: tuple(sorted(found, key=lambda game: game.pairing.round))
        for table, found in waiting.items()
    }
    return Seating(by_round, games)


def tables_in_use(event: Event, division: str) -> dict[int, str]:
    """The tables that other divisions hold, by name: their own, and those of games still open."""
    others = [d for d in event.divisions if d.name.casefold() != division.casefold()]
    taken = {table: other.name for other in others for table in other.tables}
    for other in others:
        for game in other.games:
            if game.table and not (game.played or game.adjourned):
                taken.setdefault(game.table, other.name)
    return taken


def tables_for(event: Event, division: EventDivision, count: int) -> list[int]:
    """So many tables for the next round of a division, the best first; fewer where it has fewer."""
    if division.tables:
        return [*division.tables[:count]]
    taken = tables_in_use(event, division.name)
    return [table for table in range(1, count + len(taken) + 1) if table not in taken][:count]


def _seated(division: EventDivision, game: EventGame) -> SeatedGame:
    first, second = first_in_front(game)
    pairing = Pairing(
        division=division.name,
        round=game.round,
        first=first,
        second=second,
        attempt=game.attempt,
    )
    names = (division.player(first).spoken, division.player(second).spoken)
    return SeatedGame(pairing, names, by_hand=game.begun_at is not None)


def first_in_front(game: EventGame) -> tuple[int, int]:
    """Both players, who moves first in front; where nobody said, the lower number."""
    first, second = game.players
    return (second, first) if game.start == second else (first, second)

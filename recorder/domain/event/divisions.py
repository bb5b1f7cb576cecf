"""What is known of an event: divisions, their players, and each player's line of every round.

A round is reported by each of its two players, as in the files of the programs around a tournament;
where the two disagree, neither is believed (``EventDivision.games``). Knows no file and no rules.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from recorder.domain.event.orders import PlayByRules
from recorder.domain.instruments import DeviceRole

BYE = 0
"""The number that stands for an opponent where there is none: a bye, or an absence."""

Raw = int | float | str | None
"""A value of a field that Tilecast only passes on."""


class PlayerRound(NamedTuple):
    """What one player's line says of one round; None is not known.

    ``opponent`` is the other's number, or BYE. ``score`` is points, without opponent the margin
    that counts (50 for a bye, -50 for an absence). ``start`` is 1 for who moves first, 2 for who
    does not. ``penalty`` is points off (or on) the spread. ``attempt`` is 2 once the game is to be
    played again, and so on; ``adjourned``: it was broken off, to be finished later; ``begun_at`` is
    the table that has its record, where it is finished at another one. ``claim`` is
    their own score and the other's as the player says them, until there is a result. ``margin`` is
    what the game counts in place of the scores' difference; without a score it was not played.
    ``bye`` says of a round without opponent that it is a bye, or that it is none; None where a
    feed has only the margin.
    """

    opponent: int | None = None
    score: int | None = None
    start: int | None = None
    table: int | None = None
    penalty: int = 0
    attempt: int = 1
    adjourned: bool = False
    begun_at: int | None = None
    claim: tuple[int, int] | None = None
    margin: int | None = None
    bye: bool | None = None


UNPLAYED = PlayerRound()


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialRecord:
    """What a player brings into the event."""

    wins: float
    losses: float
    spread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlayer:
    """A player of a division, by a number from 1.

    ``absence_margin`` is None while the player takes part, else what each round counts that they
    miss. ``here``: they have checked in. ``prize_class`` 0 is none. ``ident`` is the number at a
    federation. ``extra`` holds fields of the source that mean nothing here.
    """

    number: int
    name: str
    rating: int | None = None
    rounds: tuple[PlayerRound, ...] = ()
    absence_margin: int | None = None
    brought: InitialRecord | None = None
    photo: str = ""
    prize_class: int = 0
    ident: str = ""
    here: bool = False
    extra: Mapping[str, tuple[Raw, ...]] = field(default_factory=dict)

    @property
    def spoken(self) -> str:
        """The name as it is said: "Ashdown, Vera", as TSH writes it, is Vera Ashdown."""
        surname, _, given = map(str.strip, self.name.partition(","))
        return f"{given} {surname}" if given and "," not in given else self.name

    def in_round(self, number: int) -> PlayerRound:
        """The line of a round, from 1; nothing known where the line is shorter."""
        return self.rounds[number - 1] if 0 < number <= len(self.rounds) else UNPLAYED

    @property
    def last_game(self) -> int:
        """The last round with an opponent; 0 where there is none."""
        rounds = (n for n, seen in enumerate(self.rounds, start=1) if seen.opponent)
        return max(rounds, default=0)

    def takes_part(self, number: int) -> bool:
        """Whether the player is in the event at a round: here, or still playing then."""
        return self.absence_margin is None or self.last_game >= max(number, 1)


_number_of = attrgetter("number")


@dataclass(frozen=True, kw_only=True)
class EventDivision:
    """A division: players who are paired with each other.

    ``spread_cap`` is the most points by which one game counts; None, or 0 as feeds have it: no
    limit.
    ``last_round`` is the number of rounds as announced, None where nobody said. Without ``rules``
    and ``words``, the file of a word list, a game is played as its table's settings say.
    ``tables``, ``fixed`` (tables by player), ``prizes`` and ``class_prizes`` are how its rounds are
    drawn; ``times``, when round 1, 2, ... starts, as far as somebody said.
    """

    name: str
    players: tuple[EventPlayer, ...]
    last_round: int | None = None
    spread_cap: int | None = None
    rules: PlayByRules | None = None
    words: str = ""
    tables: tuple[int, ...] = ()
    fixed: Mapping[int, int] = field(default_factory=dict)
    prizes: int = 0
    class_prizes: tuple[int, ...] = ()
    times: tuple[str, ...] = ()

    def player(self, number: int) -> EventPlayer:
        """The player with a number; KeyError where there is none."""
        found = self.find(number)
        if found is None:
            raise KeyError(number)
        return found

    def find(self, number: int) -> EventPlayer | None:
        """The player with a number; None: nobody. Fast where players are in order."""
        if "by_number" not in self.__dict__:
            place = bisect_left(self.players, number, key=_number_of)
            if place < len(self.players) and self.players[place].number == number:
                return self.players[place]
        return self.by_number.get(number)

    def with_player(self, changed: EventPlayer) -> "EventDivision":
        """The same with this player in place of the one with their number."""
        players = (changed if p.number == changed.number else p for p in self.players)
        return replace(self, players=tuple(players))

    @cached_property
    def by_number(self) -> dict[int, EventPlayer]:
        """The players by their numbers."""
        return {player.number: player for player in self.players}

    @cached_property
    def games(self) -> tuple["EventGame", ...]:
        """Every game that both players' lines have, by round and table."""
        return tuple(_games_of(self))

    def game(self, round_: int, pair: frozenset[int]) -> "EventGame | None":
        """The game of two players in a round, without a look at any other; None: there is none."""
        first, second = self.find(min(pair)), self.find(max(pair))
        if first is None or second is None:
            return None
        lines = first.in_round(round_), second.in_round(round_)
        return game_of_lines(round_, (first.number, second.number), lines)

    @property
    def paired_rounds(self) -> int:
        """The last round that is paired; 0 before the first."""
        return max((player.last_game for player in self.players), default=0)

    @property
    def scored_rounds(self) -> int:
        """The last round of which a result is known; 0 before the first."""
        return max((game.round for game in self.games if game.played), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event with its divisions, in the order of the source.

    ``rounds`` as announced and ``spread_cap`` as for a division: what new divisions begin with.
    ``devices``: the table that each device named there serves now, and in what role; table 0: none.
    """

    name: str = ""
    date: str = ""
    divisions: tuple[EventDivision, ...] = ()
    rounds: int | None = None
    spread_cap: int | None = None
    devices: Mapping[str, tuple[int, DeviceRole | None]] = field(default_factory=dict)

    def division(self, name: str) -> EventDivision | None:
        """The division of a name, capitals or not; None where there is none."""
        wanted = name.casefold()
        return next((d for d in self.divisions if d.name.casefold() == wanted), None)


class EventGame(NamedTuple):
    """A game of a round as both players' lines have it, the lower number first.

    ``start`` is the number of who moves first, ``scores`` None until both are known. Two scores
    of 0 are a game not yet played: it is what the programs write for it. ``margins`` are what it
    counts for the two, where a ruling and not the scores says so; without scores it was forfeited.
    """

    round: int
    players: tuple[int, int]
    scores: tuple[int, int] | None
    start: int | None
    table: int | None
    attempt: int = 1
    adjourned: bool = False
    begun_at: int | None = None
    margins: tuple[int, int] | None = None

    @property
    def played(self) -> bool:
        """Whether there is a result, by play or by forfeit."""
        return self.margins is not None or self.scores not in (None, (0, 0))

    @property
    def forfeited(self) -> bool:
        """Whether there is a result without a game."""
        return self.margins is not None and self.scores is None

    @property
    def winner(self) -> int | None:
        """The number of who has won, by the scores or by what counts instead; None: nobody."""
        if not self.played:
            return None
        counted = self.margins or self.scores or (0, 0)
        level = 0 if self.margins else min(counted)
        return next((n for n, own in zip(self.players, counted, strict=True) if own > level), None)


def _games_of(division: EventDivision) -> Iterator[EventGame]:
    players = division.by_number
    found = [
        game_of_lines(
            round_,
            (player.number, seen.opponent),
            (seen, players[seen.opponent].in_round(round_)),
        )
        for player in division.players
        for round_, seen in enumerate(player.rounds, start=1)
        if seen.opponent and player.number < seen.opponent and seen.opponent in players
    ]
    games = [game for game in found if game is not None]
    yield from sorted(games, key=lambda game: (game.round, game.table or 0, game.players))


def game_of_lines(
    round_: int, players: tuple[int, int], lines: tuple[PlayerRound, PlayerRound]
) -> EventGame | None:
    """The game of two players by their lines of a round; None where they are not each other's."""
    (first, second), (mine, theirs) = players, lines
    if mine.opponent != second or theirs.opponent != first:
        return None
    known = mine.score is not None and theirs.score is not None
    ruled = mine.margin is not None and theirs.margin is not None
    starts = {mine.start: first, theirs.start: second}
    replies = {mine.start: second, theirs.start: first}
    return EventGame(
        round=round_,
        players=players,
        scores=(mine.score or 0, theirs.score or 0) if known else None,
        start=starts.get(1, replies.get(2)) if mine.start != theirs.start else None,
        table=mine.table or theirs.table,
        attempt=max(mine.attempt, theirs.attempt),
        adjourned=mine.adjourned or theirs.adjourned,
        begun_at=mine.begun_at or theirs.begun_at,
        margins=(mine.margin or 0, theirs.margin or 0) if ruled else None,
    )

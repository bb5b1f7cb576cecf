"""Standings from results, and pairing: wins, ties, spread, byes, the round robin.

STAND-1, PAIR-4, END-12. Players are names or numbers as the caller has them. Where the
rule set in force does not say what a tie counts or what ranks players, the usual way is taken.
Draws that look at earlier rounds are in ``recorder.domain.event.draws``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, TypeVar

from recorder.domain.rules.core.parameters import Rules, listed

USUAL_TIE = Fraction(1, 2)
USUAL_ORDER = ("wins", "losses", "spread")
"""Of players with as many wins, who has lost fewer games stands higher: only while some have played
a game less does it decide anything."""


class Result(NamedTuple):
    """One game of a round; ``second`` None is a bye of ``first``.

    ``margin`` is signed, as ``first`` sees it, and None for a bye whose margin is open; without
    ``second`` a negative one is an absence. ``bye`` says of a margin of 0 without ``second`` that
    it is a bye, or that it is none; None: it is one where the rule set has a bye count 0.
    """

    round: int
    first: str
    second: str | None
    margin: int | None
    bye: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A player's line; ``rank`` from 1, the same for tied players."""

    rank: int
    player: str
    wins: Fraction
    spread: int
    losses: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What a player has beside results: a record brought along, points taken off the spread."""

    player: str
    wins: Fraction = Fraction(0)
    losses: Fraction = Fraction(0)
    spread: int = 0


def standings(
    rules: Rules, players: Sequence[str], results: Iterable[Result], carried: Iterable[Carried] = ()
) -> tuple[StandingsRow, ...]:
    """Where the players stand after these results (STAND-1).

    A player without a result stands with 0. Of players whom the order leaves level, the earlier
    in ``players`` comes first, with the same rank.
    """
    credits_ = _credits(rules)
    won, spreads, games = (dict.fromkeys(players, 0) for _ in range(3))
    for result in results:
        for player, credit, margin in credits_.of(result):
            won[player] += credit
            spreads[player] += margin
            games[player] += 1
    wins = {player: Fraction(won[player], credits_.parts) for player in players}
    losses = {player: games[player] - wins[player] for player in players}
    for extra in carried:
        wins[extra.player] += extra.wins
        losses[extra.player] += extra.losses
        spreads[extra.player] += extra.spread
    entries = [
        StandingsRow(
            rank=0, player=player, wins=wins[player], losses=losses[player], spread=spreads[player]
        )
        for player in players
    ]
    return ranked(rules, entries)


def credited(rules: Rules, results: Iterable[Result]) -> Iterator[tuple[int, str, Fraction, int]]:
    """What every result counts for its players: round, player, wins and points of spread."""
    credits_ = _credits(rules)
    for result in results:
        for player, credit, margin in credits_.of(result):
            yield result.round, player, Fraction(credit, credits_.parts), margin


@dataclass(frozen=True, slots=True)
class _Credits:
    """What a win and a tie count, in parts of a win that are whole numbers."""

    win: int
    tie: int
    parts: int
    zero_bye: bool

    def of(self, result: Result) -> tuple[tuple[str, int, int], ...]:
        """For each player of a result: parts credited, points of margin."""
        margin = result.margin or 0
        if result.second is None:
            return self._without_opponent(result)
        if margin == 0:
            first = second = self.tie
        else:
            first, second = (self.win, 0) if margin > 0 else (0, self.win)
        return ((result.first, first, margin), (result.second, second, -margin))

    def _without_opponent(self, result: Result) -> tuple[tuple[str, int, int], ...]:
        """A bye is won, an absence lost; a margin of 0 that is no bye does not count at all."""
        if result.margin == 0 and not (self.zero_bye if result.bye is None else result.bye):
            return ()
        lost = result.margin is not None and result.margin < 0
        return ((result.first, 0 if lost else self.win, result.margin or 0),)


def _credits(rules: Rules) -> _Credits:
    tie = _number(rules.get("standings.tie"), USUAL_TIE)
    return _Credits(
        win=tie.denominator,
        tie=tie.numerator,
        parts=tie.denominator,
        zero_bye=rules.get("bye.spread") == 0,
    )


def _number(value: object, usual: Fraction) -> Fraction:
    return Fraction(value) if isinstance(value, int | float) else usual


def ranked(rules: Rules, entries: Iterable[StandingsRow]) -> tuple[StandingsRow, ...]:
    """Lines in the order of the rule set in force, with their ranks (STAND-1, PAIR-2).

    Ranks that the lines bring are not looked at: an imported order is never trusted (PAIR-5).
    """
    order = listed(rules, "standings.order") or USUAL_ORDER
    by = {
        "wins": lambda row: row.wins,
        "losses": lambda row: -row.losses,
        "spread": lambda row: row.spread,
    }

    def key(row: StandingsRow) -> tuple[Fraction | int, ...]:
        return tuple(-by[name](row) for name in order)

    rows: list[StandingsRow] = []
    for place, row in enumerate(sorted(entries, key=key), start=1):
        level = rows and key(rows[-1]) == key(row)
        rank = rows[-1].rank if level else place
        rows.append(replace(row, rank=rank))
    return tuple(rows)


Anybody = TypeVar("Anybody")


def berger_round(players: Sequence[Anybody], number: int) -> tuple[tuple[Anybody, Anybody], ...]:
    """One round of the schedule, from 0; of an odd number one player is in no pair."""
    size = len(players) + len(players) % 2
    ring = size - 1
    fixed = (size - 1, number)
    places = [fixed if number % 2 else fixed[::-1]]
    for step in range(1, size // 2):
        ahead, behind = (number + step) % ring, (number - step) % ring
        places.append((ahead, behind) if step % 2 else (behind, ahead))
    there = len(players)
    return tuple((players[a], players[b]) for a, b in places if a < there and b < there)

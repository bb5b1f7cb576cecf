"""Where the players of a division stand after a round (STAND-1, END-12).

The arithmetic is that of ``recorder.domain.rules.event.standings``; what a feed adds to it is
here: margins that are capped, penalties, records brought along, and players who have left.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp

from recorder.domain.event.divisions import BYE, EventDivision, EventPlayer
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.event.standings import Carried, Result, StandingsRow, standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """A player's place; tied players share the better rank.

    ``average_for`` and ``average_against`` are points a game, over games with an opponent, None
    before the first; ``high_game`` is the highest own score. ``expected_wins`` is what the ratings
    gave the player in the games played, None without a game of two who are rated: see
    ``expected_score``.
    """

    rank: int
    number: int
    name: str
    wins: Fraction
    losses: Fraction
    spread: int
    rating: int | None
    left: bool = False
    average_for: float | None = None
    average_against: float | None = None
    high_game: int | None = None
    expected_wins: float | None = None


def expected_score(rating: int, other: int) -> float:
    """The share of a win that a rating gives against another.

    The logistic curve of NASPA's "Rating system overview" (2021): 217 points more win two of three.
    """
    return 1 / (1 + exp(0.0031879 * (other - rating)))


def placings(rules: Rules, division: EventDivision, after: int) -> tuple[Placing, ...]:
    """The standings after a round, with averages, high games and what the ratings gave."""
    points, expected = _points(division, after), _expected(division, after)
    return tuple(
        _with_points(row, points[row.number], expected.get(row.number))
        for row in rankings(rules, division, after)
    )


def rankings(rules: Rules, division: EventDivision, after: int) -> tuple[Placing, ...]:
    """Ranks, wins and spreads after a round, best first; ``after`` 0 is the seeding.

    It goes by what players brought into the event, without any by rating.

    The player who left before the round is below everybody, with the last rank: they are out of the
    count, and not out of sight.
    """
    staying = [p for p in division.players if p.takes_part(after)]
    leaving = [p for p in division.players if not p.takes_part(after)]
    if after == 0 and all(player.brought is None for player in division.players):
        return tuple(_seeded(staying, leaving))
    results = tuple(results_of(division, after))
    names = [str(player.number) for player in sorted(division.players, key=_seed)]
    table = standings(rules, names, results, tuple(_carried(division, after)))
    rows = {int(row.player): row for row in table}
    order = [*rows]
    players = division.by_number
    there = {player.number for player in staying}
    above = [number for number in order if number in there]
    below = [number for number in order if number not in there]
    ranks = _ranks([rows[number] for number in above]) + [len(above) + 1] * len(below)
    return tuple(
        Placing(
            rank=rank, number=number, name=players[number].name, wins=rows[number].wins,
            losses=rows[number].losses, spread=rows[number].spread,
            rating=players[number].rating, left=number not in there,
        )
        for rank, number in zip(ranks, above + below, strict=True)
    )  # fmt: skip


def _seed(player: EventPlayer) -> tuple[int, int]:
    return (-(player.rating or 0), player.number)


def _seeded(staying: list[EventPlayer], leaving: list[EventPlayer]) -> Iterator[Placing]:
    """Before the first round: by rating, those who never come at the end."""
    order = sorted(staying, key=_seed)
    nothing = Fraction(0)
    for player in (*order, *sorted(leaving, key=_seed)):
        left = player in leaving
        better = len(order) if left else sum((p.rating or 0) > (player.rating or 0) for p in order)
        yield Placing(
            rank=better + 1, number=player.number, name=player.name, wins=nothing,
            losses=nothing, spread=0, rating=player.rating, left=left,
        )  # fmt: skip


def _ranks(rows: list[StandingsRow]) -> list[int]:
    """Ranks among these rows: the same as before them only where the standings had it so."""
    ranks: list[int] = []
    for place, row in enumerate(rows):
        level = place > 0 and rows[place - 1].rank == row.rank
        ranks.append(ranks[-1] if level else place + 1)
    return ranks


def _with_points(row: Placing, points: list[tuple[int, int]], expected: float | None) -> Placing:
    games = len(points)
    return replace(
        row,
        expected_wins=expected,
        average_for=sum(own for own, _ in points) / games if games else None,
        average_against=sum(other for _, other in points) / games if games else None,
        high_game=max((own for own, _ in points), default=None),
    )


def results_of(division: EventDivision, after: int) -> Iterator[Result]:
    """The results up to and with a round: games that both lines have, byes and absences."""
    for game in division.games:
        if game.round > after or not game.played:
            continue
        first, second = map(str, game.players)
        if game.margins is not None:
            # Each for themselves: where nobody came both have lost. Neither has had a bye.
            for number, own in zip((first, second), game.margins, strict=True):
                margin = _capped(division, own)
                yield Result(round=game.round, first=number, second=None, margin=margin, bye=False)
        elif game.scores is not None:
            margin = _capped(division, game.scores[0] - game.scores[1])
            yield Result(round=game.round, first=first, second=second, margin=margin)
    for player in division.players:
        for round_, seen in enumerate(player.rounds[:after], start=1):
            if seen.opponent == BYE and seen.score is not None:
                margin = _capped(division, seen.score)
                away = seen.bye is None and player.absence_margin == 0
                yield Result(
                    round=round_, first=str(player.number), second=None, margin=margin,
                    bye=False if away else seen.bye,
                )  # fmt: skip


def _capped(division: EventDivision, margin: int) -> int:
    cap = division.spread_cap
    return max(-cap, min(cap, margin)) if cap else margin


def _carried(division: EventDivision, after: int) -> Iterator[Carried]:
    """Penalties of the rounds played, and what players brought along."""
    for player in division.players:
        penalty = sum(seen.penalty for seen in player.rounds[:after])
        brought = player.brought
        if brought is not None or penalty:
            yield Carried(
                player=str(player.number),
                wins=Fraction(brought.wins) if brought else Fraction(0),
                losses=Fraction(brought.losses) if brought else Fraction(0),
                spread=(brought.spread if brought else 0) + penalty,
            )


def _points(division: EventDivision, after: int) -> dict[int, list[tuple[int, int]]]:
    """Own and other points of every game played, by player."""
    points: dict[int, list[tuple[int, int]]] = {p.number: [] for p in division.players}
    for game in division.games:
        if game.round <= after and game.scores is not None and game.played:
            for seat, number in enumerate(game.players):
                points[number].append((game.scores[seat], game.scores[1 - seat]))
    return points


def _expected(division: EventDivision, after: int) -> dict[int, float]:
    """What ratings gave players in games that were played, where both are rated."""
    ratings = {player.number: player.rating for player in division.players if player.rating}
    expected: dict[int, float] = {}
    for game in division.games:
        if game.round > after or not game.played or game.forfeited:
            continue
        for own, other in (game.players, game.players[::-1]):
            if own in ratings and other in ratings:
                share = expected_score(ratings[own], ratings[other])
                expected[own] = expected.get(own, 0.0) + share
    return expected

"""Ratings after each round, as a projection: what the games so far would make of them.

As NASPA's "Rating system overview" has it for players of 50 games and more: wins less expected
wins, times 20 points, 16 from a rating of 1800 on, 10 from 2000 on. How many games somebody has
played in their life no feed says; newcomers gain and lose more. WESPA publishes no formula.
"""

from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.placing import expected_score

_BELOW = ((1_800, 20), (2_000, 16))
_TOP = 10


def projected_ratings(division: EventDivision) -> dict[int, tuple[int, ...]]:
    """For everybody who is rated the rating after each round that has results.

    Games count that were played, between two who are rated; byes and forfeits do not. Who concedes
    has lost, whatever the scores.
    """
    ratings = {player.number: player.rating for player in division.players if player.rating}
    last = division.scored_rounds
    gains = {number: [0.0] * last for number in ratings}
    for game in division.games:
        first, second = game.players
        if game.scores is None or not game.played or first not in ratings or second not in ratings:
            continue
        own, other = game.margins or game.scores
        won = (own > other) + (own == other) / 2
        share = expected_score(ratings[first], ratings[second])
        gains[first][game.round - 1] += won - share
        gains[second][game.round - 1] += share - won
    return {
        number: tuple(
            round(rating + _weight(rating) * sum(gains[number][: after + 1]))
            for after in range(last)
        )
        for number, rating in ratings.items()
    }


def _weight(rating: int) -> int:
    return next((weight for below, weight in _BELOW if rating < below), _TOP)

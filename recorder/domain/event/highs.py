"""The games of a division that prizes are given for, and who has won what."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nlargest, nsmallest

from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.placing import placings
from recorder.domain.rules.core.parameters import Rules


@dataclass(frozen=True, slots=True)
class HighGame:
    """A game as one of its players had it; ``margin`` is what it counts for them."""

    round: int
    number: int
    score: int
    other: int
    other_score: int
    margin: int


@dataclass(frozen=True, slots=True)
class HighWord:
    """A play of a recorded game of the event, by player ``number`` of a division.

    ``other`` is the opponent, ``attempt`` as in a pairing.
    """

    division: str
    round: int
    number: int
    word: str
    score: int
    other: int
    attempt: int


def high_words(words: Iterable[HighWord], division: EventDivision, count: int) -> list[HighWord]:
    """The highest so many plays of a division, the highest first, the earlier first.

    None of a game that does not count: replayed, forfeited, or of two who were paired otherwise.
    """
    mine = (word for word in words if word.division == division.name and _counts(division, word))
    return nsmallest(count, mine, key=lambda word: (-word.score, word.round, word.number))


def _counts(division: EventDivision, word: HighWord) -> bool:
    pair = frozenset((word.number, word.other))
    return counts_in_event(division, word.round, pair, word.attempt)


def counts_in_event(
    division: EventDivision, round_: int, pair: frozenset[int], attempt: int
) -> bool:
    """Whether a recorded game counts: not replayed, forfeited, or paired otherwise."""
    game = division.game(round_, pair)
    return game is not None and game.attempt == attempt and not game.forfeited


HIGHS: Mapping[str, Callable[[HighGame], int]] = {
    "game": lambda game: game.score,
    "loss": lambda game: game.score if game.margin < 0 else 0,
    "win": lambda game: max(game.margin, 0),
    "total": lambda game: game.score + game.other_score if game.margin >= 0 else 0,
}
"""What games are compared by; 0: it is none of that kind."""


def high_games(
    division: EventDivision, kind: str, count: int, upto: int | None = None
) -> list[HighGame]:
    """The highest so many of a kind, the highest first, the earlier first where they are alike.

    ``upto``: of the rounds up to that one.
    """
    played = (game for game in _played(division) if upto is None or game.round <= upto)
    ranked = ((game, HIGHS[kind](game)) for game in played)
    found = [(value, -game.round, -game.number, game) for game, value in ranked if value]
    return [game for *_, game in nlargest(count, found, key=lambda entry: entry[:3])]


def _played(division: EventDivision) -> Iterator[HighGame]:
    for game in division.games:
        if game.played and game.scores is not None:
            for seat, number in enumerate(game.players):
                other, (own, theirs) = game.players[1 - seat], game.scores[:: 1 - 2 * seat]
                margin = own - theirs if game.margins is None else game.margins[seat]
                yield HighGame(game.round, number, own, other, theirs, margin)


@dataclass(frozen=True, slots=True)
class Prize:
    """A place that pays: of the division (class 0) or, among those without one, of a class.

    Players who are level share the better place, and are all there.
    """

    prize_class: int
    place: int
    number: int


def prizes_of(division: EventDivision, rules: Rules, after: int) -> Iterator[Prize]:
    """Who has which prize after a round."""
    rows = [row for row in placings(rules, division, after) if not row.left]
    paid = [row for row in rows if row.rank <= division.prizes]
    yield from (Prize(0, row.rank, row.number) for row in paid)
    for prize_class, count in enumerate(division.class_prizes, start=1):
        mates = [
            row
            for row in rows[len(paid) :]
            if division.player(row.number).prize_class == prize_class
        ]
        ranks = [row.rank for row in mates]
        for row in mates:
            place = ranks.index(row.rank) + 1
            if place <= count:
                yield Prize(prize_class, place, row.number)

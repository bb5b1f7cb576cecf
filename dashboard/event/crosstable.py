"""All rounds of a division by player: the crosstable and a player's own rounds come from it."""

from collections.abc import Sequence

from recorder.domain.event.divisions import BYE, EventDivision, EventPlayer, PlayerRound
from recorder.domain.event.highs import HighWord, high_words
from recorder.domain.event.meetings import is_bye
from recorder.domain.event.placing import placings
from recorder.domain.event.rating import projected_ratings
from recorder.frames import event as frames
from recorder.orders.event_rules import rules_of


def crosstable(division: EventDivision, words: Sequence[HighWord] = ()) -> frames.EventRounds:
    """Every player's rounds and highest word, the players in the order of the standings."""
    rows = placings(rules_of(division), division, division.scored_rounds)
    players = [division.player(row.number) for row in rows]
    projected = projected_ratings(division)
    best: dict[int, HighWord] = {}
    for word in high_words(words, division, len(words)):
        best.setdefault(word.number, word)
    return {
        "name": division.name,
        "players": [
            {
                "id": player.number,
                "name": player.spoken,
                "rounds": [
                    _round(division, player, number, seen)
                    for number, seen in enumerate(player.rounds, start=1)
                ],
                "rating": player.rating,
                "projected": next(iter(projected.get(player.number, ())[-1:]), None),
                "word": _word(division, best.get(player.number)),
            }
            for player in players
        ],
    }


def _word(division: EventDivision, word: HighWord | None) -> frames.HighWord | None:
    return None if word is None else word_frame(division, word)


def word_frame(division: EventDivision, word: HighWord) -> frames.HighWord:
    """A play as pages have it."""
    player = division.find(word.number)
    name = player.spoken if player is not None else str(word.number)
    return {"name": name, "word": word.word, "score": word.score, "round": word.round}


def _round(
    division: EventDivision, player: EventPlayer, number: int, seen: PlayerRound
) -> frames.PlayerLine:
    """A round as this player had it; without opponent ``own`` is the margin that counts."""
    other = division.find(seen.opponent) if seen.opponent else None
    game = division.game(number, frozenset((player.number, other.number))) if other else None
    played = game is not None and game.played
    margin = seen.score if seen.opponent == BYE else seen.margin
    return {
        "opponent": seen.opponent,
        "own": seen.score if played and seen.opponent else None,
        "other": other.in_round(number).score if other is not None and played else None,
        "margin": margin,
        "bye": is_bye(seen),
        "first": seen.start == 1,
        "table": seen.table,
    }

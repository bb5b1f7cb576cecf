"""All rounds of a division by player: the crosstable and a player's own rounds come from it."""

from recorder.domain.event.divisions import BYE, EventDivision, EventPlayer, PlayerRound
from recorder.domain.event.placing import placings
from recorder.frames import event as frames
from recorder.orders.event_rules import rules_of


def crosstable(division: EventDivision) -> frames.EventRounds:
    """Every player's rounds, the players in the order of the standings."""
    rows = placings(rules_of(division), division, division.scored_rounds)
    players = [division.player(row.number) for row in rows]
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
            }
            for player in players
        ],
    }


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
        "first": seen.start == 1,
        "table": seen.table,
    }

"""Games that a ruling decided, as the forms of other programs can say them."""

from dataclasses import replace

from recorder.domain.event.divisions import BYE, EventDivision, EventGame, EventPlayer, PlayerRound


def as_feeds_have(division: EventDivision) -> EventDivision:
    """The division without margins of its own beside scores.

    A game that was not played is a round without opponent for both, with its margin, as in TSH;
    of one that was conceded the winner's score is put so that the difference is the margin.
    """
    ruled = [game for game in division.games if game.margins is not None]
    if not ruled:
        return division
    players = dict(division.by_number)
    for game in ruled:
        for place, number in enumerate(game.players):
            players[number] = _spelled(players[number], game, place)
    return replace(division, players=tuple(players[p.number] for p in division.players))


def _spelled(player: EventPlayer, game: EventGame, place: int) -> EventPlayer:
    margins = game.margins or (0, 0)
    line = player.in_round(game.round)
    if game.scores is None:
        line = PlayerRound(opponent=BYE, score=margins[place], penalty=line.penalty)
    else:
        winner = margins[place] > margins[1 - place]
        score = game.scores[1 - place] + margins[place] if winner else game.scores[place]
        line = line._replace(score=score, margin=None)
    rounds = (*player.rounds[: game.round - 1], line, *player.rounds[game.round :])
    return replace(player, rounds=rounds)

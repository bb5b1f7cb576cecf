"""What is wrong with an event as it was read: lines that contradict each other, and with what."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from recorder.domain.event.divisions import Event, EventDivision, EventGame, EventPlayer
from recorder.domain.event.placing import placings
from recorder.domain.rules.core.parameters import Rules
from recorder.feeds.fault import FeedFault


def check_event(event: Event) -> list[FeedFault]:
    """Every fault of an event, by division and round."""
    found = [fault for division in event.divisions for fault in check_division(division)]
    found += _in_two_divisions(event)
    return found


def check_division(division: EventDivision) -> list[FeedFault]:
    """Faults of a division, by round; what they leave out is said in each."""
    found = [*_names(division), *_lines(division), *_two_games(division)]
    found += [fault for game in division.games for fault in _game(division, game)]
    found += _tables(division)
    return sorted(found, key=lambda fault: (fault.round or 0, fault.player or 0))


def check_ranks(rules: Rules, division: EventDivision) -> list[FeedFault]:
    """Where a rank that the feed itself gives differs from the one counted from its results.

    Some programs count those who have left among the others: ranks that are right so are one fault.
    """
    found, with_those_who_left = [], 0
    players = division.by_number
    stayed = replace(
        division, players=tuple(replace(p, absence_margin=None) for p in division.players)
    )
    has_left = any(player.absence_margin is not None for player in division.players)
    for after in range(1, division.scored_rounds + 1):
        whole = placings(rules, stayed, after) if has_left else ()
        ranks_of_all = {row.number: row.rank for row in whole}
        for row in placings(rules, division, after):
            said = players[row.number].extra.get("rrank", ())
            if after >= len(said) or row.left or said[after] == row.rank:
                continue
            if said[after] == ranks_of_all.get(row.number):
                with_those_who_left += 1
                continue
            message = f"the feed has rank {said[after]} after this round, its results give"
            found.append(
                _fault(division, "rank_differs", f"{message} {row.rank}",
                       players[row.number], after, warning=True)
            )  # fmt: skip
    if with_those_who_left:
        gone = ", ".join(
            f"{p.number} {p.name}" for p in division.players if p.absence_margin is not None
        )
        message = f"the feed counts players who have left ({gone}) among the others, Tilecast not:"
        message += f" {with_those_who_left} ranks differ for it"
        found.append(_fault(division, "rank_differs", message, warning=True))
    return found


def _fault(
    division: EventDivision,
    code: str,
    message: str,
    player: EventPlayer | None = None,
    round_: int | None = None,
    *,
    warning: bool = False,
) -> FeedFault:
    return FeedFault(
        code=code, message=message, division=division.name, round=round_, warning=warning,
        player=player.number if player else None, name=player.name if player else None,
    )  # fmt: skip


def _names(division: EventDivision) -> Iterator[FeedFault]:
    first: dict[str, EventPlayer] = {}
    for player in division.players:
        namesake = first.setdefault(player.name.casefold(), player)
        if namesake is not player:
            message = f"has the same name as player {namesake.number}"
            yield _fault(division, "name_twice", message, player, warning=True)


def _in_two_divisions(event: Event) -> Iterator[FeedFault]:
    first: dict[str, EventDivision] = {}
    for division in event.divisions:
        for player in division.players:
            other = first.setdefault(player.name.casefold(), division)
            if other is not division:
                message = f"is a player of division {other.name} too"
                yield _fault(division, "in_two_divisions", message, player, warning=True)


def _lines(division: EventDivision) -> Iterator[FeedFault]:
    """What is wrong with a player's line by itself, or against the other's."""
    players = division.by_number
    for player in division.players:
        for round_, seen in enumerate(player.rounds, start=1):
            if seen.opponent is None:
                if seen.score:
                    message = (
                        f"has a score of {seen.score}, but no opponent and no bye: not counted"
                    )
                    yield _fault(division, "score_without_pairing", message, player, round_)
            elif seen.opponent == player.number:
                yield _fault(division, "own_opponent", "is paired with themselves", player, round_)
            elif seen.opponent and seen.opponent not in players:
                message = f"meets player {seen.opponent}, whom the division does not have"
                yield _fault(division, "unknown_opponent", message, player, round_)
            elif seen.opponent:
                theirs = players[seen.opponent].in_round(round_)
                if theirs.opponent != player.number:
                    yield _not_mutual(division, player, players[seen.opponent], round_)


def _not_mutual(
    division: EventDivision, player: EventPlayer, other: EventPlayer, round_: int
) -> FeedFault:
    theirs = other.in_round(round_).opponent
    they = "nobody" if not theirs else f"player {theirs}"
    message = (
        f"meets player {other.number} {other.name}, who meets {they}: counted for neither. Put"
        " one of the two lines right"
    )
    return _fault(division, "not_mutual", message, player, round_)


def _two_games(division: EventDivision) -> Iterator[FeedFault]:
    claims: dict[tuple[int, int], list[EventPlayer]] = defaultdict(list)
    players = division.by_number
    for player in division.players:
        for round_, seen in enumerate(player.rounds, start=1):
            if seen.opponent in players and seen.opponent != player.number:
                claims[round_, int(seen.opponent)].append(player)
    for (round_, number), by in claims.items():
        if len(by) > 1:
            names = " and ".join(f"player {player.number} {player.name}" for player in by)
            message = f"is in {len(by)} games at once: named as opponent by {names}"
            yield _fault(division, "two_games_at_once", message, players[number], round_)


def _game(division: EventDivision, game: EventGame) -> Iterator[FeedFault]:
    players = division.by_number
    player, other = (players[number] for number in game.players)
    lines = player.in_round(game.round), other.in_round(game.round)
    if (lines[0].score is None) != (lines[1].score is None):
        lacks = other if lines[1].score is None else player
        message = f"has no score in the game of player {player.number} and player {other.number}"
        message += ", the other has: not counted until it is there"
        yield _fault(division, "half_a_result", message, lacks, game.round)
    elif not game.played and game.round < division.scored_rounds:
        message = f"has no result against player {other.number}, and later rounds have"
        yield _fault(division, "result_missing", message, player, game.round, warning=True)
    if lines[0].start is not None and lines[0].start == lines[1].start:
        which = "first" if lines[0].start == 1 else "second"
        message = f"and player {other.number} both have moved {which}: neither counts"
        yield _fault(division, "starts_contradict", message, player, game.round, warning=True)
    if lines[0].table != lines[1].table and lines[0].table and lines[1].table:
        message = f"is at table {lines[0].table}, player {other.number} at {lines[1].table}"
        yield _fault(division, "tables_contradict", message, player, game.round, warning=True)


def _tables(division: EventDivision) -> Iterator[FeedFault]:
    claimed = Counter((game.round, game.table) for game in division.games)
    players = division.by_number
    for game in division.games:
        if game.table and claimed[game.round, game.table] > 1:
            message = f"table {game.table} is claimed by {claimed[game.round, game.table]} games"
            yield _fault(division, "table_twice", message, players[game.players[0]], game.round)

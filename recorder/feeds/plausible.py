"""What no event can have, whatever the form of its feed: named, and left out or told apart."""

from collections.abc import Iterator
from dataclasses import replace

from recorder.domain.event.divisions import EventDivision, EventPlayer
from recorder.feeds.fault import FeedFault
from recorder.feeds.tourney_js import Feed

MOST_OF_A_GAME = 2_000
"""No game ever had half as many; what is beyond is a slip of a hand."""


def plausible(feed: Feed) -> Feed:
    """The feed with scores that can be, names of one line, and divisions that can be told apart."""
    faults: list[FeedFault] = []
    divisions: list[EventDivision] = []
    for division in feed.event.divisions:
        name = _name_of(division, divisions, faults)
        players = tuple(_player(player, name, faults) for player in division.players)
        divisions.append(replace(division, name=name, players=players))
    event = replace(feed.event, divisions=tuple(divisions))
    return replace(feed, event=event, faults=[*feed.faults, *faults])


def _name_of(division: EventDivision, before: list[EventDivision], faults: list[FeedFault]) -> str:
    taken = {other.name.casefold() for other in before}
    if division.name.casefold() not in taken:
        return division.name
    names = (f"{division.name}-{n}" for n in range(2, len(before) + 3))
    name = next(name for name in names if name.casefold() not in taken)
    message = f"another division is called {division.name}: this one is called {name} here"
    faults.append(FeedFault(code="division_twice", message=message, division=name))
    return name


def _player(player: EventPlayer, division: str, faults: list[FeedFault]) -> EventPlayer:
    name = "".join(sign if sign.isprintable() else " " for sign in player.name)
    player = replace(player, name=name)
    odd = list(_odd_scores(player))
    for round_, score in odd:
        message = f"a score of {score} cannot be: not counted"
        faults.append(
            FeedFault(
                code="score_impossible", message=message, division=division, round=round_,
                player=player.number, name=name,
            )
        )  # fmt: skip
    if not odd:
        return player
    rounds = list(player.rounds)
    for round_, _ in odd:
        rounds[round_ - 1] = rounds[round_ - 1]._replace(score=None)
    return replace(player, rounds=tuple(rounds))


def _odd_scores(player: EventPlayer) -> Iterator[tuple[int, int]]:
    for round_, seen in enumerate(player.rounds, start=1):
        if seen.score is not None and abs(seen.score) > MOST_OF_A_GAME:
            yield round_, seen.score

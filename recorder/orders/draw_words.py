"""What a director asks of a round before it is paired, in words: pairs, tables, who is away."""

from collections.abc import Iterable

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import EventDivision


def locked_pair(word: str) -> tuple[int, int]:
    """Two who are to meet, as ``12-5``."""
    first, _, second = word.partition("-")
    if not (first.isdecimal() and second.isdecimal()):
        raise NotationError(f"{word}: write the numbers of two players, such as 12-5")
    return int(first), int(second)


def fixed_tables(words: Iterable[str]) -> dict[int, int]:
    """Who stays at one table, as ``12=1``: tables by players' numbers."""
    fixed: dict[int, int] = {}
    for word in words:
        player, _, table = word.partition("=")
        if not (player.isdecimal() and table.isdecimal() and int(table)):
            raise NotationError(f"{word}: write the player's number and the table, such as 12=1")
        if int(table) in fixed.values():
            raise NotationError(f"{word}: table {table} is already taken by another player")
        fixed[int(player)] = int(table)
    return fixed


def known_players(division: EventDivision, numbers: Iterable[int]) -> frozenset[int]:
    """These numbers; NotationError names one that the division does not have."""
    found = frozenset(numbers)
    strangers = found - set(division.by_number)
    if strangers:
        raise NotationError(f"division {division.name} has no player {min(strangers)}")
    return found

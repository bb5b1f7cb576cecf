"""What a director asks of a round before it is paired, in words: pairs, tables, who is away."""

from collections.abc import Iterable

from recorder.domain.event.divisions import EventDivision
from recorder.texts import TextError


def locked_pair(word: str) -> tuple[int, int]:
    """Two who are to meet, as ``12-5``."""
    first, _, second = word.partition("-")
    if not (first.isdecimal() and second.isdecimal()):
        raise TextError("pair_form", word=word)
    return int(first), int(second)


def fixed_tables(words: Iterable[str]) -> dict[int, int]:
    """Who stays at one table, as ``12=1``: tables by players' numbers."""
    fixed: dict[int, int] = {}
    for word in words:
        player, _, table = word.partition("=")
        if not (player.isdecimal() and table.isdecimal() and int(table)):
            raise TextError("seat_form", word=word)
        if int(table) in fixed.values():
            raise TextError("seat_taken", word=word, table=table)
        fixed[int(player)] = int(table)
    return fixed


def known_players(division: EventDivision, numbers: Iterable[int]) -> frozenset[int]:
    """These numbers; TextError names one that the division does not have."""
    found = frozenset(numbers)
    strangers = found - set(division.by_number)
    if strangers:
        raise TextError("no_player", division=division.name, number=min(strangers))
    return found

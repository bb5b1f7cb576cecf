"""Which players and tables there are those here: a feed writes "Surname, Given"."""

import unicodedata
from collections.abc import Sequence

from recorder.domain.errors import NotationError
from recorder.woogles.shapes import BroadcastGame


def is_player(name: str, other: str) -> bool:
    """Whether two names are of one player, whatever their order, case and commas.

    >>> is_player("Example, Ann", "ann example"), is_player("Ann", "Ann Example")
    (True, False)
    """
    return _words(name) == _words(other)


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFC", name).casefold().replace(",", " ").replace("_", " ")
    return sorted(plain.split())


def seat_order(there: Sequence[str], here: Sequence[str]) -> tuple[int, int] | None:
    """Which of the players there are ours, in our order; None where they are others."""
    for order in ((0, 1), (1, 0)):
        if all(is_player(there[at], name) for at, name in zip(order, here, strict=True)):
            return order
    return None


def are_players(there: Sequence[str], here: Sequence[str]) -> bool:
    """Whether both pairs are the same players, whichever of them goes first."""
    return seat_order(there, here) is not None


def find_in_feed(
    games: Sequence[BroadcastGame], number: int, table: int, here: Sequence[str]
) -> BroadcastGame:
    """The game of these players among those of round ``number`` there.

    NotationError says what their feed has instead, and what helps.
    """
    of_round = [game for game in games if game.round == number]
    found = [game for game in of_round if are_players(game.players, here)]
    if found:
        return found[0]
    at_table = [" - ".join(game.players) for game in of_round if game.table_number == table]
    if at_table:
        raise NotationError(
            f"at table {table} their feed has {at_table[0]}: correct the names in the event, or"
            " the pairing"
        )
    raise NotationError(
        f"their feed has no game at table {table} in round {number}: pair the round in the event,"
        " and see that the broadcast reads its tourney.js (--announce FEED)"
    )

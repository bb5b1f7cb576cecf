"""Whether players there are those here: a feed writes "Surname, Given" where a table says both."""

import unicodedata
from collections.abc import Sequence


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

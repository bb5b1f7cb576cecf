"""Which tables of a hall which recorder is to hold. Pure: who is there is given."""

from collections.abc import Collection, Iterable, Mapping

HALL_TABLE = 0
"""What is about no table: the event, consoles, strangers. One recorder holds it like a table."""


def fair_share(tables: Collection[int], recorders: int) -> int:
    """So many tables each of so many recorders holds, at most."""
    many = len(set(tables) - {HALL_TABLE})
    return -(-many // max(1, recorders))


def to_take(
    tables: Iterable[int],
    held: Mapping[int, int],
    recorders: int,
    me: int,
    left_over: Collection[int] = (),
) -> list[int]:
    """The tables that a recorder takes now: free ones up to its share, the lowest first.

    ``held`` has the recorder of each table that is not free. What is ``left_over`` nobody else
    has wanted for a while: it is taken whatever the share.
    """
    mine = {table for table, who in held.items() if who == me and table != HALL_TABLE}
    wanted = sorted(set(tables) - held.keys())
    room = fair_share(list(tables), recorders) - len(mine)
    seats = [table for table in wanted if table != HALL_TABLE]
    taken = {*seats[: max(0, room)], *(set(left_over) & set(wanted)), *({HALL_TABLE} & set(wanted))}
    return sorted(taken)


def too_many(tables: Collection[int], held: Mapping[int, int], recorders: int, me: int) -> int:
    """How many tables more than its share a recorder holds, while others hold less."""
    mine = sum(who == me and table != HALL_TABLE for table, who in held.items())
    return max(0, mine - fair_share(tables, recorders))

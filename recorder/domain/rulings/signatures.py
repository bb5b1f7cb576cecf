"""Who has signed the result: a fold of the orders in force."""

from collections.abc import Iterable
from dataclasses import dataclass

from recorder.domain.orders import Sign
from recorder.domain.rulings.in_force import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The newest signature of a player: the order and its row, and who gave it when.

    ``stale``: the record was changed after it, so that it is not what was signed.
    """

    order: str
    row: int
    at_ms: int
    who: str
    stale: bool


def signatures(
    in_force: Iterable[Ruling], *, changed: int
) -> tuple[Signature | None, Signature | None]:
    """By player; ``changed`` is the newest row that says something else of the game."""
    found: dict[int, Signature] = {}
    for ruling in in_force:
        if isinstance(ruling.order.act, Sign):
            found[ruling.order.act.player] = Signature(
                order=ruling.order.id,
                row=ruling.seq,
                at_ms=ruling.at_ms,
                who=ruling.order.who,
                stale=ruling.seq < changed,
            )
    return found.get(0), found.get(1)

"""Who has signed the result: a fold of the orders in force."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recorder.domain.orders import Sign
from recorder.domain.rulings.in_force import Ruling, in_force


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
    counting: Iterable[Ruling], *, changed: int
) -> tuple[Signature | None, Signature | None]:
    """By player; ``changed`` is the newest row that says something else of the game."""
    found: dict[int, Signature] = {}
    for ruling in counting:
        if isinstance(ruling.order.act, Sign):
            found[ruling.order.act.player] = Signature(
                order=ruling.order.id,
                row=ruling.seq,
                at_ms=ruling.at_ms,
                who=ruling.order.who,
                stale=ruling.seq < changed,
            )
    return found.get(0), found.get(1)


def confirmed_by(rulings: Sequence[Ruling], *, changed: int) -> int:
    """The row by which a result is confirmed as it is, 0 while it is not.

    Both players have signed it; what a director orders after that holds without them. ``rulings``
    are all of the game, in order, ``changed`` is as for ``signatures``.
    """
    signed = signatures(in_force(rulings), changed=changed)
    known = [signature for signature in signed if signature is not None]
    if len(known) < len(signed):
        return 0
    newest, ordered = max(signature.row for signature in known), rulings[-1].seq
    is_stale = any(signature.stale for signature in known)
    return 0 if is_stale and ordered <= newest else max(newest, ordered)

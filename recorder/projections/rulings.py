"""What the public may know of a director's orders: the banner, and that a game was ended."""

from recorder.domain.errors import DeviceError
from recorder.domain.orders import Banner, EndGame
from recorder.domain.rulings.in_force import Ruling, in_force
from recorder.log.port import Row
from recorder.wire import ORDER_REFUSED_TYPE, ORDER_REPEATED_TYPE, decode_order


class PublicRulings:
    """The orders of one game, folded row by row; whatever else they say is not for the public."""

    def __init__(self) -> None:
        self._rulings: list[Ruling] = []

    def advance(self, row: Row) -> bool:
        """One more row of kind *ruled*; False when its type is not known here.

        Orders that were refused, or came again, change nothing.
        """
        if row.body.get("type") in (ORDER_REFUSED_TYPE, ORDER_REPEATED_TYPE):
            return True
        try:
            told = decode_order(str(row.body.get("type")), dict(row.body.get("data", {})))
        except DeviceError:
            return False
        self._rulings.append(Ruling(seq=row.seq, at_ms=row.at, order=told.order))
        return True

    def clear(self) -> None:
        """Another game begins."""
        self._rulings.clear()

    @property
    def banner(self) -> str | None:
        """The text to be shown, None when there is none."""
        acts = [ruling.order.act for ruling in in_force(self._rulings)]
        texts = [act.text for act in acts if isinstance(act, Banner)]
        return texts[-1] if texts and texts[-1] else None

    @property
    def ended_ms(self) -> int | None:
        """When a director ended the game, in milliseconds since 1970; None when none did."""
        ends = [one for one in in_force(self._rulings) if isinstance(one.order.act, EndGame)]
        return ends[-1].at_ms if ends else None

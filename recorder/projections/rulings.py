"""What the public may know of a director's orders: the banner, and that a game was ended."""

from recorder.domain.orders import Banner, EndGame
from recorder.domain.record import OrderCarriedOut
from recorder.domain.rulings.in_force import Ruling, in_force
from recorder.log.port import Row


class PublicRulings:
    """The orders of one game, folded row by row; whatever else they say is not for the public."""

    def __init__(self) -> None:
        self._rulings: list[Ruling] = []

    def advance(self, row: Row) -> None:
        """One more row; all but orders that are applied change nothing."""
        if isinstance(row.says, OrderCarriedOut):
            self._rulings.append(Ruling.of(row.says, seq=row.seq, at_ms=row.at))

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
        ends = [
            ruling for ruling in in_force(self._rulings) if isinstance(ruling.order.act, EndGame)
        ]
        return ends[-1].at_ms if ends else None

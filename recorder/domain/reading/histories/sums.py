"""What every face has cost on every square, summed up look by look."""

from collections.abc import Iterable, Mapping, Sequence

from recorder.domain.board import Square
from recorder.domain.reading.histories.evidence import Evidence
from recorder.domain.reading.histories.hypotheses import NOT_PLACED, Hypothesis

Totals = tuple[tuple[float, ...], ...]
"""By square, a cost in nats for each face, over all looks up to one; empty where nobody asks."""


def added(totals: Totals | None, evidence: Evidence) -> Totals:
    """The sums with one more look."""
    if totals is None:
        return evidence.tiles
    return tuple(
        tuple([old + new for old, new in zip(before, now, strict=True)])
        for before, now in zip(totals, evidence.tiles, strict=True)
    )


def between(totals: Sequence[Totals], square: Square, first: int, last: int) -> list[float]:
    """Costs of every face on a square, summed over looks ``first`` to ``last``, both included."""
    upto = totals[last][square]
    if first == 0:
        return list(upto)
    return [now - then for now, then in zip(upto, totals[first - 1][square], strict=True)]


class TileCosts:
    """What the tiles of histories have cost as each face, over the looks since each lies there.

    Histories share most of their tiles: each is summed once.
    """

    def __init__(self, totals: Sequence[Totals]) -> None:
        self._totals = totals
        self._summed: dict[tuple[int, int], list[float]] = {}
        self._of_boards: dict[tuple[int, ...], Mapping[Square, list[float]]] = {}

    def of(self, hypothesis: Hypothesis) -> Mapping[Square, list[float]]:
        """By square with a tile; the same list for the same tile of another history."""
        found = self._of_boards.get(hypothesis.since)
        if found is None:
            found = self._of_boards[hypothesis.since] = {
                Square(square): self._summed.get((square, first)) or self._sum(square, first)
                for square, first in enumerate(hypothesis.since)
                if first != NOT_PLACED
            }
        return found

    def _sum(self, square: int, first: int) -> list[float]:
        costs = between(self._totals, Square(square), first, len(self._totals) - 1)
        self._summed[square, first] = costs
        return costs


def trim_old_totals(totals: Totals, hypotheses: Iterable[Hypothesis]) -> Totals:
    """The sums up to a look as far as they are asked for after the next one.

    Histories go on from the tiles on their boards: that is on squares where one of them saw tiles
    come or go at that next look, and nowhere else.
    """
    turns = [hypothesis.turns[-1] for hypothesis in hypotheses]
    asked = {
        square
        for turn in turns
        for square in (*turn.placed, *turn.missed, *turn.taken, *turn.changed)
    }
    return tuple(costs if square in asked else () for square, costs in enumerate(totals))

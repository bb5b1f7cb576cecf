"""Looks at boards drawn as text, as likelihoods of a camera's eyes."""

from functools import cache
from math import log

from recorder.domain.observations import COST_PER_NAT, SYMBOLS, SquareCosts

SURE = 0.97
Beliefs = dict[str, dict[str, float]]


@cache
def square_costs(*seen: tuple[str, float]) -> bytes:
    beliefs = dict(seen)
    rest = (1 - sum(beliefs.values())) / (len(SYMBOLS) - len(beliefs))
    return bytes(min(255, round(-COST_PER_NAT * log(beliefs.get(one, rest)))) for one in SYMBOLS)


def look(text: str, beliefs: Beliefs | None = None) -> SquareCosts:
    """A look that shows the board drawn in ``text`` (rows from row 6 on; the rest is empty).

    ``beliefs`` overrides single squares: {"8H": {"V": 0.5, "Y": 0.45}}.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    return whole_look([""] * 5 + lines, beliefs)


def whole_look(rows: list[str], beliefs: Beliefs | None = None) -> SquareCosts:
    """The same of all rows from the first on; what is missing of them is empty."""
    costs = bytearray()
    for row in range(15):
        cells = (rows[row] if row < len(rows) else "").ljust(15, ".")[:15]
        for col, cell in enumerate(cells):
            seen = (beliefs or {}).get(f"{row + 1}{'ABCDEFGHIJKLMNO'[col]}", {cell: SURE})
            costs += square_costs(*seen.items())
    return SquareCosts(bytes(costs))

"""Which legal-shaped plays a look could show, best first: geometry and likelihood, no letters.

A play is one line of one to seven new tiles with no gap, touching a tile that is there (or
through the centre on an empty board). Rulebook: PLACE-1 to PLACE-4 for the shape; a play that
breaks them is for the director and is not proposed here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from recorder.domain.board import CENTRE, SIZE, SQUARES, Square, neighbours
from recorder.domain.reading.histories.evidence import Evidence
from recorder.domain.tiles import RACK_SIZE


@dataclass(frozen=True, slots=True)
class Candidate:
    """New squares of a possible play, and by how many nats it beats leaving them empty."""

    squares: tuple[Square, ...]
    gain: float


def lines() -> Iterator[tuple[Square, ...]]:
    """The fifteen rows, then the fifteen columns."""
    for row in range(SIZE):
        yield tuple(Square(row * SIZE + col) for col in range(SIZE))
    for col in range(SIZE):
        yield tuple(Square(row * SIZE + col) for row in range(SIZE))


def plays(
    evidence: Evidence,
    occupied: frozenset[Square],
    *,
    taken: tuple[Square, ...] = (),
    keep: int = 5,
) -> list[Candidate]:
    """The best ``keep`` plays that a look could show beside the tiles in ``occupied``.

    ``taken`` are squares whose tiles have just been taken back. Only plays with at least one
    square that looks more like a tile than not are considered. Not checked: letters, supply.
    """
    gains = {
        square: (evidence.now_empty if square in taken else evidence.empty)[square]
        - evidence.now_tile[square]
        for square in map(Square, range(SQUARES))
        if square not in occupied
    }
    promising = {square for square, gain in gains.items() if gain > 0}
    touching = {near for square in occupied for near in neighbours(square)} - occupied
    anchors = touching if occupied else {CENTRE}
    fewest = 1 if occupied else 2
    found: dict[tuple[Square, ...], float] = {}
    for line in lines():
        if promising.isdisjoint(line):
            continue
        for squares, gain in _runs(line, gains):
            if len(squares) < fewest or anchors.isdisjoint(squares):
                continue
            if gain > found.get(squares, float("-inf")):
                found[squares] = gain
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [Candidate(squares, gain) for squares, gain in ranked[:keep]]


def _runs(
    line: tuple[Square, ...], gains: dict[Square, float]
) -> Iterator[tuple[tuple[Square, ...], float]]:
    """Every run of a line that starts and ends on a free square, with its total gain."""
    free = [square in gains for square in line]
    for start in range(SIZE):
        if not free[start]:
            continue
        squares: list[Square] = []
        gain = 0.0
        for end in range(start, SIZE):
            if not free[end]:
                continue
            if len(squares) == RACK_SIZE:
                break
            squares.append(line[end])
            gain += gains[line[end]]
            yield tuple(squares), gain

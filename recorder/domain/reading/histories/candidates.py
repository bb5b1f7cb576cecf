"""Which layings a look could show, best first: geometry and likelihood, no letters.

A legal play is one line of one to seven new tiles with no gap, touching a tile that is there (or
through the centre on an empty board; PLACE-1 to PLACE-4). Of layings that break these rules there
is one: what the look shows, square by square.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from recorder.domain.board import CENTRE, SIZE, SQUARES, Square, neighbours
from recorder.domain.laying_faults import shape_faults
from recorder.domain.reading.histories.evidence import Evidence
from recorder.domain.tiles import BLANK, RACK_SIZE

BARE = 2.0
"""Nats by which a square must look bare rather than like a tile to count as seen bare."""
INVENTED_COST = 6.0
"""Nats for a tile on a square that was seen bare, beside what the look itself says against it."""
LIKE_A_TILE = 1.5
"""Nats by which a free square must look like a tile to belong to an illegal laying."""
BLANK_COST = 2.5
"""Nats for each tile without a letter in an illegal laying: a patch of light looks like one."""
LONE_COST = 3.0
"""Nats for each tile but one of an illegal laying that lies alone: tiles are laid side by side. As
much for each tile beyond a rack of a laying in more than one line."""
WIDEST_GAP = 1
"""So many bare squares of a line may be between two tiles that are laid together."""


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


_LINES = tuple(lines())
_SQUARES = tuple(map(Square, range(SQUARES)))
MOST_PLAYS = 5
"""So many plays of a look are weighed, unless more are asked for."""
_ROUNDING = 1e-6
"""Nats by which sums of the same numbers in another order may differ at most."""


class TileGains:
    """By how many nats the squares of a look seem to have a tile that came now, not to be bare.

    ``likely`` are those that may: more like a tile than bare. Of a square whose tile has just been
    ``taken`` back, a look that reads as before counts in full.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.reading = evidence.reading
        seen = (evidence.empty, evidence.now_empty, evidence.now_tile)
        self._came = [empty - tile for empty, _, tile in zip(*seen, strict=True)]
        self._came_back = [bare - tile for _, bare, tile in zip(*seen, strict=True)]
        self.likely = frozenset(sq for sq in _SQUARES if self._came_back[sq] > 0)

    def of(self, square: Square, taken: tuple[Square, ...]) -> float:
        """The gain of a square."""
        return (self._came_back if square in taken else self._came)[square]

    def in_play(self, square: Square, taken: tuple[Square, ...]) -> float:
        """The same of a play's square: one that was seen bare has an invented tile."""
        gain = (self._came_back if square in taken else self._came)[square]
        return gain - INVENTED_COST if self._came_back[square] < -BARE else gain


def plays(
    gains: TileGains,
    occupied: frozenset[Square],
    *,
    taken: tuple[Square, ...] = (),
    blocked: frozenset[Square] = frozenset(),
    keep: int = MOST_PLAYS,
) -> list[Candidate]:
    """The best ``keep`` plays that a look could show beside the tiles in ``occupied``.

    ``taken`` are squares whose tiles have just been taken back, ``blocked`` those with a tile that
    belongs elsewhere. Only plays with at least one
    square that looks more like a tile than not are considered, and one that was seen bare costs
    more than any other explanation. Not checked: letters, supply.
    """
    held = occupied | blocked
    promising = {sq: gains.in_play(sq, taken) for sq in gains.likely - held}
    promising = {sq: gain for sq, gain in promising.items() if gain > 0}
    if not promising:
        return []
    anchors = _touching(occupied) if occupied else frozenset({CENTRE})
    runs: dict[tuple[Square, ...], float] = {}
    least = float("-inf")
    # Where most can be gained first: the best plays are known early, and most lines hold no better.
    for most, line in sorted(_promise(promising, anchors), reverse=True):
        if most + _ROUNDING < least:
            break
        # A single square is a run of its row and of its column.
        free = [(sq, gains.in_play(sq, taken)) for sq in line if sq not in held]
        runs.update(_runs(free, anchors, fewest=1 if occupied else 2, least=least))
        if len(runs) >= keep:
            runs = dict(_best(runs, keep))
            least = min(runs.values())
    return [Candidate(squares, gain) for squares, gain in _best(runs, keep)]


@lru_cache(maxsize=256)
def _touching(occupied: frozenset[Square]) -> frozenset[Square]:
    """The free squares beside a tile."""
    return frozenset([near for square in occupied for near in neighbours(square)]) - occupied


def _promise(
    promising: Mapping[Square, float], anchors: AbstractSet[Square]
) -> Iterator[tuple[float, tuple[Square, ...]]]:
    """The lines in which a play can be, each with the most that one of its runs can gain."""
    for line in _LINES:
        if not anchors.isdisjoint(line) and (hopeful := promising.keys() & line):
            yield sum([promising[square] for square in hopeful]), line


def illegal_laying(
    gains: TileGains,
    occupied: frozenset[Square],
    *,
    taken: tuple[Square, ...] = (),
    blocked: frozenset[Square] = frozenset(),
) -> Candidate | None:
    """All free squares that look like a tile, where no legal play could lie on just these.

    ``taken`` and ``blocked`` as for ``plays``.
    """
    shown = {sq: gains.of(sq, taken) for sq in sorted(gains.likely - occupied - blocked)}
    squares = tuple(square for square, gain in shown.items() if gain > LIKE_A_TILE)
    if not squares or not shape_faults(occupied, squares):
        return None
    blanks = sum(gains.reading[square] is BLANK for square in squares)
    odd = max(0, _lone(squares, occupied) - 1) + _beyond_a_rack(squares)
    cost = blanks * BLANK_COST + odd * LONE_COST
    return Candidate(squares, sum(shown[square] for square in squares) - cost)


def all_laid(
    gains: TileGains,
    occupied: frozenset[Square],
    *,
    taken: tuple[Square, ...] = (),
    blocked: frozenset[Square] = frozenset(),
) -> Candidate | None:
    """All free squares that look like a tile, in whatever shape; ``taken`` as for ``plays``."""
    shown = {sq: gains.of(sq, taken) for sq in sorted(gains.likely - occupied - blocked)}
    squares = tuple(square for square, gain in shown.items() if gain > LIKE_A_TILE)
    return Candidate(squares, sum(shown[square] for square in squares)) if squares else None


def _lone(squares: Sequence[Square], occupied: frozenset[Square]) -> int:
    """How many have no other of them near in their row or column, nor at a corner."""
    return sum(
        not any(_near(square, other, occupied) for other in squares if other != square)
        for square in squares
    )


def _beyond_a_rack(squares: Sequence[Square]) -> int:
    """How many no player can hold with the rest; too many in one line are read as laid."""
    rows, cols = {square // SIZE for square in squares}, {square % SIZE for square in squares}
    return 0 if 1 in (len(rows), len(cols)) else max(0, len(squares) - RACK_SIZE)


def _near(square: Square, other: Square, occupied: frozenset[Square]) -> bool:
    first, last = sorted((square, other))
    rows, cols = last // SIZE - first // SIZE, last % SIZE - first % SIZE
    if rows and cols:
        return rows == abs(cols) == 1
    between = range(first + SIZE if rows else first + 1, last, SIZE if rows else 1)
    return sum(sq not in occupied for sq in between) <= WIDEST_GAP


def _runs(
    line: Sequence[tuple[Square, float]],
    anchors: AbstractSet[Square],
    *,
    fewest: int,
    least: float,
) -> Iterator[tuple[tuple[Square, ...], float]]:
    """The runs over free squares of a line that touch an anchor and gain at least ``least``.

    ``line`` has each free square with its gain.
    """
    free = tuple([square for square, _ in line])
    gained = [gain for _, gain in line]
    anchored = [square in anchors for square in free]
    for start in range(len(free)):
        gain, touches = 0.0, False
        for end in range(start, min(start + RACK_SIZE, len(free))):
            gain += gained[end]
            touches = touches or anchored[end]
            if touches and gain >= least and end - start + 1 >= fewest:
                yield free[start : end + 1], gain


def _best(
    runs: Mapping[tuple[Square, ...], float], keep: int
) -> list[tuple[tuple[Square, ...], float]]:
    """Those that gain most."""
    return sorted(runs.items(), key=lambda run: (-run[1], run[0]))[:keep]

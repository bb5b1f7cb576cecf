"""What a look says of the tiles that stood before it: there, gone, moved, or another letter.

A play is what it was at its press (TURN-3). A tile that was knocked off or exchanged since then is
a fact of the board, not of the play: the history keeps the tile and notes where it lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import add

from recorder.domain.board import SQUARES, Board, Square
from recorder.domain.observations import COVERED, SquareCosts
from recorder.domain.reading.histories.candidates import LIKE_A_TILE
from recorder.domain.reading.histories.evidence import ALL_SQUARES, Evidence
from recorder.domain.reading.histories.hypotheses import (
    NOT_PLACED,
    Astray,
    Hypothesis,
    Letters,
    squares_of,
)
from recorder.domain.reading.histories.sums import TileCosts
from recorder.domain.tiles import Tile, face

ANOTHER_LETTER_COST = 3.0
"""Nats for a standing tile that suddenly reads as another letter."""
GONE_COST = 3.0
"""Nats for a standing tile that is suddenly not there: somebody has knocked or taken it off."""
MOVED_COST = 1.0
"""Nats more for one that lies on another square now."""
PLAIN = 4.0
"""Nats by which a face must lead for its tile to be read beyond doubt."""


@dataclass(frozen=True, slots=True)
class StandingTiles:
    """What a look says of the tiles that stood before it, if ``taken`` have been removed.

    ``since`` is the history's with that, ``away`` every tile of it that does not lie where it was
    laid; ``cost`` is that of the whole look if nothing was added. ``astray`` and ``changed`` as in
    ``TurnReading``.
    """

    since: tuple[int, ...]
    taken: tuple[Square, ...]
    cost: float
    away: Astray = ()
    astray: Astray = ()
    changed: tuple[Square, ...] = ()

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares with a tile."""
        return squares_of(self.since)

    @property
    def blocked(self) -> frozenset[Square]:
        """Squares on which a tile lies that belongs elsewhere."""
        return _squares_now(self.away)


class SeenTiles:
    """What a look says of each tile that stood before it; once, whichever history it is of."""

    def __init__(self, evidence: Evidence, costs: TileCosts) -> None:
        self.evidence = evidence
        self._costs = costs
        self._as_before: dict[tuple[Square, int], float] = {}
        self._bare: dict[tuple[object, ...], float] = {}

    def letters(self, hypothesis: Hypothesis) -> Letters:
        """What each standing tile has cost so far as each of ``evidence.faces``."""
        return self._costs.of(hypothesis)

    def as_before(self, square: Square, first: int, before: Sequence[float]) -> float:
        """What the tile costs that lies there since a look, if it still has the same letter.

        ``before`` are its costs until now.
        """
        known = self._as_before.get((square, first))
        if known is None:
            known = min(map(add, before, self.evidence.tiles[square])) - min(before)
            self._as_before[square, first] = known
        return known

    def as_bare(
        self, occupied: frozenset[Square], taken: tuple[Square, ...], blocked: frozenset[Square]
    ) -> float:
        """What the look costs on all squares without a tile of the history, if none was added."""
        key = (occupied, taken, blocked)
        known = self._bare.get(key)
        if known is None:
            seen = self.evidence
            free = (sq for sq in map(Square, ALL_SQUARES) if sq not in occupied)
            known = sum(seen.best_tile[sq] if sq in blocked else seen.empty[sq] for sq in free)
            known += sum(seen.now_empty[sq] for sq in taken)
            self._bare[key] = known
        return known


def standing_tiles(
    hypothesis: Hypothesis, tiles: SeenTiles, taken: tuple[Square, ...]
) -> list[StandingTiles]:
    """What the look can say of the standing tiles: one way, or two where a tile may have moved."""
    letters = tiles.letters(hypothesis)
    plain = _standing_as_seen(hypothesis, tiles, letters, taken)
    moved = _moved(plain, tiles.evidence, letters)
    return [plain] if moved is None else [plain, moved]


def _standing_as_seen(
    hypothesis: Hypothesis, tiles: SeenTiles, letters: Letters, taken: tuple[Square, ...]
) -> StandingTiles:
    evidence = tiles.evidence
    last = None if taken else hypothesis.last_play
    played = frozenset() if last is None else frozenset(last.placed)
    # Where all of a play has come off it was taken back.
    kept = played if all(evidence.looks_bare(sq, 0.0) for sq in played) else frozenset()
    was = dict(hypothesis.astray)
    gone: list[Square] = []
    changed: list[Square] = []
    total = 0.0
    for sq, before in letters.items():
        if sq in taken:
            continue
        same = tiles.as_before(sq, hypothesis.since[sq], before)
        other = evidence.best_tile[sq] + ANOTHER_LETTER_COST
        away = evidence.empty[sq] + (0.0 if sq in was else GONE_COST)
        if away < min(same, other) and sq not in kept:
            total += away
            gone.append(sq)
            continue
        total += min(same, other)
        if other < same and _plain(before) and _plain(evidence.tiles[sq]):
            changed.append(sq)
    astray = tuple((sq, _still(evidence, was.get(sq))) for sq in gone)
    return StandingTiles(
        since=_without(hypothesis.since, taken),
        taken=taken,
        cost=total + tiles.as_bare(hypothesis.occupied, taken, _squares_now(astray)),
        away=astray,
        astray=tuple(pair for pair in astray if pair[0] not in was),
        changed=tuple(changed),
    )


def _still(evidence: Evidence, square: Square | None) -> Square | None:
    """The square on which a tile lay that belongs elsewhere, unless it is bare by now."""
    return None if square is None or evidence.looks_bare(square, 0.0) else square


def _moved(ground: StandingTiles, evidence: Evidence, letters: Letters) -> StandingTiles | None:
    """The same with tiles that are gone found on squares that show just these letters now."""
    free = [
        sq
        for sq in map(Square, ALL_SQUARES if ground.astray else ())
        if ground.since[sq] == NOT_PLACED and sq not in ground.blocked
        if evidence.empty[sq] - evidence.now_tile[sq] > LIKE_A_TILE and _plain(evidence.tiles[sq])
    ]
    found: dict[Square, Square] = {}
    for sq, _ in ground.astray:
        face = likeliest(letters[sq])
        same = [place for place in free if likeliest(evidence.tiles[place]) == face]
        if len(same) == 1 and same[0] not in found.values():
            found[sq] = same[0]
    if not found:
        return None
    promised = sum(evidence.empty[sq] - evidence.now_tile[sq] for sq in found.values())
    return replace(
        ground,
        away=_as_found(ground.away, found),
        cost=ground.cost + len(found) * MOVED_COST - promised,
        astray=_as_found(ground.astray, found),
    )


def _as_found(astray: Astray, found: dict[Square, Square]) -> Astray:
    return tuple((sq, found.get(sq, now)) for sq, now in astray)


def _squares_now(astray: Astray) -> frozenset[Square]:
    return frozenset(now for _, now in astray if now is not None)


def _plain(costs: Sequence[float]) -> bool:
    first, second = sorted(costs)[:2]
    return second - first > PLAIN


def likeliest(costs: Sequence[float]) -> int:
    """The column of the cheapest face."""
    return costs.index(min(costs))


def _without(since: tuple[int, ...], taken: tuple[Square, ...]) -> tuple[int, ...]:
    if not taken:
        return since
    return tuple(NOT_PLACED if square in taken else look for square, look in enumerate(since))


@lru_cache(maxsize=64)
def board_shown(record: Board, seen: SquareCosts) -> Board:
    """The board as a look shows it, where it is sure; elsewhere as recorded.

    A blank keeps the letter that was named: the look shows none.
    """
    cells = list(record.cells)
    for square, symbol in _sure_symbols(seen):
        if symbol is not face(record.cells[square]):
            cells[square] = symbol
    return Board(tuple(cells))


@lru_cache(maxsize=512)
def _sure_symbols(seen: SquareCosts) -> tuple[tuple[int, Tile], ...]:
    """The squares where a look is sure, and what they show; a look is asked until the next."""
    best = ((square, *seen.best_and_margin(square)) for square in range(SQUARES))
    return tuple(
        (square, symbol)
        for square, symbol, margin in best
        if margin > PLAIN and symbol is not COVERED
    )

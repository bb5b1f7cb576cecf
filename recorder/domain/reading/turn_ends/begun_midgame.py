"""A game whose first look shows tiles already: a video that begins in its middle."""

from recorder.domain.board import Square
from recorder.domain.observations import SquareCosts
from recorder.domain.reading.histories.evidence import weigh
from recorder.domain.reading.histories.hypotheses import beginning
from recorder.domain.reading.histories.sums import added
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.tiles import TileSet


def begin_midgame(
    tile_set: TileSet, look: SquareCosts, squares: frozenset[Square], *, ref: int
) -> Reconstruction:
    """A game of which the first look shows tiles already, on these squares; nobody knows whose."""
    evidence = weigh(look, tile_set, ref=ref)
    history = beginning(lay_before=squares)
    return Reconstruction(tile_set, (evidence,), (added(None, evidence),), (history,), (0.0,))

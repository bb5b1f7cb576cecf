"""Turns that lie beside a tile which no play explains: score and placement may hang on it.

A small play that nobody saw being laid stays such a tile, doubted at the look that showed it
first; what touches it later is judged as if its square were bare.
"""

from collections.abc import Iterator

from recorder.domain.board import name_across, neighbours
from recorder.domain.notices import CodedText, coded
from recorder.domain.reading.histories.unexplained import stray_by_look
from recorder.domain.reading.reconstruct import Reconstruction


def doubts_next_to_misread(known: Reconstruction) -> Iterator[tuple[int, CodedText]]:
    """The reference of each such turn's look, with its doubt; only tiles that were there before."""
    strays = stray_by_look(known.looks, known.best)
    for turn in known.best.turns:
        beside = {near for square in turn.placed for near in neighbours(square)}
        there = {sq for look, squares in strays.items() if look < turn.look for sq in squares}
        if found := sorted(beside & there):
            names = " ".join(map(name_across, found))
            yield known.looks[turn.look].ref, coded("beside_unexplained", squares=names)

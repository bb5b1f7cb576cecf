"""Squares that look like tiles and that a history does not fill: whose doubt they are."""

from collections.abc import Sequence

from recorder.domain.board import Square
from recorder.domain.reading.histories.evidence import ALL_SQUARES, Evidence
from recorder.domain.reading.histories.hypotheses import Hypothesis

UNEXPLAINED = 3.0
"""Nats by which a square must look like a tile, and stay out of the history, to be named."""


def unexplained(look: Evidence, history: Hypothesis) -> list[Square]:
    """The squares that look like tiles, and that the history does not fill.

    Earlier tiles that have moved are explained.
    """
    filled = history.occupied | {now for _, now in history.astray}
    return [sq for sq in map(Square, ALL_SQUARES) if sq not in filled and _is_tile(look, sq)]


def stray_by_look(looks: Sequence[Evidence], history: Hypothesis) -> dict[int, list[Square]]:
    """What is unexplained in the newest look, by the look since which it has been there.

    It is a doubt of that turn and of none after it.
    """
    found: dict[int, list[Square]] = {}
    for square in unexplained(looks[-1], history) if looks else []:
        first = len(looks) - 1
        while first and _is_tile(looks[first - 1], square):
            first -= 1
        found.setdefault(first, []).append(square)
    return found


def _is_tile(evidence: Evidence, square: Square) -> bool:
    return evidence.now_empty[square] - evidence.now_tile[square] > UNEXPLAINED

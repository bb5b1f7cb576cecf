"""A turn without a play before the first tiles: then the player who lays first is named second.

The board shows none of it, and the players would be taken for each other for a whole game. All
there is to see is an arm that comes into an empty board's picture from another side than the first
tiles do. So it does where players draw their first racks in sight of the camera: nobody can tell.
"""

from collections.abc import Mapping, Sequence

from recorder.domain.instruments import PictureEdge
from recorder.domain.notices import CodedText, coded

FIRST_OR_SECOND = coded("first_may_be_second")


def doubts_of_first(
    seats: Mapping[PictureEdge, int], arms: Sequence[PictureEdge], *, learns: bool
) -> tuple[CodedText, ...]:
    """Whether the first tiles may be those of the player named second.

    ``seats`` have the edge of who laid them as the first player's; ``arms`` came since the
    first look at the empty board. Where seats are still being learnt (``learns``), every other edge
    may be the other player's. Nothing where it is not known from where the first tiles came.
    """
    firsts = [edge for edge, player in seats.items() if player == 0]
    if not firsts:
        return ()
    others = [edge for edge in arms if edge not in (*firsts, PictureEdge.UNCLEAR)]
    if not learns:
        others = [edge for edge in others if edge in seats]
    return (FIRST_OR_SECOND,) if others else ()

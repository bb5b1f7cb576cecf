"""From which edge of the picture somebody reached over the board. Pure arrays, no time source.

An arm enters the picture at an edge and ends over the board. Against the picture as it last lay
still it is one patch that joins the two; the edge with most of it is the side where its owner sits.
"""

from collections import Counter

import cv2
import numpy as np
import numpy.typing as npt

from recorder.domain.instruments import PictureEdge
from recorder.domain.observations import Corners

EDGES = (PictureEdge.LEFT, PictureEdge.TOP, PictureEdge.RIGHT, PictureEdge.BOTTOM)

_LEVELS = 16
_GAP = np.ones((5, 5), np.uint8)
"""Sleeve, shadow and hand are one patch over gaps of four points."""
_RIM = 2
"""Points of the small picture that are its edge."""
_LEAST_SHARE = 0.002
_LEAST_INSIDE = 0.0005
_CLEARLY = 2.0
"""The edge must have so many times the points of the next one."""
_WHOLE = 0.5
"""What changes more of the picture than this is another picture."""

Small = npt.NDArray[np.int16]
Field = npt.NDArray[np.uint8]


class Reach:
    """Small grey pictures in (``motion.small_grey``), edges out."""

    def __init__(self) -> None:
        self._lying: Small | None = None
        self._seen: Counter[PictureEdge] = Counter()
        self._moved = False
        self._edges: list[PictureEdge] = []

    def step(self, small: Small, corners: Corners | None, width: int, *, is_still: bool) -> None:
        """One more small picture; ``corners`` of the field in one that is ``width`` pixels wide."""
        if not is_still:
            self._moved = True
            self.moves(small, field_in(small, corners, width))
        elif self._moved:
            self._moved = False
            edge = self.lies(small)
            self._edges += [] if edge is None else [edge]

    def edges(self) -> tuple[PictureEdge, ...]:
        """The edges from which somebody reached in since this was asked last, in order."""
        edges, self._edges = tuple(self._edges), []
        return edges

    def lies(self, small: Small) -> PictureEdge | None:
        """Nothing moves any more: the edge of what did, ``UNCLEAR``, or None: nobody reached in."""
        self._lying = small
        counted = self._seen.most_common(2)
        self._seen.clear()
        if not counted:
            return None
        (edge, most), *rest = counted
        return edge if not rest or most >= _CLEARLY * rest[0][1] else PictureEdge.UNCLEAR

    def moves(self, small: Small, field: Field) -> None:
        """Something moves; ``field`` is where the board lies in a picture of this size, or 0."""
        if self._lying is None or self._lying.shape != small.shape:
            return
        difference = small - self._lying
        difference -= np.int16(np.median(difference))
        changed = (np.abs(difference) > _LEVELS).astype(np.uint8)
        if np.count_nonzero(changed) > _WHOLE * changed.size:
            return
        changed = np.asarray(cv2.dilate(changed, _GAP), np.uint8)
        count, patches = cv2.connectedComponents(changed)
        for patch in range(1, count):
            self._count(patches == patch, field)

    def _count(self, patch: npt.NDArray[np.bool_], field: Field) -> None:
        inside = np.count_nonzero(patch & (field > 0))
        if np.count_nonzero(patch) < _LEAST_SHARE * patch.size:
            return
        if inside < _LEAST_INSIDE * patch.size:
            return
        rims = (patch[:, :_RIM], patch[:_RIM], patch[:, -_RIM:], patch[-_RIM:])
        for edge, rim in zip(EDGES, rims, strict=True):
            if points := int(np.count_nonzero(rim)):
                self._seen[edge] += points


def field_in(small: Small, corners: Corners | None, width: int) -> Field:
    """Where the field lies in the small picture of one that is ``width`` pixels wide."""
    height, wide = small.shape
    mask = np.zeros((height, wide), np.uint8)
    if corners is None:
        mask[height // 5 : -height // 5, wide // 5 : -wide // 5] = 1
        return mask
    at = np.rint(np.array(corners) * (wide / width)).astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(mask, at, (1,)), np.uint8)

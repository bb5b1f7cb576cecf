"""From which edge of the picture somebody reached over the board. Pure arrays, no time source.

An arm enters the picture at an edge and ends over the board. Against the picture as it last lay
still it is one patch that joins the two; the edge with most of it is the side where its owner sits.
An arm that goes to bag, clock or rack and stays beside the board is told apart from that.
"""

from collections import Counter, deque

import cv2
import numpy as np
import numpy.typing as npt

from recorder.domain.instruments import MOST_REACHES, PictureEdge
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
        self._beside: Counter[PictureEdge] = Counter()
        self._moved = False
        self._edges: deque[PictureEdge] = deque(maxlen=MOST_REACHES)
        self._arms: deque[PictureEdge] = deque(maxlen=MOST_REACHES)

    def step(self, small: Small, corners: Corners | None, width: int, *, is_still: bool) -> None:
        """One more small picture; ``corners`` of the field in one that is ``width`` pixels wide."""
        if not is_still:
            self._moved = True
            self.moves(small, field_in(small, corners, width))
        elif self._moved:
            self._moved = False
            edge = self.lies(small)
            self._edges += [] if edge is None else [edge]

    @property
    def has_reached(self) -> bool:
        """Whether somebody reached in and out again since ``edges`` was asked last.

        A dark tile on a dark board may have come that changes too little to be noticed by itself.
        """
        return bool(self._edges)

    def edges(self) -> tuple[PictureEdge, ...]:
        """The edges from which somebody reached in since this was asked last, in order."""
        edges = tuple(self._edges)
        self._edges.clear()
        return edges

    def arms(self) -> tuple[PictureEdge, ...]:
        """The edges from which an arm came, beside the board too, each once in a row; as above."""
        arms = tuple(self._arms)
        self._arms.clear()
        return arms

    def lies(self, small: Small) -> PictureEdge | None:
        """Nothing moves any more: the edge of what did, ``UNCLEAR``, or None: nobody reached in."""
        self._lying = small
        over, beside = _edge_of(self._seen), _edge_of(self._beside)
        self._seen.clear()
        self._beside.clear()
        arm = over or beside
        if arm not in (None, PictureEdge.UNCLEAR, self._arms[-1] if self._arms else None):
            self._arms.append(arm)
        return over

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
        seen = self._beside if inside < _LEAST_INSIDE * patch.size else self._seen
        rims = (patch[:, :_RIM], patch[:_RIM], patch[:, -_RIM:], patch[-_RIM:])
        for edge, rim in zip(EDGES, rims, strict=True):
            if points := int(np.count_nonzero(rim)):
                seen[edge] += points


def _edge_of(counted: Counter[PictureEdge]) -> PictureEdge | None:
    """The edge with most points, ``UNCLEAR`` where another has nearly as many, None without any."""
    if not counted:
        return None
    (edge, most), *rest = counted.most_common(2)
    return edge if not rest or most >= _CLEARLY * rest[0][1] else PictureEdge.UNCLEAR


def field_in(small: Small, corners: Corners | None, width: int) -> Field:
    """Where the field lies in the small picture of one that is ``width`` pixels wide."""
    height, wide = small.shape
    mask = np.zeros((height, wide), np.uint8)
    if corners is None:
        mask[height // 5 : -height // 5, wide // 5 : -wide // 5] = 1
        return mask
    at = np.rint(np.array(corners) * (wide / width)).astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(mask, at, (1,)), np.uint8)
